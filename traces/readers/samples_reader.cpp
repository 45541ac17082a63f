#include "traces/readers/samples_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/printable.hpp"
#include "traces/readers/json_lines.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

struct Samples {
  double gap = 0;
  std::vector<std::uint64_t> counts;
};

/// Lists and objects may be nested more deeply than can be printed.
std::string echoed_value(const nlohmann::json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  return echoed(value.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

Samples parse_samples(std::istream& input, const std::string& file) {
  const std::string text(std::istreambuf_iterator<char>(input), {});
  if (input.bad()) throw RuntimeError(fmt::format("{}: cannot be read to its end", file));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) fail_trace(file, 0, "E_EMPTY", "the file is empty");
  // The parser would stop at a zero byte, whatever follows.
  if (const auto nul = text.find('\0'); nul != std::string::npos)
    fail_trace(file, 0, "E_FIELDS", fmt::format("byte {} is zero, which JSON text cannot contain", nul));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    fail_trace(file, 0, "E_FIELDS",
               "the file is not a JSON object; write {\"metadata\": {\"gap_seconds\": 300}, \"data\": [1, 0]}");
  Samples samples;
  if (const nlohmann::json* gap = json_at(json, "metadata/gap_seconds"); gap != nullptr && gap->is_number())
    samples.gap = gap->get<double>();
  if (!(samples.gap > 0) || !std::isfinite(samples.gap))
    fail_trace(file, 0, "E_FIELDS",
               "metadata.gap_seconds is missing or not above 0; it is the time between two samples (a log of events "
               "needs an event on each line, as jq --compact-output writes it)");
  const auto data = json.find("data");
  if (data == json.end() || !data->is_array())
    fail_trace(file, 0, "E_FIELDS", "data is missing or not a list; it is the list of samples");
  for (const nlohmann::json& sample : *data) {
    if (!sample.is_number_unsigned())
      fail_trace(file, 0, "E_NUMBER",
                 fmt::format("sample {} of data is {}; it must be a whole number of 0 or more", samples.counts.size(),
                             echoed_value(sample)));
    samples.counts.push_back(sample.get<std::uint64_t>());
  }
  return samples;
}

void add_run(RecordCollector& records, const Samples& samples, const std::string& host, std::size_t begin,
             std::size_t end) {
  records.add({host, static_cast<double>(begin) * samples.gap, static_cast<double>(end - begin) * samples.gap,
               end < samples.counts.size(), begin == 0},
              0);
}

/// The runs of samples that are at least k, as spells of slot k, for every k up to `most`.
void add_slots(RecordCollector& records, const Samples& samples, std::uint64_t most) {
  std::vector<std::size_t> begin(most + 1);
  std::vector<std::vector<std::pair<std::size_t, std::size_t>>> runs(most + 1);
  std::uint64_t up = 0;
  for (std::size_t i = 0; i <= samples.counts.size(); ++i) {
    cancellation_point();
    const std::uint64_t now = i < samples.counts.size() ? samples.counts[i] : 0;
    for (; up > now; --up) runs[up].emplace_back(begin[up], i);
    while (up < now) begin[++up] = i;
  }
  for (std::uint64_t slot = 1; slot <= most; ++slot)
    for (const auto& [first, end] : runs[slot]) add_run(records, samples, fmt::format("slot{}", slot), first, end);
}

/// The runs of samples for which `up` holds, as spells of `host`.
template <typename Predicate>
void add_runs(RecordCollector& records, const Samples& samples, const std::string& host, Predicate up) {
  const std::size_t size = samples.counts.size();
  for (std::size_t begin = 0; begin < size;) {
    if (!up(samples.counts[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < size && up(samples.counts[end])) ++end;
    add_run(records, samples, host, begin, end);
    begin = end;
  }
}

}  // namespace

AvailabilityTrace read_samples(std::istream& input, const std::string& file, const ReadingOptions& options) {
  const Samples samples = parse_samples(input, file);
  RecordCollector records(options, file);
  records.count("W_SAMPLED");
  records.set_resolution(samples.gap);
  const std::uint64_t most =
      samples.counts.empty() ? 0 : *std::max_element(samples.counts.begin(), samples.counts.end());
  if (options.count_lifo) {
    constexpr std::uint64_t kMostSlots = 100000;
    if (most > kMostSlots)
      fail_trace(file, 0, "E_COUNT",
                 fmt::format("a sample is {}; more than {} slots are not supported", most, kMostSlots));
    add_slots(records, samples, most);
    return records.finish();
  }
  if (most > 1)
    fail_trace(file, 0, "E_COUNT",
               fmt::format("a sample is {}, but counts do not say which instance is up; count=lifo counts slot k as up "
                           "while the sample is at least k",
                           most));
  add_runs(records, samples, "zone", [&](std::uint64_t count) { return (count == 0) == options.available_is_zero; });
  return records.finish();
}

bool accepts_samples(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return true;
  // Events of clouds and clusters are JSON too, but each of their lines says what it is.
  for (const std::string_view key : {"\"detail-type\"", "\"protoPayload\"", "\"involvedObject\""})
    if (line.find(key) != std::string_view::npos) return false;
  return line.starts_with('{');
}

}  // namespace coterie::traces
