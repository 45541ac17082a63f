#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// The greatest value of a chunk list of one worker if work that ends with l = -ln Pr(end) counts
///   phi_s(l) = e^-s l for l <= s, 1 - e^-l - a for l >= s,  a = 1 - (1 + s) e^-s,
/// for s on a grid. phi_0(l) = 1 - Pr. For the reasons see static_ceiling.hpp. Thread-safe.
///
/// A list of chunks w_k that end at f_k, w_k <= f_k - f_{k-1} - eps, is worth the sum of w_k phi(f_k). If it has at
/// most `work` in it, this is, for every mu >= 0, at most
///   mu work + max of the sum of w_k (phi(f_k) - mu),
/// and the maximum is a dynamic programme over ends of chunks. Ends are rounded up to a grid, with phi taken just after
/// the previous point: since phi does not increase with the end, this does not lower the sum of (f_k - f_{k-1} - eps)
/// phi_k (summation by parts). The jumps of an empirical risk are such a grid, on which nothing is rounded.
class WorkerCeiling {
 public:
  static constexpr std::size_t kTangents = 49;
  /// s of a tangent: 0 for the first, otherwise 0.02 to 25 in equal ratios.
  static double tangent(std::size_t index);
  /// a.
  static double intercept(std::size_t index);
  /// phi_s of work that is lost with probability `lost` = e^-l and kept with 1 - `lost`, which is given with its own
  /// precision.
  static double weight(std::size_t tangent, double lost, double kept);

  /// `startup_cost` >= 0, in the unit of the risk's time. Of a grid of more than `most_points`, only every second,
  /// third, ... point is kept, which may raise the bound.
  WorkerCeiling(const RiskPtr& risk, double startup_cost, std::size_t most_points);

  /// The greatest value of a list of at most `work` > 0, or slightly more; in units of work.
  double worth(std::size_t tangent, double work) const;

  /// Sizes of chunks in order: a list of at most `work` that is best at some price of work, and so of all lists that
  /// are no larger. If `work` lies between two such lists it is the smaller one, perhaps empty, and may be worth much
  /// less than worth(). With the first tangent, work is worth what this worker alone is expected to complete.
  std::vector<double> list(std::size_t tangent, double work) const;

  static constexpr std::size_t kMostPoints = 100'000;  ///< of grids: a risk of more jumps takes no longer

  std::size_t points() const { return ends_.size(); }
  /// What a ceiling takes beside its points, in points (24 bytes each).
  static constexpr std::size_t kPointsBeside = 400;

 private:
  struct Weighing;
  /// No list is worth more than price x work + rest; one with `list` of work is worth just that.
  struct Cut {
    double price = 0;
    double rest = 0;
    double list = 0;
  };
  /// The cuts at two prices, and between them that at the price of the line through their lists; 0: not computed yet.
  struct Span {
    Cut low;
    Cut high;
    std::size_t below = 0;
    std::size_t above = 0;
  };
  /// The spans computed so far, the first one over all prices; for the thread that holds the mutex.
  struct Spans {
    std::mutex mutex;
    std::vector<Span> list;
  };

  /// The span whose cuts give the answer for this work; spans are computed as needed.
  Span span_of(Spans& spans, std::size_t tangent, double work) const;
  /// By end, with one more after the last.
  std::span<const double> weights(std::size_t tangent) const;
  Cut cut(std::size_t tangent, double price) const;

  double startup_cost_;
  std::vector<double> ends_;  // of chunks, in increasing order
  std::vector<double> kept_;  // 1 - Pr just after the previous end, the most in between; with one more after the last
  std::vector<double> log_;   // -ln Pr there
  mutable std::array<Spans, kTangents> spans_;
};

}  // namespace coterie::heuristics
