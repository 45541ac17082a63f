#include "sim/solve/worker_risks.hpp"

#include <algorithm>

#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

RiskPtr risk_of(TomlTable& table, const RiskKinds& laws, const RiskPtr& otherwise) {
  if (table.has("risk")) return read_risk(table, laws);
  table.text("risk", "");  // the key is known, so that a misspelt one finds it
  return otherwise;
}

}  // namespace

std::vector<RiskPtr> read_worker_risks(TomlTable& file, std::vector<TomlTable>& workers, const RiskKinds& laws) {
  const RiskPtr common = risk_of(file, laws, nullptr);
  std::vector<RiskPtr> risks;
  for (TomlTable& table : workers) risks.push_back(risk_of(table, laws, common));
  const auto without = std::find(risks.begin(), risks.end(), nullptr);
  if (without == risks.end()) return risks;
  if (std::any_of(risks.begin(), risks.end(), [](const RiskPtr& risk) { return risk != nullptr; }))
    workers[static_cast<std::size_t>(without - risks.begin())].fail(
        "risk", "is missing, but other workers have one: write it here, or at the top of the file for all workers");
  return {};
}

void add_returns(nlohmann::ordered_json& json, const heuristics::ReturnPlan& plan, const std::vector<RiskPtr>& risks) {
  json["uninterrupted_work"] = plan.whole();
  json["expected_returned_work"] = plan.expected(risks);
  for (std::size_t i = 0; i < risks.size(); ++i) {
    const bool enrolled = plan.work[i] > 0;
    json["return_times"].push_back(enrolled ? nlohmann::ordered_json(plan.times[i]) : nullptr);
    json["survival"].push_back(enrolled ? nlohmann::ordered_json(risks[i]->survival(plan.times[i])) : nullptr);
  }
}

}  // namespace coterie::sim
