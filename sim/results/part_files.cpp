#include "sim/results/part_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
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

constexpr std::size_t kRowColumns = 7;
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

/// The numbers of a row's line in the table.
std::array<double, kRowColumns> line_of(const RowSpan& span, std::size_t configuration) {
  return {static_cast<double>(configuration),
          static_cast<double>(span.column),
          static_cast<double>(span.first_instance),
          static_cast<double>(span.instances),
          span.facts.chunks,
          span.facts.chunk_size,
          span.facts.expected};
}

/// Rows that follow one another as one: without values nothing is between them.
std::vector<RowSpan> joined(const std::vector<RowSpan>& spans) {
  std::vector<RowSpan> whole;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> last;  // of each configuration and column, its place
  for (const RowSpan& span : spans) {
    const auto [place, fresh] = last.try_emplace({span.configuration, span.column}, whole.size());
    if (!fresh && whole[place->second].first_instance + whole[place->second].instances == span.first_instance) {
      whole[place->second].instances += span.instances;
    } else {
      place->second = whole.size();
      whole.push_back(span);
    }
  }
  return whole;
}

/// Values of rows one after the other, in few pieces.
class ValueWriter {
 public:
  explicit ValueWriter(Hdf5File& file) : file_(file) {}
  void add(std::span<const double> values) {
    if (buffer_.size() + values.size() > kTogether) flush();
    if (values.size() > kTogether)
      write(values);
    else
      buffer_.insert(buffer_.end(), values.begin(), values.end());
  }
  void flush() {
    write(buffer_);
    buffer_.clear();
  }

 private:
  void write(std::span<const double> values) {
    if (!values.empty()) file_.write_doubles("value", values, {written_}, {values.size()});
    written_ += values.size();
  }

  Hdf5File& file_;
  std::vector<double> buffer_;
  std::uint64_t written_ = 0;
};

/// Of the configurations that the rows are of, in their order.
std::vector<RatioTotals> totals_of(const MemoryRows& rows, std::size_t configurations) {
  std::vector<RatioTotals> totals;
  totals.reserve(configurations);
  std::optional<std::size_t> last;
  for (const ResultRow& row : rows.rows()) {
    if (last != row.span.configuration) totals.emplace_back();
    last = row.span.configuration;
    if (row.totals) totals.back().add(*row.totals);
  }
  return totals;
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

  std::vector<std::string> keys;
  std::vector<double> lines;
  std::size_t last = campaign.configurations.size();
  const bool statistics = campaign.output == Output::kStatistics;
  const std::vector<RowSpan> spans = statistics ? joined(rows.spans()) : rows.spans();
  for (const RowSpan& span : spans) {
    if (span.configuration != last) {
      last = span.configuration;
      keys.push_back(campaign.configurations[last].key);
    }
    const auto line = line_of(span, keys.size() - 1);
    lines.insert(lines.end(), line.begin(), line.end());
  }
  std::vector<std::string> names = {campaign.model->reference()};
  names.insert(names.end(), campaign.strategies.begin(), campaign.strategies.end());

  RemovedUnlessPublished guard(temporary);
  Hdf5File file(temporary, Hdf5File::Mode::kCreate);
  file.attribute("/", "filetype", std::string("coterie-part"));
  file.attribute("/", "provenance", provenance);
  file.write_texts("configuration", keys);
  file.write_texts("strategy", names);
  file.create_doubles("row", {{spans.size(), kRowColumns}, {}, 0});
  file.write_doubles("row", lines, {0, 0}, {spans.size(), kRowColumns});
  if (statistics) {
    write_totals(file, totals_of(rows, keys.size()), campaign.strategies.size());
  } else {
    file.create_doubles("value", {{rows.values()}, {}, 0, true});
    ValueWriter values(file);
    for (const ResultRow& row : rows.rows())
      for (std::size_t kind = 0; kind < row.kinds; ++kind) values.add(row.values(kind));
    values.flush();
  }
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

CampaignIndex::CampaignIndex(const Campaign& campaign, const Shard& shard)
    : campaign_(&campaign),
      shard_(shard),
      provenance_(Provenance::of(campaign, shard).text()),
      usable_({provenance_}),
      kinds_(kept_kinds(campaign)) {
  for (std::size_t i = 0; i < campaign.configurations.size(); ++i) configurations_[campaign.configurations[i].key] = i;
  columns_[campaign.model->reference()] = kReferenceColumn;
  for (std::size_t s = 0; s < campaign.strategies.size(); ++s) columns_[campaign.strategies[s]] = column_of(s);
}

void CampaignIndex::require_usable(const std::string& provenance, const std::string& path) const {
  if (usable_.contains(provenance)) return;
  const auto json = nlohmann::ordered_json::parse(provenance);
  const std::vector<std::string> reasons = differences(Provenance::from_json(json), *campaign_, shard_);
  if (!reasons.empty())
    throw InputError(path + ": belongs to another campaign or program:" + as_list(reasons) +
                     "\nmove this file away, and its rows are computed again");
  usable_.insert(provenance);
}

std::optional<std::size_t> CampaignIndex::configuration(const std::string& key) const {
  const auto found = configurations_.find(key);
  return found == configurations_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> CampaignIndex::column(const std::string& name) const {
  const auto found = columns_.find(name);
  return found == columns_.end() ? std::nullopt : std::optional(found->second);
}

namespace {

/// `read` of the file; where it is damaged, with what helps.
template <typename Read>
auto from_part(const std::string& path, const Read& read, Hdf5File::Mode mode = Hdf5File::Mode::kReadAgain) {
  try {
    return read(Hdf5File(path, mode));
  } catch (const SystemFailure&) {  // it may well be intact
    throw;
  } catch (const RuntimeError& error) {
    throw RuntimeError(fmt::format("{}; delete this file, and its rows are computed again", error.what()));
  }
}

}  // namespace

PartRows::PartRows(const std::string& path, const CampaignIndex& index, Hdf5File::Mode mode) : path_(path) {
  // The file is not kept open: there may be thousands of parts.
  from_part(
      path, [&](const Hdf5File& file) { read_spans(file, index); }, mode);
}

void PartRows::read_spans(const Hdf5File& file, const CampaignIndex& index) {
  const auto damaged = [&](const std::string& what) {
    return RuntimeError(fmt::format("{}: is damaged: {}", path_, what));
  };
  if (!file.has_attribute("filetype") || file.text_attribute("filetype") != "coterie-part")
    throw RuntimeError(path_ + ": is not a part of a result");
  if (!file.sealed()) throw damaged("it has no checksums at its end: it was cut off");
  index.require_usable(file.text_attribute("provenance"), path_);
  const std::vector<std::string> keys = file.read_texts("configuration");
  const std::vector<std::string> names = file.read_texts("strategy");
  const std::vector<double> lines = file.read_doubles("row");
  std::vector<std::pair<RowSpan, std::uint64_t>> rows;
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < lines.size(); i += kRowColumns) {
    const double* line = lines.data() + i;
    if (!(line[0] >= 0 && line[0] < static_cast<double>(keys.size()) && line[1] >= 0 &&
          line[1] < static_cast<double>(names.size()) && line[2] >= 0 && line[3] >= 1))
      throw damaged(fmt::format("its row {} is out of bounds", i / kRowColumns));
    const std::string& key = keys[static_cast<std::size_t>(line[0])];
    const std::string& name = names[static_cast<std::size_t>(line[1])];
    const auto configuration = index.configuration(key);
    const auto column = index.column(name);
    if (!configuration || !column)
      throw damaged(fmt::format("the campaign has no {} \"{}\"", configuration ? "strategy" : "configuration",
                                configuration ? name : key));
    const RowSpan span{*configuration,
                       *column,
                       static_cast<std::uint64_t>(line[2]),
                       static_cast<std::uint64_t>(line[3]),
                       {line[4], line[5], line[6]}};
    rows.emplace_back(span, offset);
    offset += index.kinds(span.column) * span.instances;
  }
  for (const std::string& key : keys) positions_.push_back(index.configuration(key));
  if (index.kinds(kReferenceColumn) == 0) {
    if (!TotalsTables::are_in(file)) throw damaged("it has no statistics");
  } else if (file.shape("value") != std::vector<hsize_t>{offset})
    throw damaged("it does not have as many values as its rows say");
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [span, begin] : rows) {
    spans_.push_back(span);
    offsets_.push_back(begin);
    kinds_.push_back(index.kinds(span.column));
  }
}

void PartRows::add_to(TotalsSlice& slice) const {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < positions_.size(); ++i)
    if (positions_[i] && slice.has(*positions_[i])) wanted.push_back(i);
  if (wanted.empty()) return;
  from_part(path_, [&](const Hdf5File& file) {
    const TotalsTables tables(file, path_);
    for (const std::size_t i : wanted) slice.add(*positions_[i], tables.of(i), path_);
  });
}

void PartRows::fill(ResultSlice& slice) const {
  const auto [first, last] = positions_in(slice, spans_);
  std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t end = 0;
  for (std::size_t i = first; i < last; ++i) {
    const RowSpan& span = spans_[i];
    if (span.first_instance >= slice.first_instance + slice.instances ||
        span.first_instance + span.instances <= slice.first_instance)
      continue;
    begin = std::min(begin, offsets_[i]);
    end = std::max(end, offsets_[i] + values_of(i));
  }
  if (begin >= end) return;
  // Rows are written in the order of the campaign, so what a slice needs lies close together.
  const std::vector<double> values =
      from_part(path_, [&](const Hdf5File& file) { return file.read_doubles("value", {begin}, {end - begin}); });
  for (std::size_t i = first; i < last; ++i) {
    if (offsets_[i] < begin || offsets_[i] + values_of(i) > end) continue;
    const std::uint64_t instances = spans_[i].instances;
    for (std::size_t kind = 0; kind < kinds_[i]; ++kind)
      copy_into(slice, spans_[i], std::span(values).subspan(offsets_[i] - begin + kind * instances, instances), kind);
  }
}

}  // namespace coterie::sim
