#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/charts/chart_catalogue.hpp"
#include "heuristics/charts/chart_cost.hpp"
#include "heuristics/charts/chart_survey.hpp"
#include "heuristics/charts/performance_constant.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/json_text.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

using heuristics::ChartSurveyRow;
using heuristics::GroupChart;
using heuristics::Statistics;
using nlohmann::ordered_json;

/// Above this the exact K_min takes minutes to compute.
constexpr long long kMostChunks = 10'000;

ordered_json json_of(const Statistics& statistics) {
  return {{"min", statistics.least},
          {"max", statistics.greatest},
          {"mean", statistics.mean},
          {"stddev", statistics.deviation}};
}

ordered_json number_or_null(double value) { return std::isnan(value) ? ordered_json(nullptr) : ordered_json(value); }

ordered_json json_of_table4(const std::vector<ChartSurveyRow>& rows, std::size_t sizes) {
  ordered_json answer = {
      {"reference", "worksharing-2013, Table 4"}, {"instances", sizes}, {"rows", ordered_json::array()}};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto& row = rows[r];
    ordered_json object = {{"chart", row.name},
                           {"relative", json_of(row.relative)},
                           {"absolute", json_of(row.absolute)},
                           {"success_rate", number_or_null(row.success_rate)},
                           {"better_than_best_rate", number_or_null(row.better_rate)},
                           {"printed", nullptr}};
    if (r < heuristics::printed_table4().size()) {
      const auto& printed = heuristics::printed_table4()[r];
      object["printed"] = {{"relative", json_of(printed.relative)},
                           {"absolute", json_of(printed.absolute)},
                           {"success_rate", printed.success_rate}};
    }
    answer["rows"].push_back(std::move(object));
  }
  return answer;
}

/// The nine cells of a row of Table 4.
std::vector<double> cells(const Statistics& relative, const Statistics& absolute, double success_rate) {
  return {relative.least,    relative.greatest, relative.mean,      relative.deviation, absolute.least,
          absolute.greatest, absolute.mean,     absolute.deviation, success_rate};
}

std::string cell_text(double value, std::size_t column) {
  if (std::isnan(value)) return "-";
  return column == 8 ? fmt::format("{:.2f}", value) : fmt::format("{:.3f}", value);
}

void print_table4(const std::vector<ChartSurveyRow>& rows, std::size_t sizes) {
  std::cout << fmt::format(
      "Table 4 of worksharing-2013 over {} sizes (g = 2..100, n = 2g..1000, g divides n; the paper prints 4032).\n"
      "Relative: K / least K of the six charts. Absolute: K / K_min. Success: percentage of sizes whose K is not above "
      "the least of the six.\n\n",
      sizes);
  std::string heading = fmt::format("{:24}{:^36}{:^36}{:>9}\n{:24}", "", "relative", "absolute", "success", "");
  for (int part = 0; part < 2; ++part)
    for (const char* title : {"min", "max", "avg.", "stdv."}) heading += fmt::format("{:>9}", title);
  std::cout << Painted{Look::kHeading, heading} << '\n';
  const auto print = [](const std::string& title, const std::vector<double>& values) {
    std::cout << fmt::format("{:24}", title);
    for (std::size_t c = 0; c < values.size(); ++c) std::cout << fmt::format("{:>9}", cell_text(values[c], c));
    std::cout << '\n';
  };
  std::size_t same = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto computed = cells(rows[r].relative, rows[r].absolute, rows[r].success_rate);
    print(rows[r].name, computed);
    if (r >= heuristics::printed_table4().size()) continue;
    const auto& row = heuristics::printed_table4()[r];
    const auto printed = cells(row.relative, row.absolute, row.success_rate);
    print("  printed", printed);
    for (std::size_t c = 0; c < printed.size(); ++c) same += cell_text(computed[c], c) == cell_text(printed[c], c);
  }
  const auto& refined = rows[rows.size() - 2];
  std::cout << fmt::format(
      "\n{} of {} printed cells are the same. refined is better than the best of the six in {:.2f} % of the sizes and "
      "worse in {:.2f} %.\n",
      same, 9 * heuristics::printed_table4().size(), refined.better_rate, 100 - refined.success_rate);
}

void print_table4_csv(const std::vector<ChartSurveyRow>& rows) {
  std::cout << "chart,source,relative_min,relative_max,relative_mean,relative_stddev,absolute_min,absolute_max,"
               "absolute_mean,absolute_stddev,success_rate\n";
  const auto print = [](const std::string& name, const char* source, const std::vector<double>& values) {
    std::cout << name << ',' << source;
    for (const double value : values) std::cout << ',' << (std::isnan(value) ? "" : to_text(value));
    std::cout << '\n';
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    print(rows[r].name, "computed", cells(rows[r].relative, rows[r].absolute, rows[r].success_rate));
    if (r >= heuristics::printed_table4().size()) continue;
    const auto& row = heuristics::printed_table4()[r];
    print(row.name, "printed", cells(row.relative, row.absolute, row.success_rate));
  }
}

int table4(const std::string& format) {
  const auto sizes = heuristics::table4_sizes();
  const auto rows = heuristics::survey_charts(sizes, heuristics::SurveyDepth::kRefined);
  if (format == "json") {
    std::cout << json_of_table4(rows, sizes.size()).dump(2) << '\n';
  } else if (format == "csv") {
    print_table4_csv(rows);
  } else {
    print_table4(rows, sizes.size());
  }
  return 0;
}

/// Average K / K_min over the sizes of Table 4 whose coteries have `first` to `last` workers.
struct OptimalityRow {
  std::size_t first;
  std::size_t last;
  std::size_t sizes = 0;
  double greedy = 0;
  double best = 0;
  double refined = 0;
  double bound = 0;
  double better = 0;  ///< per cent of sizes where refined is below the best of the six

  std::string group() const { return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last); }
};

std::vector<OptimalityRow> optimality_rows() {
  std::vector<OptimalityRow> table = {{2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}, {7, 10}, {11, 100}};
  OptimalityRow all{2, 100};
  for (OptimalityRow& row : table) {
    std::vector<heuristics::ChartSize> sizes = heuristics::table4_sizes();
    std::erase_if(sizes, [&](const auto& size) { return size.executions < row.first || size.executions > row.last; });
    row.sizes = sizes.size();
    for (const ChartSurveyRow& chart : heuristics::survey_charts(sizes, heuristics::SurveyDepth::kRefined)) {
      if (chart.name == "greedy") row.greedy = chart.absolute.mean;
      if (chart.name == "best") row.best = chart.absolute.mean;
      if (chart.name == "lower bound") row.bound = chart.absolute.mean;
      if (chart.name != "refined") continue;
      row.refined = chart.absolute.mean;
      row.better = chart.better_rate;
    }
    for (double OptimalityRow::*mean : {&OptimalityRow::greedy, &OptimalityRow::best, &OptimalityRow::refined,
                                        &OptimalityRow::bound, &OptimalityRow::better})
      all.*mean += row.*mean * static_cast<double>(row.sizes);
    all.sizes += row.sizes;
  }
  for (double OptimalityRow::*mean : {&OptimalityRow::greedy, &OptimalityRow::best, &OptimalityRow::refined,
                                      &OptimalityRow::bound, &OptimalityRow::better})
    all.*mean /= static_cast<double>(all.sizes);
  table.push_back(all);
  return table;
}

int optimality(const std::string& format) {
  const auto table = optimality_rows();
  ordered_json answer = {{"measure", "average K / K_min"}, {"rows", ordered_json::array()}};
  if (format == "csv") std::cout << "group,sizes,greedy,best,refined,lower_bound,refined_better_rate\n";
  if (format == "table")
    std::cout << fmt::format(
                     "Average K / K_min by number of workers in the coterie, over the sizes of Table 4 of "
                     "worksharing-2013.\n"
                     "best: the least of its six charts; K_LB: lower bound of all charts; last column: sizes where "
                     "refined is below best.\n\n")
              << Painted{Look::kHeading, fmt::format("{:>8}{:>8}{:>11}{:>11}{:>11}{:>11}{:>11}\n", "g", "sizes",
                                                     "greedy", "best", "refined", "K_LB", "better, %")};
  for (const OptimalityRow& row : table) {
    answer["rows"].push_back({{"group", row.group()},
                              {"sizes", row.sizes},
                              {"greedy", row.greedy},
                              {"best", row.best},
                              {"refined", row.refined},
                              {"K_lower_bound", row.bound},
                              {"refined_better_rate", row.better}});
    if (format == "csv")
      std::cout << fmt::format("{},{},{},{},{},{},{}\n", row.group(), row.sizes, to_text(row.greedy), to_text(row.best),
                               to_text(row.refined), to_text(row.bound), to_text(row.better));
    if (format == "table")
      std::cout << fmt::format("{:>8}{:>8}{:>11.6f}{:>11.6f}{:>11.6f}{:>11.6f}{:>11.2f}\n", row.group(), row.sizes,
                               row.greedy, row.best, row.refined, row.bound, row.better);
  }
  if (format == "json") std::cout << json_text(answer) << '\n';
  return 0;
}

struct Charted {
  std::string name;
  GroupChart chart;
  std::string constant;
};

/// All charts, or the one named. If all are wanted, a chart that cannot be built is left out with a warning.
std::vector<Charted> build_charts(std::size_t g, std::size_t m, const std::string& wanted) {
  const auto risk = heuristics::linear_risk_at_steps(g * m);
  std::vector<Charted> charts;
  for (const auto& row : heuristics::all_charts()) {
    if (!wanted.empty() && row.name != wanted) continue;
    try {
      GroupChart chart = row.build(g, m, risk);
      std::string constant = heuristics::performance_constant(chart).str();
      charts.push_back({row.name, std::move(chart), std::move(constant)});
    } catch (const InputError& error) {
      if (!wanted.empty()) throw;
      warn(error.what());
    }
  }
  return charts;
}

void print_charts(const std::vector<Charted>& charts, std::size_t g, std::size_t m, const std::string& format,
                  const std::string& least, double bound) {
  ordered_json answer = {
      {"group", g}, {"chunks", g * m}, {"K_min", least}, {"K_lower_bound", nullptr}, {"charts", ordered_json::array()}};
  if (std::isfinite(bound)) answer["K_lower_bound"] = bound;
  if (format == "csv") std::cout << "chart,execution,group,step\n";
  if (format == "table")
    std::cout << fmt::format("g = {}, n = {}: K_min = {}, K_LB = {}\n", g, g * m, least,
                             std::isfinite(bound) ? to_text(bound) : "too large");
  for (const auto& [name, chart, constant] : charts) {
    ordered_json rows = ordered_json::array();
    if (format == "table") std::cout << Painted{Look::kHeading, fmt::format("\n{}  K = {}\n", name, constant)};
    for (std::size_t i = 0; i < g; ++i) {
      ordered_json row = ordered_json::array();
      for (std::size_t j = 0; j < m; ++j) {
        const auto step = chart.at(i, j);
        row.push_back(step);
        if (format == "csv") std::cout << fmt::format("{},{},{},{}\n", name, i + 1, j + 1, step);
        if (format == "table") std::cout << fmt::format("{:>{}}", step, std::to_string(g * m).size() + 1);
      }
      if (format == "table") std::cout << '\n';
      rows.push_back(std::move(row));
    }
    answer["charts"].push_back({{"name", name}, {"K", constant}, {"chart", std::move(rows)}});
  }
  if (format == "json") std::cout << answer.dump() << '\n';
}

}  // namespace

int charts_verb(const Call& call) {
  namespace po = boost::program_options;
  Options options("charts --table4 | --optimality | --group G --chunks N [--chart NAME] [--format table|json|csv]",
                  "Shows group charts of one coterie under the linear risk and their performance constants K. --table4 "
                  "computes Table 4 of worksharing-2013 beside the printed one, with the refined charts and the lower "
                  "bound; --optimality compares greedy, refined and the lower bound (some 13 s of one core each).");
  std::vector<std::string> names;
  for (const auto& row : heuristics::all_charts()) names.push_back(row.name);
  options.add()("table4", "statistics of all charts over the sizes of Table 4")(
      "optimality", "greedy, best of six, refined and the lower bound, by number of workers in the coterie")(
      "group", po::value<std::string>(), "number of workers in the coterie, g")(
      "chunks", po::value<std::string>(), "number of chunks in its slice, n: a multiple of g")(
      "chart", po::value<std::string>(), ("one chart: " + quoted_list(names)).c_str())(
      "format", po::value<std::string>(), "table (default), json or csv");
  options.propose("format", {"table", "json", "csv"});
  options.propose("chart", names);
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  for (const char* survey : {"table4", "optimality"}) {
    if (!options.has(survey)) continue;
    for (const char* other : {"group", "chunks", "chart", "optimality"})
      if (options.has(other) && other != std::string(survey))
        throw InputError(fmt::format("--{} takes no --{}", survey, other));
    return survey == std::string("table4") ? table4(format) : optimality(format);
  }
  for (const char* needed : {"group", "chunks"})
    if (!options.has(needed)) throw InputError(fmt::format("--{} is missing (see coterie charts --help)", needed));
  const long long group = options.integer("group", 1);
  const long long chunks = options.integer("chunks", 1);
  if (chunks % group != 0)
    throw InputError(fmt::format("--chunks must be a multiple of --group = {}, not {}", group, chunks));
  if (chunks > kMostChunks) throw InputError(fmt::format("--chunks must be at most {}, not {}", kMostChunks, chunks));
  if (options.has("chart")) options.choice("chart");

  const auto g = static_cast<std::size_t>(group);
  const auto m = static_cast<std::size_t>(chunks / group);
  const auto charts = build_charts(g, m, options.text("chart", ""));
  const double bound = heuristics::chart_cost_bound(g, m, heuristics::linear_risk_at_steps(g * m));
  print_charts(charts, g, m, format, heuristics::least_performance_constant(g, m).str(), bound);
  return 0;
}

}  // namespace coterie::sim
