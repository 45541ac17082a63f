#include "sim/sampling/sampled_times.hpp"

#include <algorithm>

#include "core/cancellation.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kWorkersInCache = 128;  // a multiple of 4

}  // namespace

SampledTimes::SampledTimes(std::vector<RiskPtr> risks, std::size_t workers, double startup_cost, std::uint64_t seed,
                           std::uint64_t identity, const Zones& zones)
    : risks_(std::move(risks)),
      workers_(workers),
      startup_cost_(startup_cost),
      zones_(zones),
      key_(StreamKey::derive(seed, identity, Use::kInterruption)),
      zone_key_(StreamKey::derive(seed, identity, Use::kZone)) {}

void SampledTimes::join_zones(std::uint64_t instance, std::size_t first_worker, std::size_t workers,
                              double* uniforms) const {
  const std::size_t last_zone = zones_.of(first_worker + workers - 1, workers_);
  const std::size_t first_zone = zones_.of(first_worker, workers_) / 4 * 4;  // draws are made four at a time
  const std::size_t zones = last_zone - first_zone + 1;
  double survival[(kWorkersInCache + 8) * kLanes];
  loops_.uniforms(zone_key_.key[0], zone_key_.key[1], instance, first_zone, zones, survival);
  loops_.survivals(survival, zones, 1 / zones_.common, survival);
  std::uint32_t zone_of[kWorkersInCache];
  for (std::size_t w = 0; w < workers; ++w)
    zone_of[w] = static_cast<std::uint32_t>(zones_.of(first_worker + w, workers_) - first_zone);
  loops_.join_zones({1 / (1 - zones_.common), survival, zone_of}, workers, uniforms);
}

void SampledTimes::draw(std::uint64_t instance, std::span<double> times, double* useful) const {
  const bool zones_bind = zones_.bind(workers_);
  for (std::size_t first = 0; first < workers_; first += kWorkersInCache) {
    cancellation_point();
    const std::size_t workers = std::min(kWorkersInCache, workers_ - first);
    double* const begin = times.data() + first * kLanes;
    loops_.uniforms(key_.key[0], key_.key[1], instance, first, workers, begin);
    if (zones_bind) join_zones(instance, first, workers, begin);
    const std::size_t alike = risks_.size() == 1 ? workers : 1;
    for (std::size_t w = 0; w < workers; w += alike) {
      const std::span drawn(begin + w * kLanes, alike * kLanes);
      risks_[risks_.size() == 1 ? 0 : first + w]->sample(drawn, drawn);
    }
    if (useful != nullptr) loops_.add_useful(begin, workers, startup_cost_, useful);
  }
}

}  // namespace coterie::sim
