#include "sim/solve/initiation_answer.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "heuristics/worksharing/initiation_models.hpp"

namespace coterie::sim {

std::optional<double> read_charged_startup(TomlTable& file, double startup) {
  if (!file.has("charged_startup")) return std::nullopt;
  const double charged = file.number("charged_startup");
  if (!(charged > 0) || !std::isfinite(charged)) file.fail("charged_startup", "must be positive and finite");
  if (startup > 0)
    file.fail("charged_startup",
              "is for Theorem 1, which compares an answer without start-up cost with this one; leave it out, or write "
              "startup = 0");
  return charged;
}

nlohmann::ordered_json theorem_1_answer(const InitiationCase& known, std::optional<double> charged_startup) {
  nlohmann::ordered_json json;
  if (known.startup > 0) {
    const auto model = heuristics::free_model(
        known.expected_work, known.is_optimal ? known.most_distinct : std::nullopt, known.startup, known.free_bound);
    json = {{"initiation", "free"}, {"startup", 0}, {"at_least", model.at_least}, {"at_most", model.at_most}};
    return json;
  }
  const double greatest = known.is_optimal ? known.expected_work : known.bound;
  json = {{"initiation", "charged"}, {"startup", nullptr}, {"at_least", nullptr}, {"at_most", greatest}};
  json["lost_at_most_per_startup"] = known.distinct_chunks;
  if (charged_startup) {
    const auto model =
        heuristics::charged_model(known.expected_work, greatest, known.distinct_chunks, *charged_startup);
    json["startup"] = *charged_startup;
    json["at_least"] = model.at_least;
    json["at_most"] = model.at_most;
  }
  return json;
}

}  // namespace coterie::sim
