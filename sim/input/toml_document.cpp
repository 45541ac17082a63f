#include "sim/input/toml_document.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <set>

#include "core/infinity.hpp"
#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/files/file_kind.hpp"

namespace coterie::sim {

/// The text of a file, and where its lines begin.
class TomlSource {
 public:
  TomlSource(const std::string& name, const std::string& text) : file(name), text_(text), lines_{0} {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (text[at] == '\n') lines_.push_back(at + 1);
      if ((static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) continued_.push_back(at);
    }
  }

  /// The real at a place as it is written, where its double does not say that; otherwise "".
  std::string decimal_at(const toml::source_position& place, double value) const {
    if (place.line == 0 || place.line > lines_.size() || place.column == 0) return "";
    const std::size_t at = std::min(byte_of(lines_[place.line - 1], place.column), text_.size());
    const std::size_t end = std::min(text_.find_first_not_of("0123456789+-._eE", at), text_.size());
    std::string written = text_.substr(at, end - at);
    std::erase(written, '_');
    constexpr auto kKept = static_cast<std::size_t>(std::numeric_limits<double>::digits10);
    const bool kept = written.size() <= kKept && std::abs(value) >= std::numeric_limits<double>::min();
    if (kept || value == 0) return "";  // what is below all doubles is 0, here and where doubles are read
    const auto exact = parse_rational(written);
    return exact && to_double(*exact) == value ? written : "";
  }

  const std::string& file;

 private:
  /// Of a character of the line that begins there, by its number from 1.
  std::size_t byte_of(std::size_t begin, std::size_t column) const {
    const auto first = std::lower_bound(continued_.begin(), continued_.end(), begin);
    std::size_t at = begin + column - 1;
    for (std::size_t before = begin; at != before;) {
      before = at;
      const auto last = std::upper_bound(first, continued_.end(), at);
      at = begin + column - 1 + static_cast<std::size_t>(last - first);
    }
    return at;
  }

  const std::string& text_;
  std::vector<std::size_t> lines_;      // their first bytes
  std::vector<std::size_t> continued_;  // bytes that are not the first of a character
};

struct TomlTable::Node {
  std::string name;  // "[grid]", "" at the top of the file
  std::string file;
  Place place;
  std::vector<std::string> order;
  std::map<std::string, TomlValue> values;
  std::map<std::string, std::vector<TomlTable>> tables;  // a plain table is a list of one
  std::set<std::string> asked;

  static std::shared_ptr<Node> make(const toml::table& table, const std::string& name, const TomlSource& source);
};

namespace {

Place place_of(const toml::node& node, const std::string& file) {
  return {file, node.source().begin.line, node.source().begin.column};
}

TomlValue value_of(const toml::node& node, const TomlSource& source) {
  TomlValue value;
  value.place = place_of(node, source.file);
  if (const auto* text = node.as_string()) {
    value.kind = TomlValue::Kind::kText;
    value.text = text->get();
  } else if (const auto* whole = node.as_integer()) {
    value.kind = TomlValue::Kind::kInteger;
    value.number = static_cast<double>(whole->get());
    value.text = std::to_string(whole->get());
  } else if (const auto* real = node.as_floating_point()) {
    value.kind = TomlValue::Kind::kReal;
    value.number = real->get();
    value.text = to_text(real->get());
    value.decimal = source.decimal_at(node.source().begin, real->get());
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlValue::Kind::kBoolean;
    value.text = boolean->get() ? "true" : "false";
  } else if (const auto* array = node.as_array()) {
    value.kind = TomlValue::Kind::kList;
    for (const toml::node& element : *array) value.list.push_back(value_of(element, source));
  } else if (node.is_table()) {
    value.kind = TomlValue::Kind::kTable;
  } else {
    throw InputError(value.place, "dates and times are not allowed here; write a number or a text");
  }
  return value;
}

void put_at(TomlValue& value, const Place& place) {
  value.place = place;
  for (TomlValue& element : value.list) put_at(element, place);
}

std::string described(const TomlValue& value) {
  switch (value.kind) {
    case TomlValue::Kind::kText:
      return "the text \"" + echoed(value.text) + "\"";
    case TomlValue::Kind::kList:
      return "a list";
    case TomlValue::Kind::kTable:
      return "a table";
    default:
      return value.text;
  }
}

}  // namespace

std::shared_ptr<TomlTable::Node> TomlTable::Node::make(const toml::table& table, const std::string& name,
                                                       const TomlSource& source) {
  const std::string& file = source.file;
  auto node = std::make_shared<Node>();
  node->name = name;
  node->file = file;
  node->place = place_of(table, file);
  for (const auto& [key, child] : table) {
    const std::string word(key.str());
    node->order.push_back(word);
    TomlValue value = value_of(child, source);
    value.place = {file, key.source().begin.line, key.source().begin.column};
    node->values[word] = value;
    if (const auto* below = child.as_table()) {
      node->tables[word] = {TomlTable(make(*below, "[" + word + "]", source))};
    } else if (const auto* array = child.as_array(); array != nullptr && array->is_homogeneous<toml::table>()) {
      for (const toml::node& element : *array)
        node->tables[word].push_back(TomlTable(make(*element.as_table(), "[[" + word + "]]", source)));
    }
  }
  std::sort(node->order.begin(), node->order.end(), [&](const std::string& a, const std::string& b) {
    const Place& first = node->values[a].place;
    const Place& second = node->values[b].place;
    return std::pair(first.line, first.column) < std::pair(second.line, second.column);
  });
  return node;
}

namespace {

/// Dotted keys are tables in tables, which the parser does not limit, as it does lists; and it, and all code that walks
/// over its result, use recursion.
void check_dots(const std::string& text, const std::string& name) {
  constexpr int kMostDots = 50;  // times the depth of values that the parser allows: some thousands
  std::size_t line = 1;
  int dots = 0;
  bool begun = false;    // the line has more than blanks
  bool comment = false;  // it begins with #
  for (const char c : text) {
    if (c == '\n' || c == ',') dots = 0;
    if (c == '\n') {
      ++line;
      begun = comment = false;
    } else if (!begun && c != ' ' && c != '\t') {
      begun = true;
      comment = c == '#';
    }
    if (c == '.' && !comment && ++dots > kMostDots)
      throw InputError({name, line}, fmt::format("more than {} dots in a row: is a key nested so deep?", kMostDots));
  }
}

}  // namespace

std::string read_text_file(const std::string& path) {
  constexpr std::size_t kMostBytes = 256'000'000;  // a million workers are 60 MB
  return read_text(path, kMostBytes);
}

TomlTable TomlTable::read(const std::string& path) {
  if (looks_like_result(path))
    throw InputError(path + ": is a coterie result, or the remains of one, not TOML (coterie status tells more)");
  return parse(read_text_file(path), path);
}

TomlTable TomlTable::parse(const std::string& text, const std::string& name) {
  check_dots(text, name);
  try {
    return TomlTable(Node::make(toml::parse(text, name), "", {name, text}));
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    throw InputError({name, at.line, at.column}, fmt::format("not valid TOML: {}", echoed(error.description())));
  }
}

void TomlTable::set(const std::string& key, const std::string& value, const Place& place, bool any_word) {
  const TomlTable parsed = [&] {
    try {
      if (const TomlTable one = parse("value = " + value, place.file); one.keys().size() == 1) return one;
    } catch (const InputError&) {
      if (value.empty() || any_word) return parse("value = '''" + value + "'''", place.file);
      const char first = value.front();
      if (std::string_view("[{\"'").find(first) != std::string_view::npos)
        throw InputError(
            place, first == '[' ? R"(is not valid TOML; write lists of texts as ["a", "b"])" : "is not valid TOML");
      if (std::isdigit(static_cast<unsigned char>(value.back())) &&
          value.find_first_not_of("0123456789", first == '-' || first == '+') == std::string::npos)
        throw InputError(place, "is not a whole number of TOML: it is too large or begins with 0");
    }  // a bare word, then
    return parse("value = '''" + value + "'''", place.file);
  }();
  if (!has(key)) node_->order.push_back(key);
  TomlValue& written = node_->values[key] = parsed.node_->values.at("value");
  put_at(written, place);
  node_->tables.erase(key);
  const auto below = parsed.node_->tables.find("value");
  if (below == parsed.node_->tables.end()) return;
  node_->tables[key] = below->second;
  for (const TomlTable& table : below->second) {
    table.node_->name = "[" + key + "]";
    table.node_->place = place;
    for (auto& [name, value_below] : table.node_->values) put_at(value_below, place);
  }
}

bool TomlTable::has(const std::string& key) const { return node_->values.contains(key); }
std::vector<std::string> TomlTable::keys() const { return node_->order; }
Place TomlTable::place() const { return node_->place; }

Place TomlTable::place(const std::string& key) const {
  const auto found = node_->values.find(key);
  return found == node_->values.end() ? node_->place : found->second.place;
}

std::string TomlTable::directory() const { return std::filesystem::path(node_->file).parent_path().string(); }

void TomlTable::fail(const std::string& key, const std::string& problem) const {
  std::string message = problem;
  if (const auto found = node_->values.find(key); found != node_->values.end()) {
    message = with_echoed(message, found->second.text);
    for (const TomlValue& value : found->second.list) message = with_echoed(message, value.text);
  }
  throw InputError(place(key), fmt::format("\"{}\" {}", echoed(key), message));
}

const TomlValue& TomlTable::at(const std::string& key, const char* expected) {
  node_->asked.insert(key);
  const auto found = node_->values.find(key);
  if (found != node_->values.end()) return found->second;
  for (const std::string& other : node_->order)
    if (!node_->asked.contains(other) && !suggestion(key, {other}).empty())
      throw InputError(place(other), fmt::format("\"{}\" is missing; is \"{}\" meant to be it?", key, echoed(other)));
  const std::string where = node_->name.empty() ? "" : " in " + node_->name;
  throw InputError(node_->place.line > 0 && !node_->name.empty() ? node_->place : Place{node_->file},
                   fmt::format("\"{}\" is missing{} (write {} = {})", key, echoed(where), key, expected));
}

const std::vector<TomlValue>& TomlTable::list_at(const std::string& key, const char* expected) {
  const TomlValue& value = at(key, expected);
  if (value.kind != TomlValue::Kind::kList)
    fail(key, fmt::format("must be a list such as {}, not {}", expected, described(value)));
  return value.list;
}

double TomlTable::number_of(const TomlValue& value, const std::string& key) const {
  if (value.is_number()) {
    if (std::isnan(value.number)) fail(key, "must be a number, not nan");
    return value.number;
  }
  if (value.kind == TomlValue::Kind::kText) {
    if (value.text == "inf") return kInfinity;
    if (const auto exact = parse_rational(value.text)) return to_double(*exact);
  }
  fail(key, fmt::format("must be a number or a fraction such as \"1/3\", not {}", described(value)));
}

Rational TomlTable::rational_of(const TomlValue& value, const std::string& key) const {
  if (value.is_number() || value.kind == TomlValue::Kind::kText)
    if (const auto exact = parse_rational(value.decimal.empty() ? value.text : value.decimal)) return *exact;
  fail(key, fmt::format("must be a finite number or a fraction such as \"1/3\", not {}", described(value)));
}

std::int64_t TomlTable::integer_of(const TomlValue& value, const std::string& key) const {
  constexpr double kExact = 0x1p53;  // larger reals need not be the number that was written
  if (value.kind == TomlValue::Kind::kInteger || (value.is_number() && std::abs(value.number) <= kExact))  // also 1e4
    if (const auto whole = parse_whole(value.text)) return *whole;
  fail(key, fmt::format("must be a whole number, not {}", described(value)));
}

double TomlTable::number(const std::string& key) { return number_of(at(key, "a number"), key); }
Rational TomlTable::rational(const std::string& key) { return rational_of(at(key, "a number"), key); }
std::int64_t TomlTable::integer(const std::string& key) { return integer_of(at(key, "a whole number"), key); }

double TomlTable::number(const std::string& key, double otherwise) {
  node_->asked.insert(key);
  return has(key) ? number(key) : otherwise;
}

std::int64_t TomlTable::integer(const std::string& key, std::int64_t otherwise) {
  node_->asked.insert(key);
  return has(key) ? integer(key) : otherwise;
}

std::string TomlTable::text(const std::string& key) {
  const TomlValue& value = at(key, "\"...\"");
  if (value.kind != TomlValue::Kind::kText)
    fail(key, fmt::format("must be a text in quotes, not {}", described(value)));
  return value.text;
}

std::string TomlTable::text(const std::string& key, const std::string& otherwise) {
  node_->asked.insert(key);
  return has(key) ? text(key) : otherwise;
}

bool TomlTable::boolean(const std::string& key, bool otherwise) {
  node_->asked.insert(key);
  if (!has(key)) return otherwise;
  const TomlValue& value = at(key, "true");
  if (value.kind != TomlValue::Kind::kBoolean)
    fail(key, fmt::format("must be true or false, not {}", described(value)));
  return value.text == "true";
}

std::vector<double> TomlTable::numbers(const std::string& key) {
  std::vector<double> result;
  for (const TomlValue& value : list_at(key, "[1, 2]")) result.push_back(number_of(value, key));
  return result;
}

std::vector<Rational> TomlTable::rationals(const std::string& key) {
  std::vector<Rational> result;
  for (const TomlValue& value : list_at(key, "[1, \"1/3\"]")) result.push_back(rational_of(value, key));
  return result;
}

std::vector<std::int64_t> TomlTable::integers(const std::string& key) {
  std::vector<std::int64_t> result;
  for (const TomlValue& value : list_at(key, "[1, 2]")) result.push_back(integer_of(value, key));
  return result;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  std::vector<std::string> result;
  for (const TomlValue& value : list_at(key, "[\"...\"]")) {
    if (value.kind != TomlValue::Kind::kText)
      fail(key, fmt::format("must be a list of texts in quotes, not of {}", described(value)));
    result.push_back(value.text);
  }
  return result;
}

TomlValue TomlTable::value(const std::string& key) { return at(key, "..."); }

TomlTable TomlTable::table(const std::string& key) {
  const TomlValue& value = at(key, "{...}");
  if (value.kind != TomlValue::Kind::kTable) fail(key, fmt::format("must be a table, not {}", described(value)));
  return node_->tables.at(key).front();
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  node_->asked.insert(key);
  if (!has(key)) return {};
  const auto found = node_->tables.find(key);
  const TomlValue& value = node_->values.at(key);
  if (found == node_->tables.end() || value.kind != TomlValue::Kind::kList)
    fail(key, fmt::format("must be a list of tables, written [[{}]] above each", key));
  return found->second;
}

void TomlTable::finish() const {
  const std::vector<std::string> known(node_->asked.begin(), node_->asked.end());
  for (const std::string& key : node_->order) {
    if (!node_->asked.contains(key)) {
      const std::string where = node_->name.empty() ? "" : " in " + node_->name;
      throw InputError(place(key),
                       fmt::format("unknown key \"{}\"{}{}", echoed(key), echoed(where), suggestion(key, known)));
    }
    if (const auto below = node_->tables.find(key); below != node_->tables.end())
      for (const TomlTable& table : below->second) table.finish();
  }
}

}  // namespace coterie::sim
