#include "sim/campaign_controls.hpp"

#include <cmath>

namespace coterie::sim {

ControlledRatios::ControlledRatios(const Controls* controls, std::span<const StrategyFacts> facts, Sampling sampling)
    : controls_(controls) {
  for (const StrategyFacts& fact : facts)
    means_.emplace_back(controls ? ratio_control_means(controls->means(), fact.expected) : std::vector<BoundedNumber>{},
                        sampling, kIndicators);
}

void ControlledRatios::add(std::uint64_t first, std::uint64_t instances, const double* ratio, std::size_t stride,
                           const double* reference, const double* capacity) {
  for (std::size_t s = 0; s < means_.size(); ++s)
    for (std::uint64_t i = 0; i < instances; ++i) {
      const double value = ratio[s * stride + i];
      if (std::isnan(value)) continue;
      if (controls_ == nullptr)
        means_[s].add(first + i, value, {});
      else
        means_[s].add(first + i, value, ratio_controls(controls_->means(), value, reference[i], capacity[i]));
    }
}

std::vector<MeanEstimate> ControlledRatios::estimates() const {
  std::vector<MeanEstimate> list;
  for (const ControlledMean& mean : means_) list.push_back(mean.estimate());
  return list;
}

CampaignControls::CampaignControls(const Campaign& campaign)
    : campaign_(campaign), made_(campaign.configurations.size()) {}

const Controls* CampaignControls::of(std::size_t configuration) {
  if (campaign_.variance_reduction == VarianceReduction::kNone) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (made_[configuration]) return made_[configuration].get();
  }
  auto made = campaign_.model->controls({campaign_.configurations[configuration], campaign_.seed, campaign_.strategies,
                                         *campaign_.risks, campaign_.sampling},
                                        laws_);
  const std::lock_guard lock(mutex_);
  if (!made_[configuration]) made_[configuration] = std::move(made);
  return made_[configuration].get();
}

ControlledRatios CampaignControls::ratios(std::size_t configuration, std::span<const StrategyFacts> facts) {
  return {of(configuration), facts, campaign_.sampling};
}

}  // namespace coterie::sim
