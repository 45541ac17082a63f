#include "sim/results/part_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/crc64.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/file_calls.hpp"
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

constexpr const char* kLeaving = "manifest.json.removed";  // while the parts are removed

bool is_unfinished(const std::string& name) {
  return name == "manifest.json.tmp" || (name.ends_with(".tmp") && part_number(name.substr(0, name.size() - 4)));
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code failure;
  fs::directory_iterator entry;
  do entry = fs::directory_iterator(folder, failure);
  while (failure == std::errc::interrupted);
  for (const fs::directory_iterator end; !failure && entry != end; entry.increment(failure))
    names.push_back(entry->path().filename().string());
  if (failure && failure != std::errc::no_such_file_or_directory)
    throw RuntimeError(fmt::format("{}: cannot be read: {}", folder, failure.message()));
  std::sort(names.begin(), names.end());
  return names;
}

bool begins_like_hdf5(const std::string& path) {
  const Descriptor file(open_file(path, O_RDONLY | O_NONBLOCK));
  std::array<char, 8> begin{};
  if (file.get() >= 0 && read_at(file.get(), 0, std::as_writable_bytes(std::span(begin))))
    return std::string_view(begin.data(), begin.size()) == "\x89HDF\r\n\x1a\n";
  if (errno != 0) throw SystemFailure(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
  return false;  // it is shorter
}

void remove_file(const std::string& path) {
  std::error_code failure;
  fs::remove(path, failure);
  if (failure) throw RuntimeError(fmt::format("{}: cannot be removed: {}", path, failure.message()));
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

bool PartFolder::exists() const { return fs::is_directory(path_); }

std::optional<PartManifest> PartFolder::manifest() const {
  const std::string file = path_ + "/manifest.json";
  if (!fs::exists(file)) return std::nullopt;
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
  for (const std::string& name : names_in(path_))
    if (part_number(name)) paths.push_back(path_ + "/" + name);
  return paths;
}

std::string PartFolder::write(const Campaign& campaign, const std::string& provenance, const MemoryRows& rows,
                              const PartLane& lane) const {
  unsigned long number = 0;
  for (const std::string& name : names_in(path_)) number = std::max(number, part_number(name).value_or(0));
  do ++number;
  while (number % lane.count != lane.index);
  const std::string path = fmt::format("{}/part-{:06}.h5", path_, number);
  const std::string temporary = path + ".tmp";

  RemovedUnlessPublished guard(temporary);
  Hdf5File file(temporary, Hdf5File::Mode::kCreate);
  file.attribute("/", "filetype", std::string("coterie-part"));
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
    guard.publish(path);
  } catch (const RuntimeError&) {  // the file may have its name, but its rows are to be saved again
    ::unlink(path.c_str());
    throw;
  }
  return path;
}

void PartFolder::sweep() const {
  for (const std::string& name : names_in(path_))
    if (is_unfinished(name)) remove_file(path_ + "/" + name);
}

void PartFolder::remove() const {
  // The manifest goes first: without it the parts are no results any more. A crash of the machine must find no manifest
  // with a part of the parts, nor parts of before with a manifest that is new; and parts without a manifest only where
  // they were to go.
  if (!exists()) return;
  for (const std::string& part : parts())
    if (!begins_like_hdf5(part)) throw InputError(part + ": has the name of a part, but is none; move it away");
  if (fs::exists(path_ + "/manifest.json")) {
    rename_file(path_ + "/manifest.json", path_ + "/" + kLeaving);
    flush_folder(path_);
  }
  for (const std::string& name : names_in(path_))
    if (part_number(name) || is_unfinished(name)) remove_file(path_ + "/" + name);
  flush_folder(path_);
  remove_file(path_ + "/" + kLeaving);
  std::error_code not_empty;
  fs::remove(path_, not_empty);
  if (not_empty) flush_folder(path_);
}

void PartFolder::remove_remains() const {
  if (!fs::exists(path_ + "/" + kLeaving) && !parts().empty())
    throw InputError(path_ +
                     ": holds parts, but no manifest.json that says of what; move the folder away, or use --force to "
                     "remove them");
  remove();
}

}  // namespace coterie::sim
