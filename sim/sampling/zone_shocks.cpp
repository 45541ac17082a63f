#include "sim/sampling/zone_shocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

/// Half of a jump at that time counts as before it.
double half_way_survival(const Risk& risk, double time) {
  constexpr double kNextAfter = 1 + 1e-11;  // more than times count as equal (core/ties.hpp)
  return (risk.survival(time) + risk.survival(time * kNextAfter)) / 2;
}

/// Ages between which the hazard is taken as constant, from 0 on.
std::vector<double> ages_for(const Risk& risk) {
  std::vector<double> ages = risk.breaks();
  if (risk.only_jumps_until() == 0) {
    constexpr double kFine = 0.02, kFineUntil = 3, kCoarse = 0.1, kMost = 22;  // of -log S
    for (double gone = kFine; gone < kMost; gone += gone < kFineUntil ? kFine : kCoarse)
      ages.push_back(risk.quantile(-std::expm1(-gone)));
  }
  std::erase_if(ages, [](double age) { return !(age > 0 && std::isfinite(age)); });
  std::sort(ages.begin(), ages.end());
  return ages;
}

constexpr double kPoints = 4;

/// P(at most n points in a block).
const std::array<double, 32>& cumulative() {
  static const std::array<double, 32> table = [] {
    std::array<double, 32> sums{};
    double term = std::exp(-kPoints), sum = 0;
    for (std::size_t n = 0; n < sums.size(); ++n) {
      sums[n] = sum += term;
      term *= kPoints / static_cast<double>(n + 1);
    }
    return sums;
  }();
  return table;
}

}  // namespace

HazardSteps::HazardSteps(const Risk& risk) {
  constexpr double kLeastStep = 0.01;  // of -log S
  constexpr double kSameHazard = 1e-6;
  double begin = 0, gone = 0;
  for (const double age : ages_for(risk)) {
    const double left = half_way_survival(risk, age);
    if (!(left > 0)) break;
    const double then = -std::log(left);
    if (then - gone < kLeastStep) continue;
    const double hazard = (then - gone) / (age - begin);
    if (steps_.empty() || std::abs(hazard - steps_.back().hazard) > kSameHazard * hazard)
      steps_.push_back({begin, hazard});
    begin = age;
    gone = then;
    if (mean_ == 0 || gone < std::log(2.0)) mean_ = gone / begin;
  }
  if (risk.only_jumps_until() > 0 || steps_.empty()) steps_.push_back({begin, 0});
}

double HazardSteps::at(double age) const {
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), age,
                                      [](double value, const Step& step) { return value < step.begin; });
  return (after - 1)->hazard;
}

double HazardSteps::greatest() const {
  return std::max_element(steps_.begin(), steps_.end(),
                          [](const Step& a, const Step& b) { return a.hazard < b.hazard; })
      ->hazard;
}

double own_part(double uniform, double common) {
  const double own = -std::expm1(std::log1p(-uniform) / (1 - common));
  return std::clamp(own, 0x1p-33, 1 - 0x1p-33);  // the least and the greatest uniform
}

ZoneShocks::ZoneShocks(double common, std::vector<RiskPtr> laws) : common_(common), risks_(std::move(laws)) {
  for (const RiskPtr& risk : risks_) laws_.emplace_back(*risk);
  double mean = 0, greatest = 0;
  for (const HazardSteps& law : laws_) {
    mean = std::max(mean, common_ * law.mean());
    greatest = std::max(greatest, common_ * law.greatest());
  }
  double low = 0, high = greatest;
  while (mean > 0 && high > 2 * mean) high /= 2;
  for (; low < greatest; low = std::exchange(high, 2 * high)) {
    Layer layer{low, high, kPoints / (high - low), {}};
    for (const HazardSteps& law : laws_) {
      auto& ages = layer.ages.emplace_back();
      for (std::size_t i = 0; i < law.steps().size(); ++i) {
        const auto& [begin, hazard] = law.steps()[i];
        if (!(common_ * hazard > low)) continue;
        const double end = i + 1 < law.steps().size() ? law.steps()[i + 1].begin : kInfinity;
        if (!ages.empty() && ages.back().second == begin)
          ages.back().second = end;
        else
          ages.emplace_back(begin, end);
      }
    }
    layers_.push_back(std::move(layer));
  }
}

StreamKey ZoneShocks::key_of(const StreamKey& key, std::uint32_t zone) {
  constexpr std::uint64_t kZones = 0x80000000;  // no number of a layer
  return StreamKey::derive(std::uint64_t{key.key[1]} << 32 | key.key[0], kZones | zone, Use::kZone);
}

double ZoneShocks::end(const StreamKey& key, std::uint64_t instance, std::size_t law, double begin, double uniform,
                       double until) const {
  const double own = begin + risks_[law]->quantile(own_part(uniform, common_));
  return first(key, instance, law, begin, std::min(own, until));
}

/// The first point that takes a machine that is up from `begin` on, if it is before `latest`; otherwise `latest`.
double ZoneShocks::first(const StreamKey& key, std::uint64_t instance, std::size_t law, double begin,
                         double latest) const {
  double first = latest;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    const Layer& layer = layers_[k];
    const StreamKey own = StreamKey::derive(std::uint64_t{key.key[1]} << 32 | std::uint64_t{key.key[0]}, k, Use::kZone);
    std::uint64_t next_block = 0;
    for (const auto& [from, to] : layer.ages[law]) {
      if (begin + from >= first) break;
      auto block = std::max(next_block, static_cast<std::uint64_t>((begin + from) / layer.block));
      for (; static_cast<double>(block) * layer.block < std::min(begin + to, first); ++block) {
        Stream stream(own, instance, static_cast<std::uint32_t>(block));
        const double uniform = to_uniform(stream());
        for (std::size_t n = 0; n < cumulative().size() && cumulative()[n] < uniform; ++n) {
          const double time = (static_cast<double>(block) + to_uniform(stream())) * layer.block;
          const double level = layer.low + to_uniform(stream()) * (layer.high - layer.low);
          if (time > begin && time < first && level < common_ * laws_[law].at(time - begin)) first = time;
        }
      }
      next_block = block;
    }
  }
  return first;
}

}  // namespace coterie::sim
