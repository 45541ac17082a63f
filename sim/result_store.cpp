#include "sim/result_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "sim/durable_file.hpp"
#include "sim/result_format.hpp"

namespace coterie::sim {

std::string RunNote::utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

ResultStore::ResultStore(const std::string& path, const Campaign& campaign, const Shard& shard, ResultExtent extent,
                         const RunNote& note)
    : path_(path),
      partial_(path + ".partial"),
      campaign_(campaign),
      shard_(shard),
      extent_(std::move(extent)),
      file_(partial_, Hdf5File::Mode::kCreate) {
  const hsize_t configurations = campaign.configurations.size();
  const hsize_t strategies = campaign.strategies.size();
  const hsize_t instances = extent_.instances;
  file_.create_bare_dimension("configuration", configurations);
  file_.create_bare_dimension("instance", instances);
  file_.write_texts("strategy", campaign.strategies);
  file_.make_scale("strategy");
  const auto [down, across] = ResultChunks(campaign, instances).shape();
  file_.create_doubles("ratio",
                       {{configurations, strategies, instances}, {down, strategies, across}, campaign.deflate});
  file_.create_doubles("reference", {{configurations, instances}, {down, across}, campaign.deflate});
  if (controlled(campaign))
    file_.create_doubles("capacity", {{configurations, instances}, {down, across}, campaign.deflate});
  write_axes();
  write_attributes(note);
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
  file_.create_doubles("instances_done", {{count}, {}, 0});
  file_.write_doubles("instances_done", std::vector<double>(extent_.done.begin(), extent_.done.end()), {0}, {count});
  file_.attribute("instances_done", "units", std::string("1"));
  file_.attribute("instances_done", "long_name", "instances run of the configuration; the others are NaN");
  file_.attach_scale("instances_done", 0, "configuration");
}

void ResultStore::write_attributes(const RunNote& note) {
  const auto text = [&](const char* name, const std::string& value) { file_.attribute("/", name, value); };
  text("Conventions", "CF-1.8");
  text("filetype", "coterie-result");
  file_.attribute("/", "format_version", std::vector<std::int64_t>{kFormatMajor, least_minor(campaign_)});
  file_.attribute("/", kSealed, std::vector<std::int64_t>{1});
  text("title", campaign_.title);
  text("model", campaign_.model->name());
  const auto texts = [&](const char* name, const std::vector<std::string>& values) {
    file_.attribute("/", name, values.empty() ? std::vector<std::string>{""} : values);
  };
  const Provenance made = Provenance::of(campaign_, shard_);
  text("campaign", made.campaign);
  text("campaign_path", made.campaign_path);
  texts("settings", made.settings);
  text("resolved", made.resolved);
  file_.attribute("/", "seed", std::vector<std::int64_t>{static_cast<std::int64_t>(made.seed)});
  if (made.precision) {
    file_.attribute("/", "precision", *made.precision);
    file_.attribute("/", "max_instances", std::vector<std::int64_t>{static_cast<std::int64_t>(made.instances)});
  }
  text("coterie_version", made.coterie_version);
  text("git_revision", made.git_revision);
  text("compiler", made.compiler);
  text("flags", made.flags);
  text("libraries", made.libraries);
  texts("trace_checksums", made.trace_checksums);
  if (!shard_.whole()) text("shard", shard_.text());
  text("command_line", note.command_line);
  text("started", note.started);
  const Model& model = *campaign_.model;
  file_.attribute("ratio", "long_name", fmt::format("{} / that of {}", model.metric(), model.reference()));
  file_.attribute("ratio", "units", std::string("1"));
  file_.attribute("reference", "long_name", fmt::format("{} by {}", model.metric(), model.reference()));
  file_.attribute("reference", "units", model.metric_unit());
  const char* dimensions[] = {"configuration", "strategy", "instance"};
  for (unsigned i = 0; i < 3; ++i) file_.attach_scale("ratio", i, dimensions[i]);
  std::vector<std::string> by_instance = {"reference"};
  if (controlled(campaign_)) {
    by_instance.push_back("capacity");
    file_.attribute("capacity", "long_name",
                    std::string("what all workers can do before they are interrupted, one no more than the workload"));
    file_.attribute("capacity", "units", model.metric_unit());
  }
  for (const std::string& name : by_instance) {
    file_.attach_scale(name, 0, "configuration");
    file_.attach_scale(name, 1, "instance");
  }
}

void ResultStore::write(const ResultChunk& chunk) { file_.write_chunk(chunk.dataset, chunk.bytes, chunk.offset); }

void ResultStore::flush_ahead() const { coterie::sim::flush_ahead(partial_); }

std::vector<double> ResultStore::read_row(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, extent_.instances});
}

void ResultStore::write_records() {
  const hsize_t configurations = records_.size();
  const hsize_t strategies = campaign_.strategies.size();
  for (const ResultColumn& column : result_columns()) {
    if (column.stored != nullptr && !column.stored(campaign_)) continue;
    std::vector<double> values;
    for (const ConfigurationRecord& record : records_)
      for (std::size_t s = 0; s < strategies; ++s)
        values.push_back(column.value({record.summaries[s], record.facts[s],
                                       record.replicates.empty() ? nullptr : &record.replicates[s],
                                       record.controlled.empty() ? nullptr : &record.controlled[s]}));
    file_.create_doubles(column.name, {{configurations, strategies}, {}, 0});
    file_.write_doubles(column.name, values, {0, 0}, {configurations, strategies});
    file_.attribute(column.name, "long_name", std::string(column.long_name));
    file_.attribute(column.name, "units", column.unit == nullptr ? campaign_.model->metric_unit() : column.unit);
    file_.attach_scale(column.name, 0, "configuration");
    file_.attach_scale(column.name, 1, "strategy");
  }
}

/// The known means, so that any mean of a configuration can be controlled by the file alone; expected_work is that of
/// work completed.
void ResultStore::write_controls() {
  file_.write_texts("control", control_names());
  file_.make_scale("control");
  const hsize_t shape[] = {records_.size(), control_names().size()};
  std::vector<double> means;
  std::vector<double> errors;
  for (const ConfigurationRecord& record : records_)
    for (const BoundedNumber& known : ratio_control_means(record.known, std::nan(""))) {
      means.push_back(known.value);
      errors.push_back(known.error);
    }
  const auto write = [&](const char* name, const std::vector<double>& values, const char* long_name) {
    file_.create_doubles(name, {{shape[0], shape[1]}, {}, 0});
    file_.write_doubles(name, values, {0, 0}, {shape[0], shape[1]});
    file_.attribute(name, "long_name", std::string(long_name));
    file_.attach_scale(name, 0, "configuration");
    file_.attach_scale(name, 1, "control");
  };
  write("control_mean", means, "exact mean of the control; of work completed see expected_work");
  write("control_error", errors, "greatest error of the exact mean");
}

void ResultStore::finish(int threads) {
  write_records();
  if (controlled(campaign_)) write_controls();
  file_.attribute("/", "complete", std::vector<std::int64_t>{shard_.whole() ? 1 : 0});
  file_.attribute("/", "finished", RunNote::utc_now());
  file_.close(threads);
  publish_file(partial_, path_);
  finished_ = true;
}

}  // namespace coterie::sim
