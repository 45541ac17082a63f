#include "sim/result_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "sim/durable_file.hpp"

namespace coterie::sim {
namespace {

constexpr std::int64_t kFormatMajor = 1;
constexpr std::int64_t kFormatMinor = 2;
constexpr const char* kSealed = "sealed";        // attribute of files that end with a seal; readers may do without it
constexpr std::uint64_t kChunkValues = 1 << 17;  // 1 MiB of doubles

/// `chunks` is what a strategy chose; what the campaign asked for is another name.
std::string dataset_name(const Axis& axis) { return axis.name == "chunks" ? "chunks_requested" : axis.name; }

bool controlled(const Campaign& campaign) { return campaign.variance_reduction == VarianceReduction::kControl; }
bool by_replicates(const Campaign& campaign) { return campaign.sampling == Sampling::kSobol; }
bool of_some_worth(const Campaign& campaign) { return controlled(campaign) || by_replicates(campaign); }

/// What is known of one strategy in one configuration.
struct Row {
  const Summary& s;
  const StrategyFacts& f;
  const MeanEstimate* replicates;  ///< of Sobol points; else null
  const MeanEstimate* controlled;  ///< where means are controlled; else null
};

/// What is stored by configuration and strategy.
struct Column {
  const char* name;
  const char* unit;  ///< null: that of the model's metric
  const char* long_name;
  double (*value)(const Row&);
  bool (*stored)(const Campaign&) = nullptr;  ///< null: always
};
using R = const Row&;
constexpr Column kColumns[] = {
    {"chunks", "1", "number of distinct chunks", [](R r) { return r.f.chunks; }},
    {"chunk_size", nullptr, "size of a chunk", [](R r) { return r.f.chunk_size; }},
    {"expected_work", nullptr, "exact expected metric", [](R r) { return r.f.expected; }},
    {"mean", "1", "mean of the ratio", [](R r) { return r.s.mean; }},
    {"stddev", "1", "standard deviation of the ratio", [](R r) { return r.s.stddev; }},
    {"standard_error", "1", "standard error of the mean ratio",
     [](R r) { return r.replicates ? r.replicates->standard_error : r.s.standard_error; }},
    {"half_width", "1", "half-width of the 95 % interval of the mean ratio",
     [](R r) { return r.replicates ? r.replicates->half_width() : kHalfWidthFactor * r.s.standard_error; }},
    {"min", "1", "least ratio", [](R r) { return r.s.min; }},
    {"max", "1", "greatest ratio", [](R r) { return r.s.max; }},
    {"q05", "1", "5 % quantile of the ratio", [](R r) { return r.s.quantiles[0]; }},
    {"q25", "1", "25 % quantile of the ratio", [](R r) { return r.s.quantiles[1]; }},
    {"q50", "1", "median of the ratio", [](R r) { return r.s.quantiles[2]; }},
    {"q75", "1", "75 % quantile of the ratio", [](R r) { return r.s.quantiles[3]; }},
    {"q95", "1", "95 % quantile of the ratio", [](R r) { return r.s.quantiles[4]; }},
    {"controlled_mean", "1", "mean of the ratio by regression on controls", [](R r) { return r.controlled->mean; },
     controlled},
    {"controlled_standard_error", "1", "standard error of controlled_mean",
     [](R r) { return r.controlled->standard_error; }, controlled},
    {"controlled_half_width", "1", "half-width of the 95 % interval of controlled_mean",
     [](R r) { return r.controlled->half_width(); }, controlled},
    {"worth", "1", "independent instances that give as precise a plain mean, for each one run",
     [](R r) { return (r.controlled ? r.controlled : r.replicates)->worth(); }, of_some_worth},
};

/// What controls are called in a file, in the order of ratio_controls.
const std::vector<std::string> kControlNames = {"work completed", "reference", "capacity",
                                                "squared deviation of the capacity"};

/// The shape that a dataset of a result has; those not named here are by configuration.
std::vector<hsize_t> shape_of(const std::string& name, const std::vector<hsize_t>& ratio) {
  if (name == "ratio") return ratio;
  if (name == "reference" || name == "capacity") return {ratio[0], ratio[2]};
  if (name == "strategy") return {ratio[1]};
  if (name == "instance") return {ratio[2]};
  if (name == "control") return {kControlNames.size()};
  if (name == "control_mean" || name == "control_error") return {ratio[0], kControlNames.size()};
  for (const Column& column : kColumns)
    if (name == column.name) return {ratio[0], ratio[1]};
  return {ratio[0]};
}

/// The oldest format whose readers understand the file: since 1.1 the configurations of a campaign with `precision`
/// have different numbers of instances, since 1.2 means may be controlled and instances depend on one another.
std::int64_t least_minor(const Campaign& campaign) {
  if (of_some_worth(campaign)) return kFormatMinor;
  return campaign.precision ? 1 : 0;
}

ResultStore::Chunk chunk_of(const Campaign& campaign, std::uint64_t instances) {
  const std::uint64_t strategies = campaign.strategies.size();
  const std::uint64_t across = std::min(instances, kChunkValues / strategies + 1);
  return {std::clamp<std::uint64_t>(kChunkValues / (across * strategies), 1, campaign.configurations.size()), across};
}

}  // namespace

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
      chunk_(chunk_of(campaign, extent_.instances)),
      file_(partial_, Hdf5File::Mode::kCreate) {
  const hsize_t configurations = campaign.configurations.size();
  const hsize_t strategies = campaign.strategies.size();
  const hsize_t instances = extent_.instances;
  file_.create_bare_dimension("configuration", configurations);
  file_.create_bare_dimension("instance", instances);
  file_.write_texts("strategy", campaign.strategies);
  file_.make_scale("strategy");
  const auto [down, across] = chunk_;
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

void ResultStore::write(const ResultBatch& batch) {
  const hsize_t strategies = campaign_.strategies.size();
  file_.write_doubles("ratio", batch.ratio, {batch.first_configuration, 0, batch.first_instance},
                      {batch.configurations, strategies, batch.instances});
  file_.write_doubles("reference", batch.reference, {batch.first_configuration, batch.first_instance},
                      {batch.configurations, batch.instances});
  if (controlled(campaign_))
    file_.write_doubles("capacity", batch.capacity, {batch.first_configuration, batch.first_instance},
                        {batch.configurations, batch.instances});
}

std::vector<double> ResultStore::read_row(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, campaign_.instances});
}

void ResultStore::write_records() {
  const hsize_t configurations = records_.size();
  const hsize_t strategies = campaign_.strategies.size();
  for (const Column& column : kColumns) {
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
/// the first control.
void ResultStore::write_controls() {
  file_.write_texts("control", kControlNames);
  file_.make_scale("control");
  const hsize_t shape[] = {records_.size(), kControlNames.size()};
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

void ResultStore::finish() {
  write_records();
  if (controlled(campaign_)) write_controls();
  file_.attribute("/", "complete", std::vector<std::int64_t>{shard_.whole() ? 1 : 0});
  file_.attribute("/", "finished", RunNote::utc_now());
  file_.close();
  publish_file(partial_, path_);
  finished_ = true;
}

ResultFile::ResultFile(const std::string& path, const Catalogue& catalogue)
    : path_(path), catalogue_(&catalogue), file_(path, Hdf5File::Mode::kRead) {
  if (!file_.has_attribute("filetype") || file_.text_attribute("filetype") != "coterie-result")
    throw RuntimeError(path + ": is no result of coterie");
  const auto version = file_.integers_attribute("format_version");
  if (version.size() != 2 || version[0] > kFormatMajor)
    throw RuntimeError(fmt::format("{}: has result format {}, newer than {}.{}, which this program reads", path,
                                   fmt::join(version, "."), kFormatMajor, kFormatMinor));
  if (file_.has_attribute(kSealed) && !file_.sealed())
    throw RuntimeError(path +
                       ": has no checksums at its end: it is cut off, or another program opened it for writing since "
                       "(work on a copy instead)");
  strategies_ = file_.read_texts("strategy");
  shape_ = file_.shape("ratio");
  if (shape_.size() != 3 || shape_[1] != strategies_.size())
    throw RuntimeError(path + ": is damaged: ratio is not configuration x strategy x instance");
  for (const std::string& name : file_.datasets())
    if (const auto shape = file_.shape(name); shape != shape_of(name, shape_))
      throw RuntimeError(fmt::format("{}: is damaged: dataset \"{}\" is {}, not {}", path, name,
                                     fmt::join(shape, " x "), fmt::join(shape_of(name, shape_), " x ")));
}

Campaign ResultFile::campaign() const {
  Campaign made = provenance().parse(*catalogue_);
  if (made.configurations.size() != configurations() || made.strategies != strategies_)
    throw RuntimeError(path_ + ": is damaged: its shape is not that of its campaign");
  return made;
}

bool ResultFile::complete() const {
  return file_.has_attribute("complete") && file_.integers_attribute("complete") == std::vector<std::int64_t>{1};
}

Provenance ResultFile::provenance() const {
  const auto texts = [&](const char* name) {
    std::vector<std::string> values = file_.texts_attribute(name);
    std::erase(values, "");  // an empty list is stored as one empty text
    return values;
  };
  Provenance read;
  read.campaign = file_.text_attribute("campaign");
  read.campaign_path = file_.text_attribute("campaign_path");
  read.settings = texts("settings");
  read.seed = static_cast<std::uint64_t>(file_.integers_attribute("seed").front());
  read.instances = instances();
  if (file_.has_attribute("precision")) {
    read.precision = file_.double_attribute("precision");
    read.instances = static_cast<std::uint64_t>(file_.integers_attribute("max_instances").at(0));
  }
  read.resolved = file_.text_attribute("resolved");
  read.trace_checksums = texts("trace_checksums");
  if (file_.has_attribute("shard")) read.shard = Shard::parse(file_.text_attribute("shard"));
  read.coterie_version = file_.text_attribute("coterie_version");
  read.git_revision = file_.text_attribute("git_revision");
  read.compiler = file_.text_attribute("compiler");
  read.flags = file_.text_attribute("flags");
  read.libraries = file_.text_attribute("libraries");
  if (!file_.sealed()) {  // its texts have no checksums
    try {
      read.parse(*catalogue_);
    } catch (const InputError& error) {
      throw RuntimeError(fmt::format("{}: its campaign cannot be read: {}", path_, error.what()));
    }
  }
  return read;
}

std::vector<std::uint64_t> ResultFile::instances_done() const {
  std::vector<std::uint64_t> done;
  if (file_.has("instances_done")) {
    for (const double count : file_.read_doubles("instances_done")) {
      if (!(count >= 0 && count <= static_cast<double>(instances())))
        throw RuntimeError(path_ + ": is damaged: instances_done is out of bounds");
      done.push_back(static_cast<std::uint64_t>(count));
    }
    return done;
  }
  const Provenance made = provenance();  // format 1.0: a fixed number
  const Campaign run = campaign();
  return ResultExtent::fixed(run, made.shard).done;
}

std::vector<double> ResultFile::ratios(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, instances()});
}

Sampling ResultFile::sampling() const {
  return file_.has("worth") && provenance().parse(*catalogue_).sampling == Sampling::kSobol ? Sampling::kSobol
                                                                                            : Sampling::kRandom;
}

std::vector<Controls::Means> ResultFile::known_means() const {
  const std::vector<double> means = file_.read_doubles("control_mean");
  const std::vector<double> errors = file_.read_doubles("control_error");
  const std::size_t controls = kControlNames.size();
  std::vector<Controls::Means> known;
  for (std::size_t i = 0; i < means.size(); i += controls)
    known.push_back(
        {errors[i], {means[i + 2], errors[i + 2]}, {means[i + 3], errors[i + 3]}, {means[i + 1], errors[i + 1]}});
  return known;
}

std::vector<double> ResultFile::worth() const {
  if (!file_.has("worth")) return {};
  const std::vector<double> each = file_.read_doubles("worth");
  const std::vector<double> deviations = file_.read_doubles("stddev");
  const std::vector<std::uint64_t> done = instances_done();
  std::vector<double> plain(strategies_.size(), 0);
  std::vector<double> reached(strategies_.size(), 0);
  for (std::size_t i = 0; i < each.size(); ++i) {
    const double variance = deviations[i] * deviations[i] / static_cast<double>(done[i / strategies_.size()]);
    if (std::isnan(variance) || std::isnan(each[i])) continue;
    plain[i % strategies_.size()] += variance;
    reached[i % strategies_.size()] += variance / each[i];
  }
  for (std::size_t s = 0; s < plain.size(); ++s) plain[s] = plain[s] > 0 ? plain[s] / reached[s] : 1;
  return plain;
}

}  // namespace coterie::sim
