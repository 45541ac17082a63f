#include "sim/risks.hpp"

#include "traces/trace_risk.hpp"

namespace coterie::sim {

RiskPtr RiskLibrary::get(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  if (const auto found = made_.find(text); found != made_.end()) return found->second;
  const Expression expression = Expression::parse(text, place);
  if (expression.name() != "trace") return made_[text] = make_parametric_risk(expression);
  const traces::TraceRisk trace = traces::risk_from_trace(expression, directory_);
  checksums_[expression.word("file")] = trace.checksum;
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

std::map<std::string, std::string> RiskLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
