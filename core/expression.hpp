#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.hpp"

namespace coterie {

/// What a user writes for a risk function or a background: a name with named arguments,
/// `weibull(shape=0.5, scale=1)`, `linear`, `trace(file=lab.durations, normalise=quantile(0.9))`.
/// A value runs to the next comma outside parentheses; double quotes keep commas, blanks and parentheses.
class Expression {
 public:
  /// Throws InputError at `place` for unbalanced parentheses, an empty or repeated key, text after the end.
  static Expression parse(std::string_view text, const Place& place = {});

  const std::string& name() const { return name_; }
  const Place& place() const { return place_; }

  bool has(const std::string& key) const { return arguments_.contains(key); }
  /// The argument as text; throws InputError if it is missing.
  const std::string& word(const std::string& key) const;
  std::string word(const std::string& key, const std::string& otherwise) const;
  /// The argument as a number or a fraction ("1/3"); throws InputError if it is missing or neither.
  double number(const std::string& key) const;
  double number(const std::string& key, double otherwise) const;
  /// The one unnamed argument of `quantile(0.9)`; throws InputError if there is none.
  const std::string& argument() const;

  /// Throws InputError for an argument that is not among `known`.
  void allow_only(const std::vector<std::string>& known) const;

 private:
  std::string name_;
  std::map<std::string, std::string> arguments_;  // the unnamed argument has the key ""
  Place place_;
};

/// The name before the first parenthesis, without the blanks around it; all of `text` if there is none.
std::string expression_name(std::string_view text);

/// The items of a list, `name(item, item, ...)`, as written, without the blanks around them.
/// Throws InputError at `place` for everything that Expression::parse rejects, and if there is no item.
std::vector<std::string> parse_items(std::string_view text, const Place& place = {});

/// Splits at every `separator` outside parentheses and quotes.
std::vector<std::string_view> split_outside(std::string_view text, char separator);

}  // namespace coterie
