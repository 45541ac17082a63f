#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/readers/line_reader.hpp"

namespace coterie::traces {

/// The fields of a line of a CSV file, without their quotes ("" is a quote). Nothing if a quote is not closed.
std::optional<std::vector<std::string>> csv_fields(std::string_view line, char delimiter);

/// What separates the fields of this header: whichever of `,` `;` tab `|` occurs most often outside quotes.
char csv_delimiter(std::string_view header);

/// The position of a column by its name: an exact match, otherwise one that ignores case, blanks, `_` and `-`.
std::optional<std::size_t> find_column(const std::vector<std::string>& names, std::string_view name);

/// Possible names of the column of hosts, the preferred one first.
const std::vector<std::string>& host_columns();

/// A CSV file with a header and any of the known separators, or a table of words.
class CsvReader {
 public:
  enum class Separator { kAny, kBlanks };
  /// Reads the header. Throws E_HEADER for a repeated name; an empty file has no columns and no rows.
  CsvReader(std::istream& input, const std::string& file, Separator separator = Separator::kAny);

  /// The next row; lines that begin with # are comments (not in tables of words), counted if they have as many fields
  /// as a row. Throws E_FIELDS if the number of fields differs from the header.
  bool next();
  const std::string& operator[](std::size_t column) const { return fields_[column]; }

  /// The column of that name, which from now on counts as used.
  std::optional<std::size_t> find(std::string_view name);
  /// The same; throws E_HEADER if there is none.
  std::size_t column(std::string_view name);
  /// The first of these names that is present; they are synonyms, the preferred one first. Throws E_HEADER if the
  /// preferred one is absent and several others are present; `option`: the one that lets users choose, or "".
  std::optional<std::size_t> one_of(const std::vector<std::string>& names, const std::string& option);
  /// All columns, used or not.
  const std::vector<std::string>& names() const { return names_; }
  /// Throws E_HEADER with this problem, at the line of the header.
  [[noreturn]] void fail_header(const std::string& problem) const;

  /// Throws InputError at the current line.
  [[noreturn]] void fail(std::string_view code, const std::string& problem) const;
  std::size_t line() const { return lines_.line(); }
  /// Whether somebody asked for this column.
  bool is_used(std::size_t column) const { return used_[column]; }

  /// Warnings about columns and rows that were not used: "W_COLUMN name" -> rows, "W_COMMENT" -> rows. A column without
  /// a name and content, as sacct -p writes it, is none.
  std::map<std::string, std::int64_t> unused() const;

 private:
  bool next_line();
  std::optional<std::vector<std::string>> fields_of_line() const;

  LineReader lines_;
  Separator separator_;
  char delimiter_ = ',';
  std::size_t header_line_ = 0;
  std::vector<std::string> names_;
  std::vector<bool> used_;
  std::optional<std::size_t> unnamed_;  // the column that has no name
  bool unnamed_is_empty_ = true;
  std::vector<std::string> fields_;
  std::int64_t rows_ = 0;
  std::int64_t commented_ = 0;
};

}  // namespace coterie::traces
