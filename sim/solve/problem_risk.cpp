#include "sim/solve/problem_risk.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "core/expression.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {

RiskPtr read_risk(TomlTable& file, const std::string& key) {
  const Expression expression = Expression::parse(file.text(key), file.place(key));
  if (expression.name() == "trace") return traces::risk_from_trace(expression, file.directory()).risk;
  return make_parametric_risk(expression);
}

double read_linear_rate(TomlTable& file, const std::string& why, const std::string& key) {
  const RiskPtr risk = read_risk(file, key);
  const auto rate = risk->linear_rate();
  if (!rate) file.fail(key, fmt::format("must be linear(kappa=...), not {}: {}", risk->text(), why));
  return *rate;
}

}  // namespace coterie::sim
