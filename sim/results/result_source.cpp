#include "sim/results/result_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/results/totals_tables.hpp"

namespace coterie::sim {

bool is_finished(const std::string& path, const std::optional<PartManifest>& parts) {
  if (!std::filesystem::exists(path)) return false;
  if (!parts) return true;
  try {
    Provenance made = ResultFile(path).provenance();
    made.campaign_path = parts->provenance.campaign_path;  // the folder may have moved in between
    return made.text() == parts->provenance.text();
  } catch (const RuntimeError&) {  // what stands there will be replaced
    return false;
  }
}

FileRows::FileRows(ResultFile file, const CampaignIndex& index)
    : file_(std::move(file)), stored_(file_.campaign(index.campaign_path())), shard_(file_.provenance().shard) {
  const std::string& path = file_.path();
  const std::vector<std::string> identities = file_.file().read_texts("identity");
  const std::size_t strategies = stored_.strategies.size();
  const bool same_shape = identities.size() == stored_.configurations.size() &&
                          file_.configurations() == identities.size() && file_.strategies() == stored_.strategies;
  if (!same_shape) throw RuntimeError(path + ": is damaged: its shape does not match its campaign");
  if (stored_.precision) done_ = file_.instances_done();
  if (stored_.precision && done_.size() != identities.size())
    throw RuntimeError(path + ": is damaged: instances_done is not one number per configuration");
  for (const std::string& name : stored_.strategies) columns_.push_back(index.column(name));
  const std::vector<double> chunks = file_.file().read_doubles("chunks");
  const std::vector<double> sizes = file_.file().read_doubles("chunk_size");
  const std::vector<double> expected = file_.file().read_doubles("expected_work");
  for (std::size_t i = 0; i < identities.size(); ++i) {
    const Configuration& configuration = stored_.configurations[i];
    if (identities[i] != fmt::format("{:016x}", configuration.identity))
      throw RuntimeError(
          fmt::format("{}: the identity of configuration {} differs from what its campaign gives now: "
                      "an input file changed",
                      path, i));
    const InstanceRange share = share_of(i);
    const auto position = index.configuration(configuration.key);
    if (!position || share.first == share.last) continue;
    positions_.emplace_back(*position, i);
    spans_.push_back({*position, kReferenceColumn, share.first, share.last - share.first, {}});
    for (std::size_t s = 0; s < strategies; ++s) {
      const std::size_t at = i * strategies + s;
      if (columns_[s])
        spans_.push_back(
            {*position, *columns_[s], share.first, share.last - share.first, {chunks[at], sizes[at], expected[at]}});
    }
  }
  std::sort(spans_.begin(), spans_.end());
  std::sort(positions_.begin(), positions_.end());
}

InstanceRange FileRows::share_of(std::size_t stored) const {
  return stored_.precision ? InstanceRange{0, done_[stored]} : shard_.share(stored_, stored);
}

void FileRows::add_to(TotalsSlice& slice) const {
  if (!file_.statistics()) return;
  const TotalsTables tables(file_.file(), file_.path());
  for (const auto& [position, stored] : positions_)
    if (slice.has(position)) slice.add(position, tables.of(stored), file_.path());
}

void FileRows::fill(ResultSlice& slice) const {
  const std::uint64_t last_instance =
      std::min<std::uint64_t>(slice.first_instance + slice.instances, file_.instances());
  if (slice.first_instance >= last_instance) return;
  const std::uint64_t count = last_instance - slice.first_instance;
  const std::size_t strategies = columns_.size();
  auto at =
      std::lower_bound(positions_.begin(), positions_.end(), std::pair(slice.first_configuration, std::size_t{0}));
  const auto in_slice = [&](const auto& position) {
    return position->first < slice.first_configuration + slice.configurations;
  };
  while (at != positions_.end() && in_slice(at)) {
    // Configurations that follow one another in the file are read together: a chunk holds several.
    const auto first = at;
    while (at != positions_.end() && in_slice(at) && at->second - first->second == static_cast<std::size_t>(at - first))
      ++at;
    const auto run = static_cast<std::size_t>(at - first);
    std::vector<std::vector<double>> of_strategies;  // by kind; none that the slice does not hold
    for (std::size_t kind = 0; kind < row_kinds(stored_); ++kind) {
      of_strategies.emplace_back();
      if ((slice.*kRowKinds[kind].values).empty()) continue;
      of_strategies.back() = file_.file().read_doubles(kRowKinds[kind].name, {first->second, 0, slice.first_instance},
                                                       {run, strategies, count});
    }
    const std::vector<double> reference =
        file_.file().read_doubles("reference", {first->second, slice.first_instance}, {run, count});
    for (std::size_t i = 0; i < run; ++i) {
      const auto [position, stored] = first[static_cast<std::ptrdiff_t>(i)];
      const InstanceRange share = share_of(stored);
      const std::uint64_t from = std::max(share.first, slice.first_instance);
      const std::uint64_t to = std::min(share.last, last_instance);
      if (from >= to) continue;
      const auto put = [&, position = position](std::size_t column, const std::vector<double>& values, std::size_t row,
                                                std::size_t kind) {
        if (values.empty()) return;
        copy_into(slice, {position, column, from, to - from, {}},
                  std::span(values).subspan(row * count + (from - slice.first_instance), to - from), kind);
      };
      put(kReferenceColumn, reference, i, 0);
      for (std::size_t kind = 0; kind < of_strategies.size(); ++kind)
        for (std::size_t s = 0; s < strategies; ++s)
          if (columns_[s]) put(*columns_[s], of_strategies[kind], i * strategies + s, kind);
    }
  }
}

}  // namespace coterie::sim
