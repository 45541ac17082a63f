#include "sim/input/risk_table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "core/printable.hpp"
#include "core/tabulated_risk.hpp"
#include "core/text.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::sim {

RiskPtr read_risk_table(const std::string& path, const std::string& text) {
  const auto input = traces::open_to_read(path);
  traces::LineReader lines(*input, path);
  const auto number = [&](std::string_view field) {
    const auto value = parse_number(field);
    if (!value || !std::isfinite(*value)) lines.fail("E_NUMBER", fmt::format("\"{}\" is not a number", echoed(field)));
    return *value;
  };
  std::vector<double> times, probabilities;
  std::string_view line;
  for (bool first = true; lines.next(line); first = false) {
    const std::vector<std::string_view>& fields = lines.fields(line);
    lines.expect_fields(fields.size(), 2, "time,probability");
    if (first && !parse_number(fields[0])) {
      if (fields[0] != "time" || fields[1] != "probability")
        lines.fail("E_HEADER", "the columns of a law are time,probability");
      continue;
    }
    const double time = number(fields[0]);
    const double probability = number(fields[1]);
    if (times.empty() && time == 0 && probability == 0) continue;
    if (!(time > (times.empty() ? 0 : times.back())))
      lines.fail("E_ORDER",
                 "times must be above 0 and increase (a law that jumps is a list of durations: trace(file=...))");
    if (!(probability >= (times.empty() ? 0 : probabilities.back()) && probability <= 1))
      lines.fail("E_NUMBER", "probabilities must be in [0, 1] and not decrease");
    times.push_back(time);
    probabilities.push_back(probability);
  }
  if (times.empty() || probabilities.back() == 0)
    throw InputError(fmt::format("{}: E_EMPTY: no row time,probability has a probability above 0", path));
  return std::make_shared<TabulatedRisk>(std::move(times), std::move(probabilities), text);
}

}  // namespace coterie::sim
