#include "sim/results/result_store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/results/result_format.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kFlushedTogether = 1 << 19;  // values: 4 MiB
constexpr std::uint64_t kStoredValues = 1 << 17;   // 1 MiB of doubles

}  // namespace

std::string RunNote::utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

StoredTogether StoredTogether::of(const Campaign& campaign, std::uint64_t instances) {
  const std::uint64_t strategies = campaign.strategies.size();
  const std::uint64_t across = std::min(instances, kStoredValues / strategies + 1);
  return {std::clamp<std::uint64_t>(kStoredValues / (across * strategies), 1, campaign.configurations.size()), across};
}

ResultStore::ResultStore(const std::string& path, const Campaign& campaign, const Shard& shard, ResultExtent extent,
                         const RunNote& note)
    : campaign_(campaign),
      metric_(metric_of(*campaign.model, campaign.configurations)),
      shard_(shard),
      extent_(std::move(extent)),
      note_(note),
      temporary_(path),
      file_(temporary_) {
  const hsize_t configurations = campaign.configurations.size();
  const hsize_t strategies = campaign.strategies.size();
  const hsize_t instances = extent_.instances;
  const Model& model = *campaign.model;
  file_.create_bare_dimension("configuration", configurations);
  const bool statistics = campaign.output == Output::kStatistics;
  if (!statistics) file_.create_bare_dimension("instance", instances);
  file_.write_texts("strategy", campaign.strategies);
  file_.make_scale("strategy");
  const auto [down, across] = StoredTogether::of(campaign, instances);
  for (const InstanceColumn& column : instance_columns(campaign)) {
    const Named named{column.name, column.long_name(metric_), column.unit(metric_)};
    if (column.by_strategy)
      create(named, {{configurations, strategies, instances}, {down, strategies, across}, campaign.deflate},
             {"configuration", "strategy", "instance"});
    else
      create(named, {{configurations, instances}, {down, across}, campaign.deflate}, {"configuration", "instance"});
  }
  const auto later = [this](auto describe) { to_describe_.emplace_back(std::move(describe)); };
  for (const Axis& axis : model.axes()) later([&] { write_axis(axis); });
  later([this] {
    write_texts({"identity", "64-bit identity of the configuration, which its random numbers depend on", {}},
                [](const Configuration& configuration) { return fmt::format("{:016x}", configuration.identity); });
  });
  later([this] {
    write_numbers({"instances_done", "instances run of the configuration; the others are NaN", "1"},
                  std::vector<double>(extent_.done.begin(), extent_.done.end()));
  });
  for (const ResultColumn& column : result_columns(campaign)) later([this, column] { create_column(column); });
  for (const Ceiling& ceiling : model.words().ceilings) later([this, ceiling] { create_ceiling(ceiling); });
  if (statistics) create_statistics();
  later([this] { write_attributes(); });
}

void ResultStore::create(const Named& named, const Hdf5Layout& layout, const std::vector<std::string>& dimensions) {
  file_.create_doubles(named.name, layout);
  label(named, dimensions);
}

void ResultStore::label(const Named& named, const std::vector<std::string>& dimensions) {
  if (named.units && !named.units->empty()) file_.attribute(named.name, "units", *named.units);
  file_.attribute(named.name, "long_name", named.long_name);
  for (unsigned i = 0; i < dimensions.size(); ++i) file_.attach_scale(named.name, i, dimensions[i]);
}

void ResultStore::describe_more() {
  if (described_ < to_describe_.size()) to_describe_[described_++]();
}

template <class TextOf>
void ResultStore::write_texts(const Named& named, const TextOf& text_of) {
  std::vector<std::string> texts;
  for (const Configuration& configuration : campaign_.configurations) texts.push_back(text_of(configuration));
  file_.write_texts(named.name, texts);
  label(named, {"configuration"});
}

void ResultStore::write_numbers(const Named& named, const std::vector<double>& values) {
  create(named, {{values.size()}, {}, 0}, {"configuration"});
  file_.write_doubles(named.name, values, {0}, {values.size()});
}

void ResultStore::write_axis(const Axis& axis) {
  if (axis.kind == Axis::Kind::kText) {
    write_texts({dataset_name(axis), axis.long_name, {}},
                [&](const Configuration& configuration) { return configuration.text(axis.name); });
    return;
  }
  std::vector<double> values;
  for (const Configuration& configuration : campaign_.configurations) values.push_back(configuration.number(axis.name));
  write_numbers({dataset_name(axis), axis.long_name, axis.unit}, values);
}

void ResultStore::create_column(const ResultColumn& column) {
  create({column.name, column.long_name, column.unit == nullptr ? metric_.unit : column.unit},
         {{campaign_.configurations.size(), campaign_.strategies.size()}, {}, 0}, {"configuration", "strategy"});
  if (campaign_.exact_means && column.name == std::string_view("mean"))
    file_.attribute(column.name, "comment",
                    "of the instances; where expected_ratio is a number, use that, exact to expected_ratio_error, "
                    "instead of mean and half_width");
}

void ResultStore::create_ceiling(const Ceiling& ceiling) {
  create({ceiling.name, ceiling.summary, metric_.unit}, {{campaign_.configurations.size()}, {}, 0}, {"configuration"});
}

void ResultStore::create_statistics() {
  const hsize_t configurations = campaign_.configurations.size();
  const hsize_t strategies = campaign_.strategies.size();
  std::uint64_t nodes = 0;
  for (std::size_t c = 0; c < configurations; ++c) {
    const InstanceRange share = shard_.share(campaign_, c);
    nodes += aligned_nodes(share.first / kBlockInstances, (share.last + kBlockInstances - 1) / kBlockInstances);
  }
  const auto dimension = [this](const char* name, const std::vector<std::string>& values) {
    file_.write_texts(name, values);
    file_.make_scale(name);
  };
  dimension("other", campaign_.strategies);
  dimension("series", series_names(campaign_));
  dimension("moment", moment_names());
  dimension("node_field", {"configuration", "first block", "blocks"});
  file_.create_bare_dimension("node_number", nodes);
  file_.create_bare_dimension("cell", RatioHistogram::kCounts);
  totals_.emplace(file_, configurations, strategies, nodes);
  label({kNodes,
         fmt::format("blocks of {} instances, 2^k of them aligned, that the others put together", kBlockInstances),
         {}},
        {"node_number", "node_field"});
  label({kNodeMoments, "of a node: count, mean, sum of squared deviations from it, least and greatest", {}},
        {"node_number", "series", "moment"});
  label({kHistograms,
         fmt::format("ratios in each of {} parts of [0, 1); in the last those of 1 and more", RatioHistogram::kCells),
         "1"},
        {"configuration", "strategy", "cell"});
  for (const PairColumn& column : pair_columns())
    create({column.name, column.long_name, "1"}, {{configurations, strategies, strategies}, {}, 0},
           {"configuration", "strategy", "other"});
  create({kReferenceMean, "mean " + metric_.of_reference + " by " + metric_.reference, metric_.unit},
         {{configurations}, {}, 0}, {"configuration"});
}

void ResultStore::write_attributes() {
  const auto text = [&](const char* name, const std::string& value) { file_.attribute("/", name, value); };
  text("Conventions", "CF-1.8");
  text("filetype", "coterie-result");
  file_.attribute("/", "format_version", kFormat);
  text("title", campaign_.title);
  text("model", campaign_.model->name());
  const Provenance made = Provenance::of(campaign_, shard_);
  Provenance::for_each_text(made, [&](const char* name, const auto& value) {
    using Value = std::decay_t<decltype(value)>;
    file_.attribute("/", name, value.empty() ? Value{""} : value);  // an empty list is stored as one empty text
  });
  file_.attribute("/", "seed", std::vector<std::int64_t>{static_cast<std::int64_t>(made.seed)});
  if (made.precision) {
    file_.attribute("/", "precision", *made.precision);
    file_.attribute("/", "max_instances", std::vector<std::int64_t>{static_cast<std::int64_t>(made.instances)});
  }
  if (campaign_.output == Output::kStatistics) {
    text("output", "statistics");
    file_.attribute("/", "instances", std::vector<std::int64_t>{static_cast<std::int64_t>(made.instances)});
    file_.attribute("/", "quantile_error", RatioHistogram::kWidth);
  }
  if (!shard_.whole()) text("shard", shard_.text());
  text("command_line", note_.command_line);
  text("started", note_.started);
}

void ResultStore::write(const ResultSlice& slice, const InstanceColumn& column) {
  const std::vector<double>& values = slice.*column.values;
  std::vector<hsize_t> offset{slice.first_configuration, slice.first_instance};
  std::vector<hsize_t> count{slice.configurations, slice.instances};
  if (column.by_strategy) {
    offset.insert(offset.begin() + 1, 0);
    count.insert(count.begin() + 1, campaign_.strategies.size());
  }
  file_.write_doubles(column.name, values, offset, count);
  unflushed_ += values.size();
  if (unflushed_ >= kFlushedTogether) {
    file_.flush_ahead();
    unflushed_ = 0;
  }
  describe_more();
}

std::vector<double> ResultStore::read_ratios(std::size_t configuration, std::uint64_t first,
                                             std::uint64_t instances) const {
  return file_.read_doubles("ratio", {configuration, 0, first}, {1, campaign_.strategies.size(), instances});
}

void ResultStore::write_columns() {
  const hsize_t strategies = campaign_.strategies.size();
  for (const ResultColumn& column : result_columns(campaign_)) {
    std::vector<double> values;
    for (const ConfigurationRecord& record : records_)
      for (std::size_t s = 0; s < strategies; ++s)
        values.push_back(column.value({record.summaries[s], record.facts[s], record.exact[s]}));
    file_.write_doubles(column.name, values, {0, 0}, {records_.size(), strategies});
  }
}

void ResultStore::write_ceilings() {
  const std::vector<Ceiling>& ceilings = campaign_.model->words().ceilings;
  for (std::size_t k = 0; k < ceilings.size(); ++k) {
    std::vector<double> values;
    for (const ConfigurationRecord& record : records_)
      values.push_back(record.ceilings.empty() ? std::nan("") : record.ceilings[k]);
    file_.write_doubles(ceilings[k].name, values, {0}, {records_.size()});
  }
}

void ResultStore::write_statistics() {
  const hsize_t strategies = campaign_.strategies.size();
  for (const PairColumn& column : pair_columns()) {
    std::vector<double> values;
    for (const ConfigurationRecord& record : records_)
      for (const MeanEstimate& difference : record.differences) values.push_back(column.value(difference));
    file_.write_doubles(column.name, values, {0, 0, 0}, {records_.size(), strategies, strategies});
  }
  std::vector<double> references;
  for (const ConfigurationRecord& record : records_) references.push_back(record.reference_mean);
  file_.write_doubles(kReferenceMean, references, {0}, {records_.size()});
}

void ResultStore::finish() {
  file_.flush_ahead();
  while (described_ < to_describe_.size()) describe_more();
  write_columns();
  write_ceilings();
  if (totals_) write_statistics();
  file_.attribute("/", "complete", std::vector<std::int64_t>{shard_.whole() ? 1 : 0});
  file_.attribute("/", "finished", RunNote::utc_now());
  file_.close();
  temporary_.publish();
}

}  // namespace coterie::sim
