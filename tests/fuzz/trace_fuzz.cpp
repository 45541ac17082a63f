// libFuzzer target: whatever the bytes, a reader returns spells or throws InputError; it neither crashes nor hangs.
//   cmake -DCOTERIE_FUZZ=ON -DCMAKE_CXX_COMPILER=clang++-14 ... && ./coterie_trace_fuzz -max_total_time=60
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "core/errors.hpp"
#include "traces/formats.hpp"
#include "traces/summary.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace coterie::traces;
  if (size == 0) return 0;
  // The first byte picks the format and the policies, the rest is the file.
  const auto& formats = trace_formats();
  const TraceFormat& format = formats[data[0] % formats.size()];
  ReadingOptions options;
  if ((data[0] & 0x20) != 0) options.overlap = OverlapPolicy::kMerge;
  if ((data[0] & 0x40) != 0) options.t1 = 100;
  if ((data[0] & 0x80) != 0) options.count_lifo = true;
  const std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  try {
    std::istringstream input(text);
    const AvailabilityTrace trace = format.read(input, "FILE", options);
    if (trace.records.empty()) std::abort();
    for (const AvailabilityRecord& record : trace.records)
      if (!(record.duration >= 0) || !std::isfinite(record.duration)) std::abort();
    summarise(trace);
  } catch (const coterie::InputError&) {
  }
  try {
    std::istringstream input(text);
    detect_format(input, "FILE", options);
  } catch (const coterie::InputError&) {
  }
  return 0;
}
