#pragma once

#include <algorithm>
#include <istream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::traces {

using Words = std::vector<std::string_view>;

/// The words between blanks and tabs, into `words`.
void split_words(std::string_view line, Words& words);
Words words_of(std::string_view line);

/// The fields between commas, without the blanks around them.
Words fields_of(std::string_view line);

/// ASCII letters in lower case; everything else unchanged.
std::string lower_case(std::string_view text);

/// Is it one of these names?
template <typename Names, typename Name>
bool is_one_of(const Names& names, const Name& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Opens a trace that can be read from its beginning any number of times; a stream (a pipe, /dev/stdin) and what gzip,
/// bzip2, xz or zstd packed is read completely now. Throws RuntimeError if that fails, InputError for packed files that
/// are damaged and for known binary ones.
std::unique_ptr<std::istream> open_to_read(const std::string& path);

/// Reads a text file line by line: LF or CRLF; skips blank lines, comments and a byte order mark.
/// What it returns is valid until the next call.
class LineReader {
 public:
  /// `comments`: the characters that begin a comment line.
  LineReader(std::istream& input, std::string file, std::string_view comments = "#");

  /// The next line without the blanks around it; false at the end. Throws InputError if it is not UTF-8.
  bool next(std::string_view& line);
  /// The next line, blank or not and in any encoding.
  bool next_raw(std::string& line);
  /// That line with the blanks around it, but without line ending and byte order mark.
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
  /// Calls fail() with E_FIELDS unless `found` equals `expected`.
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

}  // namespace coterie::traces
