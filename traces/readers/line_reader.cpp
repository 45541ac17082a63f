#include "traces/readers/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"
#include "traces/readers/availability.hpp"
#include "traces/readers/line_words.hpp"

namespace coterie::traces {

std::unique_ptr<std::istream> open_to_read(const std::string& path) {
  constexpr std::size_t kMostStreamed =
      1'000'000'000;  // bytes; kept in memory, since the format is recognised before the trace is read
  if (is_stream(path)) return std::make_unique<std::istringstream>(read_text(path, kMostStreamed));
  return std::make_unique<std::ifstream>(open_plain_file(path));
}

LineReader::LineReader(std::istream& input, std::string file, std::string_view comments)
    : input_(&input), file_(std::move(file)), comments_(comments) {}

bool LineReader::next(std::string_view& line) {
  while (std::getline(*input_, buffer_)) {
    cancellation_point();
    ++line_;
    parts_.clear();  // they belong to the previous line
    if (!is_utf8(buffer_)) fail("E_ENCODING", "the line is not UTF-8; convert the file to UTF-8 first");
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    raw_ = buffer_;
    if (line_ == 1 && raw_.starts_with(kByteOrderMark)) raw_.remove_prefix(kByteOrderMark.size());
    if (raw_.ends_with('\r')) raw_.remove_suffix(1);
    line = trimmed(raw_);
    if (!line.empty() && comments_.find(line.front()) == std::string_view::npos) return true;
  }
  if (input_->bad()) throw RuntimeError(fmt::format("{}: cannot be read to its end", file_));
  return false;
}

const std::vector<std::string_view>& LineReader::words(std::string_view line) {
  split_words(line, parts_);
  return parts_;
}

const std::vector<std::string_view>& LineReader::fields(std::string_view line) {
  parts_ = fields_of(line);
  return parts_;
}

void LineReader::fail(std::string_view code, const std::string& problem) const {
  std::string message = with_echoed(problem, trimmed(buffer_));
  for (const std::string_view part : parts_) message = with_echoed(message, part);
  fail_trace(file_, line_, code, message);
}

void LineReader::expect_fields(std::size_t found, std::size_t expected, std::string_view what) const {
  if (found != expected) fail("E_FIELDS", fmt::format("{} fields instead of {} ({})", found, expected, what));
}

CsvHeader::CsvHeader(const LineReader& lines, const std::vector<std::string_view>& names)
    : lines_(&lines), line_(lines.line()), names_(names.begin(), names.end()) {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(i), names_[i]) !=
        names_.begin() + static_cast<std::ptrdiff_t>(i))
      lines.fail("E_HEADER", fmt::format("the column \"{}\" occurs twice in the header; keep one", names_[i]));
}

bool CsvHeader::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t CsvHeader::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    fail_trace(lines_->file(), line_, "E_HEADER",
               fmt::format("no column \"{}\"{}; the first line must name the columns", echoed(name),
                           echoed(suggestion(name, names_))));
  return static_cast<std::size_t>(found - names_.begin());
}

}  // namespace coterie::traces
