#pragma once

#include <cstdint>
#include <vector>

#include "core/infinity.hpp"
#include "core/risk.hpp"
#include "core/step_law.hpp"
#include "core/vector_loops.hpp"

namespace coterie {

/// A risk that jumps at observed durations. With equal weights it is the paper's
///   Pr_trace(t) = (number of intervals strictly shorter than t) / (number of intervals)
/// [worksharing-2013, Section 7.2.1]; with Kaplan-Meier weights the jumps may sum to less than 1, and the rest is
/// "not interrupted within the horizon" (infinite quantiles). A time t that equals a duration up to rounding (ties.hpp)
/// does not count as later; quantiles and jumps are the durations themselves.
class EmpiricalRisk final : public Risk {
 public:
  /// Equal weights. `durations` >= 0, at least one, any order; `text` is what text() returns.
  /// Throws InputError for an empty list or a negative or infinite duration.
  EmpiricalRisk(std::vector<double> durations, std::string text, double rounding = 0);
  /// Weights > 0, sum <= 1 (+ 1e-9); from kWholeLaw on the sum counts as 1.
  EmpiricalRisk(StepLaw law, std::string text);

  double probability(double t) const override;
  const EmpiricalRisk* steps() const override { return this; }
  RiskPtr in_unit(double unit) const override;
  std::vector<double> breaks() const override { return jumps_; }
  double only_jumps_until() const override { return kInfinity; }
  double quantile(double u) const override;
  void sample(std::span<const double> uniforms, std::span<double> times) const override;
  void probabilities(std::span<const double> times, std::span<double> probabilities) const override;
  std::string text() const override { return text_; }

  /// Where the risk jumps (strictly increasing), and P(T <= jumps[i]).
  const std::vector<double>& jumps() const { return jumps_; }
  const std::vector<double>& cumulative() const { return cumulative_; }
  StepLaw law() const;

 private:
  /// The last time that a jump does not count for, and the probability of the times up to it.
  struct Step {
    double end;
    double before;
  };
  void index();
  StepsView view() const;

  std::vector<double> jumps_;
  std::vector<double> cumulative_;
  double rounding_;  // of StepLaw
  std::string text_;
  // Look-ups take O(1) on average, by buckets over time and over probability, with one memory access each. Buckets of
  // longer times are wider, because durations have heavy tails.
  std::vector<Step> steps_;  // by time; with one more after the last
  std::vector<std::uint32_t> by_time_;
  std::vector<std::uint32_t> by_probability_;
  std::vector<double> equal_;  // all durations in order, if they have equal weights
  int time_shift_ = 0;
  std::uint64_t first_bucket_ = 0;
};

}  // namespace coterie
