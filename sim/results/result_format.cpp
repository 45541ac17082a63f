#include "sim/results/result_format.hpp"

#include <algorithm>

#include "sim/results/totals_tables.hpp"

namespace coterie::sim {
namespace {

bool measured(const Campaign& campaign) { return campaign.model->words().measures; }
bool exact(const Campaign& campaign) { return campaign.exact_means; }

std::string one(const Metric&) { return "1"; }
std::string metric_unit(const Metric& metric) { return metric.unit; }

using M = const Metric&;
constexpr InstanceColumn kInstanceColumns[] = {
    {"ratio", one,
     [](M m) { return m.name + " / " + (m.same_of_reference() ? "that" : m.of_reference) + " of " + m.reference; },
     true, &ResultSlice::ratio},
    {"reference", metric_unit, [](M m) { return m.of_reference + " by " + m.reference; }, false,
     &ResultSlice::reference},
    {"makespan", metric_unit, [](M) -> std::string { return "time when all work was completed; inf: never"; }, true,
     &ResultSlice::makespan, measured},
    {"machine_time", metric_unit, [](M) -> std::string { return "time that all workers computed"; }, true,
     &ResultSlice::machine_time, measured},
    {"wasted", metric_unit,
     [](M) -> std::string { return "machine time of what was lost, dropped or complete before"; }, true,
     &ResultSlice::wasted, measured},
};

using R = const Outcome&;
constexpr ResultColumn kColumns[] = {
    {"chunks", "1", "number of distinct chunks", [](R r) { return r.facts.chunks; }},
    {"chunk_size", nullptr, "size of a chunk", [](R r) { return r.facts.chunk_size; }},
    {"expected_work", nullptr, "exact expected metric", [](R r) { return r.facts.expected; }},
    {kExpectedRatio, "1", "exact mean of the ratio", [](R r) { return r.exact.value; }, exact},
    {kExpectedRatioError, "1", "greatest error of expected_ratio", [](R r) { return r.exact.error; }, exact},
    {"mean", "1", "mean of the ratio", [](R r) { return r.summary.mean; }},
    {"stddev", "1", "standard deviation of the ratio", [](R r) { return r.summary.stddev; }},
    {"standard_error", "1", "standard error of the mean ratio", [](R r) { return r.summary.standard_error; }},
    {"half_width", "1", "half-width of the 95 % interval of the mean ratio",
     [](R r) { return r.summary.half_width(); }},
    {"min", "1", "least ratio", [](R r) { return r.summary.min; }},
    {"max", "1", "greatest ratio", [](R r) { return r.summary.max; }},
    {"q05", "1", "5 % quantile of the ratio", [](R r) { return r.summary.quantiles[0]; }},
    {"q25", "1", "25 % quantile of the ratio", [](R r) { return r.summary.quantiles[1]; }},
    {"q50", "1", "median of the ratio", [](R r) { return r.summary.quantiles[2]; }},
    {"q75", "1", "75 % quantile of the ratio", [](R r) { return r.summary.quantiles[3]; }},
    {"q95", "1", "95 % quantile of the ratio", [](R r) { return r.summary.quantiles[4]; }},
};

template <class Column, std::size_t count>
std::vector<Column> stored(const Column (&columns)[count], const Campaign& campaign) {
  std::vector<Column> found;
  for (const Column& column : columns)
    if (column.stored == nullptr || column.stored(campaign)) found.push_back(column);
  return found;
}

}  // namespace

std::string dataset_name(const Axis& axis) { return axis.name == "chunks" ? "chunks_requested" : axis.name; }

std::vector<InstanceColumn> instance_columns(const Campaign& campaign) {
  if (campaign.output == Output::kStatistics) return {};
  return stored(kInstanceColumns, campaign);
}

std::vector<ResultColumn> result_columns(const Campaign& campaign) { return stored(kColumns, campaign); }

double size_of_instances(const Campaign& campaign, std::uint64_t instances) {
  std::size_t values = 0;
  for (const InstanceColumn& column : instance_columns(campaign))
    values += column.by_strategy ? campaign.strategies.size() : 1;
  return static_cast<double>(sizeof(double) * values) * static_cast<double>(instances);
}

std::vector<hsize_t> shape_of(const std::string& name, const std::vector<hsize_t>& ratio) {
  for (const InstanceColumn& column : kInstanceColumns)
    if (name == column.name) return column.by_strategy ? ratio : std::vector<hsize_t>{ratio[0], ratio[2]};
  if (name == "strategy") return {ratio[1]};
  if (name == "instance") return {ratio[2]};
  for (const ResultColumn& column : kColumns)
    if (name == column.name) return {ratio[0], ratio[1]};
  return {ratio[0]};  // by configuration
}

const std::vector<PairColumn>& pair_columns() {
  static const std::vector<PairColumn> columns = {
      {"difference", "mean of the ratio less that of the other, of the same instances",
       [](const MeanEstimate& difference) { return difference.mean; }},
      {"difference_standard_error", "standard error of difference",
       [](const MeanEstimate& difference) { return difference.standard_error; }},
      {"difference_half_width", "half-width of the 95 % interval of difference",
       [](const MeanEstimate& difference) { return difference.half_width(); }}};
  return columns;
}

std::vector<std::string> series_names(const Campaign& campaign) {
  std::vector<std::string> names = {campaign.model->reference()};
  names.insert(names.end(), campaign.strategies.begin(), campaign.strategies.end());
  for (std::size_t a = 0; a < campaign.strategies.size(); ++a)
    for (std::size_t b = a + 1; b < campaign.strategies.size(); ++b)
      names.push_back(campaign.strategies[a] + " - " + campaign.strategies[b]);
  return names;
}

std::vector<hsize_t> statistics_shape_of(const std::string& name, const std::vector<hsize_t>& ratio, hsize_t nodes) {
  const hsize_t series = TotalSeries{ratio[1]}.count();
  if (name == kNodes) return {nodes, kNodeFields};
  if (name == kNodeMoments) return {nodes, series, moment_names().size()};
  if (name == kHistograms) return {ratio[0], ratio[1], RatioHistogram::kCounts};
  if (name == "node_number") return {nodes};
  if (name == "node_field") return {kNodeFields};
  if (name == "series") return {series};
  if (name == "moment") return {moment_names().size()};
  if (name == "cell") return {RatioHistogram::kCounts};
  if (name == "other") return {ratio[1]};
  const std::vector<PairColumn>& pairs = pair_columns();
  if (std::any_of(pairs.begin(), pairs.end(), [&](const PairColumn& column) { return name == column.name; }))
    return {ratio[0], ratio[1], ratio[1]};
  return shape_of(name, ratio);
}

}  // namespace coterie::sim
