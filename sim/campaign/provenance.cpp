#include "sim/campaign/provenance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/campaign/version.hpp"
#include "sim/input/json_text.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kMostListed = 5;

/// The file of a line of trace_checksums.
std::string file_of(const std::string& line) { return line.substr(std::min(line.find(' ') + 2, line.size())); }

std::string axes_text(const Campaign& campaign, const Configuration& configuration) {
  std::string text;
  for (const Axis& axis : campaign.model->axes())
    if (configuration.text(axis.name) != axis.default_value)
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis.name, configuration.text(axis.name));
  return text;
}

class Comparison {
 public:
  void changed(const std::string& what, const std::string& stored, const std::string& now) {
    if (stored != now) lines_.push_back(fmt::format("{}: was {}, now {}", what, echoed(stored), echoed(now)));
  }
  void add(const std::string& line) { lines_.push_back(line); }
  std::vector<std::string> lines() && { return std::move(lines_); }

 private:
  std::vector<std::string> lines_;
};

void compare_configurations(const Campaign& old, const Campaign& campaign, Comparison& comparison) {
  std::set<std::string> keys;
  for (const Configuration& configuration : campaign.configurations) keys.insert(configuration.key);
  std::size_t gone = 0;
  for (const Configuration& configuration : old.configurations) {
    if (keys.contains(configuration.key)) continue;
    if (++gone <= kMostListed)
      comparison.add(fmt::format("missing now: the configuration {}", echoed(axes_text(old, configuration))));
  }
  if (gone > kMostListed) comparison.add(fmt::format("... and {} more configurations", gone - kMostListed));
  if (gone > 0 && campaign.common_random_numbers && old.swept != campaign.swept)
    comparison.add("with common_random_numbers, giving an axis a second value changes every instance");
}

/// How long a campaign may go on, compared with before: longer, never shorter.
void compare_lengths(const Campaign& old, const Campaign& campaign, const Shard& shard, Comparison& comparison) {
  const auto text = [](const Campaign& of) {
    return of.precision ? fmt::format("given by precision = {}", *of.precision) : std::to_string(of.instances);
  };
  const bool sharded = !shard.whole();
  const bool other_length = campaign.instances < old.instances || (sharded && campaign.instances != old.instances);
  const char* rule = sharded ? "those of a shard cannot change" : "there may be more, not fewer";
  if (campaign.precision.has_value() != old.precision.has_value() || (!campaign.precision && other_length)) {
    comparison.add(fmt::format("instances: were {}, now {} ({})", text(old), text(campaign), rule));
    return;
  }
  if (!campaign.precision) return;
  const char* stays = "that of a shard cannot change";
  if (*campaign.precision > *old.precision || (sharded && *campaign.precision != *old.precision))
    comparison.add(fmt::format("precision: was {}, now {} ({})", *old.precision, *campaign.precision,
                               sharded ? stays : "it may be finer, not coarser"));
  if (other_length)
    comparison.add(
        fmt::format("max_instances: was {}, now {} ({})", old.instances, campaign.instances, sharded ? stays : rule));
}

/// Statistics are of all strategies together, and of whole blocks but for the last.
void compare_statistics(const Campaign& old, const Campaign& campaign, Comparison& comparison) {
  if (old.strategies != campaign.strategies)
    comparison.add(fmt::format("strategies: were {}, now {} (statistics need the same instances of all of them)",
                               quoted_list(old.strategies), quoted_list(campaign.strategies)));
  if (campaign.instances > old.instances && old.instances % kBlockInstances != 0)
    comparison.add(fmt::format("instances: were {}, now {} (statistics can be extended only from a multiple of {})",
                               old.instances, campaign.instances, kBlockInstances));
}

}  // namespace

Provenance Provenance::of(const Campaign& campaign, const Shard& shard) {
  Provenance made;
  made.campaign = campaign.text;
  made.campaign_path = std::filesystem::absolute(campaign.path).string();
  made.settings = campaign.settings;
  made.seed = campaign.seed;
  made.instances = campaign.instances;
  made.precision = campaign.precision;
  made.resolved = campaign.resolved().dump();
  std::map<std::string, std::string> checksums = campaign.risks->checksums();
  checksums.merge(campaign.schedules->checksums());
  for (const auto& [file, checksum] : checksums) made.trace_checksums.push_back(checksum + "  " + file);
  made.shard = shard;
  made.coterie_version = campaign.catalogue->version();
  made.git_revision = sim::git_revision();
  made.compiler = sim::compiler();
  made.flags = sim::compiler_flags();
  made.libraries = library_versions();
  return made;
}

std::string Provenance::text() const { return json_text(json(), -1); }

nlohmann::ordered_json Provenance::json() const {
  nlohmann::ordered_json made = {{"seed", seed}, {"instances", instances}, {"shard", shard.text()}};
  if (precision) made["precision"] = *precision;
  for_each_text(*this, [&](const char* name, const auto& value) { made[name] = value; });
  return made;
}

Provenance Provenance::from_json(const nlohmann::ordered_json& json) {
  Provenance read;
  json.at("seed").get_to(read.seed);
  json.at("instances").get_to(read.instances);
  read.shard = Shard::parse(json.at("shard").get<std::string>());
  if (json.contains("precision")) read.precision = json.at("precision").get<double>();
  for_each_text(read, [&](const char* name, auto& value) { json.at(name).get_to(value); });
  return read;
}

nlohmann::ordered_json Provenance::resolved_json(const std::string& file) const {
  const auto read = nlohmann::ordered_json::parse(resolved, nullptr, false);
  const auto has = [&](const char* key, auto is_right) { return read.contains(key) && is_right(read.at(key)); };
  const bool right =
      read.is_object() && has("title", [](const auto& value) { return value.is_string(); }) &&
      has("configurations", [](const auto& value) { return value.is_number_unsigned(); }) &&
      has("strategies", [](const auto& value) { return value.is_array(); }) &&
      (!read.contains("baseline") || has("baseline", [](const auto& value) { return value.is_string(); }));
  if (!right) throw RuntimeError(file + ": is damaged: its resolved campaign cannot be read");
  return read;
}

Provenance Provenance::located(const std::string& file) const {
  namespace fs = std::filesystem;
  const auto has_all = [](const Provenance& made) {
    const auto is_there = [](const std::string& path) {
      std::error_code unknown;
      return fs::exists(path, unknown);
    };
    const std::vector<std::string> paths = made.trace_paths();
    return std::all_of(paths.begin(), paths.end(), is_there);
  };
  if (has_all(*this)) return *this;
  std::error_code unknown;
  const fs::path here = fs::absolute(file), target = fs::canonical(file, unknown);
  for (const fs::path& path : {here, unknown ? here : target})
    for (fs::path folder = path.parent_path();; folder = folder.parent_path()) {
      Provenance moved = *this;
      moved.campaign_path = (folder / fs::path(campaign_path).filename()).string();
      if (has_all(moved)) return moved;
      if (folder == folder.parent_path()) break;
    }
  return *this;
}

Campaign Provenance::parse(const Catalogue& catalogue) const {
  CampaignOverrides overrides;
  overrides.seed = seed;
  if (precision) {
    overrides.precision = precision;
    overrides.max_instances = instances;
  } else {
    overrides.instances = instances;
  }
  overrides.settings = settings;
  overrides.are_stored = true;
  return parse_campaign(campaign, campaign_path, overrides, catalogue);
}

std::vector<std::string> Provenance::trace_paths() const {
  std::vector<std::string> paths;
  for (const std::string& line : trace_checksums)
    paths.push_back((std::filesystem::path(campaign_path).parent_path() / file_of(line)).string());
  return paths;
}

void Provenance::require_traces(const std::string& result) const {
  const std::vector<std::string> paths = trace_paths();
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string& line = trace_checksums[i];
    const std::string file = file_of(line);
    const std::string now = traces::file_checksum(paths[i]);
    if (now != line.substr(0, line.find(' ')))
      changed.push_back(fmt::format("the file {} (CRC-64 was {}, now {})", file, line.substr(0, line.find(' ')), now));
  }
  if (!changed.empty())
    throw RuntimeError(fmt::format("{}: an input file changed since it was made:{}", result, as_list(changed)));
}

std::vector<std::string> differences(const Provenance& stored, const Campaign& campaign, const Shard& shard) {
  const Provenance now = Provenance::of(campaign, shard);
  Comparison comparison;
  comparison.changed("version of the program", stored.coterie_version, now.coterie_version);
  comparison.changed("revision of the program", stored.git_revision, now.git_revision);
  comparison.changed("compiler", stored.compiler, now.compiler);
  comparison.changed("compiler flags", stored.flags, now.flags);
  comparison.changed("libraries", stored.libraries, now.libraries);
  comparison.changed("shard", stored.shard.text(), shard.text());
  const auto same_file = [](const std::string& a, const std::string& b) {  // however its path is written
    const auto path = [](const std::string& line) { return std::filesystem::path(file_of(line)).lexically_normal(); };
    return a.substr(0, a.find(' ')) == b.substr(0, b.find(' ')) && path(a) == path(b);
  };
  for (const std::string& checksum : stored.trace_checksums)
    if (std::ranges::none_of(now.trace_checksums, [&](const std::string& one) { return same_file(one, checksum); }))
      comparison.add(fmt::format("changed: the file {}", echoed(file_of(checksum))));
  const Campaign old = stored.located(campaign.path).parse(*campaign.catalogue);
  comparison.changed("model", old.model->name(), campaign.model->name());
  comparison.changed("seed", std::to_string(old.seed), std::to_string(campaign.seed));
  comparison.changed("common_random_numbers", old.common_random_numbers ? "true" : "false",
                     campaign.common_random_numbers ? "true" : "false");
  const nlohmann::ordered_json before = old.resolved();
  const nlohmann::ordered_json after = campaign.resolved();
  // Exact means change no row, but they determine how far a precision goes.
  if (campaign.precision || !shard.whole())
    comparison.changed("variance_reduction", before["variance_reduction"], after["variance_reduction"]);
  const auto output = [](const Campaign& of) { return of.output == Output::kStatistics ? "statistics" : "ratios"; };
  comparison.changed("output", output(old), output(campaign));
  compare_lengths(old, campaign, shard, comparison);
  if (old.output == Output::kStatistics && campaign.output == old.output) compare_statistics(old, campaign, comparison);
  for (const std::string& name : old.strategies)
    if (std::find(campaign.strategies.begin(), campaign.strategies.end(), name) == campaign.strategies.end())
      comparison.add(fmt::format("missing now: the strategy \"{}\"", name));
  if (old.model->name() == campaign.model->name()) compare_configurations(old, campaign, comparison);
  if (!shard.whole() &&
      (campaign.strategies != old.strategies || campaign.configurations.size() != old.configurations.size()))
    comparison.add("a shard's strategies and configurations cannot change: run the new ones separately");
  return std::move(comparison).lines();
}

std::string as_list(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "\n  " + line;
  return text;
}

}  // namespace coterie::sim
