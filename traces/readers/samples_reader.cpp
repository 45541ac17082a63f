/// Samples of whether hosts are up. Errors: E_EMPTY E_FIELDS E_NUMBER E_COUNT.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/printable.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
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

Samples parse_samples(const std::string& file, const nlohmann::json& json) {
  Samples samples;
  if (const nlohmann::json* gap = json_at(json, "metadata/gap_seconds"); gap != nullptr && gap->is_number())
    samples.gap = gap->get<double>();
  if (!(samples.gap > 0) || !std::isfinite(samples.gap))
    fail_trace(file, 0, "E_FIELDS",
               "metadata.gap_seconds is missing or not above 0; it is the time between two samples: write "
               "{\"metadata\": {\"gap_seconds\": 300}, \"data\": [1, 0]}");
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

/// The runs of samples that are at least k, as spells of slot k, for every k up to `most`. Throws E_COUNT if there are
/// too many.
void add_slots(RecordCollector& records, const Samples& samples, std::uint64_t most, const std::string& file) {
  constexpr std::uint64_t kMostRuns = 2'000'000;
  std::uint64_t runs_in_all = 0;
  for (std::size_t i = 0; i < samples.counts.size(); ++i) {
    const std::uint64_t before = i == 0 ? 0 : samples.counts[i - 1];
    runs_in_all += samples.counts[i] > before ? samples.counts[i] - before : 0;
    if (runs_in_all > kMostRuns)
      fail_trace(
          file, 0, "E_COUNT",
          fmt::format("the samples make more than {} spells of slots; read fewer samples at a time, or divide the "
                      "counts",
                      kMostRuns));
  }
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

/// Probes of spot machines: {"metadata": {"gap_seconds": g}, "data": [samples]}. Sample i covers [i g, (i + 1) g).
AvailabilityTrace read_samples(std::istream& input, const std::string& file, const ReadingOptions& options) {
  Documents documents(input, file);
  nlohmann::json json;
  if (!documents.next(json)) fail_trace(file, 0, "E_EMPTY", "the file is empty");
  const Samples samples = parse_samples(file, json);
  if (documents.next(json)) documents.fail("E_FIELDS", "the file holds a second series; read one at a time");
  RecordCollector records(options, file);
  records.explain("no sample says that a machine is available (value=0 reads 0 as available)");
  records.count("W_SAMPLED");
  records.set_resolution(samples.gap);
  const std::uint64_t most =
      samples.counts.empty() ? 0 : *std::max_element(samples.counts.begin(), samples.counts.end());
  if (options.count_lifo) {
    constexpr std::uint64_t kMostSlots = 100000;
    if (most > kMostSlots)
      fail_trace(file, 0, "E_COUNT",
                 fmt::format("a sample is {}; more than {} slots are not supported", most, kMostSlots));
    add_slots(records, samples, most, file);
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

bool fits_samples(const nlohmann::json& record) {
  const auto data = record.find("data");
  return json_at(record, "metadata/gap_seconds") != nullptr || (data != record.end() && data->is_array());
}

/// The answer of Prometheus to a range query of `up`, or of another metric that is 1 for a host that is up and 0 for
/// one that is not: one series a target. A series is known at its samples; where they are missing, nobody watched.
/// [HTTP API v1, query_range]
AvailabilityTrace read_prometheus(std::istream& input, const std::string& file, const ReadingOptions& options) {
  constexpr double kMissing = 1.5;  // times the step
  struct Sample {
    double time;
    bool up;
  };
  struct Series {
    std::size_t history;
    std::size_t line;
    std::vector<Sample> samples;
  };
  Documents documents(input, file);
  SpellList spells(options, file);
  std::vector<Series> all;
  double step = std::numeric_limits<double>::infinity();
  nlohmann::json record;
  while (documents.next(record)) {
    const nlohmann::json* metric = json_at(record, "metric");
    const nlohmann::json* values = json_at(record, "values");
    if (metric == nullptr || values == nullptr || !values->is_array())
      documents.fail("E_FIELDS",
                     "the series has no metric or no values; ask for a range: promtool query range, or "
                     "/api/v1/query_range?query=up&start=...&end=...&step=60");
    std::string host = text_at(*metric, {"instance", "node", "nodename", "host", "hostname"});
    const std::string key = metric->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
    if (host.empty()) host = key;
    Series& series = all.emplace_back(Series{spells.history(key, host), documents.line(), {}});
    for (const nlohmann::json& one : *values) {
      const bool pair = one.is_array() && one.size() == 2 && one[0].is_number();
      const auto value = pair ? number_at({{"value", one[1]}}, "value") : std::nullopt;
      if (pair && one[1] == "NaN") continue;
      if (!value || (*value != 0 && *value != 1))
        documents.fail("E_NUMBER",
                       fmt::format("a value of \"{}\" is not [time, \"0\"] or [time, \"1\"]", echoed(host)));
      const double time = one[0].get<double>();
      if (!series.samples.empty() && time <= series.samples.back().time)
        documents.fail("E_ORDER", fmt::format("the times of \"{}\" do not increase", echoed(host)));
      if (!series.samples.empty()) step = std::min(step, time - series.samples.back().time);
      series.samples.push_back({time, *value == 1});
      spells.saw(time);
    }
  }
  for (const Series& series : all) {
    std::optional<Spell> spell;
    for (std::size_t i = 0; i < series.samples.size(); ++i) {
      const Sample& now = series.samples[i];
      const bool watched = i > 0 && now.time - series.samples[i - 1].time < kMissing * step;
      if (spell && !watched) {  // when it ended is not known
        spell->end = series.samples[i - 1].time;
        spell->observed = false;
        spells.count("W_GAP");
        spells.add(*spell);
        spell.reset();
      }
      if (spell && !now.up) {
        spell->end = now.time;
        spells.add(*spell);
        spell.reset();
      } else if (!spell && now.up) {
        spell = Spell{series.history, now.time, now.time, true, !watched};
        spell->line = series.line;
      }
    }
    if (!spell) continue;
    spell->end = series.samples.back().time;
    spell->observed = false;
    spells.add(*spell);
  }
  spells.count("W_SAMPLED", std::ssize(all));
  if (std::isfinite(step)) spells.resolution(step);
  spells.explain("no target was up");
  return spells.finish();
}

bool fits_prometheus(const nlohmann::json& record) {
  return record.contains("metric") && (record.contains("values") || record.contains("value"));
}

}  // namespace

std::vector<TraceFormat> sample_formats() {
  return {{"samples",
           "JSON of spot probes: metadata.gap_seconds and data",
           {"value", "count", "zero", "host"},
           read_samples,
           nullptr,
           fits_samples},
          {"prometheus",
           "Prometheus: the answer to a range query of `up`",
           {"t0", "t1", "zero", "bridge", "host", "zone_parts"},
           read_prometheus,
           nullptr,
           fits_prometheus}};
}

}  // namespace coterie::traces
