#include "sim/campaign/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kMostConfigurations = 1'000'000;
constexpr const char* kLettersOfNames = "abcdfghijklmnopqrstuvwxyz";  // all but the e of 1e-3

/// Resolves what a user may write for an axis, given the axes before it.
class AxisReader {
 public:
  AxisReader(const Axis& axis, const AxisValues& before) : axis_(axis), before_(before) {}

  std::vector<AxisValues::Shared> values(const TomlValue& value) const {
    if (value.kind != TomlValue::Kind::kList) return scalar(value, value.place);
    std::vector<AxisValues::Shared> all;
    for (const TomlValue& element : value.list) {
      cancellation_point();
      for (AxisValues::Shared& one : scalar(element, element.place)) all.push_back(std::move(one));
      if (all.size() > kMostConfigurations)
        fail(value.place, fmt::format("has more than {} values", kMostConfigurations));
    }
    if (all.empty()) fail(value.place, "is an empty list: there is nothing to run (give at least one value)");
    return all;
  }

 private:
  [[noreturn]] void fail(const Place& place, const std::string& problem) const {
    throw InputError(place, fmt::format("\"{}\" {}", axis_.name, problem));
  }

  AxisValues::Shared shared(const std::string& text, double number, const Place& place) const {
    return std::make_shared<const AxisValue>(AxisValue{axis_.name, text, text, number, place});
  }

  AxisValues::Shared number(double value, const Place& place) const {
    if (std::isnan(value)) fail(place, "must be a number, not nan");
    if (axis_.kind == Axis::Kind::kWhole && value != std::floor(value))
      fail(place, fmt::format("must be a whole number, not {}", to_text(value)));
    return shared(to_text(value + 0.0), value + 0.0, place);  // no -0
  }

  std::vector<AxisValues::Shared> scalar(const TomlValue& value, const Place& place) const {
    if (axis_.kind == Axis::Kind::kText) {
      if (value.kind == TomlValue::Kind::kText || value.kind == TomlValue::Kind::kInteger) {
        const std::string text(trimmed(value.text));
        if (text.empty()) fail(place, "must not be empty");
        return {shared(text, std::nan(""), place)};
      }
      fail(place, "must be a text in quotes, a whole number or a list of these");
    }
    if (value.is_number()) return {number(value.number, place)};
    if (value.kind == TomlValue::Kind::kText) return from_text(value.text, place);
    fail(place, axis_.kind == Axis::Kind::kWhole ? "must be a whole number, a range \"A..B\" or a list of these"
                                                 : "must be a number, a range \"A..B\" or a list of these");
  }

  /// In fractions, so that "0.1..0.9:0.1" holds 0.3 and "0.29 workers" of 100 are 29.
  std::vector<AxisValues::Shared> from_text(const std::string& text, const Place& place) const {
    const std::size_t dots = text.find("..");
    const AxisValue* const other = before_.find(std::string(trimmed(text)));
    if (other != nullptr && !std::isnan(other->number)) return {number(other->number, place)};  // infinite, too
    if (dots == std::string::npos) return {number(to_double(quantity(text, place)), place)};
    const std::string_view rest = std::string_view(text).substr(dots + 2);
    const std::size_t colon = rest.find(':');
    const Rational from = quantity(std::string_view(text).substr(0, dots), place);
    const Rational to = quantity(rest.substr(0, colon), place);
    const Rational step = colon == std::string_view::npos ? Rational(1) : quantity(rest.substr(colon + 1), place);
    if (step <= 0) fail(place, fmt::format("range \"{}\" needs a step above 0", echoed(text)));
    if (to < from) fail(place, fmt::format("range \"{}\" is empty: its end is below its start", echoed(text)));
    const Rational count = (to - from) / step;
    if (count >= kMostConfigurations)
      fail(place, fmt::format("range \"{}\" has more than {} values", echoed(text), kMostConfigurations));
    std::vector<AxisValues::Shared> values;
    for (std::size_t i = 0; i <= count; ++i) {
      cancellation_point();
      values.push_back(number(to_double(from + step * i), place));
    }
    return values;
  }

  /// "7", "1/3", "workers" or "0.3 workers".
  Rational quantity(std::string_view written, const Place& place) const {
    const std::string_view text = trimmed(written);
    const std::size_t letter = std::min(text.size(), text.find_first_of(kLettersOfNames));
    std::optional<Rational> value = 1;
    if (letter > 0) {
      std::string_view before = trimmed(text.substr(0, letter));
      if (letter < text.size() && before.ends_with('*')) before = trimmed(before.substr(0, before.size() - 1));
      value = parse_rational(before);
    } else if (text.empty()) {
      value.reset();
    }
    if (!value)
      fail(place, fmt::format("\"{}\" is not a number, a range \"A..B\" or a multiple such as \"0.3 workers\"{}",
                              echoed(text), text.find(',') == text.npos ? "" : "; lists are written as [5, 10]"));
    if (letter == text.size()) return *value;
    const AxisValue* const other = before_.find(std::string(text.substr(letter)));
    if (other != nullptr && std::isinf(other->number))
      fail(place, fmt::format("is a multiple of \"{0}\", which is {1}: write \"{0}\" alone, inf or a number",
                              other->axis, other->text));
    const auto named = other == nullptr || std::isnan(other->number) ? std::nullopt : parse_rational(other->text);
    if (!named)
      fail(place, fmt::format("names \"{}\", which is not an earlier axis of numbers", echoed(text.substr(letter))));
    return *value * *named;
  }

  const Axis& axis_;
  const AxisValues& before_;
};

TomlValue default_of(const Axis& axis, const TomlTable& table, const char* where) {
  if (axis.default_value.empty())
    throw InputError(table.place(), fmt::format("\"{}\" is missing in {} ({})", axis.name, where, axis.long_name));
  TomlValue value;
  value.text = axis.default_value;
  value.place = table.place();
  const auto number = value.text == "inf" ? kInfinity : parse_number(value.text);
  if (number && axis.kind != Axis::Kind::kText) {
    value.kind = TomlValue::Kind::kReal;
    value.number = *number;
  }
  return value;
}

class Expansion {
 public:
  Expansion(TomlTable& grid, const Model& model) : model_(model) {
    std::vector<std::string> names;
    for (const Axis& axis : model.axes()) names.push_back(axis.name);
    for (const std::string& key : grid.keys())
      if (model.axis(key) == nullptr)
        throw InputError(grid.place(key),
                         fmt::format("unknown key \"{}\" in [grid]{}", echoed(key), suggestion(key, names)));
    for (const Axis& axis : model.axes())
      written_.push_back(grid.has(axis.name) ? grid.value(axis.name) : default_of(axis, grid, "[grid]"));
  }

  std::vector<Configuration> run() {
    measure_tail();
    if (count(0, {}) > kMostConfigurations)
      throw InputError(written_[0].place, fmt::format("the grid has more than {} configurations", kMostConfigurations));
    Configuration configuration;
    expand(0, configuration);
    return std::move(result_);
  }

 private:
  /// The last axes that name no other one: their values are known without the others.
  void measure_tail() {
    tail_ = model_.axes().size();
    tail_count_ = 1;
    tail_values_.resize(tail_);
    for (; tail_ > 0 && !names_another(model_.axes()[tail_ - 1], written_[tail_ - 1]); --tail_) {
      tail_values_[tail_ - 1] = AxisReader(model_.axes()[tail_ - 1], {}).values(written_[tail_ - 1]);
      tail_count_ = std::min(tail_count_ * tail_values_[tail_ - 1].size(), kMostConfigurations + 1);
    }
  }

  static bool names_another(const Axis& axis, const TomlValue& value) {
    if (axis.kind == Axis::Kind::kText) return false;
    if (value.kind == TomlValue::Kind::kList)
      return std::any_of(value.list.begin(), value.list.end(),
                         [&](const TomlValue& element) { return names_another(axis, element); });
    return value.kind == TomlValue::Kind::kText && value.text.find_first_of(kLettersOfNames) != std::string::npos;
  }

  /// Configurations from axis `at` on, counted without being made; any number above the most where there are more.
  std::size_t count(std::size_t at, const AxisValues& before) const {
    if (at >= tail_) return tail_count_;
    const Axis& axis = model_.axes()[at];
    std::vector<AxisValues::Shared> values = AxisReader(axis, before).values(written_[at]);
    if (at + 1 >= tail_) return values.size() * tail_count_;
    std::size_t sum = 0;
    for (AxisValues::Shared& value : values) {
      cancellation_point();
      AxisValues next = before;
      next.set(std::move(value));
      sum += count(at + 1, next);
      if (sum > kMostConfigurations) break;
    }
    return sum;
  }

  /// `configuration` has the axes before `at`, and no others, before and after.
  void expand(std::size_t at, Configuration& configuration) {
    cancellation_point();
    if (at == model_.axes().size()) {
      result_.push_back(configuration);
      return;
    }
    const Axis& axis = model_.axes()[at];
    const auto with_each = [&](const std::vector<AxisValues::Shared>& values) {
      for (const AxisValues::Shared& value : values) {
        configuration.values.set(value);
        expand(at + 1, configuration);
        configuration.values.remove(axis.name);
      }
    };
    if (at < tail_)
      with_each(AxisReader(axis, configuration.values).values(written_[at]));
    else
      with_each(tail_values_[at]);
  }

  const Model& model_;
  std::vector<TomlValue> written_;
  std::size_t tail_ = 0;  ///< position of the first of the last axes that name no other
  std::size_t tail_count_ = 1;
  std::vector<std::vector<AxisValues::Shared>> tail_values_;  ///< by axis, of these
  std::vector<Configuration> result_;
};

}  // namespace

std::vector<Configuration> expand_grid(TomlTable& grid, const Model& model) { return Expansion(grid, model).run(); }

Configuration read_case(TomlTable& table, const Model& model) {
  Configuration configuration;
  for (const Axis& axis : model.axes()) {
    const TomlValue value = table.has(axis.name) ? table.value(axis.name) : default_of(axis, table, "[[case]]");
    auto values = AxisReader(axis, configuration.values).values(value);
    if (values.size() != 1) table.fail(axis.name, "in [[case]] must be one value");
    configuration.values.set(std::move(values.front()));
  }
  return configuration;
}

}  // namespace coterie::sim
