#include "traces/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/text.hpp"
#include "traces/availability.hpp"

namespace coterie::traces {

std::ifstream open_to_read(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw RuntimeError(fmt::format("{}: is a directory", path));
  std::ifstream input;
  do {
    errno = 0;
    input.open(path, std::ios::binary);
  } while (!input && errno == EINTR);
  if (!input) throw RuntimeError(fmt::format("{}: cannot be opened: {}", path, std::strerror(errno)));
  return input;
}

bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    if (lead < 0x80) continue;
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || i + more > text.size()) return false;
    const auto second = static_cast<unsigned char>(text[i]);
    // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
        (lead == 0xF4 && second > 0x8F))
      return false;
    for (std::size_t k = 0; k < more; ++k, ++i)
      if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return false;
  }
  return true;
}

LineReader::LineReader(std::istream& input, std::string file, std::string_view comments)
    : input_(&input), file_(std::move(file)), comments_(comments) {}

bool LineReader::next(std::string_view& line) {
  while (std::getline(*input_, buffer_)) {
    cancellation_point();
    ++line_;
    if (!is_utf8(buffer_)) fail("E_ENCODING", "the line is not UTF-8; convert the file to UTF-8 first");
    line = trimmed(buffer_);
    if (!line.empty() && comments_.find(line.front()) == std::string_view::npos) return true;
  }
  if (input_->bad()) throw RuntimeError(fmt::format("{}: cannot be read to its end", file_));
  return false;
}

const std::vector<std::string_view>& LineReader::words(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  parts_.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    parts_.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
  return parts_;
}

const std::vector<std::string_view>& LineReader::fields(std::string_view line) {
  parts_ = split(line, ',');
  for (std::string_view& part : parts_) part = trimmed(part);
  return parts_;
}

void LineReader::fail(std::string_view code, const std::string& problem) const {
  fail_trace(file_, line_, code, problem);
}

void LineReader::expect_fields(std::size_t found, std::size_t expected, std::string_view what) const {
  if (found != expected) fail("E_FIELDS", fmt::format("{} fields where {} belong ({})", found, expected, what));
}

CsvHeader::CsvHeader(const LineReader& lines, const std::vector<std::string_view>& names)
    : lines_(&lines), line_(lines.line()), names_(names.begin(), names.end()) {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (std::find(names_.begin(), names_.begin() + static_cast<std::ptrdiff_t>(i), names_[i]) !=
        names_.begin() + static_cast<std::ptrdiff_t>(i))
      lines.fail("E_HEADER", fmt::format("the column \"{}\" stands twice in the header; keep one", names_[i]));
}

bool CsvHeader::has(std::string_view name) const {
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

std::size_t CsvHeader::column(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end())
    fail_trace(lines_->file(), line_, "E_HEADER",
               fmt::format("no column \"{}\"{}; the first line must name the columns", name, suggestion(name, names_)));
  return static_cast<std::size_t>(found - names_.begin());
}

void read_csv(LineReader& lines, const std::function<void(const CsvHeader&)>& header,
              const std::function<void(const std::vector<std::string_view>&)>& row) {
  std::string_view line;
  std::size_t columns = 0;
  while (lines.next(line)) {
    const auto& fields = lines.fields(line);
    if (columns == 0) {
      header(CsvHeader(lines, fields));
      columns = fields.size();
    } else {
      lines.expect_fields(fields.size(), columns, "as in the header; there is no quoting of commas");
      row(fields);
    }
  }
}

}  // namespace coterie::traces
