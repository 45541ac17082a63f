#include "sim/sampling/sampled_times.hpp"

#include <algorithm>

#include "core/cancellation.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kWorkersInCache = 128;  // a multiple of 4

}  // namespace

SampledTimes::SampledTimes(std::vector<RiskPtr> risks, std::size_t workers, double startup_cost, std::uint64_t seed,
                           std::uint64_t identity, Sampling sampling)
    : risks_(std::move(risks)),
      workers_(workers),
      startup_cost_(startup_cost),
      key_(StreamKey::derive(seed, identity, Use::kInterruption)) {
  if (sampling == Sampling::kSobol) sobol_.emplace(StreamKey::derive(seed, identity, Use::kShift), workers);
}

void SampledTimes::draw(std::uint64_t instance, std::span<double> times, double* useful) const {
  if (sobol_) sobol_->uniforms(instance, kLanes, times);
  for (std::size_t first = 0; first < workers_; first += kWorkersInCache) {
    cancellation_point();
    const std::size_t workers = std::min(kWorkersInCache, workers_ - first);
    double* const begin = times.data() + first * kLanes;
    if (!sobol_) loops_.uniforms(key_.key[0], key_.key[1], instance, first, workers, begin);
    const std::size_t alike = risks_.size() == 1 ? workers : 1;
    for (std::size_t w = 0; w < workers; w += alike) {
      const std::span drawn(begin + w * kLanes, alike * kLanes);
      risks_[risks_.size() == 1 ? 0 : first + w]->sample(drawn, drawn);
    }
    if (useful != nullptr) loops_.add_useful(begin, workers, startup_cost_, useful);
  }
}

}  // namespace coterie::sim
