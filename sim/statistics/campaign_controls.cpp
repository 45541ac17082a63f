#include "sim/statistics/campaign_controls.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::sim {

namespace {

std::vector<BoundedNumber> control_means(const Controls::Means& known, double expected, const double* baseline) {
  std::vector<BoundedNumber> means = ratio_control_means(known, expected);
  const std::size_t work = kIndicators;  // completed, of both
  if (baseline) means.insert(means.begin() + work + 1, ratio_control_means(known, *baseline)[work]);
  return means;
}

}  // namespace

ControlledRatio::ControlledRatio(const Controls::Means& known, double work, double expected, Sampling sampling,
                                 const double* baseline)
    : known_(known),
      work_(work),
      exact_(!std::isnan(expected) && !(baseline && std::isnan(*baseline))),
      mean_(control_means(known, expected, baseline), sampling, kIndicators,
            baseline ? ValueRange::kDifference : ValueRange::kRatio) {
  const bool apart = !std::isnan(known.positive.value);  // are instances without any capacity known?
  const double nothing = apart ? 1 - known.positive.value : 0;
  const double error = (apart ? known.positive.error : 0) + known.reference.error / work;
  const BoundedNumber weight{1 - known.reference.value / work - nothing, error};
  if (baseline)
    shortage_.emplace(BoundedNumber{(expected - *baseline) / work, 2 * known.work_error / work}, weight, -1, 1);
  else
    shortage_.emplace(BoundedNumber{expected / work + nothing, known.work_error / work + error}, weight, 0, 1);
}

void ControlledRatio::add(std::uint64_t instance, double ratio, double reference, double capacity) {
  mean_.add(instance, ratio, ratio_controls(known_, ratio, reference, capacity));
  add_shortage(ratio, reference, capacity);
}

void ControlledRatio::add(std::uint64_t instance, double ratio, double baseline, double reference, double capacity) {
  const auto own = ratio_controls(known_, ratio, reference, capacity);
  const double all[] = {own[0], own[1], baseline * reference, own[2], own[3], own[4]};
  mean_.add(instance, ratio - baseline, all);
  add_shortage(ratio - baseline, reference, capacity);
}

void ControlledRatio::add_shortage(double value, double reference, double capacity) {
  if (capacity > 0 || std::isnan(known_.positive.value)) shortage_->add(value, 1 - reference / work_);
}

MeanEstimate ControlledRatio::estimate() const {
  const MeanEstimate plain = mean_.plain();
  if (is_known()) return {itself_.value, 0, std::max(1.0, plain.freedom), plain.plain_error, itself_.error};
  if (!shortage_ || !(plain.freedom >= 1)) return plain;
  const bool many = shortage_->effective() >= kFewest;
  if (!many && !exact_) return plain;
  MeanEstimate estimate =
      many && !(exact_ && shortage_->alike()) ? mean_.estimate() : shortage_->estimate(plain.mean, plain.freedom);
  estimate.plain_error = plain.plain_error;
  // Which of two errors is the smaller is partly chance, where one is known by few degrees of freedom.
  const double surely = plain.freedom < kReplicates ? 1.5 : 1;
  if (!(surely * plain.half_width() < estimate.half_width())) return estimate;
  if (many) return plain;
  estimate.standard_error = plain.standard_error;
  estimate.freedom = plain.freedom;
  estimate.bound = 0;
  return estimate;
}

ControlledRatios::ControlledRatios(const Controls* controls, std::span<const StrategyFacts> facts, Sampling sampling,
                                   double work, std::span<const BoundedNumber> known)
    : controls_(controls) {
  for (const StrategyFacts& fact : facts)
    means_.push_back(controls ? ControlledRatio(controls->means(), work, fact.expected, sampling)
                              : ControlledRatio(sampling));
  for (std::size_t s = 0; s < known.size(); ++s) means_[s].known_as(known[s]);
}

void ControlledRatios::add(std::uint64_t first, std::uint64_t instances, const double* ratio, std::size_t stride,
                           const double* reference, const double* capacity) {
  for (std::size_t s = 0; s < means_.size(); ++s)
    for (std::uint64_t i = 0; i < instances; ++i) {
      const double value = ratio[s * stride + i];
      if (std::isnan(value)) continue;
      if (controls_ == nullptr)
        means_[s].add(first + i, value);
      else
        means_[s].add(first + i, value, reference[i], capacity[i]);
    }
}

std::vector<MeanEstimate> ControlledRatios::estimates() const {
  std::vector<MeanEstimate> list;
  for (const ControlledRatio& mean : means_) list.push_back(mean.estimate());
  return list;
}

bool ControlledRatios::all_known() const {
  return std::all_of(means_.begin(), means_.end(), [](const ControlledRatio& mean) { return mean.is_known(); });
}

CampaignControls::CampaignControls(const Campaign& campaign)
    : campaign_(campaign), made_(campaign.configurations.size()), known_(campaign.configurations.size()) {}

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

void CampaignControls::forget(std::size_t configuration) {
  const std::lock_guard lock(mutex_);
  made_[configuration].reset();
}

const std::vector<BoundedNumber>& CampaignControls::known(std::size_t configuration) {
  static const std::vector<BoundedNumber> none;
  if (campaign_.variance_reduction != VarianceReduction::kExact) return none;
  {
    const std::lock_guard lock(mutex_);
    if (known_[configuration]) return *known_[configuration];
  }
  auto known = std::make_unique<std::vector<BoundedNumber>>(
      campaign_.model->expected_ratios({campaign_.configurations[configuration], campaign_.seed, campaign_.strategies,
                                        *campaign_.risks, campaign_.sampling, campaign_.schedules.get()}));
  const std::lock_guard lock(mutex_);
  if (!known_[configuration]) known_[configuration] = std::move(known);
  return *known_[configuration];
}

ControlledRatios CampaignControls::ratios(std::size_t configuration, std::span<const StrategyFacts> facts) {
  const Controls* controls = of(configuration);
  return {controls, facts, campaign_.sampling, controls ? campaign_.configurations[configuration].number("work") : 0,
          known(configuration)};
}

}  // namespace coterie::sim
