#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/group_averages.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// Which configurations --where leaves.
std::vector<std::size_t> selected(const ResultFile& result, const AxisColumns& axes,
                                  const std::vector<std::string>& conditions) {
  std::vector<bool> keep(result.configurations(), true);
  for (const std::string& condition : conditions) {
    const std::size_t equals = condition.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("--where {}: write AXIS=VALUE", condition));
    const auto& column = axes.column(std::string(trimmed(condition.substr(0, equals))));
    std::string value(trimmed(std::string_view(condition).substr(equals + 1)));
    if (const auto number = parse_number(value)) value = to_text(*number);
    for (std::size_t i = 0; i < keep.size(); ++i) keep[i] = keep[i] && column[i] == value;
  }
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < keep.size(); ++i)
    if (keep[i]) list.push_back(i);
  if (list.empty()) throw InputError("--where leaves no configuration");
  return list;
}

std::string percent(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", 100 * value); }

void print_difference(const Average& difference) {
  const double half_width = difference.half_width();
  std::cout << fmt::format(" {:>+9.4f}", 100 * difference.mean());
  if (!std::isnan(half_width))
    std::cout << fmt::format("  [{:+.4f}, {:+.4f}]", 100 * (difference.mean() - half_width),
                             100 * (difference.mean() + half_width));
}

void print_text(const ResultFile& result, const std::vector<std::string>& by, const std::vector<Group>& groups,
                std::ptrdiff_t baseline, const Method& method) {
  std::cout << fmt::format("{}: {}\n", result.path(), result.file().text_attribute("title"));
  const std::string reference = model(result.file().text_attribute("model")).reference();
  std::cout << fmt::format(
      "Mean ratio to {} in per cent +- its standard error, exact expectation (- where none is "
      "known){}; configurations weigh the same.\n",
      reference,
      baseline >= 0 ? fmt::format("; behind it the paired difference to {} and its 95 % interval",
                                  result.strategies()[static_cast<std::size_t>(baseline)])
                    : "");
  if (!method.usual())
    std::cout << fmt::format("{}Behind x: how many independent instances with plain means one instance was worth.\n",
                             method.controlled() ? "Means and differences by regression on controls. " : "");
  std::size_t width = 12;
  for (const std::string& name : result.strategies()) width = std::max(width, name.size());
  for (const Group& group : groups) {
    std::string title;
    for (std::size_t i = 0; i < by.size(); ++i)
      title += fmt::format("{}{} = {}", i > 0 ? ", " : "", by[i], group.key[i]);
    const auto count = static_cast<double>(group.ratio[0].count);
    std::cout << fmt::format("\n{} ({} configurations; {}: {:.6g} on average)\n", title.empty() ? "all" : title,
                             group.ratio[0].count, reference, group.reference / count);
    for (std::size_t s = 0; s < result.strategies().size(); ++s) {
      const Average& ratio = (method.controlled() ? group.controlled : group.ratio)[s];
      std::cout << fmt::format("  {:{}} {:>8} +- {:<7}", result.strategies()[s], width, percent(ratio.mean()),
                               percent(ratio.standard_error()));
      if (!method.usual()) std::cout << fmt::format("  x{:<8.4g}", worth(group, method, s));
      std::cout << fmt::format("  {:>10}",
                               std::isnan(group.expected[s]) ? "-" : fmt::format("{:.6g}", group.expected[s] / count));
      if (baseline >= 0 && s != static_cast<std::size_t>(baseline))
        print_difference((method.controlled() ? group.controlled_difference : group.difference)[s]);
      std::cout << '\n';
    }
  }
}

/// A cell of a CSV file in quotes. [RFC 4180]
std::string csv_quoted(const std::string& cell) {
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

void print_rows(const ResultFile& result, const std::vector<std::string>& by, const std::vector<Group>& groups,
                std::ptrdiff_t baseline, const Method& method, const std::string& format) {
  const auto put_difference = [](nlohmann::ordered_json& row, const std::string& name, const Average& difference) {
    row[name] = difference.mean();
    row[name + "_standard_error"] = difference.standard_error();
    row[name + "_low"] = difference.mean() - difference.half_width();
    row[name + "_high"] = difference.mean() + difference.half_width();
  };
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Group& group : groups)
    for (std::size_t s = 0; s < result.strategies().size(); ++s) {
      nlohmann::ordered_json row;
      for (std::size_t i = 0; i < by.size(); ++i) {
        const auto number = parse_number(group.key[i]);
        row[by[i]] = number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json(group.key[i]);
      }
      row["strategy"] = result.strategies()[s];
      row["configurations"] = group.ratio[s].count;
      row["mean"] = group.ratio[s].mean();
      row["standard_error"] = group.ratio[s].standard_error();
      row["expected_work"] = group.expected[s] / static_cast<double>(group.ratio[s].count);
      row["reference"] = group.reference / static_cast<double>(group.ratio[s].count);
      if (baseline >= 0) put_difference(row, "difference", group.difference[s]);
      if (method.controlled()) {
        row["controlled_mean"] = group.controlled[s].mean();
        row["controlled_standard_error"] = group.controlled[s].standard_error();
        if (baseline >= 0) put_difference(row, "controlled_difference", group.controlled_difference[s]);
      }
      if (!method.usual()) row["worth"] = worth(group, method, s);
      rows.push_back(row);
    }
  if (format == "json") {
    std::cout << rows.dump(2) << '\n';
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

int show_verb(const std::vector<std::string>& arguments) {
  Options options(
      "show FILE.h5 [--by AXIS]... [--where AXIS=VALUE]... [--baseline NAME] [--format table|csv|json]",
      "Mean ratios of every strategy, averaged over configurations, with paired differences to the campaign's\n"
      "baseline, or to another strategy, and their 95 % intervals.");
  options.add()("by", po::value<std::vector<std::string>>()->composing(), "one group for each value of this axis")(
      "where", po::value<std::vector<std::string>>()->composing(), "only configurations with AXIS=VALUE")(
      "baseline", po::value<std::string>(), "strategy to compare with, in place of the campaign's")(
      "format", po::value<std::string>(), "table (default), csv or json");
  options.positional("FILE.h5", 1, 1);
  if (!options.parse(arguments)) return 0;
  const std::string format = options.choice("format", {"table", "csv", "json"});
  const ResultFile result(options.words().front());
  const AxisColumns axes(result);
  const auto resolved = nlohmann::json::parse(result.file().text_attribute("resolved"));
  const std::string base = options.text("baseline", resolved.value("baseline", ""));
  std::ptrdiff_t baseline = -1;
  for (std::size_t s = 0; s < result.strategies().size(); ++s)
    if (result.strategies()[s] == base) baseline = static_cast<std::ptrdiff_t>(s);
  if (!base.empty() && baseline < 0)
    throw InputError(fmt::format("--baseline {}: the result has only {}", base, quoted_list(result.strategies())));
  const std::vector<std::string> by = options.texts("by");
  for (const std::string& axis : by) axes.column(axis);
  const Method method(result);
  const auto groups = grouped(result, axes, by, selected(result, axes, options.texts("where")), baseline, method);
  if (format == "table") {
    print_text(result, by, groups, baseline, method);
  } else {
    print_rows(result, by, groups, baseline, method, format);
  }
  return 0;
}

}  // namespace coterie::sim
