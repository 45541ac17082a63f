#include "sim/terminal/extent_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace coterie::sim {

std::string extent_text(const Campaign& campaign, const ResultExtent& extent, const Shard& shard) {
  std::string text =
      fmt::format("{} x {} x {}{}", counted(campaign.configurations.size(), "configuration"),
                  counted(campaign.strategies.size(), "strategy", "strategies"), counted(extent.instances, "instance"),
                  shard.whole() ? "" : ", of which shard " + shard.text());
  if (!campaign.precision) return text;
  std::uint64_t least = extent.instances;
  for (const std::uint64_t done : extent.done)
    if (done > 0) least = std::min(least, done);
  text += fmt::format(" at most and {} at least, for a precision of {}", least, *campaign.precision);
  if (extent.short_of > 0)
    text += fmt::format("; {} it after max_instances = {}",
                        counted(extent.short_of, "configuration does not reach", "configurations do not reach"),
                        campaign.instances);
  return text;
}

}  // namespace coterie::sim
