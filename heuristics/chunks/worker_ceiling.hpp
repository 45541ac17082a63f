#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "core/risk.hpp"

namespace coterie::heuristics {

/// What the chunk list of one worker is worth at most, where work that ends with l = -ln Pr(end) counts
///   phi_s(l) = e^-s l for l <= s, 1 - e^-l - a for l >= s,  a = 1 - (1 + s) e^-s,
/// for s on a grid. phi_0(l) = 1 - Pr. Why these: see static_ceiling.hpp. Threads may share it.
///
/// The list, of chunks w_k that end at f_k, w_k <= f_k - f_{k-1} - eps, is worth the sum of w_k phi(f_k). With at most
/// `work` in it that is, for every mu >= 0, at most
///   mu work + max of the sum of w_k (phi(f_k) - mu),
/// and the maximum is a dynamic programme over ends of chunks. Ends are rounded up to a grid, where phi is taken just
/// behind the point before: since phi does not increase with the end, the sum of (f_k - f_{k-1} - eps) phi_k does not
/// fall by that (summed by parts). The jumps of an empirical risk are such a grid, on which nothing is rounded.
class WorkerCeiling {
 public:
  static constexpr std::size_t kTangents = 49;
  /// s of a tangent: 0 for the first, else 0.02 to 25 in equal ratios.
  static double tangent(std::size_t index);
  /// a.
  static double intercept(std::size_t index);
  /// phi_s of work that is lost with probability `lost` = e^-l, and kept with 1 - `lost`, of its own digits.
  static double weight(std::size_t tangent, double lost, double kept);

  /// `startup_cost` >= 0, in the unit of the risk's time. On a grid of more than `most_points` only every second, third
  /// ... point is kept, which may make it worth more.
  WorkerCeiling(const RiskPtr& risk, double startup_cost, std::size_t most_points);

  /// The greatest worth of a list of at most `work` > 0, or a little more; in units of work.
  double worth(std::size_t tangent, double work) const;

  /// Sizes of chunks in order: a list of at most `work` that is worth most, or nearly: best for this worker alone, with
  /// the first tangent.
  std::vector<double> list(std::size_t tangent, double work) const;

  std::size_t points() const { return ends_.size(); }

 private:
  struct Weighing;
  /// No list is worth more than price x work + rest; one that takes `list` of work is worth that.
  struct Cut {
    double price = 0;
    double rest = 0;
    double list = 0;
  };
  /// The cuts at two prices, and between them that at the price of the line through their lists; 0: not looked at yet.
  struct Span {
    Cut low;
    Cut high;
    std::size_t below = 0;
    std::size_t above = 0;
  };
  /// Spans that were looked at, the first of all prices; for any thread that has the mutex.
  struct Spans {
    std::mutex mutex;
    std::vector<Span> list;
  };

  /// The span on whose cuts the answer for this work lies; spans are looked at as far as needed.
  Span span_of(Spans& spans, std::size_t tangent, double work) const;
  /// By end, one more behind the last.
  std::span<const double> weights(std::size_t tangent) const;
  Cut cut(std::size_t tangent, double price) const;

  double startup_cost_;
  std::vector<double> ends_;  // of chunks, in increasing order
  std::vector<double> kept_;  // 1 - Pr just behind the end before: no end in between has more; one more behind the last
  std::vector<double> log_;   // -ln Pr there
  mutable std::array<Spans, kTangents> spans_;
};

}  // namespace coterie::heuristics
