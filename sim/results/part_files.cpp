#include "sim/results/part_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/crc64.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/input/json_text.hpp"
#include "sim/input/toml_document.hpp"
#include "sim/results/totals_tables.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTogether = 1 << 17;  // values written at a time: 1 MiB
constexpr int kManifestVersion = 2;         // 2: with a checksum

/// N of "part-N.h5"; nothing for other names.
std::optional<unsigned long> part_number(const std::string& name) {
  if (!name.starts_with("part-") || !name.ends_with(".h5")) return std::nullopt;
  const std::string digits = name.substr(5, name.size() - 8);
  const bool fits =
      digits.size() >= 6 && digits.size() <= 9 && digits.find_first_not_of("0123456789") == std::string::npos;
  return fits ? std::optional(std::stoul(digits)) : std::nullopt;
}

constexpr const char* kManifest = "manifest.json";

bool is_unfinished(const std::string& name) {
  const std::string target = target_of_temporary(name);
  return target == kManifest || part_number(target);
}

/// Throws InputError for a file that has the name of a part but is none of ours, as far as can be read.
void require_part(const std::string& path) {
  try {
    const Hdf5File file(path, Hdf5File::Mode::kReadAgain);
    if (file.has_attribute("filetype") && file.text_attribute("filetype") == kPartType) return;
  } catch (const SystemFailure&) {
    throw;
  } catch (const RuntimeError&) {
  }
  throw InputError(path + ": has the name of a part, but is none, or is damaged; move it away");
}

/// CRC-64 of all that a manifest says, but for the checksum itself.
std::string checksum_of(nlohmann::ordered_json manifest) {
  manifest.erase("checksum");
  const std::string text = json_text(manifest, -1);
  return fmt::format("{:016x}", Crc64().update(std::as_bytes(std::span(text))).value());
}

/// Of the configurations that the rows are of, in their order.
std::vector<RatioTotals> totals_of(const MemoryRows& rows) {
  std::vector<RatioTotals> totals;
  std::optional<std::size_t> last;
  for (const ResultRow& row : rows.rows()) {
    if (last != row.span.configuration) totals.emplace_back();
    last = row.span.configuration;
    if (row.totals) totals.back().add(*row.totals);
  }
  return totals;
}

void write_values(Hdf5File& file, const MemoryRows& rows) {
  file.create_doubles("value", {{rows.values()}, {}, 0, true});
  std::vector<double> together;
  std::uint64_t written = 0;
  const auto write = [&] {
    if (!together.empty()) file.write_doubles("value", together, {written}, {together.size()});
    written += together.size();
    together.clear();
  };
  for (const ResultRow& row : rows.rows())
    for (std::size_t kind = 0; kind < row.kinds; ++kind) {
      together.insert(together.end(), row.values(kind).begin(), row.values(kind).end());
      if (together.size() >= kTogether) write();
    }
  write();
}

}  // namespace

bool PartFolder::exists() const {
  std::error_code unknown;
  const fs::file_status there = fs::symlink_status(path_, unknown);
  if (fs::exists(there) && !fs::is_directory(there))
    throw InputError(path_ + ": is in the way, as it is a link or no folder; move it away, or name another output");
  return fs::exists(there);
}

std::optional<PartManifest> PartFolder::manifest() const {
  const std::string file = path_ + "/manifest.json";
  if (!exists() || !fs::exists(file)) return std::nullopt;
  try {
    const auto json = nlohmann::ordered_json::parse(read_text_file(file));
    if (json.at("format") > kManifestVersion)
      throw RuntimeError(file + ": was written by a newer version, which can continue it");
    if (json.at("format") < kManifestVersion)
      throw RuntimeError(file + ": was written by an older version, which can continue it");
    if (json.at("checksum") != checksum_of(json)) throw RuntimeError(file + ": is damaged (wrong checksum)");
    return PartManifest{Provenance::from_json(json.at("provenance")), json.at("extends_result").get<bool>(),
                        json.value("replaces_result", true)};
  } catch (const nlohmann::json::exception& error) {
    throw RuntimeError(fmt::format("{}: is damaged ({})", file, error.what()));
  } catch (const RuntimeError&) {
    if (!fs::exists(file)) return std::nullopt;  // removed meanwhile
    throw;
  }
}

void PartFolder::write_manifest(const PartManifest& manifest) const {
  std::error_code failure;
  fs::create_directory(path_, failure);
  if (failure) throw RuntimeError(fmt::format("{}: cannot be created: {}", path_, failure.message()));
  flush_folder_of(path_);  // even where it was there already: by a run that came to its end before this
  nlohmann::ordered_json json = {{"format", kManifestVersion},
                                 {"extends_result", manifest.extends_result},
                                 {"replaces_result", manifest.replaces_result},
                                 {"provenance", manifest.provenance.json()}};
  json["checksum"] = checksum_of(json);
  write_text_durably(path_ + "/manifest.json", json_text(json, 1) + "\n");
}

std::vector<std::string> PartFolder::parts() const {
  std::vector<std::string> paths;
  for (const std::string& name : files_in(path_))
    if (part_number(name)) paths.push_back(path_ + "/" + name);
  return paths;
}

std::string PartFolder::write(const Campaign& campaign, const std::string& provenance, const MemoryRows& rows,
                              const PartLane& lane) const {
  unsigned long number = 0;
  for (const std::string& name : files_in(path_)) number = std::max(number, part_number(name).value_or(0));
  do ++number;
  while (number % lane.count != lane.index);
  const std::string path = fmt::format("{}/part-{:06}.h5", path_, number);

  TemporaryFile temporary(path);
  Hdf5File file(temporary);
  file.attribute("/", "filetype", std::string(kPartType));
  file.attribute("/", "provenance", provenance);
  std::vector<double> lines;
  for (const RowSpan& span : rows.spans())
    lines.insert(lines.end(), {static_cast<double>(span.configuration), static_cast<double>(span.column),
                               static_cast<double>(span.first_instance), static_cast<double>(span.instances),
                               span.facts.chunks, span.facts.chunk_size, span.facts.expected});
  file.create_doubles("row", {{rows.spans().size(), kPartColumns}, {}, 0});
  file.write_doubles("row", lines, {0, 0}, {rows.spans().size(), kPartColumns});
  if (campaign.output == Output::kStatistics)
    write_totals(file, totals_of(rows), campaign.strategies.size());
  else
    write_values(file, rows);
  file.close();
  try {
    temporary.publish();
  } catch (const RuntimeError&) {  // the file may have its name, but its rows are to be saved again
    ::unlink(path.c_str());
    throw;
  }
  return path;
}

void PartFolder::sweep() const {
  for (const std::string& name : files_in(path_))
    if (is_unfinished(name)) remove_file(path_ + "/" + name);
}

void PartFolder::remove() const {
  // The manifest goes first, to a temporary name: without it the parts are no results any more. A crash of the machine
  // must find no manifest with a part of the parts, nor parts of before with a manifest that is new; and parts without
  // a manifest only beside a temporary one, where they were to go.
  if (!exists()) return;
  for (const std::string& part : parts()) require_part(part);
  const std::string manifest = path_ + "/" + kManifest;
  if (fs::exists(manifest)) {
    rename_file(manifest, temporary_name(manifest));
    flush_folder(path_);
  }
  for (const std::string& part : parts()) remove_file(part);
  flush_folder(path_);
  sweep();
  std::error_code not_empty;
  fs::remove(path_, not_empty);
  if (not_empty) flush_folder(path_);
}

void PartFolder::remove_remains() const {
  const std::vector<std::string> names = exists() ? files_in(path_) : std::vector<std::string>();
  const bool leaving = std::any_of(names.begin(), names.end(),
                                   [](const std::string& name) { return target_of_temporary(name) == kManifest; });
  if (!leaving && !parts().empty())
    throw InputError(path_ +
                     ": holds parts, but no manifest.json that says of what; move the folder away, or use --force to "
                     "remove them");
  remove();
}

}  // namespace coterie::sim
