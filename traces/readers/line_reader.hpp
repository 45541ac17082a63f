#pragma once

#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::traces {

/// A trace to be read from its beginning, as often as is wanted: of a stream (a pipe, /dev/stdin) all is read now.
/// Throws RuntimeError where that cannot be done.
std::unique_ptr<std::istream> open_to_read(const std::string& path);

/// Goes through a text file line by line: LF or CRLF, blank lines, comments and a byte order mark skipped.
/// What it returns is valid until the next call.
class LineReader {
 public:
  /// `comments`: the characters that begin a comment line.
  LineReader(std::istream& input, std::string file, std::string_view comments = "#");

  /// The next line without the blanks around it; false at the end. Throws InputError where it is not UTF-8.
  bool next(std::string_view& line);
  /// That line with the blanks around it, but no end of line and no byte order mark.
  std::string_view raw() const { return raw_; }
  /// Number of the line that next() returned last, from 1.
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }

  /// The words of `line` between runs of blanks.
  const std::vector<std::string_view>& words(std::string_view line);
  /// The fields of `line` between commas, without the blanks around them.
  const std::vector<std::string_view>& fields(std::string_view line);

  /// Throws InputError at the current line.
  [[noreturn]] void fail(std::string_view code, const std::string& problem) const;
  /// fail() with E_FIELDS unless `found` is `expected`.
  void expect_fields(std::size_t found, std::size_t expected, std::string_view what) const;

 private:
  std::istream* input_;
  std::string file_;
  std::string_view comments_;
  std::string buffer_;
  std::string_view raw_;
  std::vector<std::string_view> parts_;
  std::size_t line_ = 0;
};

/// Where each named column of a CSV header stands. E_HEADER for a repeated name.
class CsvHeader {
 public:
  CsvHeader(const LineReader& lines, const std::vector<std::string_view>& names);
  std::size_t size() const { return names_.size(); }
  bool has(std::string_view name) const;
  /// Throws E_HEADER where there is no such column.
  std::size_t column(std::string_view name) const;

 private:
  const LineReader* lines_;
  std::size_t line_;
  std::vector<std::string> names_;
};

}  // namespace coterie::traces
