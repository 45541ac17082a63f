#include "sim/input/recorded_down.hpp"

#include <fmt/format.h>

#include "core/empirical_risk.hpp"
#include "core/printable.hpp"

namespace coterie::sim {

RiskPtr recorded_down(const std::string& risk, RiskLibrary& risks, const Place& place) {
  const auto resolved = risks.resolve(risk, place);
  if (resolved->trace() == nullptr)
    throw InputError(place, fmt::format("down = \"recorded\" needs risk = \"trace(file=...)\", not {}", echoed(risk)));
  const Expression trace = Expression::parse(risk, place);
  std::string recording = "recording(trace=" + traces::quoted_if_needed(trace.word("file"));
  for (const std::string& key : names_of(traces::recording_parameters()))
    if (key != "trace" && trace.has(key)) recording += ", " + key + "=" + traces::quoted_if_needed(trace.word(key));
  const auto named = risks.recording(Expression::parse(recording + ")", place));
  std::vector<double> gaps;
  for (const auto& times : named->recording.machines)
    for (std::size_t i = 1; i < times.size(); ++i)
      gaps.push_back((times[i].begin - times[i - 1].end) / resolved->trace()->scale);
  if (gaps.empty())
    throw InputError(place, "down = \"recorded\": no host of the trace comes back; give a length or a law");
  return std::make_shared<EmpiricalRisk>(std::move(gaps), "recorded");
}

}  // namespace coterie::sim
