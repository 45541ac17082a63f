#include "sim/report/report_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <optional>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/report/plain_names.hpp"
#include "sim/report/report_words.hpp"
#include "sim/results/result_averages.hpp"
#include "sim/results/result_format.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Six digits are what a page can show.
Json rounded(double value) {
  if (!std::isfinite(value)) return nullptr;
  return parse_number(fmt::format("{:.6g}", value)).value_or(value);
}

/// Infinite values are drawn as texts: JSON has no number for them, and no place on an axis has either.
bool is_numeric(const AxisColumn& column) {
  return column.axis->kind != Axis::Kind::kText &&
         std::all_of(column.numbers.begin(), column.numbers.end(), [](double value) { return std::isfinite(value); });
}

Json axis_values(const AxisColumn& column) {
  if (is_numeric(column)) return column.numbers;
  return column.axis->kind == Axis::Kind::kText ? plain_names(column.texts) : column.texts;
}

/// The axes that stay: swept ones, without those with most values until the page is small enough.
std::vector<const AxisColumn*> kept_axes(const std::vector<AxisColumn>& axes, std::size_t configurations,
                                         std::size_t strategies, Json& averaged) {
  std::vector<const AxisColumn*> kept;
  for (const AxisColumn& column : axes)
    if (column.texts.size() > 1) kept.push_back(&column);
  const auto rows = [&] {
    double cells = 1;
    for (const AxisColumn* column : kept) cells *= static_cast<double>(column->texts.size());
    return std::min(cells, static_cast<double>(configurations)) * static_cast<double>(strategies);
  };
  while (rows() > static_cast<double>(kMostReportRows) && !kept.empty()) {
    const auto widest =
        std::max_element(kept.begin(), kept.end(), [](auto a, auto b) { return a->texts.size() < b->texts.size(); });
    averaged.push_back((*widest)->axis->name);
    kept.erase(widest);
  }
  return kept;
}

/// Means with their errors, degrees of freedom and bounds, by group x strategy: the page puts groups together as
/// Average does.
template <class Of>
void put_averages(Json& json, const std::string& name, const std::vector<ResultGroup>& groups, const Of& averages) {
  Json mean = Json::array(), error = Json::array(), freedom = Json::array(), bound = Json::array();
  for (const ResultGroup& group : groups)
    for (const Average& average : averages(group)) {
      const MeanEstimate estimate = average.estimate();
      mean.push_back(rounded(estimate.mean));
      error.push_back(rounded(estimate.standard_error));
      freedom.push_back(std::isfinite(estimate.freedom) ? Json(estimate.freedom) : Json());
      bound.push_back(rounded(estimate.bound));
    }
  json[name] = std::move(mean);
  json[name + "_error"] = std::move(error);
  json[name + "_freedom"] = std::move(freedom);
  json[name + "_bound"] = std::move(bound);
}

/// By group x strategy; a time that is never reached is "never".
Json measured_json(const std::vector<ResultGroup>& groups) {
  const std::pair<const char*, double Measured::*> columns[] = {{"all_done", &Measured::all_done},
                                                                {"half_done_by", &Measured::half_done_by},
                                                                {"most_done_by", &Measured::most_done_by},
                                                                {"machine_time", &Measured::machine_time},
                                                                {"wasted", &Measured::wasted}};
  Json json = Json::object();
  for (const ResultGroup& group : groups)
    for (const Measured& one : group.measured)
      for (const auto& [name, member] : columns)
        json[name].push_back(std::isinf(one.*member) ? Json("never") : rounded(one.*member));
  return json;
}

/// `baseline`: which of the groups' is the page's, if any.
Json cells_json(const std::vector<ResultGroup>& groups, std::optional<std::size_t> baseline, Errors errors) {
  Json json = {{"keys", Json::array()}, {"counts", Json::array()}, {"reference", Json::array()}};
  json["ceilings"] = Json::array();
  json["expected"] = Json::array();
  for (const ResultGroup& group : groups) {
    json["keys"].push_back(group.key);
    json["counts"].push_back(group.configurations());
    json["reference"].push_back(rounded(group.reference));
    for (const double value : group.expected) json["expected"].push_back(rounded(value));
    Json ceilings = Json::array();
    for (const double value : group.ceilings) ceilings.push_back(rounded(value));
    json["ceilings"].push_back(std::move(ceilings));
  }
  json["measured"] = measured_json(groups);
  json["quantiles"] = Json::array();
  for (const ResultGroup& group : groups)
    for (const std::vector<double>& of_strategy : group.quantiles)
      for (const double value : of_strategy) json["quantiles"].push_back(rounded(value));
  json["independent"] = errors == Errors::kIndependent;
  put_averages(
      json, "mean", groups, [](const ResultGroup& group) -> const auto& { return group.ratio; });
  if (baseline)
    put_averages(
        json, "difference",
        groups, [&](const ResultGroup& group) -> const auto& { return group.differences[*baseline]; });
  return json;
}

/// Student's t at 1/freedom = 0, 0.01, ..., 1, between which the page interpolates.
Json student_table() {
  constexpr int kSteps = 100;
  Json table = Json::array();
  for (int i = 0; i <= kSteps; ++i) table.push_back(rounded(student_quantile(i == 0 ? 1e9 : double{kSteps} / i)));
  return table;
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

/// A risk that an axis names. Throws if its trace is not here or has changed.
RiskPtr risk_named(const std::string& text, const Provenance& made, const Catalogue& catalogue) {
  RiskLibrary library(std::filesystem::path(made.campaign_path).parent_path().string(), catalogue.risks());
  const RiskPtr risk = library.get(text);
  const std::vector<std::string>& known = made.trace_checksums;
  for (const auto& [file, checksum] : library.checksums())
    if (std::find(known.begin(), known.end(), checksum + "  " + file) == known.end())
      throw RuntimeError(fmt::format("the file {} changed since the result was made", echoed(file)));
  return risk;
}

/// Whether interruptions then follow other laws than the risks alone: all hastened, or as recorded.
bool changes_interruptions(const Axis& axis, const std::string& text) {
  if (axis.name == "hazard") return text != axis.default_value;
  return axis.name == "availability" && expression_name(text) == "replay";
}

/// The risks that axes name, on one range of times; what cannot be drawn (a trace that is not here) is told.
Json risks_json(const ResultFile& result, const std::vector<AxisColumn>& axes, RiskLibrary* known) {
  constexpr std::size_t kMostRisks = 12;
  Json json = {{"curves", Json::array()}, {"notes", Json::array()}};
  const Provenance made = result.provenance().located(result.path());
  std::vector<std::pair<std::string, RiskPtr>> risks;
  for (const AxisColumn& column : axes) {
    if (column.axis->name != "risk" && column.axis->name != "planned_risk") continue;
    std::vector<std::string> names = plain_names(column.texts);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string& text = column.texts[i];
      const auto is_risk_itself = [&](const AxisColumn& one) {
        return one.axis->name == "risk" && std::ranges::count(one.texts, text) > 0;
      };
      if (column.axis->name == "planned_risk") {
        if (std::ranges::any_of(axes, is_risk_itself)) continue;
        names[i] = "planned for: " + names[i];
      }
      if (text == "none" || text == "same" || text == "capacity") continue;
      if (risks.size() == kMostRisks) {
        json["notes"].push_back(fmt::format("only the first {} risks are drawn", kMostRisks));
        break;
      }
      try {
        risks.emplace_back(names[i], known != nullptr ? known->get(text) : risk_named(text, made, result.catalogue()));
      } catch (const std::exception& error) {
        json["notes"].push_back(fmt::format("{} is not drawn: {}", names[i], error.what()));
      }
    }
  }
  for (const AxisColumn& column : axes)
    for (std::size_t i = 0; i < column.texts.size(); ++i)
      if (changes_interruptions(*column.axis, column.texts[i]))
        json["notes"].push_back(fmt::format("with {} = {}, these risks do not tell alone when workers are interrupted",
                                            column.axis->name, plain_names(column.texts)[i]));
  double end = 0;
  double first_end = kInfinity;
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
  if (const Shard shard = result.provenance().shard; !shard.whole()) json["shard"] = shard.text();
  return json;
}

}  // namespace

nlohmann::ordered_json report_data(const ResultFile& result, const std::string& baseline, RiskLibrary* risks) {
  const Model& made_by = result.catalogue().model(result.file().text_attribute("model"));
  const std::vector<AxisColumn> axes = axis_columns(result);
  const std::ptrdiff_t base = baseline_of(result, baseline);
  const Metric metric = metric_of(result);
  Json json;
  json["title"] = result.file().text_attribute("title");
  json["file"] = std::filesystem::path(result.path()).filename().string();
  json["model"] = {{"name", made_by.name()},
                   {"summary", made_by.words().summary},
                   {"source", made_by.words().source},
                   {"metric", metric.name},
                   {"unit", metric.unit},
                   {"reference", metric.reference},
                   {"of_reference", metric.of_reference},
                   {"least_is_best", made_by.words().least_is_best}};
  json["ceilings"] = Json::array();
  for (const Ceiling& ceiling : ceilings_of(result)) json["ceilings"].push_back(ceiling.summary);
  json["strategies"] = result.strategies();
  json["strategy_summaries"] = Json::object();
  for (const std::string& name : result.strategies())
    for (const StrategyText& strategy : made_by.strategies())
      if (strategy.name == expression_name(name)) json["strategy_summaries"][name] = strategy.summary;
  json["baseline"] = base;
  json["configurations"] = result.configurations();
  json["instances"] = json["least_instances"] = result.instances();
  if (result.file().has_attribute("precision"))
    for (const std::uint64_t done : result.instances_done())
      if (done > 0) json["least_instances"] = std::min(json["least_instances"].get<std::uint64_t>(), done);
  json["complete"] = result.complete();
  json["quantile_error"] = rounded(quantile_error(result));
  json["averaged"] = Json::array();
  const std::vector<const AxisColumn*> kept =
      kept_axes(axes, result.configurations(), result.strategies().size(), json["averaged"]);
  json["constants"] = Json::array();
  json["axes"] = Json::array();
  for (const AxisColumn& column : axes)
    if (column.texts.size() == 1)
      json["constants"].push_back(
          {{"name", column.axis->name}, {"long_name", column.axis->long_name}, {"value", axis_values(column)[0]}});
  for (const AxisColumn* column : kept)
    json["axes"].push_back({{"name", column->axis->name},
                            {"long_name", column->axis->long_name},
                            {"unit", column->axis->unit},
                            {"numeric", is_numeric(*column)},
                            {"values", axis_values(*column)}});
  std::vector<std::size_t> all(result.configurations());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Headline headline(result);
  const std::vector<std::size_t>& ranked = headline.ranked;
  std::vector<std::size_t> baselines;  // the leader, then the page's
  if (!ranked.empty()) baselines.push_back(ranked.front());
  if (base >= 0 && (ranked.empty() || static_cast<std::size_t>(base) != ranked.front()))
    baselines.push_back(static_cast<std::size_t>(base));
  const std::vector<ResultGroup> groups = result_groups(result, kept, all, baselines);
  json["cells"] = cells_json(groups, base < 0 ? std::nullopt : std::optional(baselines.size() - 1), errors_of(result));
  json["cells"]["exact"] = result.file().has(kExpectedRatio);
  json["words"] = report_words(result, headline, kept, groups, base);
  json["student"] = student_table();
  json["risks"] = risks_json(result, axes, risks);
  json["provenance"] = provenance_json(result);
  json["campaign"] = result.file().text_attribute("campaign");
  return json;
}

}  // namespace coterie::sim
