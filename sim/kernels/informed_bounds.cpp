#include "sim/kernels/informed_bounds.hpp"

#include "heuristics/heterogeneous/informed_bound.hpp"

namespace coterie::sim {
namespace {

/// With more workers a bound takes long enough that one instance at a time is as fast, and can be stopped.
constexpr std::size_t kMostWorkers = 4096;

}  // namespace

InformedBounds::InformedBounds(heuristics::Platform platform, double work, double startup, heuristics::Rounds rounds,
                               const LaneLoops& loops)
    : loops_(loops), platform_(platform.begin(), platform.end()), work_(work), startup_(startup), rounds_(rounds) {
  for (const std::size_t i : heuristics::descending(platform, &heuristics::LinearWorker::bandwidth)) {
    const heuristics::LinearWorker& worker = platform[i];
    const bool overlap = rounds == heuristics::Rounds::kSeveral;
    order_.push_back(static_cast<std::uint32_t>(i));
    receive_.push_back(worker.receive());
    startup_times_.push_back(startup * worker.compute());
    process_.push_back(overlap ? worker.compute() : worker.receive() + worker.compute());
  }
}

void InformedBounds::operator()(const double* times, std::size_t lanes, KernelScratch& scratch, double* bound) const {
  if (platform_.size() > kMostWorkers) return one_by_one(times, lanes, bound);
  scratch.reals.resize(platform_.size() * kLanes);
  loops_.bound_informed({platform_.size(), order_.data(), receive_.data(), startup_times_.data(), process_.data(),
                         rounds_ == heuristics::Rounds::kSeveral, work_},
                        times, scratch.reals.data(), bound);
}

void InformedBounds::one_by_one(const double* times, std::size_t lanes, double* bound) const {
  std::vector<double> own(platform_.size());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t w = 0; w < own.size(); ++w) own[w] = times[w * kLanes + lane];
    bound[lane] = heuristics::informed_work_bound(platform_, own, work_, startup_, rounds_);
  }
}

}  // namespace coterie::sim
