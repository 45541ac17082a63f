#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <iostream>
#include <map>

#include "core/text.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/result_store.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// The axes of a result as texts, one column an axis.
class AxisColumns {
 public:
  explicit AxisColumns(const ResultFile& result) {
    const Model& made_by = model(result.file().text_attribute("model"));
    for (const Axis& axis : made_by.axes()) {
      const std::string dataset = axis.name == "chunks" ? "chunks_requested" : axis.name;
      if (!result.file().has(dataset)) continue;
      names_.push_back(axis.name);
      if (axis.kind == Axis::Kind::kText) {
        columns_[axis.name] = result.file().read_texts(dataset);
      } else {
        for (const double value : result.file().read_doubles(dataset)) columns_[axis.name].push_back(to_text(value));
      }
    }
  }

  const std::vector<std::string>& column(const std::string& axis) const {
    const auto found = columns_.find(axis);
    if (found == columns_.end())
      throw InputError(
          fmt::format("unknown axis \"{}\"{}; known are {}", axis, suggestion(axis, names_), quoted_list(names_)));
    return found->second;
  }

 private:
  std::vector<std::string> names_;
  std::map<std::string, std::vector<std::string>> columns_;
};

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

/// Averages over configurations, each with the same weight; the standard error respects that.
struct Average {
  double sum = 0;
  double variance = 0;
  std::size_t count = 0;

  void add(double mean, double standard_error) {
    sum += mean;
    variance += standard_error * standard_error;
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
  double standard_error() const { return std::sqrt(variance) / static_cast<double>(count); }
};

struct Group {
  std::vector<std::string> key;
  std::vector<Average> ratio;       // by strategy
  std::vector<Average> difference;  // to the baseline, paired by instance
};

/// Mean and standard error of the differences of two rows, instance by instance.
std::pair<double, double> paired(std::span<const double> row, std::span<const double> baseline) {
  std::vector<double> difference(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) difference[i] = row[i] - baseline[i];
  const Summary summary = summarise(difference);
  return {summary.mean, summary.standard_error};
}

std::vector<Group> grouped(const ResultFile& result, const AxisColumns& axes, const std::vector<std::string>& by,
                           const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline) {
  const std::size_t strategies = result.strategies().size();
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  std::vector<Group> groups;
  std::map<std::vector<std::string>, std::size_t> index;
  for (const std::size_t configuration : configurations) {
    std::vector<std::string> key;
    for (const std::string& axis : by) key.push_back(axes.column(axis)[configuration]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    if (fresh) groups.push_back({key, std::vector<Average>(strategies), std::vector<Average>(strategies)});
    Group& group = groups[entry->second];
    std::vector<double> base;
    if (baseline >= 0) base = result.ratios(configuration, static_cast<std::size_t>(baseline));
    for (std::size_t s = 0; s < strategies; ++s) {
      group.ratio[s].add(means[configuration * strategies + s], errors[configuration * strategies + s]);
      if (baseline < 0) continue;
      const auto [mean, error] = paired(result.ratios(configuration, s), base);
      group.difference[s].add(mean, error);
    }
  }
  return groups;
}

std::string percent(double value) { return std::isnan(value) ? "-" : fmt::format("{:.3f}", 100 * value); }

void print_text(const ResultFile& result, const std::vector<std::string>& by, const std::vector<Group>& groups,
                std::ptrdiff_t baseline) {
  std::cout << fmt::format("{}: {}\n", result.path(), result.file().text_attribute("title"));
  std::cout << fmt::format("Mean ratio to {} in per cent +- its standard error{}; configurations weigh the same.\n",
                           model(result.file().text_attribute("model")).reference(),
                           baseline >= 0 ? fmt::format("; behind it the paired difference to {}",
                                                       result.strategies()[static_cast<std::size_t>(baseline)])
                                         : "");
  std::size_t width = 12;
  for (const std::string& name : result.strategies()) width = std::max(width, name.size());
  for (const Group& group : groups) {
    std::string title;
    for (std::size_t i = 0; i < by.size(); ++i)
      title += fmt::format("{}{} = {}", i > 0 ? ", " : "", by[i], group.key[i]);
    std::cout << fmt::format("\n{} ({} configurations)\n", title.empty() ? "all" : title, group.ratio[0].count);
    for (std::size_t s = 0; s < result.strategies().size(); ++s) {
      std::cout << fmt::format("  {:{}} {:>8} +- {:<7}", result.strategies()[s], width, percent(group.ratio[s].mean()),
                               percent(group.ratio[s].standard_error()));
      if (baseline >= 0 && s != static_cast<std::size_t>(baseline))
        std::cout << fmt::format(" {:>+8.3f} +- {}", 100 * group.difference[s].mean(),
                                 percent(group.difference[s].standard_error()));
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
                std::ptrdiff_t baseline, const std::string& format) {
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
      if (baseline >= 0) {
        row["difference"] = group.difference[s].mean();
        row["difference_standard_error"] = group.difference[s].standard_error();
      }
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
  Options options("show FILE.h5 [--by AXIS]... [--where AXIS=VALUE]... [--format table|csv|json]",
                  "Mean ratios of every strategy, averaged over configurations, with paired differences to the "
                  "campaign's baseline.");
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
  const auto groups = grouped(result, axes, by, selected(result, axes, options.texts("where")), baseline);
  if (format == "table") {
    print_text(result, by, groups, baseline);
  } else {
    print_rows(result, by, groups, baseline, format);
  }
  return 0;
}

}  // namespace coterie::sim
