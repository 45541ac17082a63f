#include "sim/sampled_times.hpp"

namespace coterie::sim {

SampledTimes::SampledTimes(std::vector<RiskPtr> risks, std::size_t workers, std::uint64_t seed, std::uint64_t identity,
                           Sampling sampling)
    : risks_(std::move(risks)), workers_(workers), key_(StreamKey::derive(seed, identity, Use::kInterruption)) {
  if (sampling == Sampling::kSobol) sobol_.emplace(StreamKey::derive(seed, identity, Use::kShift), workers);
}

void SampledTimes::draw(std::uint64_t instance, std::span<double> times) const {
  if (sobol_)
    sobol_->uniforms(instance, kLanes, times);
  else
    loops_.uniforms(key_.key[0], key_.key[1], instance, workers_, times.data());
  const std::size_t alike = workers_ / risks_.size();
  for (std::size_t w = 0; w < workers_; w += alike) {
    const auto drawn = times.subspan(w * kLanes, alike * kLanes);
    risks_[w / alike]->sample(drawn, drawn);
  }
}

}  // namespace coterie::sim
