#include "core/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"

namespace coterie {
namespace {

std::string unquoted(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return std::string(text);
}

bool balanced(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '(') ++depth;
    if (!quoted && c == ')' && --depth < 0) return false;
  }
  return depth == 0 && !quoted;
}

[[noreturn]] void fail_expression(const Place& place, std::string_view whole, std::string_view problem) {
  throw InputError(place, fmt::format("\"{}\": {} (write name or name(key=value, ...))", echoed(whole), problem));
}

/// Sets the name and returns what is between the parentheses, if anything.
std::string_view take_apart(std::string_view whole, const Place& place, std::string& name) {
  if (!balanced(whole)) fail_expression(place, whole, "parentheses or quotes do not match");
  name = expression_name(whole);
  if (name.empty()) fail_expression(place, whole, "a name is missing");
  const std::size_t open = whole.find('(');
  if (open == std::string_view::npos) return {};
  if (whole.back() != ')') fail_expression(place, whole, "there is text after the closing parenthesis");
  return trimmed(whole.substr(open + 1, whole.size() - open - 2));
}

}  // namespace

std::string expression_name(std::string_view text) { return std::string(trimmed(text.substr(0, text.find('(')))); }

std::vector<std::string_view> split_outside(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (text[i] == separator && depth == 0) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  parts.push_back(text.substr(begin));
  return parts;
}

std::vector<std::string> parse_items(std::string_view text, const Place& place) {
  const std::string whole(trimmed(text));
  std::string name;
  std::vector<std::string> items;
  for (const std::string_view part : split_outside(take_apart(whole, place, name), ',')) {
    items.emplace_back(trimmed(part));
    if (items.back().empty()) fail_expression(place, whole, "an item of the list is empty");
  }
  return items;
}

Expression Expression::parse(std::string_view text, const Place& place) {
  const std::string whole(trimmed(text));
  const auto fail = [&](std::string_view problem) { fail_expression(place, whole, problem); };
  Expression expression;
  expression.place_ = place;
  const std::string_view inside = take_apart(whole, place, expression.name_);
  if (inside.empty()) return expression;
  for (const std::string_view part : split_outside(inside, ',')) {
    const auto sides = split_outside(part, '=');
    if (sides.size() > 2) fail(fmt::format("\"{}\" has more than one equals sign", echoed(trimmed(part))));
    const std::string key = sides.size() == 2 ? std::string(trimmed(sides[0])) : std::string();
    const std::string value = unquoted(trimmed(sides.back()));
    if (sides.size() == 2 && key.empty()) fail("an argument has no name before \"=\"");
    if (value.empty()) fail("an argument is empty");
    if (!expression.arguments_.emplace(key, value).second)
      fail(key.empty() ? "more than one argument without a name" : fmt::format("\"{}\" is given twice", echoed(key)));
  }
  return expression;
}

const std::string& Expression::word(const std::string& key) const {
  const auto found = arguments_.find(key);
  if (found == arguments_.end()) throw InputError(place_, fmt::format("{}: \"{}\" is missing", name_, key));
  return found->second;
}

std::string Expression::word(const std::string& key, const std::string& otherwise) const {
  return has(key) ? word(key) : otherwise;
}

double Expression::number(const std::string& key) const {
  const std::string& text = word(key);
  if (const auto value = parse_number(text)) return *value;
  const auto fraction = text.find('/') == std::string::npos ? std::nullopt : parse_rational(text);
  const double value = fraction ? to_double(*fraction) : NAN;
  if (!std::isfinite(value))
    throw InputError(place_, fmt::format("{}: {} = \"{}\" is not a number", name_, key, echoed(text)));
  return value;
}

double Expression::number(const std::string& key, double otherwise) const { return has(key) ? number(key) : otherwise; }

const std::string& Expression::argument() const {
  const auto found = arguments_.find("");
  if (found == arguments_.end() || arguments_.size() != 1)
    throw InputError(place_, fmt::format("{}: write one argument without a name, as in {}(0.9)", name_, name_));
  return found->second;
}

void Expression::allow_only(const std::vector<std::string>& known) const {
  for (const auto& [key, value] : arguments_) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const std::string what = key.empty()
                                 ? fmt::format("\"{}\" has no name", echoed(value))
                                 : fmt::format("unknown argument \"{}\"{}", echoed(key), suggestion(key, known));
    throw InputError(
        place_, fmt::format("{}: {}; it takes {}", name_, what, known.empty() ? "no arguments" : quoted_list(known)));
  }
}

}  // namespace coterie
