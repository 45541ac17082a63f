#include "sim/report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "core/text.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Six digits are what a page can show.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return parse_number(fmt::format("{:.6g}", value)).value_or(value);
}

/// One axis of a result: its different values, and which of them each configuration has.
struct AxisCodes {
  const Axis* axis = nullptr;
  std::vector<std::string> texts;
  std::vector<double> numbers;
  std::vector<std::size_t> code;  // by configuration
  std::size_t values() const { return axis->kind == Axis::Kind::kText ? texts.size() : numbers.size(); }
};

AxisCodes codes_of(const ResultFile& result, const Axis& axis, const std::string& dataset) {
  AxisCodes codes{&axis, {}, {}, {}};
  if (axis.kind == Axis::Kind::kText) {
    std::map<std::string, std::size_t> known;
    for (const std::string& text : result.file().read_texts(dataset)) {
      const auto [entry, fresh] = known.emplace(text, codes.texts.size());
      if (fresh) codes.texts.push_back(text);
      codes.code.push_back(entry->second);
    }
    return codes;
  }
  const std::vector<double> column = result.file().read_doubles(dataset);
  codes.numbers = column;
  std::sort(codes.numbers.begin(), codes.numbers.end());
  codes.numbers.erase(std::unique(codes.numbers.begin(), codes.numbers.end()), codes.numbers.end());
  for (const double value : column)
    codes.code.push_back(static_cast<std::size_t>(std::lower_bound(codes.numbers.begin(), codes.numbers.end(), value) -
                                                  codes.numbers.begin()));
  return codes;
}

std::vector<AxisCodes> axes_of(const ResultFile& result, const Model& model) {
  std::vector<AxisCodes> list;
  for (const Axis& axis : model.axes()) {
    const std::string dataset = axis.name == "chunks" ? "chunks_requested" : axis.name;
    if (result.file().has(dataset)) list.push_back(codes_of(result, axis, dataset));
  }
  return list;
}

Json axis_values(const AxisCodes& codes) {
  Json values = Json::array();
  for (const std::string& text : codes.texts) values.push_back(text);
  for (const double number : codes.numbers) values.push_back(number);
  return values;
}

/// Means and standard errors of cells, configurations weighing the same.
struct Cells {
  std::size_t strategies = 0;
  std::vector<std::vector<std::size_t>> keys;
  std::vector<std::size_t> counts;
  std::vector<double> mean, variance, difference, difference_variance;  // sums, by cell x strategy

  std::size_t cell(std::map<std::vector<std::size_t>, std::size_t>& index, const std::vector<std::size_t>& key) {
    const auto [entry, fresh] = index.emplace(key, keys.size());
    if (fresh) {
      keys.push_back(key);
      counts.push_back(0);
      for (auto* sums : {&mean, &variance, &difference, &difference_variance})
        sums->resize(keys.size() * strategies, 0);
    }
    return entry->second;
  }
};

/// The axes that stay: swept ones, without those with most values until the page is small enough.
std::vector<std::size_t> kept_axes(const std::vector<AxisCodes>& axes, std::size_t configurations,
                                   std::size_t strategies, Json& averaged) {
  std::vector<std::size_t> kept;
  for (std::size_t a = 0; a < axes.size(); ++a)
    if (axes[a].values() > 1) kept.push_back(a);
  const auto rows = [&] {
    double cells = 1;
    for (const std::size_t a : kept) cells *= static_cast<double>(axes[a].values());
    return std::min(cells, static_cast<double>(configurations)) * static_cast<double>(strategies);
  };
  while (rows() > static_cast<double>(kMostReportRows) && kept.size() > 1) {
    const auto widest =
        std::max_element(kept.begin(), kept.end(), [&](auto a, auto b) { return axes[a].values() < axes[b].values(); });
    averaged.push_back(axes[*widest].axis->name);
    kept.erase(widest);
  }
  return kept;
}

/// Rows of ratios, read many configurations at a time: a read for each row would take minutes where there are many.
class RatioReader {
 public:
  explicit RatioReader(const ResultFile& result)
      : result_(result),
        row_(result.instances()),
        rows_(result.strategies().size()),
        batch_(std::max<std::size_t>(1, kValues / std::max<std::size_t>(1, row_ * rows_))) {}

  /// Valid until a row of another configuration is asked for.
  std::span<const double> row(std::size_t configuration, std::size_t strategy) {
    if (configuration < first_ || configuration >= first_ + count_) {
      first_ = configuration;
      count_ = std::min(batch_, result_.configurations() - first_);
      values_ = result_.file().read_doubles("ratio", {first_, 0, 0}, {count_, rows_, row_});
    }
    return std::span(values_).subspan(((configuration - first_) * rows_ + strategy) * row_, row_);
  }

 private:
  static constexpr std::size_t kValues = 2'000'000;
  const ResultFile& result_;
  std::size_t row_, rows_, batch_;
  std::size_t first_ = 0, count_ = 0;
  std::vector<double> values_;
};

Cells cells_of(const ResultFile& result, const std::vector<AxisCodes>& axes, const std::vector<std::size_t>& kept,
               std::ptrdiff_t baseline) {
  Cells cells;
  cells.strategies = result.strategies().size();
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  RatioReader ratios(result);
  std::map<std::vector<std::size_t>, std::size_t> index;
  for (std::size_t c = 0; c < result.configurations(); ++c) {
    if (std::isnan(means[c * cells.strategies])) continue;  // of another shard
    std::vector<std::size_t> key;
    for (const std::size_t a : kept) key.push_back(axes[a].code[c]);
    const std::size_t cell = cells.cell(index, key);
    ++cells.counts[cell];
    std::span<const double> base;
    if (baseline >= 0) base = ratios.row(c, static_cast<std::size_t>(baseline));
    for (std::size_t s = 0; s < cells.strategies; ++s) {
      const std::size_t at = cell * cells.strategies + s;
      cells.mean[at] += means[c * cells.strategies + s];
      cells.variance[at] += std::pow(errors[c * cells.strategies + s], 2);
      if (baseline < 0 || static_cast<std::size_t>(baseline) == s) continue;
      const std::span<const double> ratio = ratios.row(c, s);
      std::vector<double> row(ratio.begin(), ratio.end());
      for (std::size_t i = 0; i < row.size(); ++i) row[i] -= base[i];
      const Summary summary = summarise(row);
      cells.difference[at] += summary.mean;
      cells.difference_variance[at] += summary.standard_error * summary.standard_error;
    }
  }
  return cells;
}

Json cells_json(const Cells& cells, bool with_differences) {
  Json json;
  json["keys"] = cells.keys;
  json["counts"] = cells.counts;
  const auto column = [&](const std::vector<double>& sums, bool variance) {
    Json values = Json::array();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto count = static_cast<double>(cells.counts[i / cells.strategies]);
      values.push_back(rounded((variance ? std::sqrt(sums[i]) : sums[i]) / count));
    }
    return values;
  };
  json["mean"] = column(cells.mean, false);
  json["error"] = column(cells.variance, true);
  if (with_differences) {
    json["difference"] = column(cells.difference, false);
    json["difference_error"] = column(cells.difference_variance, true);
  }
  return json;
}

/// A risk as a curve of (time, probability of interruption before it), its times in equal steps or equal ratios.
Json risk_curve(const Risk& risk, double end, bool logarithmic) {
  constexpr int kPoints = 160;
  constexpr double kDecades = 4;
  Json points = Json::array();
  for (int i = 0; i <= kPoints; ++i) {
    const double t = logarithmic ? end * std::pow(10, kDecades * (1.0 * i / kPoints - 1)) : end * i / kPoints;
    points.push_back({rounded(t), rounded(risk.probability(t))});
  }
  return points;
}

/// The risks that axes name, on one range of times; what cannot be drawn (a trace that is not here) is told.
Json risks_json(const ResultFile& result, const std::vector<AxisCodes>& axes) {
  constexpr std::size_t kMostRisks = 12;
  Json json = {{"curves", Json::array()}, {"notes", Json::array()}};
  RiskLibrary library(std::filesystem::path(result.provenance().campaign_path).parent_path().string(),
                      result.catalogue().risks());
  std::vector<std::pair<std::string, RiskPtr>> risks;
  for (const AxisCodes& codes : axes) {
    if (codes.axis->name != "risk" && codes.axis->name != "planned_risk") continue;
    for (const std::string& text : codes.texts) {
      if (text == "none" || text == "same") continue;
      if (risks.size() == kMostRisks) {
        json["notes"].push_back(fmt::format("only the first {} risks are drawn", kMostRisks));
        break;
      }
      try {
        risks.emplace_back(text, library.get(text));
      } catch (const std::exception& error) {
        json["notes"].push_back(fmt::format("{} is not drawn: {}", text, error.what()));
      }
    }
  }
  double end = 0;
  double first_end = std::numeric_limits<double>::infinity();
  for (const auto& [text, risk] : risks) {
    double most = risk->quantile(0.98);
    if (!std::isfinite(most)) most = risk->effective_horizon();
    end = std::max(end, most);
    first_end = std::min(first_end, most);
  }
  constexpr double kTooFarApart = 10;
  json["logarithmic"] = end > kTooFarApart * first_end;
  for (const auto& [text, risk] : risks)
    json["curves"].push_back({{"name", text}, {"points", risk_curve(*risk, end, json["logarithmic"])}});
  return json;
}

Json provenance_json(const ResultFile& result) {
  Json json;
  const Hdf5File& file = result.file();
  for (const char* name :
       {"command_line", "started", "finished", "coterie_version", "git_revision", "compiler", "flags", "libraries"})
    if (file.has_attribute(name)) json[name] = file.text_attribute(name);
  json["seed"] = std::to_string(result.provenance().seed);
  json["trace_checksums"] = result.provenance().trace_checksums;
  json["settings"] = result.provenance().settings;
  return json;
}

std::ptrdiff_t baseline_of(const ResultFile& result, const std::string& wanted) {
  const auto resolved = nlohmann::json::parse(result.file().text_attribute("resolved"));
  const std::string name = wanted.empty() ? resolved.value("baseline", "") : wanted;
  const auto& strategies = result.strategies();
  const auto found = std::find(strategies.begin(), strategies.end(), name);
  if (found != strategies.end()) return found - strategies.begin();
  if (!wanted.empty())
    throw InputError(fmt::format("--baseline {}: the result has only {}", wanted, quoted_list(strategies)));
  return -1;
}

}  // namespace

nlohmann::ordered_json report_data(const ResultFile& result, const std::string& baseline) {
  const Model& made_by = result.catalogue().model(result.file().text_attribute("model"));
  const std::vector<AxisCodes> axes = axes_of(result, made_by);
  const std::ptrdiff_t base = baseline_of(result, baseline);
  Json json;
  json["title"] = result.file().text_attribute("title");
  json["file"] = result.path();
  json["model"] = {{"name", made_by.name()},     {"summary", made_by.summary()},  {"source", made_by.source()},
                   {"metric", made_by.metric()}, {"unit", made_by.metric_unit()}, {"reference", made_by.reference()}};
  json["strategies"] = result.strategies();
  json["strategy_summaries"] = Json::object();
  for (const StrategyText& strategy : made_by.strategies())
    json["strategy_summaries"][strategy.name] = strategy.summary;
  json["baseline"] = base;
  json["configurations"] = result.configurations();
  json["instances"] = result.instances();
  json["complete"] = result.complete();
  json["averaged"] = Json::array();
  const std::vector<std::size_t> kept =
      kept_axes(axes, result.configurations(), result.strategies().size(), json["averaged"]);
  json["constants"] = Json::array();
  json["axes"] = Json::array();
  for (const AxisCodes& codes : axes)
    if (codes.values() == 1)
      json["constants"].push_back(
          {{"name", codes.axis->name}, {"long_name", codes.axis->long_name}, {"value", axis_values(codes)[0]}});
  for (const std::size_t a : kept)
    json["axes"].push_back({{"name", axes[a].axis->name},
                            {"long_name", axes[a].axis->long_name},
                            {"unit", axes[a].axis->unit},
                            {"numeric", axes[a].axis->kind != Axis::Kind::kText},
                            {"values", axis_values(axes[a])}});
  json["cells"] = cells_json(cells_of(result, axes, kept, base), base >= 0);
  json["risks"] = risks_json(result, axes);
  json["provenance"] = provenance_json(result);
  json["campaign"] = result.file().text_attribute("campaign");
  return json;
}

}  // namespace coterie::sim
