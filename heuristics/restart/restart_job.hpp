#pragma once

#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// A job on one machine (or gang) that goes on from its last checkpoint after an interruption: a machine is down for
/// some time, comes up new, and needs `restart`, during which it may be interrupted again, before it works. At the
/// first start it is up and needs none. A chunk is done if the machine lives until its work and its checkpoint are.
struct RestartJob {
  double work = 1;        ///< W > 0
  double checkpoint = 0;  ///< C >= 0, at the end of every chunk
  double restart = 0;     ///< R >= 0
  double down = 0;        ///< mean down time D >= 0
  RiskPtr life;
};

/// How much to do before the next checkpoint.
class ChunkRule {
 public:
  virtual ~ChunkRule() = default;
  /// From 0 (excluded) to `left`, the work that is not saved, on a machine that has been up for `age`.
  virtual double chunk(double left, double age) const = 0;
};

/// The same interval always; what is left at the end may be less.
class EqualChunks final : public ChunkRule {
 public:
  explicit EqualChunks(double interval) : interval_(interval) {}
  double chunk(double left, double) const override { return left <= interval_ * (1 + 1e-9) ? left : interval_; }

 private:
  double interval_;
};

/// Chunks by work left and age, in steps of them: row i is for a work left of i + 1 steps, the last also for more;
/// column j for ages nearest to j steps, the last also for older machines.
class ChunkTable final : public ChunkRule {
 public:
  /// `chunks[i]`: at least one column each; values in steps of work, from 1 to i + 1.
  ChunkTable(double work_step, double age_step, std::vector<std::vector<std::uint32_t>> chunks);
  double chunk(double left, double age) const override;

 private:
  double work_step_, age_step_;
  std::vector<std::vector<std::uint32_t>> chunks_;
};

/// A law of lives with E[min(T, t)], both many times.
class LifeIntegral {
 public:
  /// Fast at times up to some thousand `unit`s.
  LifeIntegral(RiskPtr life, double unit);
  double survival(double t) const { return life_->survival(t); }
  double until(double t) const;

 private:
  double between(double from, double to, unsigned depth) const;

  RiskPtr life_;
  double unit_;
  std::vector<Risk::Exponential> exponentials_;
  std::vector<double> jumps_, before_;  // of steps: times, and the sum of time x weight before each
  std::vector<double> nodes_;           // of other laws: the integral up to each multiple of the unit
};

/// The expected finishing time, exact up to rounding and quadrature: for a machine that restarts with v_0 left, works
/// through chunks that are saved at its ages b_1 < b_2 < ... < b_m and leave v_1 > ... > v_m = 0,
///   z(v_0) = (D + E[min(T, b_m)] + sum_{k=1..m-1} (S(b_k) - S(b_{k+1})) z(v_k)) / S(b_1).
/// Infinite if some chunk is never done. Throws InputError if the rule leaves more than a million different amounts of
/// work.
double expected_time(const RestartJob& job, const ChunkRule& rule);

/// For exponential lives of rate l and chunks of T: e^(l R) (1/l + D) (e^(l (T + C)) - 1) each. [Daly 2006]
double exponential_chunk_time(const RestartJob& job, double rate, double interval);

}  // namespace coterie::heuristics
