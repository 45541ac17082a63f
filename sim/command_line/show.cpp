#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <iostream>
#include <map>

#include "core/text.hpp"
#include "sim/command_line/known_names.hpp"
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
    const Model& made_by = result.catalogue().model(result.file().text_attribute("model"));
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
  double variance_of_variance = 0;  // sum of variance^2 / degrees of freedom
  std::size_t count = 0;

  void add(double mean, double standard_error, std::size_t instances) {
    const double square = standard_error * standard_error;
    sum += mean;
    variance += square;
    variance_of_variance += square * square / (static_cast<double>(instances) - 1);
    ++count;
  }
  double mean() const { return sum / static_cast<double>(count); }
  double standard_error() const { return std::sqrt(variance) / static_cast<double>(count); }

  /// Half-width of the 95 % interval of the mean: Student's t with the degrees of freedom of Welch and Satterthwaite,
  /// since configurations differ in their variances. NaN where single instances tell no variance.
  double half_width() const {
    if (variance == 0) return 0;
    const double freedom = variance * variance / variance_of_variance;
    if (!(freedom > 0)) return std::nan("");
    const boost::math::students_t law(std::min(freedom, 1e9));
    return boost::math::quantile(law, 0.975) * standard_error();
  }
};

struct Group {
  std::vector<std::string> key;
  std::vector<Average> ratio;       // by strategy
  std::vector<Average> difference;  // to the baseline, paired by instance
  std::vector<double> expected;     // sum of the exact expected metrics; NaN where one is not known
  double reference = 0;             // sum of the reference's mean metrics
};

/// The reference's mean metric in each configuration.
std::vector<double> reference_means(const ResultFile& result) {
  std::vector<double> means(result.configurations());
  for (std::size_t c = 0; c < means.size(); ++c)
    means[c] = summarise(result.file().read_doubles("reference", {c, 0}, {1, result.instances()})).mean;
  return means;
}

/// The differences of two rows, instance by instance.
std::vector<double> paired(std::span<const double> row, std::span<const double> baseline) {
  std::vector<double> difference(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) difference[i] = row[i] - baseline[i];
  return difference;
}

std::size_t instances_run(std::span<const double> row) {
  return static_cast<std::size_t>(
      std::count_if(row.begin(), row.end(), [](double value) { return !std::isnan(value); }));
}

std::vector<Group> grouped(const ResultFile& result, const AxisColumns& axes, const std::vector<std::string>& by,
                           const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline) {
  const std::size_t strategies = result.strategies().size();
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  const std::vector<double> expected = result.file().read_doubles("expected_work");
  const std::vector<double> reference = reference_means(result);
  std::vector<Group> groups;
  std::map<std::vector<std::string>, std::size_t> index;
  for (const std::size_t configuration : configurations) {
    std::vector<std::string> key;
    for (const std::string& axis : by) key.push_back(axes.column(axis)[configuration]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    if (fresh)
      groups.push_back({key, std::vector<Average>(strategies), std::vector<Average>(strategies),
                        std::vector<double>(strategies, 0.0), 0});
    Group& group = groups[entry->second];
    group.reference += reference[configuration];
    std::vector<double> base;
    if (baseline >= 0) base = result.ratios(configuration, static_cast<std::size_t>(baseline));
    for (std::size_t s = 0; s < strategies; ++s) {
      group.ratio[s].add(means[configuration * strategies + s], errors[configuration * strategies + s],
                         result.instances());
      group.expected[s] += expected[configuration * strategies + s];
      if (baseline < 0) continue;
      const std::vector<double> difference = paired(result.ratios(configuration, s), base);
      const Summary summary = summarise(difference);
      group.difference[s].add(summary.mean, summary.standard_error, instances_run(difference));
    }
  }
  return groups;
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
                std::ptrdiff_t baseline) {
  std::cout << fmt::format("{}: {}\n", result.path(), result.file().text_attribute("title"));
  const std::string reference = result.catalogue().model(result.file().text_attribute("model")).reference();
  std::cout << fmt::format(
      "Mean ratio to {} in per cent +- its standard error, exact expectation (- where none is "
      "known){}; configurations weigh the same.\n",
      reference,
      baseline >= 0 ? fmt::format("; behind it the paired difference to {} and its 95 % interval",
                                  result.strategies()[static_cast<std::size_t>(baseline)])
                    : "");
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
      std::cout << fmt::format("  {:{}} {:>8} +- {:<7}", result.strategies()[s], width, percent(group.ratio[s].mean()),
                               percent(group.ratio[s].standard_error()));
      std::cout << fmt::format("  {:>10}",
                               std::isnan(group.expected[s]) ? "-" : fmt::format("{:.6g}", group.expected[s] / count));
      if (baseline >= 0 && s != static_cast<std::size_t>(baseline)) print_difference(group.difference[s]);
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
      row["expected_work"] = group.expected[s] / static_cast<double>(group.ratio[s].count);
      row["reference"] = group.reference / static_cast<double>(group.ratio[s].count);
      if (baseline >= 0) {
        row["difference"] = group.difference[s].mean();
        row["difference_standard_error"] = group.difference[s].standard_error();
        row["difference_low"] = group.difference[s].mean() - group.difference[s].half_width();
        row["difference_high"] = group.difference[s].mean() + group.difference[s].half_width();
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

int show_verb(const Call& call) {
  Options options(
      "show FILE.h5 [--by AXIS]... [--where AXIS=VALUE]... [--baseline NAME] [--format table|csv|json]",
      "Mean ratios of every strategy, averaged over configurations, with paired differences to the campaign's\n"
      "baseline, or to another strategy, and their 95 % intervals.");
  options.add()("by", po::value<std::vector<std::string>>()->composing(), "one group for each value of this axis")(
      "where", po::value<std::vector<std::string>>()->composing(), "only configurations with AXIS=VALUE")(
      "baseline", po::value<std::string>(), "strategy to compare with, in place of the campaign's")(
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
