// One libFuzzer target a format (COTERIE_FORMAT): whatever the bytes, a reader returns spells or throws InputError;
// what it returns is sound, and it takes no line that it does not understand.
#include <cmath>
#include <sstream>

#include "fuzz/fuzz_input.hpp"
#include "traces/durations.hpp"
#include "traces/readers/formats.hpp"
#include "traces/summary.hpp"

namespace coterie::fuzz {
namespace {

using traces::AvailabilityRecord;
using traces::AvailabilityTrace;
using traces::ReadingOptions;
using traces::TraceFormat;

ReadingOptions options_of(const FuzzInput& input) {
  ReadingOptions options;
  options.silent = 10;
  options.population = 5;
  options.year = 2026;
  if (input.chooses(0)) options.overlap = traces::OverlapPolicy::kMerge;
  if (input.chooses(1)) options.t1 = 100;
  if (input.chooses(2)) options.t0 = 2;
  if (input.chooses(3)) options.count_lifo = true;
  if (input.chooses(4)) options.rows_are_down = true;
  if (input.chooses(5)) options.zero = traces::ZeroPolicy::kDrop;
  if (input.chooses(6) && !options.count_lifo) options.available_is_zero = true;
  if (input.chooses(7)) options.unit = *find_time_unit("h");
  return options;
}

AvailabilityTrace read(const TraceFormat& format, const std::string& text, const ReadingOptions& options) {
  std::istringstream stream(text);
  return format.read(stream, "FILE", options);
}

void check_records(const AvailabilityTrace& trace, const ReadingOptions& options) {
  require(!trace.records.empty());
  std::int64_t censored = 0;
  std::int64_t truncated = 0;
  for (const AvailabilityRecord& record : trace.records) {
    require(record.duration >= 0 && std::isfinite(record.duration));
    require(!record.start || std::isfinite(*record.start));
    require(options.zero != traces::ZeroPolicy::kDrop || record.duration > 0);
    censored += !record.observed;
    truncated += record.left_truncated;
  }
  const auto warned = [&](const char* code) {
    const auto found = trace.warnings.find(code);
    return found == trace.warnings.end() ? 0 : found->second;
  };
  // Dropped spells of length zero are counted as zero only.
  require(warned("W_CENSORED") == censored && warned("W_LEFT") == truncated);
}

/// Everything that a user may ask of a trace.
void use(const AvailabilityTrace& trace) {
  summarise(trace);
  const traces::Durations durations(trace);
  accepts([&] { kaplan_meier_law(durations); });
  accepts([&] { per_host_law(trace); });
  traces::naive_law(durations);
}

}  // namespace

int run(const FuzzInput& input) {
  const TraceFormat& format = traces::trace_format(COTERIE_FORMAT);
  const ReadingOptions options = options_of(input);
  accepts([&] {
    const AvailabilityTrace trace = read(format, input.text, options);
    check_records(trace, options);
    use(trace);
    // No silent acceptance: a line that means nothing is refused wherever it stands.
    require(!accepts([&] { read(format, input.text + "\n!?\n", options); }));
    require(!accepts([&] { read(format, "!?\n" + input.text, options); }));
  });
  accepts([&] {
    std::istringstream stream(input.text);
    detect_format(stream, "FILE", options);
  });
  return 0;
}

}  // namespace coterie::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return coterie::fuzz::run(coterie::fuzz::FuzzInput(data, size));
}
