#include "sim/result_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "core/text.hpp"

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

/// The difference of two rows, instance by instance.
Summary paired_difference(std::span<const double> row, std::span<const double> baseline) {
  std::vector<double> difference(row.begin(), row.end());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= baseline[i];
  return summarise(difference);
}

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
  const auto resolved = nlohmann::json::parse(result.file().text_attribute("resolved"));
  const std::string name = wanted.empty() ? resolved.value("baseline", "") : wanted;
  const std::vector<std::string>& strategies = result.strategies();
  const auto found = std::find(strategies.begin(), strategies.end(), name);
  if (found != strategies.end()) return found - strategies.begin();
  if (!name.empty())
    throw InputError(fmt::format("--baseline {}: the result has only {}{}", name, quoted_list(strategies),
                                 suggestion(name, strategies)));
  return -1;
}

double student_quantile(double freedom) {
  const boost::math::students_t law(std::min(freedom, 1e9));
  return boost::math::quantile(law, 0.975);
}

void Average::add(double mean, double standard_error, std::uint64_t instances) {
  const double square = standard_error * standard_error;
  sum_ += mean;
  variance_ += square;
  variance_of_variance_ += square * square / (static_cast<double>(instances) - 1);
  ++count_;
}

double Average::standard_error() const { return std::sqrt(variance_) / static_cast<double>(count_); }

double Average::half_width() const {
  if (variance_ == 0) return 0;
  if (!(freedom() > 0)) return std::nan("");
  return student_quantile(freedom()) * standard_error();
}

std::vector<ResultGroup> result_groups(const ResultFile& result, const std::vector<const AxisColumn*>& by,
                                       const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline) {
  const std::size_t strategies = result.strategies().size();
  const std::vector<double> means = result.file().read_doubles("mean");
  const std::vector<double> errors = result.file().read_doubles("standard_error");
  const std::vector<double> expected = result.file().read_doubles("expected_work");
  const std::vector<std::uint64_t> instances = result.instances_done();
  RowReader ratios(result, "ratio", strategies);
  RowReader references(result, "reference", 0);
  std::vector<ResultGroup> groups;
  std::map<std::vector<std::size_t>, std::size_t> index;
  for (const std::size_t c : configurations) {
    if (std::isnan(means[c * strategies])) continue;  // of another shard
    std::vector<std::size_t> key;
    for (const AxisColumn* column : by) key.push_back(column->code[c]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    if (fresh)
      groups.push_back({key, std::vector<Average>(strategies), std::vector<Average>(strategies),
                        std::vector<double>(strategies, 0.0), 0});
    ResultGroup& group = groups[entry->second];
    group.reference += summarise(references.row(c)).mean;
    for (std::size_t s = 0; s < strategies; ++s) {
      const std::size_t at = c * strategies + s;
      group.ratio[s].add(means[at], errors[at], instances[c]);
      group.expected[s] += expected[at];
      if (baseline < 0) continue;
      const Summary difference = paired_difference(ratios.row(c, s), ratios.row(c, static_cast<std::size_t>(baseline)));
      group.difference[s].add(difference.mean, difference.standard_error, instances[c]);
    }
  }
  for (ResultGroup& group : groups) {
    group.reference /= static_cast<double>(group.configurations());
    for (double& value : group.expected) value /= static_cast<double>(group.configurations());
  }
  return groups;
}

}  // namespace coterie::sim
