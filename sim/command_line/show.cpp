#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/json_text.hpp"
#include "sim/results/result_averages.hpp"
#include "sim/results/result_format.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

const AxisColumn& column_of(const std::vector<AxisColumn>& axes, std::string_view name) {
  std::vector<const Axis*> known;
  for (const AxisColumn& column : axes) known.push_back(column.axis);
  return axes[static_cast<std::size_t>(&find_row(known, name, "axis") - known.data())];
}

/// The configurations that --where selects.
std::vector<std::size_t> selected(const ResultFile& result, const std::vector<AxisColumn>& axes,
                                  const std::vector<std::string>& conditions) {
  std::vector<bool> keep(result.configurations(), true);
  for (const std::string& condition : conditions) {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("--where {}: write AXIS=VALUE", condition));
    const AxisColumn& column = column_of(axes, trimmed(std::string_view(condition).substr(0, equals)));
    std::string value(trimmed(std::string_view(condition).substr(equals + 1)));
    if (const auto number = parse_number(value); number && column.axis->kind != Axis::Kind::kText)
      value = to_text(*number + 0.0);  // no -0
    if (std::find(column.texts.begin(), column.texts.end(), value) == column.texts.end())
      throw InputError(fmt::format("--where {} selects no configuration: {} is {}", condition, column.axis->name,
                                   echoed(quoted_list(column.texts))));
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = keep[i] && column.texts[column.code[i]] == value;
  }
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) list.push_back(i);
  if (list.empty()) throw InputError("--where selects no configuration: none has all of these values");
  return list;
}

std::string percent(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", 100 * value); }

/// "+- 0.123", or why there is no error.
std::string error_text(const Average& mean) {
  const std::string note = mean.note();
  const double width = mean.half_width();
  return note.empty() || (note == "exact" && width >= 5e-6)
             ? fmt::format("+- {:<7}{}", percent(note.empty() ? mean.standard_error() : width),
                           note.empty() ? "" : ", " + note)
             : note;
}

std::string difference_text(const Average& difference) {
  const std::string note = difference.note();
  const double half_width = difference.half_width();
  std::string text = fmt::format(" {:>+9.4f}", 100 * difference.mean());
  if (note == "exact" && half_width == 0) return text + (difference.mean() == 0 ? "  same schedule" : "  exact");
  if (half_width == 0) return text + "  " + note;
  if (std::isnan(half_width)) return text;
  return text + fmt::format("  [{:+.4f}, {:+.4f}]{}", 100 * (difference.mean() - half_width),
                            100 * (difference.mean() + half_width), note.empty() ? "" : " " + note);
}

/// "; static ceiling: 1.234"
std::string ceilings_text(const ResultFile& result, const ResultGroup& group) {
  const std::vector<Ceiling> ceilings = ceilings_of(result);
  std::string text;
  for (std::size_t k = 0; k < ceilings.size(); ++k) {
    std::string name = ceilings[k].name;
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!std::isnan(group.ceilings[k])) text += fmt::format("; {}: {:.6g}", name, group.ceilings[k]);
  }
  return text;
}

/// What is measured of strategies besides the ratio.
void print_measured(const ResultFile& result, const ResultGroup& group, std::size_t width) {
  const auto time = [](double value) {
    return std::isnan(value) ? "-" : std::isinf(value) ? "never" : fmt::format("{:.6g}", value);
  };
  std::cout << Painted{Look::kHeading, fmt::format("  {:{}} {:>10} {:>12} {:>12} {:>14} {:>12}\n", "", width,
                                                   "all done", "in half by", "in 95 % by", "machine time", "wasted")};
  for (std::size_t s = 0; s < group.measured.size(); ++s) {
    const Measured& one = group.measured[s];
    std::cout << fmt::format("  {:{}} {:>10} {:>12} {:>12} {:>14} {:>12}\n", result.strategies()[s], width,
                             percent(one.all_done), time(one.half_done_by), time(one.most_done_by),
                             time(one.machine_time), time(one.wasted));
  }
}

void print_quantiles(const ResultFile& result, const ResultGroup& group, std::size_t width) {
  std::cout << Painted{Look::kHeading, fmt::format("  {:{}} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "", width, "5 %", "25 %",
                                                   "median", "75 %", "95 %")};
  for (std::size_t s = 0; s < group.quantiles.size(); ++s) {
    std::cout << fmt::format("  {:{}}", result.strategies()[s], width);
    for (const double quantile : group.quantiles[s]) std::cout << fmt::format(" {:>9}", percent(quantile));
    std::cout << '\n';
  }
}

void print_text(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                const std::vector<ResultGroup>& groups, std::ptrdiff_t baseline) {
  std::cout << Painted{Look::kHeading, fmt::format("{}: {}\n", printable(result.path()),
                                                   printable(result.file().text_attribute("title")))};
  const std::string reference = result.catalogue().model(result.file().text_attribute("model")).reference();
  std::cout << fmt::format(
      "Mean ratio to {} in per cent +- its standard error, then the exact expectation (- where it is not known){}; "
      "all configurations have the same weight.\n",
      reference,
      baseline >= 0
          ? fmt::format(" and by how many per cent it differs from that of {0}, then the paired difference to {0} and "
                        "its 95 % interval",
                        result.strategies()[static_cast<std::size_t>(baseline)])
          : "");
  if (result.file().has(kExpectedRatio)) std::cout << "Means and differences are exact where these are known.\n";
  for (const Ceiling& ceiling : ceilings_of(result))
    std::cout << fmt::format("{}: {}, on average over the configurations.\n", ceiling.name, ceiling.summary);
  if (!groups.front().measured.empty())
    std::cout
        << "Below: the percentage of instances in which all work was completed, the times by which it was in half "
           "and in 95 % of the instances of a configuration, on average over the configurations (never: in one of them "
           "it was not), the time that workers computed, and how much of that was lost, dropped or spent on work that "
           "was already complete.\n";
  if (result.statistics())
    std::cout << fmt::format(
        "Single ratios were not kept (output = \"statistics\"). Below: quantiles of the ratio in per cent, averaged "
        "over the configurations, to within {:.3f} points (- where ratios above 100 % or below 0 leave one unknown).\n",
        std::ceil(1e3 * (100 * quantile_error(result) + 0.0005)) / 1e3);  // as printed, with three digits
  std::size_t width = 12;
  for (const std::string& name : result.strategies()) width = std::max(width, name.size());
  for (const ResultGroup& group : groups) {
    std::string title;
    for (std::size_t i = 0; i < by.size(); ++i)
      title += fmt::format("{}{} = {}", i > 0 ? ", " : "", by[i]->axis->name, printable(by[i]->texts[group.key[i]]));
    std::cout << Painted{Look::kHeading,
                         fmt::format("\n{} ({}; {}: {:.6g} on average{})\n", title.empty() ? "all" : title,
                                     counted(group.configurations(), "configuration"), reference, group.reference,
                                     ceilings_text(result, group))};
    std::size_t error_width = 10;
    for (const Average& ratio : group.ratio) error_width = std::max(error_width, error_text(ratio).size());
    for (std::size_t s = 0; s < result.strategies().size(); ++s) {
      const double expected = group.expected[s];
      std::cout << fmt::format("  {:{}} {:>8} {:<{}}  {:>10}", result.strategies()[s], width,
                               percent(group.ratio[s].mean()), error_text(group.ratio[s]), error_width,
                               std::isnan(expected) ? "-" : fmt::format("{:.6g}", expected));
      if (baseline >= 0 && s != static_cast<std::size_t>(baseline)) {
        const double other = group.expected[static_cast<std::size_t>(baseline)];
        const double gain = 100 * (expected - other) / other;
        std::cout << fmt::format(" {:>9}{}", std::isfinite(gain) ? fmt::format("{:+.4f} %", gain) : "",
                                 difference_text(group.differences[0][s]));
      }
      std::cout << '\n';
    }
    if (!group.measured.empty()) print_measured(result, group, width);
    if (!group.quantiles.empty()) print_quantiles(result, group, width);
  }
}

/// JSON has no infinity.
nlohmann::ordered_json number_or_inf(double value) {
  return std::isinf(value) ? nlohmann::ordered_json("inf") : nlohmann::ordered_json(value);
}

/// A cell of a CSV file in quotes. [RFC 4180]
std::string csv_quoted(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

void print_rows(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                const std::vector<ResultGroup>& groups, std::ptrdiff_t baseline, const std::string& format) {
  const auto put_difference = [](nlohmann::ordered_json& row, const std::string& name, const Average& difference) {
    row[name] = difference.mean();
    row[name + "_standard_error"] = difference.standard_error();
    row[name + "_low"] = difference.mean() - difference.half_width();
    row[name + "_high"] = difference.mean() + difference.half_width();
  };
  const std::vector<Ceiling> ceilings = ceilings_of(result);
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const ResultGroup& group : groups)
    for (std::size_t s = 0; s < result.strategies().size(); ++s) {
      nlohmann::ordered_json row;
      for (std::size_t i = 0; i < by.size(); ++i) {
        const std::string& text = by[i]->texts[group.key[i]];
        const auto number = parse_number(text);
        row[by[i]->axis->name] = number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(text);
      }
      row["strategy"] = result.strategies()[s];
      row["configurations"] = group.configurations();
      row["mean"] = group.ratio[s].mean();
      row["standard_error"] = group.ratio[s].standard_error();
      row["half_width"] = group.ratio[s].half_width();
      row["expected_work"] = group.expected[s];
      if (baseline >= 0)
        row["expected_difference"] = group.expected[s] - group.expected[static_cast<std::size_t>(baseline)];
      row["reference"] = group.reference;
      for (std::size_t k = 0; k < ceilings.size(); ++k) row[ceilings[k].name] = group.ceilings[k];
      if (!group.measured.empty()) {
        const Measured& one = group.measured[s];
        row["all_done"] = one.all_done;
        row["makespan_q50"] = number_or_inf(one.half_done_by);
        row["makespan_q95"] = number_or_inf(one.most_done_by);
        row["machine_time"] = one.machine_time;
        row["wasted"] = one.wasted;
      }
      if (baseline >= 0) put_difference(row, "difference", group.differences[0][s]);
      if (!group.quantiles.empty()) {
        for (std::size_t k = 0; k < kQuantileNames.size(); ++k) row[kQuantileNames[k]] = group.quantiles[s][k];
        row["quantile_error"] = quantile_error(result);
      }
      rows.push_back(row);
    }
  if (format == "json") {
    std::cout << json_text(rows) << '\n';
    return;
  }
  std::string line;
  for (const auto& [key, value] : rows[0].items()) line += (line.empty() ? "" : ",") + key;
  std::cout << line << '\n';
  for (const auto& row : rows) {
    line.clear();
    for (const auto& [key, value] : row.items()) {
      std::string cell = value.is_string() ? value.get<std::string>() : value.dump();
      if (cell.find_first_of(",\"\n") != std::string::npos) cell = csv_quoted(cell);
      line += (line.empty() ? "" : ",") + cell;
    }
    std::cout << line << '\n';
  }
}

}  // namespace

int show_verb(const Call& call) {
  Options options("show FILE.h5 [--by AXIS]... [--where AXIS=VALUE]... [--baseline NAME] [--format table|csv|json]",
                  "Prints the mean ratio of every strategy, averaged over configurations, with paired differences to "
                  "the campaign's baseline, or to another strategy, and their 95 % intervals.");
  options.add()("by", po::value<std::vector<std::string>>()->composing(), "one group for each value of this axis")(
      "where", po::value<std::vector<std::string>>()->composing(), "only configurations with AXIS=VALUE")(
      "baseline", po::value<std::string>(), "strategy to compare with instead of the campaign's")(
      "format", po::value<std::string>(), "table (default), csv or json");
  options.positional("FILE.h5", 1, 1);
  options.propose("format", {"table", "csv", "json"});
  const std::vector<std::string> axes_known = axis_names(call.catalogue);
  std::vector<std::string> settings;
  for (const std::string& axis : axes_known) settings.push_back(axis + "=");
  options.propose("by", axes_known);
  options.propose("where", settings);
  options.propose("baseline", strategy_names(call.catalogue));
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const ResultFile result(options.words().front(), call.catalogue);
  result.tell(warn);
  const std::vector<AxisColumn> axes = axis_columns(result);
  const std::ptrdiff_t baseline = baseline_of(result, options.text("baseline", ""));
  std::vector<const AxisColumn*> by;
  for (const std::string& axis : options.texts("by")) by.push_back(&column_of(axes, axis));
  std::vector<std::size_t> baselines;
  if (baseline >= 0) baselines.push_back(static_cast<std::size_t>(baseline));
  const auto groups = result_groups(result, by, selected(result, axes, options.texts("where")), baselines);
  if (groups.empty())
    throw RuntimeError(fmt::format("{}: none of these configurations has been run yet", result.path()));
  if (format == "table") {
    print_text(result, by, groups, baseline);
  } else {
    print_rows(result, by, groups, baseline, format);
  }
  return 0;
}

}  // namespace coterie::sim
