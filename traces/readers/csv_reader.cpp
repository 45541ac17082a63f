#include "traces/readers/csv_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {
namespace {

constexpr std::string_view kDelimiters = ",;\t|";

/// "Start Time", "start_time" and "StartTime" are one name.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

/// Removes a quoted field from the front of `line` and returns it; nothing if the quote is not closed.
std::optional<std::string> take_quoted(std::string_view& line) {
  std::string field;
  for (line.remove_prefix(1);;) {
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) return std::nullopt;
    field += line.substr(0, quote);
    line.remove_prefix(quote + 1);
    if (!line.starts_with('"')) return field;
    field += '"';
    line.remove_prefix(1);
  }
}

}  // namespace

std::optional<std::vector<std::string>> csv_fields(std::string_view line, char delimiter) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t begin = std::min(line.find_first_not_of(delimiter == '\t' ? " " : " \t"), line.size());
    if (line.substr(begin).starts_with('"')) {
      line.remove_prefix(begin);
      auto field = take_quoted(line);
      const std::size_t end = std::min(line.find(delimiter), line.size());
      if (!field || !trimmed(line.substr(0, end)).empty()) return std::nullopt;
      fields.push_back(std::move(*field));
      line.remove_prefix(end);
    } else {
      const std::size_t end = std::min(line.find(delimiter), line.size());
      fields.emplace_back(trimmed(line.substr(0, end)));
      line.remove_prefix(end);
    }
    if (line.empty()) return fields;
    line.remove_prefix(1);  // the delimiter
  }
}

char csv_delimiter(std::string_view header) {
  char best = kDelimiters.front();
  std::size_t most = 0;
  for (const char delimiter : kDelimiters) {
    const auto fields = csv_fields(header, delimiter);
    if (fields && fields->size() > most) {
      most = fields->size();
      best = delimiter;
    }
  }
  return best;
}

std::optional<std::size_t> find_column(const std::vector<std::string>& names, std::string_view name) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    found = std::find_if(names.begin(), names.end(),
                         [&](const std::string& one) { return plain_name(one) == plain_name(name); });
  return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
}

const std::vector<std::string>& host_columns() {
  static const std::vector<std::string> names = {"host",          "hostname",  "instance", "instance_id",
                                                 "instance_name", "vm",        "vm_id",    "vm_name",
                                                 "node",          "node_name", "machine",  "machine_id"};
  return names;
}

CsvReader::CsvReader(std::istream& input, const std::string& file, Separator separator)
    : lines_(input, file, ""), separator_(separator) {
  if (!next_line()) return;
  header_line_ = lines_.line();
  delimiter_ = csv_delimiter(lines_.raw());
  const auto fields = fields_of_line();
  if (!fields) lines_.fail("E_FIELDS", "this line has an unclosed quote");
  names_ = *fields;
  used_.assign(names_.size(), false);
  unnamed_ = find_column(names_, "");
  for (std::size_t i = 0; i < names_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (plain_name(names_[i]) == plain_name(names_[j]))
        fail_header(fmt::format("the column \"{}\" occurs twice in the header; keep one", echoed(names_[i])));
}

std::optional<std::vector<std::string>> CsvReader::fields_of_line() const {
  if (separator_ == Separator::kAny) return csv_fields(lines_.raw(), delimiter_);
  const Words words = words_of(lines_.raw());
  return std::vector<std::string>(words.begin(), words.end());
}

bool CsvReader::next_line() {
  std::string_view line;
  while (lines_.next(line)) {
    if (!line.starts_with('#') || separator_ == Separator::kBlanks) return true;
    const auto fields = fields_of_line();
    commented_ += names_.size() > 1 && fields && fields->size() == names_.size();
  }
  return false;
}

bool CsvReader::next() {
  if (!next_line()) return false;
  auto fields = fields_of_line();
  if (!fields)
    lines_.fail("E_FIELDS",
                "this line has an unclosed quote (a field must be on one line), or text after a closing quote");
  lines_.expect_fields(fields->size(), names_.size(),
                       "as in the header; put quotes around a field that contains the separator");
  fields_ = std::move(*fields);
  ++rows_;
  if (unnamed_ && !fields_[*unnamed_].empty()) unnamed_is_empty_ = false;
  return true;
}

std::optional<std::size_t> CsvReader::find(std::string_view name) {
  const auto found = find_column(names_, name);
  if (found) used_[*found] = true;
  return found;
}

std::size_t CsvReader::column(std::string_view name) {
  const auto found = find(name);
  if (!found)
    fail_header(fmt::format("no column \"{}\"{}; the first line must name the columns", echoed(name),
                            echoed(suggestion(name, names_))));
  return *found;
}

std::optional<std::size_t> CsvReader::one_of(const std::vector<std::string>& names, const std::string& option) {
  std::vector<std::size_t> found;
  for (const std::string& name : names)
    if (const auto at = find_column(names_, name)) found.push_back(*at);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1 && find_column(names_, names.front()) != found.front())
    fail_header(fmt::format("\"{}\" and \"{}\" could both be the {}; {}", echoed(names_[found[0]]),
                            echoed(names_[found[1]]), names.front(),
                            option.empty() ? fmt::format("leave one out, or rename the right one to {}", names.front())
                                           : fmt::format("choose one with --option {}=COLUMN", option)));
  used_[found.front()] = true;
  return found.front();
}

void CsvReader::fail_header(const std::string& problem) const {
  fail_trace(lines_.file(), header_line_, "E_HEADER", problem);
}

void CsvReader::fail(std::string_view code, const std::string& problem) const {
  std::string message = problem;
  for (const std::string& field : fields_) message = with_echoed(message, field);
  fail_trace(lines_.file(), lines_.line(), code, message);
}

std::map<std::string, std::int64_t> CsvReader::unused() const {
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const bool unnamed = names_[i].empty();
    if (used_[i] || rows_ == 0 || (unnamed && unnamed_is_empty_)) continue;
    counts["W_COLUMN " + (unnamed ? fmt::format("number {} (it has no name)", i + 1) : echoed(names_[i]))] = rows_;
  }
  if (commented_ > 0) counts["W_COMMENT"] = commented_;
  return counts;
}

}  // namespace coterie::traces
