#include "sim/campaign/shard.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace coterie::sim {
namespace {

// From this many configurations a shard on, whole configurations share the work evenly enough.
constexpr std::uint64_t kManyConfigurations = 8;
constexpr std::uint64_t kMostShards = 1'000'000;

}  // namespace

std::string Shard::text() const { return fmt::format("{}/{}", index, count); }

Shard Shard::parse(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = parse_integer(text.substr(0, slash));
    const auto count = parse_integer(text.substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count && static_cast<std::uint64_t>(*count) <= kMostShards)
      return {static_cast<std::uint64_t>(*index), static_cast<std::uint64_t>(*count)};
  }
  throw InputError(
      fmt::format("--shard must be I/N with 1 <= I <= N <= {}, such as 2/4, not \"{}\"", kMostShards, text));
}

InstanceRange Shard::share(const Campaign& campaign, std::size_t configuration) const {
  const std::uint64_t instances = campaign.instances;
  if (whole()) return {0, instances};
  if (campaign.precision || campaign.configurations.size() >= kManyConfigurations * count)
    return configuration % count == index - 1 ? InstanceRange{0, instances} : InstanceRange{0, 0};
  // Rotated from one configuration to the next, so that the same shard does not get all the larger parts.
  const std::uint64_t part = (index - 1 + configuration) % count;
  if (campaign.output == Output::kStatistics) {  // whole blocks
    const std::uint64_t blocks = (instances - 1) / kBlockInstances + 1;
    return {std::min(instances, blocks * part / count * kBlockInstances),
            std::min(instances, blocks * (part + 1) / count * kBlockInstances)};
  }
  return {instances * part / count, instances * (part + 1) / count};
}

}  // namespace coterie::sim
