#include "sim/sampling/recorded_spells.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/contract.hpp"

namespace coterie::sim {

RecordedSpells::RecordedSpells(std::shared_ptr<const traces::Recording> recording, double window, double scale,
                               std::vector<double> starts)
    : recording_(std::move(recording)), window_(window), scale_(scale), starts_(std::move(starts)) {}

std::shared_ptr<const Replay> RecordedSpells::in_unit(double unit) const {
  return std::make_shared<RecordedSpells>(recording_, window_ / unit, scale_ * unit, starts_);
}

void RecordedSpells::draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
                          heuristics::Spells& spells) const {
  COTERIE_REQUIRE(lives.size() <= machines());
  Stream stream(key, instance, 0);
  const double length = window_ * scale_;
  const double place = to_uniform(stream());
  const double begin = starts_.empty() ? recording_->begin + place * (recording_->end - recording_->begin - length)
                                       : starts_[static_cast<std::size_t>(place * static_cast<double>(starts_.size()))];
  std::vector<std::uint32_t> machines(recording_->machines.size());
  std::iota(machines.begin(), machines.end(), 0u);
  spells.clear();
  for (std::size_t w = 0; w < lives.size(); ++w) {
    const double left = static_cast<double>(machines.size() - w);
    std::swap(machines[w], machines[w + static_cast<std::size_t>(to_uniform(stream()) * left)]);
    const auto& times = recording_->machines[machines[w]];
    auto at = std::partition_point(times.begin(), times.end(), [&](const auto& one) { return one.end <= begin; });
    for (; at != times.end() && at->begin < begin + length; ++at)
      spells.add({std::max(0.0, (at->begin - begin) / scale_), std::min(window_, (at->end - begin) / scale_)});
    spells.close_worker();
  }
}

}  // namespace coterie::sim
