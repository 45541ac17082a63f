#pragma once

#include <cstdint>
#include <vector>

#include "heuristics/heterogeneous/linear_platform.hpp"
#include "heuristics/heterogeneous/message_plan.hpp"
#include "sim/kernels/kernel.hpp"

namespace coterie::sim {

/// heuristics' informed_work_bound for one platform, kLanes instances at once, with the same bits.
class InformedBounds {
 public:
  InformedBounds(heuristics::Platform platform, double work, double startup, heuristics::Rounds rounds,
                 const LaneLoops& loops);

  /// bound[lane] of the interruption times[worker][lane], finite, 0 or more; lanes from `lanes` on may be left out.
  void operator()(const double* times, std::size_t lanes, KernelScratch& scratch, double* bound) const;

 private:
  void one_by_one(const double* times, std::size_t lanes, double* bound) const;

  const LaneLoops& loops_;
  std::vector<heuristics::LinearWorker> platform_;
  double work_;
  double startup_;
  heuristics::Rounds rounds_;
  std::vector<std::uint32_t> order_;  // of service; in this order:
  std::vector<double> receive_;
  std::vector<double> startup_times_;
  std::vector<double> process_;
};

}  // namespace coterie::sim
