#include "sim/risks.hpp"

#include <fmt/format.h>

#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

std::string note(const traces::TraceRisk& trace, const Expression& expression) {
  std::string text = fmt::format("{}: {} durations, {:.1f} % censored, one unit of time is {:.6g} s", trace.path,
                                 trace.n, 100 * trace.censored_share, trace.scale);
  if (trace.within_horizon < 0.9995)
    text += fmt::format(", {:.1f} % not interrupted within the horizon", 100 * (1 - trace.within_horizon));
  if (trace.censored_share > 0.01 && expression.word("estimator", "naive") == "naive")
    text += "\n  warning: their ends are taken for interruptions; estimator=kaplan-meier does not";
  return text;
}

}  // namespace

RiskPtr RiskLibrary::get(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(text); found != made_.end()) return found->second;
  const Expression expression = Expression::parse(text, place);
  if (expression.name() != "trace") return made_[text] = make_parametric_risk(expression);
  const traces::TraceRisk trace = traces::risk_from_trace(expression, directory_);
  checksums_[expression.word("file")] = trace.checksum;
  notes_.push_back(note(trace, expression));
  return made_[text] = trace.risk;
}

std::string RiskLibrary::canonical(const std::string& text, const Place& place) {
  std::string whole = get(text, place)->text();
  const Expression expression = Expression::parse(text, place);
  if (expression.name() != "trace") return whole;
  const std::size_t begin = whole.find("file=");
  std::size_t end = whole.find(", ", begin);
  if (whole[begin + 5] == '"') end = whole.find('"', begin + 6) + 1;
  const std::lock_guard lock(mutex_);
  return whole.replace(begin, end - begin, "crc64=" + checksums_.at(expression.word("file")));
}

std::vector<std::string> RiskLibrary::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::map<std::string, std::string> RiskLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
