#include "traces/readers/line_reader.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <boost/iostreams/concepts.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <boost/iostreams/read.hpp>
#include <fstream>
#include <functional>
#include <sstream>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/utf8.hpp"
#include "traces/readers/availability.hpp"

namespace coterie::traces {
namespace {

using Filters = boost::iostreams::filtering_streambuf<boost::iostreams::input>;

/// Boost's own filter takes a file that is cut off for a whole one.
class ZstdFilter : public boost::iostreams::multichar_input_filter {
 public:
  template <typename Source>
  std::streamsize read(Source& source, char* to, std::streamsize size) {
    ZSTD_outBuffer out{to, static_cast<std::size_t>(size), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size) {
        const std::streamsize more = boost::iostreams::read(source, buffer_->data(), std::ssize(*buffer_));
        if (more <= 0 && left_ != 0) throw std::ios_base::failure("cut off");
        if (more <= 0) return -1;
        in_ = {buffer_->data(), static_cast<std::size_t>(more), 0};
      }
      left_ = ZSTD_decompressStream(stream_.get(), &out, &in_);
      if (ZSTD_isError(left_) != 0) throw std::ios_base::failure("damaged");
    }
    return static_cast<std::streamsize>(out.pos);
  }

 private:
  std::shared_ptr<ZSTD_DStream> stream_{ZSTD_createDStream(), ZSTD_freeDStream};
  std::shared_ptr<std::vector<char>> buffer_ = std::make_shared<std::vector<char>>(1 << 16);
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::size_t left_ = 0;  // of the frame; 0: between frames
};

constexpr std::size_t kMostKept = 1'000'000'000;  // bytes of a file that is kept in memory

/// What is known by the first bytes of a file: how to unpack it, or what to do before it can be read.
struct Magic {
  std::string_view bytes;
  std::function<void(Filters&)> unpack;
  const char* advice = "";
  std::size_t at = 0;
};

const std::vector<Magic>& magics() {
  using namespace std::string_view_literals;
  namespace io = boost::iostreams;
  static const std::vector<Magic> table = {
      {"\x1F\x8B"sv, [](Filters& filters) { filters.push(io::gzip_decompressor()); }},
      {"BZh"sv, [](Filters& filters) { filters.push(io::bzip2_decompressor()); }},
      {"\xFD"
       "7zXZ\0"sv,
       [](Filters& filters) { filters.push(io::lzma_decompressor()); }},
      {"\x28\xB5\x2F\xFD"sv, [](Filters& filters) { filters.push(ZstdFilter()); }},
      {"PAR1"sv,
       {},
       "a Parquet file; write it as CSV: python3 -c \"import pandas; pandas.read_parquet('IN').to_csv('OUT')\""},
      {"PK\x03\x04"sv, {}, "a ZIP archive (or a spreadsheet); unpack it with unzip, or save the sheet as CSV"},
      {"SQLite format 3"sv,
       {},
       "an SQLite database; write the table as CSV: sqlite3 -header -csv IN 'select * from TABLE'"},
      {"\xFF\xFE"sv, {}, "a text in UTF-16; convert it: iconv -f UTF-16 -t UTF-8 IN > OUT"},
      {"ustar"sv, {}, "an archive of tar; unpack it: tar xf FILE", 257},
  };
  return table;
}

const Magic* magic_of(std::string_view begin) {
  const auto found = std::find_if(magics().begin(), magics().end(), [&](const Magic& one) {
    return begin.substr(std::min(one.at, begin.size())).starts_with(one.bytes);
  });
  return found == magics().end() ? nullptr : &*found;
}

void require_no_other(const Magic* magic, const std::string& path) {
  if (magic != nullptr && !magic->unpack) throw InputError(Place{path, 0, 0}, fmt::format("it is {}", magic->advice));
}

std::unique_ptr<std::istream> unpacked(std::unique_ptr<std::istream> input, const std::string& path) {
  std::string first(512, '\0');
  input->read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(std::max<std::streamsize>(input->gcount(), 0)));
  input->clear();
  input->seekg(0);
  const Magic* magic = magic_of(first);
  require_no_other(magic, path);
  if (magic == nullptr) return input;
  std::string text;
  try {
    Filters filters;
    magic->unpack(filters);
    filters.push(*input);
    std::string buffer(1 << 16, '\0');
    while (const auto size = filters.sgetn(buffer.data(), static_cast<std::streamsize>(buffer.size()))) {
      cancellation_point();
      text.append(buffer, 0, static_cast<std::size_t>(size));
      if (text.size() > kMostKept)
        throw InputError(Place{path, 0, 0},
                         fmt::format("unpacked, it has more than {} bytes; unpack it first", kMostKept));
    }
  } catch (const std::ios_base::failure&) {
    throw InputError(Place{path, 0, 0}, "it is packed, but cannot be unpacked: it is damaged or cut off");
  }
  require_no_other(magic_of(text), path);
  return std::make_unique<std::istringstream>(std::move(text));
}

}  // namespace

void split_words(std::string_view line, Words& words) {
  constexpr std::string_view kBlanks = " \t";
  words.clear();
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kBlanks, end);
  }
}

Words words_of(std::string_view line) {
  Words words;
  split_words(line, words);
  return words;
}

Words fields_of(std::string_view line) {
  Words fields = split(line, ',');
  for (std::string_view& field : fields) field = trimmed(field);
  return fields;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::unique_ptr<std::istream> open_to_read(const std::string& path) {
  // A stream is kept, since the format is recognised before the trace is read.
  const auto is_known = [](std::string_view begin) { return magic_of(begin) != nullptr; };
  if (is_stream(path))
    return unpacked(std::make_unique<std::istringstream>(read_text(path, kMostKept, is_known)), path);
  return unpacked(std::make_unique<std::ifstream>(open_plain_file(path)), path);
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

bool LineReader::next_raw(std::string& line) {
  if (!std::getline(*input_, line)) return false;
  cancellation_point();
  ++line_;
  return true;
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

}  // namespace coterie::traces
