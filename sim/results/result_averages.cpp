#include "sim/results/result_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <span>

#include "core/infinity.hpp"
#include "core/text.hpp"
#include "sim/engine/rows.hpp"
#include "sim/results/paired_difference.hpp"
#include "sim/results/result_format.hpp"
#include "sim/results/row_reader.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

/// What a result with statistics holds of differences, and of the reference.
class StoredMeans {
 public:
  explicit StoredMeans(const ResultFile& result)
      : strategies_(result.strategies().size()),
        means_(result.file().read_doubles(pair_columns()[0].name)),
        errors_(result.file().read_doubles(pair_columns()[1].name)),
        references_(result.file().read_doubles(kReferenceMean)),
        instances_(result.instances_done()) {}

  MeanEstimate difference(std::size_t c, std::size_t s, std::size_t base) const {
    const std::size_t at = (c * strategies_ + s) * strategies_ + base;
    return {means_[at], errors_[at], static_cast<double>(instances_[c]) - 1};
  }
  double reference(std::size_t c) const { return references_[c]; }

 private:
  std::size_t strategies_;
  std::vector<double> means_, errors_;  // configuration x strategy x other
  std::vector<double> references_;      // by configuration, as is the next
  std::vector<std::uint64_t> instances_;
};

/// `sampled`: the difference of the instances.
MeanEstimate best_difference(const MeanEstimate& own, const MeanEstimate& other, const MeanEstimate& sampled) {
  if (!own.is_exact() || !other.is_exact() || sampled.is_exact()) return sampled;
  return {own.mean - other.mean, 0, kInfinity, own.bound + other.bound};
}

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
  bool any() const { return !rows_.empty(); }
  void take(MeasuredRow& into, std::size_t c, std::size_t s, std::size_t piece) {
    const auto row = [&](Measure measure) { return rows_[measure].row(c, piece, s); };
    into.take(row(kMakespan), row(kMachineTime), row(kWasted));
  }
  void take_again(MeasuredRow& into, std::size_t c, std::size_t s, std::size_t piece) {
    into.take_again(rows_[kMakespan].row(c, piece, s));
  }
  static void close(ResultGroup& group) {
    for (Measured& one : group.measured) one /= static_cast<double>(group.configurations());
  }

 private:
  std::size_t strategies_;
  std::vector<RowReader> rows_;  // by Measure
};

/// The quantiles that a result with statistics holds, added up by group.
class StoredQuantiles {
 public:
  explicit StoredQuantiles(const ResultFile& result) : strategies_(result.strategies().size()) {
    if (!result.statistics()) return;
    for (const char* name : kQuantileNames) values_.push_back(result.file().read_doubles(name));
  }
  void open(ResultGroup& group) const {
    if (!values_.empty()) group.quantiles.assign(strategies_, std::vector<double>(values_.size()));
  }
  void add(ResultGroup& group, std::size_t c) const {
    for (std::size_t s = 0; s < group.quantiles.size(); ++s)
      for (std::size_t k = 0; k < values_.size(); ++k) group.quantiles[s][k] += values_[k][c * strategies_ + s];
  }
  static void close(ResultGroup& group) {
    for (std::vector<double>& of_strategy : group.quantiles)
      for (double& value : of_strategy) value /= static_cast<double>(group.configurations());
  }

 private:
  std::size_t strategies_;
  std::vector<std::vector<double>> values_;  // by probability, then configuration x strategy
};

/// What instances tell of one strategy in a configuration.
struct StrategyRows {
  std::vector<PairedDifference> compared;  // by baseline
  std::optional<MeasuredRow> measured;

  bool wants_pass() const { return measured && measured->wants_pass(); }
};

/// Goes through the instances of a configuration piece by piece: once, and where makespans are too many for memory,
/// again for these.
class ConfigurationRows {
 public:
  ConfigurationRows(const ResultFile& result, MeasuredRows& measured, const std::vector<std::size_t>& baselines)
      : strategies_(result.strategies().size()),
        baselines_(baselines),
        pieces_(result),
        measured_(measured),
        ratios_(result, "ratio", strategies_),
        references_(result, "reference", 0) {
    if (result.statistics()) stored_.emplace(result);
  }

  /// `facts`: by strategy.
  void read(std::size_t c, std::span<const StrategyFacts> facts) {
    configuration_ = c;
    open(c, facts);
    for (std::size_t piece = 0; piece < pieces_.count(); ++piece) take(c, piece);
    reference_.end_of_sum();
    while (end_pass())
      for (std::size_t piece = 0; piece < pieces_.count(); ++piece) take_again(c, piece);
  }

  double reference() const { return stored_ ? stored_->reference(configuration_) : reference_.mean(); }
  const StrategyRows& of(std::size_t strategy) const { return rows_[strategy]; }

 private:
  static constexpr std::size_t kMostHeldValues = 8'000'000;  // of all rows, for times by which so many are done

  void open(std::size_t c, std::span<const StrategyFacts> facts) {
    reference_ = {};
    rows_.assign(strategies_, {});
    for (std::size_t s = 0; s < strategies_; ++s) {
      for (const std::size_t base : baselines_) {
        const bool same = s == base || may_be_the_same(facts[s], facts[base]);
        rows_[s].compared.push_back(stored_ ? PairedDifference(same, stored_->difference(c, s, base))
                                            : PairedDifference(same));
      }
      if (measured_.any()) rows_[s].measured.emplace(kMostHeldValues / strategies_);
    }
  }

  void take(std::size_t c, std::size_t piece) {
    for (const double value : references_.row(c, piece)) reference_.sum(value);
    for (std::size_t s = 0; s < strategies_; ++s) {
      StrategyRows& row = rows_[s];
      if (row.measured) measured_.take(*row.measured, c, s, piece);
      for (std::size_t b = 0; b < baselines_.size(); ++b)
        row.compared[b].take(ratios_.row(c, piece, s), ratios_.row(c, piece, baselines_[b]));
    }
  }

  void take_again(std::size_t c, std::size_t piece) {
    for (std::size_t s = 0; s < strategies_; ++s)
      if (rows_[s].wants_pass()) measured_.take_again(*rows_[s].measured, c, s, piece);
  }

  /// Whether another is wanted.
  bool end_pass() {
    bool more = false;
    for (StrategyRows& row : rows_) {
      if (row.wants_pass()) row.measured->end_pass();
      more = more || row.wants_pass();
    }
    return more;
  }

  std::size_t strategies_;
  const std::vector<std::size_t>& baselines_;
  InstancePieces pieces_;
  MeasuredRows& measured_;
  RowReader ratios_, references_;
  std::optional<StoredMeans> stored_;  // in place of instances
  std::size_t configuration_ = 0;
  RowMoments reference_;
  std::vector<StrategyRows> rows_;  // by strategy
};

}  // namespace

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

Errors errors_of(const ResultFile& result) {
  const auto resolved = result.provenance().resolved_json(result.path());
  const std::vector<std::string> identities = result.file().read_texts("identity");
  const bool shared = std::set<std::string>(identities.begin(), identities.end()).size() < identities.size();
  return shared || resolved.value("common_random_numbers", false) ? Errors::kAnyhow : Errors::kIndependent;
}

double quantile_error(const ResultFile& result) {
  return result.statistics() ? result.file().double_attribute("quantile_error") : std::nan("");
}

std::vector<Ceiling> ceilings_of(const ResultFile& result) {
  std::vector<Ceiling> known = result.catalogue().model(result.file().text_attribute("model")).words().ceilings;
  std::erase_if(known, [&](const Ceiling& ceiling) { return !result.file().has(ceiling.name); });
  return known;
}

std::vector<MeanEstimate> mean_estimates(const ResultFile& result) {
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  const std::vector<std::uint64_t> instances = result.instances_done();
  std::vector<MeanEstimate> estimates;
  for (std::size_t i = 0; i < means.size(); ++i)
    estimates.push_back({means[i], errors[i], static_cast<double>(instances[i / result.strategies().size()]) - 1});
  if (!result.file().has(kExpectedRatio)) return estimates;
  const std::vector<double> exact = result.file().read_doubles(kExpectedRatio);
  const std::vector<double> exact_errors = result.file().read_doubles(kExpectedRatioError);
  for (std::size_t i = 0; i < exact.size(); ++i)
    if (!std::isnan(exact[i])) estimates[i] = {exact[i], 0, kInfinity, exact_errors[i]};
  return estimates;
}

/// By configuration and strategy.
std::vector<StrategyFacts> facts_of(const ResultFile& result, std::span<const double> expected) {
  const std::vector<double> chunks = result.file().read_doubles("chunks");
  const std::vector<double> sizes = result.file().read_doubles("chunk_size");
  std::vector<StrategyFacts> facts;
  for (std::size_t i = 0; i < expected.size(); ++i) facts.push_back({chunks[i], sizes[i], expected[i]});
  return facts;
}

std::vector<ResultGroup> result_groups(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                                       const std::vector<std::size_t>& configurations,
                                       const std::vector<std::size_t>& baselines) {
  const std::size_t strategies = result.strategies().size();
  const std::vector<double> expected = result.file().read_doubles("expected_work");
  const std::vector<StrategyFacts> facts = facts_of(result, expected);
  std::vector<std::vector<double>> ceilings;
  for (const Ceiling& ceiling : ceilings_of(result)) ceilings.push_back(result.file().read_doubles(ceiling.name));
  const std::vector<MeanEstimate> means = mean_estimates(result);
  MeasuredRows measured(result);
  const StoredQuantiles quantiles(result);
  ConfigurationRows rows(result, measured, baselines);
  const std::vector<Average> none(strategies, Average(errors_of(result)));
  std::vector<ResultGroup> groups;
  std::map<std::vector<std::size_t>, std::size_t> index;
  for (const std::size_t c : configurations) {
    if (std::isnan(means[c * strategies].mean)) continue;  // of another shard
    std::vector<std::size_t> key;
    for (const AxisColumn* column : by) key.push_back(column->code[c]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    if (fresh) {
      groups.push_back({key, none, {}, std::vector<double>(strategies, 0.0), 0, {}, {}});
      groups.back().differences.assign(baselines.size(), none);
      groups.back().ceilings.assign(ceilings.size(), 0.0);
      measured.open(groups.back());
      quantiles.open(groups.back());
    }
    ResultGroup& group = groups[entry->second];
    rows.read(c, std::span(facts).subspan(c * strategies, strategies));
    group.reference += rows.reference();
    quantiles.add(group, c);
    for (std::size_t k = 0; k < ceilings.size(); ++k) group.ceilings[k] += ceilings[k][c];
    for (std::size_t s = 0; s < strategies; ++s) {
      const StrategyRows& row = rows.of(s);
      if (row.measured) group.measured[s] += row.measured->measured();
      const std::size_t at = c * strategies + s;
      group.ratio[s].add(means[at]);
      group.expected[s] += expected[at];
      for (std::size_t b = 0; b < baselines.size(); ++b)
        group.differences[b][s].add(
            best_difference(means[at], means[c * strategies + baselines[b]], row.compared[b].estimate()));
    }
  }
  std::sort(groups.begin(), groups.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  for (ResultGroup& group : groups) {
    MeasuredRows::close(group);
    StoredQuantiles::close(group);
    group.reference /= static_cast<double>(group.configurations());
    for (double& value : group.expected) value /= static_cast<double>(group.configurations());
    for (double& value : group.ceilings) value /= static_cast<double>(group.configurations());
  }
  return groups;
}

}  // namespace coterie::sim
