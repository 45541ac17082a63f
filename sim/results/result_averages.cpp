#include "sim/results/result_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "core/text.hpp"
#include "sim/engine/rows.hpp"
#include "sim/statistics/campaign_controls.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

void take_texts(AxisColumn& column, const std::vector<std::string>& values) {
  std::map<std::string, std::size_t> known;
  for (const std::string& text : values) {
    const auto [entry, fresh] = known.emplace(text, column.texts.size());
    if (fresh) column.texts.push_back(text);
    column.code.push_back(entry->second);
  }
}

void take_numbers(AxisColumn& column, const std::vector<double>& values) {
  std::vector<double>& numbers = column.numbers;
  numbers = values;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  for (const double number : numbers) column.texts.push_back(to_text(number));
  for (const double value : values)
    column.code.push_back(
        static_cast<std::size_t>(std::lower_bound(numbers.begin(), numbers.end(), value) - numbers.begin()));
}

/// Rows of a dataset, read many configurations at a time: a read for each row would take minutes where there are many.
class RowReader {
 public:
  /// `rows`: of each configuration; 0 for a dataset of one row that has no dimension for that.
  RowReader(const ResultFile& result, std::string dataset, std::size_t rows)
      : result_(result),
        dataset_(std::move(dataset)),
        row_(result.instances()),
        rows_(rows),
        batch_(std::max<std::size_t>(1, kValues / std::max<std::size_t>(1, row_ * std::max<std::size_t>(1, rows)))) {}

  /// Valid until a row of another configuration is asked for.
  std::span<const double> row(std::size_t configuration, std::size_t number = 0) {
    const std::size_t rows = std::max<std::size_t>(1, rows_);
    if (configuration < first_ || configuration >= first_ + count_) {
      first_ = configuration;
      count_ = std::min(batch_, result_.configurations() - first_);
      values_ = rows_ == 0 ? result_.file().read_doubles(dataset_, {first_, 0}, {count_, row_})
                           : result_.file().read_doubles(dataset_, {first_, 0, 0}, {count_, rows_, row_});
    }
    return std::span(values_).subspan(((configuration - first_) * rows + number) * row_, row_);
  }

 private:
  static constexpr std::size_t kValues = 2'000'000;
  const ResultFile& result_;
  std::string dataset_;
  std::size_t row_, rows_, batch_;
  std::size_t first_ = 0, count_ = 0;
  std::vector<double> values_;
};

/// One strategy of a configuration.
struct RatioRow {
  std::span<const double> ratio;
  double expected;  // exact metric
};

/// Is there no difference, nor can there be? Schedules whose exact means are the same to the last bit and that did the
/// same in every instance are the same.
bool are_same(const RatioRow& row, const RatioRow& baseline) {
  if (row.ratio.data() == baseline.ratio.data()) return true;
  const auto alike = [](double a, double b) { return a == b || std::isnan(a); };
  return row.expected == baseline.expected &&
         std::equal(row.ratio.begin(), row.ratio.end(), baseline.ratio.begin(), alike);
}

/// The difference of two rows, instance by instance; `instances`: how many were run.
MeanEstimate paired_difference(const RatioRow& row, const RatioRow& baseline, Sampling sampling,
                               std::uint64_t instances) {
  if (are_same(row, baseline)) return {0, 0, static_cast<double>(instances) - 1, 0};
  std::vector<double> difference(row.ratio.begin(), row.ratio.end());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= baseline.ratio[i];
  if (sampling == Sampling::kRandom) {
    const Summary summary = summarise(difference, ValueRange::kDifference);
    return {summary.mean, summary.standard_error, static_cast<double>(instances) - 1, summary.standard_error};
  }
  ControlledMean mean({}, sampling, 0, ValueRange::kDifference);
  for (std::size_t i = 0; i < difference.size(); ++i)
    if (!std::isnan(difference[i])) mean.add(i, difference[i], {});
  return mean.plain();
}

/// The mean of a row, controlled.
MeanEstimate controlled_mean(const RatioRow& row, std::span<const double> reference, std::span<const double> capacity,
                             const Controls::Means& known, double work, Sampling sampling) {
  ControlledRatio mean(known, work, row.expected, sampling);
  for (std::size_t i = 0; i < row.ratio.size(); ++i)
    if (!std::isnan(row.ratio[i])) mean.add(i, row.ratio[i], reference[i], capacity[i]);
  return mean.estimate();
}

/// That of a difference, instance by instance.
MeanEstimate controlled_difference(const RatioRow& row, const RatioRow& baseline, std::span<const double> reference,
                                   std::span<const double> capacity, const Controls::Means& known, double work,
                                   Sampling sampling) {
  ControlledRatio mean(known, work, row.expected, sampling, &baseline.expected);
  for (std::size_t i = 0; i < row.ratio.size(); ++i)
    if (!std::isnan(row.ratio[i])) mean.add(i, row.ratio[i], baseline.ratio[i], reference[i], capacity[i]);
  MeanEstimate estimate = mean.estimate();
  if (are_same(row, baseline)) estimate.mean = estimate.standard_error = estimate.bound = 0;
  return estimate;
}

/// What a file holds beside plain means of independent instances, added up by group.
class ReducedVariance {
 public:
  explicit ReducedVariance(const ResultFile& result)
      : result_(result),
        sampling_(result.sampling()),
        controlled_(result.controlled()),
        capacities_(result, "capacity", 0) {
    if (controlled_ || sampling_ == Sampling::kSobol) efficiency_gains_ = result.efficiency_gains();
    if (!controlled_) return;
    known_ = result.known_means();
    work_ = result.file().read_doubles("work");
  }

  Sampling sampling() const { return sampling_; }
  bool controlled() const { return controlled_; }
  /// Replicates of Sobol points are independent of one another, their instances are not.
  std::uint64_t independent(std::uint64_t instances) const {
    return sampling_ == Sampling::kSobol ? std::min<std::uint64_t>(instances, kReplicates) : instances;
  }
  void open(ResultGroup& group, const std::vector<Average>& none) const {
    if (controlled_) group.controlled = group.controlled_difference = none;
    if (controlled_ || sampling_ == Sampling::kSobol) group.efficiency_gain.assign(none.size(), 0);
  }
  /// `error`: standard error of the mean that is not controlled.
  void add(ResultGroup& group, std::size_t c, std::size_t s, const RatioRow& row, double error, RowReader& references) {
    if (controlled_) {
      const MeanEstimate estimate =
          controlled_mean(row, references.row(c), capacities_.row(c), known_[c], work_[c], sampling_);
      error = estimate.whole_error();
      group.controlled[s].add(estimate);
    }
    if (!group.efficiency_gain.empty())
      group.efficiency_gain[s] += efficiency_gains_[c * result_.strategies().size() + s] * std::pow(error, 2);
  }
  void add_difference(ResultGroup& group, std::size_t c, std::size_t s, const RatioRow& row, const RatioRow& baseline,
                      RowReader& references) {
    if (!controlled_) return;
    group.controlled_difference[s].add(
        controlled_difference(row, baseline, references.row(c), capacities_.row(c), known_[c], work_[c], sampling_));
  }
  /// From the variances of plain means to the gains.
  void close(ResultGroup& group) const {
    for (std::size_t s = 0; s < group.efficiency_gain.size(); ++s) {
      const double reached = (controlled_ ? group.controlled : group.ratio)[s].squared_errors();
      group.efficiency_gain[s] = group.efficiency_gain[s] > 0 ? group.efficiency_gain[s] / reached : 1;
    }
  }

 private:
  const ResultFile& result_;
  Sampling sampling_;
  bool controlled_;
  std::vector<double> efficiency_gains_;  // by configuration and strategy
  std::vector<double> work_;              // by configuration
  std::vector<Controls::Means> known_;    // by configuration
  RowReader capacities_;
};

/// What a file holds beside the ratio, added up by group.
class MeasuredRows {
 public:
  explicit MeasuredRows(const ResultFile& result) : strategies_(result.strategies().size()) {
    for (std::size_t kind = 1; kind < kRowKinds.size() && result.file().has(kRowKinds[kind].name); ++kind)
      rows_.emplace_back(result, kRowKinds[kind].name, strategies_);
  }
  void open(ResultGroup& group) const {
    if (!rows_.empty()) group.measured.resize(strategies_);
  }
  void add(ResultGroup& group, std::size_t c, std::size_t s) {
    if (rows_.empty()) return;
    const auto row = [&](Measure measure) { return rows_[measure].row(c, s); };
    group.measured[s] += Measured::of(row(kMakespan), row(kMachineTime), row(kWasted));
  }
  static void close(ResultGroup& group) {
    for (Measured& one : group.measured) one /= static_cast<double>(group.configurations());
  }

 private:
  std::size_t strategies_;
  std::vector<RowReader> rows_;  // by Measure
};

}  // namespace

std::vector<AxisColumn> axis_columns(const ResultFile& result) {
  std::vector<AxisColumn> list;
  for (const Axis& axis : result.catalogue().model(result.file().text_attribute("model")).axes()) {
    const std::string dataset = axis.name == "chunks" ? "chunks_requested" : axis.name;
    if (!result.file().has(dataset)) continue;
    list.push_back({&axis, {}, {}, {}});
    if (axis.kind == Axis::Kind::kText) {
      take_texts(list.back(), result.file().read_texts(dataset));
    } else {
      take_numbers(list.back(), result.file().read_doubles(dataset));
    }
  }
  return list;
}

std::ptrdiff_t baseline_of(const ResultFile& result, const std::string& wanted) {
  const auto resolved = result.provenance().resolved_json(result.path());
  const std::string name = wanted.empty() ? resolved.value("baseline", "") : wanted;
  const std::vector<std::string>& strategies = result.strategies();
  const auto found = std::find(strategies.begin(), strategies.end(), name);
  if (found != strategies.end()) return found - strategies.begin();
  if (!name.empty())
    throw InputError(fmt::format("--baseline {}: the result has only {}{}", name, quoted_list(strategies),
                                 suggestion(name, strategies)));
  return -1;
}

void Average::add(double mean, double standard_error, std::uint64_t instances) {
  add({mean, standard_error, static_cast<double>(instances) - 1, standard_error});
}

void Average::add(const MeanEstimate& estimate) {
  const double square = estimate.standard_error * estimate.standard_error;
  sum_ += estimate.mean;
  error_ += estimate.standard_error;
  variance_ += square;
  variance_of_variance_ += square * square / estimate.freedom;
  fewest_ = std::min(fewest_, estimate.freedom);
  bound_ += estimate.bound;
  squared_errors_ += std::pow(estimate.whole_error(), 2);
  ++count_;
}

MeanEstimate Average::estimate() const {
  const auto count = static_cast<double>(count_);
  const bool independent = errors_ == Errors::kIndependent;
  MeanEstimate estimate;
  estimate.mean = sum_ / count;
  estimate.standard_error = (independent ? std::sqrt(variance_) : error_) / count;
  estimate.freedom = independent && variance_of_variance_ > 0 ? variance_ * variance_ / variance_of_variance_ : fewest_;
  estimate.bound = bound_ / count;
  return estimate;
}

double Average::half_width() const {
  const MeanEstimate estimate = this->estimate();
  if (estimate.standard_error == 0) return estimate.bound;
  if (!(estimate.freedom > 0)) return std::nan("");
  return student_quantile(estimate.freedom) * estimate.standard_error + estimate.bound;
}

Errors errors_of(const ResultFile& result) {
  const auto resolved = result.provenance().resolved_json(result.path());
  const std::vector<std::string> identities = result.file().read_texts("identity");
  const bool shared = std::set<std::string>(identities.begin(), identities.end()).size() < identities.size();
  return shared || resolved.value("common_random_numbers", false) ? Errors::kAnyhow : Errors::kIndependent;
}

std::vector<Ceiling> ceilings_of(const ResultFile& result) {
  std::vector<Ceiling> known = result.catalogue().model(result.file().text_attribute("model")).ceilings();
  std::erase_if(known, [&](const Ceiling& ceiling) { return !result.file().has(ceiling.name); });
  return known;
}

std::vector<ResultGroup> result_groups(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                                       const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline) {
  const std::size_t strategies = result.strategies().size();
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  const std::vector<double> expected = result.file().read_doubles("expected_work");
  const std::vector<std::uint64_t> instances = result.instances_done();
  std::vector<std::vector<double>> ceilings;
  for (const Ceiling& ceiling : ceilings_of(result)) ceilings.push_back(result.file().read_doubles(ceiling.name));
  RowReader ratios(result, "ratio", strategies);
  RowReader references(result, "reference", 0);
  ReducedVariance reduced(result);
  MeasuredRows measured(result);
  const std::vector<Average> none(strategies, Average(errors_of(result)));
  std::vector<ResultGroup> groups;
  std::map<std::vector<std::size_t>, std::size_t> index;
  for (const std::size_t c : configurations) {
    if (std::isnan(means[c * strategies])) continue;  // of another shard
    std::vector<std::size_t> key;
    for (const AxisColumn* column : by) key.push_back(column->code[c]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    if (fresh) {
      groups.push_back({key, none, none, std::vector<double>(strategies, 0.0), 0, {}, {}, {}, {}, {}});
      groups.back().ceilings.assign(ceilings.size(), 0.0);
      reduced.open(groups.back(), none);
      measured.open(groups.back());
    }
    ResultGroup& group = groups[entry->second];
    group.reference += summarise(references.row(c)).mean;
    for (std::size_t k = 0; k < ceilings.size(); ++k) group.ceilings[k] += ceilings[k][c];
    for (std::size_t s = 0; s < strategies; ++s) {
      const std::size_t at = c * strategies + s;
      measured.add(group, c, s);
      group.ratio[s].add(means[at], errors[at], reduced.independent(instances[c]));
      const bool wanted = baseline >= 0 || reduced.controlled();
      const RatioRow own{wanted ? ratios.row(c, s) : std::span<const double>(), expected[at]};
      reduced.add(group, c, s, own, errors[at], references);
      group.expected[s] += expected[at];
      if (baseline < 0) continue;
      const auto base = static_cast<std::size_t>(baseline);
      const RatioRow other{ratios.row(c, base), expected[c * strategies + base]};
      group.difference[s].add(paired_difference(own, other, reduced.sampling(), instances[c]));
      reduced.add_difference(group, c, s, own, other, references);
    }
  }
  for (ResultGroup& group : groups) {
    reduced.close(group);
    MeasuredRows::close(group);
    group.reference /= static_cast<double>(group.configurations());
    for (double& value : group.expected) value /= static_cast<double>(group.configurations());
    for (double& value : group.ceilings) value /= static_cast<double>(group.configurations());
  }
  return groups;
}

}  // namespace coterie::sim
