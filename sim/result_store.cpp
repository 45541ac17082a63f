#include "sim/result_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "sim/version.hpp"

namespace coterie::sim {
namespace {

constexpr std::int64_t kFormatMajor = 1;
constexpr std::int64_t kFormatMinor = 0;
constexpr std::size_t kChunkValues = 1 << 17;  // 1 MiB of doubles

std::string checked_path(const std::string& path, ResultStore::IfExists if_exists) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (path.empty()) throw InputError("--output is empty; name a file");
  if (fs::is_directory(path, failure)) throw InputError(path + ": is a directory; name a file");
  if (fs::exists(path, failure) && !fs::is_regular_file(path, failure))
    throw InputError(path + ": is no plain file; name another --output");
  if (fs::exists(path, failure) && if_exists == ResultStore::IfExists::kRefuse)
    throw InputError(path + ": exists already; give --force to replace it, or another --output");
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, failure))
    throw RuntimeError(fmt::format("{}: the folder {} does not exist", path, folder.string()));
  return path + ".partial";
}

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

/// `chunks` is what a strategy chose; what the campaign asked for is another name.
std::string dataset_name(const Axis& axis) { return axis.name == "chunks" ? "chunks_requested" : axis.name; }

}  // namespace

ResultStore::ResultStore(const std::string& path, const Campaign& campaign, const std::string& command_line,
                         IfExists if_exists)
    : path_(path),
      partial_(checked_path(path, if_exists)),
      campaign_(campaign),
      file_(partial_, Hdf5File::Mode::kCreate),
      records_(campaign.configurations.size()) {
  const hsize_t configurations = campaign.configurations.size();
  const hsize_t strategies = campaign.strategies.size();
  const hsize_t instances = campaign.instances;
  file_.create_bare_dimension("configuration", configurations);
  file_.create_bare_dimension("instance", instances);
  file_.write_texts("strategy", campaign.strategies);
  file_.make_scale("strategy");
  const hsize_t across = std::min<hsize_t>(instances, kChunkValues / strategies + 1);
  const hsize_t down = std::clamp<hsize_t>(kChunkValues / (across * strategies), 1, configurations);
  file_.create_doubles("ratio",
                       {{configurations, strategies, instances}, {down, strategies, across}, campaign.deflate});
  file_.create_doubles("reference", {{configurations, instances}, {down, across}, campaign.deflate});
  write_axes();
  write_attributes(command_line);
}

ResultStore::~ResultStore() {
  if (finished_) return;
  file_ = Hdf5File();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void ResultStore::write_axes() {
  const std::size_t count = campaign_.configurations.size();
  for (const Axis& axis : campaign_.model->axes()) {
    const std::string name = dataset_name(axis);
    if (axis.kind == Axis::Kind::kText) {
      std::vector<std::string> texts;
      for (const Configuration& configuration : campaign_.configurations)
        texts.push_back(configuration.text(axis.name));
      file_.write_texts(name, texts);
    } else {
      std::vector<double> numbers;
      for (const Configuration& configuration : campaign_.configurations)
        numbers.push_back(configuration.number(axis.name));
      file_.create_doubles(name, {{count}, {}, 0});
      file_.write_doubles(name, numbers, {0}, {count});
      file_.attribute(name, "units", axis.unit);
    }
    file_.attribute(name, "long_name", axis.long_name);
    file_.attach_scale(name, 0, "configuration");
  }
  std::vector<std::string> identities;
  for (const Configuration& configuration : campaign_.configurations)
    identities.push_back(fmt::format("{:016x}", configuration.identity));
  file_.write_texts("identity", identities);
  file_.attribute("identity", "long_name", "64-bit identity of the configuration, which its random numbers hang on");
  file_.attach_scale("identity", 0, "configuration");
}

void ResultStore::write_attributes(const std::string& command_line) {
  const auto text = [&](const char* name, const std::string& value) { file_.attribute("/", name, value); };
  text("Conventions", "CF-1.8");
  text("filetype", "coterie-result");
  file_.attribute("/", "format_version", std::vector<std::int64_t>{kFormatMajor, kFormatMinor});
  text("title", campaign_.title);
  text("model", campaign_.model->name());
  text("campaign", campaign_.text);
  text("campaign_path", std::filesystem::absolute(campaign_.path).string());
  file_.attribute("/", "settings", campaign_.settings.empty() ? std::vector<std::string>{""} : campaign_.settings);
  text("resolved", campaign_.resolved().dump());
  file_.attribute("/", "seed", std::vector<std::int64_t>{static_cast<std::int64_t>(campaign_.seed)});
  text("coterie_version", version());
  text("git_revision", git_revision());
  text("compiler", compiler());
  text("flags", compiler_flags());
  text("libraries", library_versions());
  std::vector<std::string> checksums;
  for (const auto& [file, checksum] : campaign_.risks->checksums()) checksums.push_back(checksum + "  " + file);
  file_.attribute("/", "trace_checksums", checksums.empty() ? std::vector<std::string>{""} : checksums);
  text("command_line", command_line);
  text("started", now());
  const Model& model = *campaign_.model;
  file_.attribute("ratio", "long_name", fmt::format("{} / that of {}", model.metric(), model.reference()));
  file_.attribute("ratio", "units", std::string("1"));
  file_.attribute("reference", "long_name", fmt::format("{} by {}", model.metric(), model.reference()));
  file_.attribute("reference", "units", model.metric_unit());
  const char* dimensions[] = {"configuration", "strategy", "instance"};
  for (unsigned i = 0; i < 3; ++i) file_.attach_scale("ratio", i, dimensions[i]);
  file_.attach_scale("reference", 0, "configuration");
  file_.attach_scale("reference", 1, "instance");
}

void ResultStore::write(const ResultBatch& batch) {
  const hsize_t strategies = campaign_.strategies.size();
  file_.write_doubles("ratio", batch.ratio, {batch.first_configuration, 0, batch.first_instance},
                      {batch.configurations, strategies, batch.instances});
  file_.write_doubles("reference", batch.reference, {batch.first_configuration, batch.first_instance},
                      {batch.configurations, batch.instances});
}

std::vector<double> ResultStore::read_row(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, campaign_.instances});
}

void ResultStore::write_records() {
  const hsize_t configurations = records_.size();
  const hsize_t strategies = campaign_.strategies.size();
  const std::string unit = campaign_.model->metric_unit();
  struct Column {
    const char* name;
    std::string unit;
    const char* long_name;
    double (*value)(const Summary&, const StrategyFacts&);
  };
  using S = const Summary&;
  using F = const StrategyFacts&;
  const Column columns[] = {
      {"chunks", "1", "number of distinct chunks", [](S, F f) { return f.chunks; }},
      {"chunk_size", unit, "size of a chunk", [](S, F f) { return f.chunk_size; }},
      {"expected_work", unit, "exact expected metric", [](S, F f) { return f.expected; }},
      {"mean", "1", "mean of the ratio", [](S s, F) { return s.mean; }},
      {"stddev", "1", "standard deviation of the ratio", [](S s, F) { return s.stddev; }},
      {"standard_error", "1", "standard error of the mean ratio", [](S s, F) { return s.standard_error; }},
      {"min", "1", "least ratio", [](S s, F) { return s.min; }},
      {"max", "1", "greatest ratio", [](S s, F) { return s.max; }},
      {"q05", "1", "5 % quantile of the ratio", [](S s, F) { return s.quantiles[0]; }},
      {"q25", "1", "25 % quantile of the ratio", [](S s, F) { return s.quantiles[1]; }},
      {"q50", "1", "median of the ratio", [](S s, F) { return s.quantiles[2]; }},
      {"q75", "1", "75 % quantile of the ratio", [](S s, F) { return s.quantiles[3]; }},
      {"q95", "1", "95 % quantile of the ratio", [](S s, F) { return s.quantiles[4]; }},
  };
  for (const Column& column : columns) {
    std::vector<double> values;
    for (const ConfigurationRecord& record : records_)
      for (std::size_t s = 0; s < strategies; ++s) values.push_back(column.value(record.summaries[s], record.facts[s]));
    file_.create_doubles(column.name, {{configurations, strategies}, {}, 0});
    file_.write_doubles(column.name, values, {0, 0}, {configurations, strategies});
    file_.attribute(column.name, "long_name", std::string(column.long_name));
    file_.attribute(column.name, "units", column.unit);
    file_.attach_scale(column.name, 0, "configuration");
    file_.attach_scale(column.name, 1, "strategy");
  }
}

void ResultStore::finish() {
  write_records();
  file_.attribute("/", "complete", std::vector<std::int64_t>{1});
  file_.attribute("/", "finished", now());
  file_.close();
  std::filesystem::rename(partial_, path_);
  finished_ = true;
}

ResultFile::ResultFile(const std::string& path) : path_(path), file_(path, Hdf5File::Mode::kRead) {
  if (!file_.has_attribute("filetype") || file_.text_attribute("filetype") != "coterie-result")
    throw RuntimeError(path + ": is no result of coterie");
  const auto version = file_.integers_attribute("format_version");
  if (version.empty() || version[0] > kFormatMajor)
    throw RuntimeError(fmt::format("{}: has result format {}, newer than {}.{}, which this program reads", path,
                                   fmt::join(version, "."), kFormatMajor, kFormatMinor));
  strategies_ = file_.read_texts("strategy");
  shape_ = file_.shape("ratio");
}

bool ResultFile::complete() const {
  return file_.has_attribute("complete") && file_.integers_attribute("complete") == std::vector<std::int64_t>{1};
}

Campaign ResultFile::campaign() const {
  CampaignOverrides overrides;
  overrides.seed = static_cast<std::uint64_t>(file_.integers_attribute("seed").front());
  overrides.instances = instances();
  for (const std::string& setting : file_.texts_attribute("settings"))
    if (!setting.empty()) overrides.settings.push_back(setting);
  return parse_campaign(file_.text_attribute("campaign"), file_.text_attribute("campaign_path"), overrides);
}

std::vector<double> ResultFile::ratios(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, instances()});
}

}  // namespace coterie::sim
