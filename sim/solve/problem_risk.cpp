#include "sim/solve/problem_risk.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "sim/input/risks.hpp"

namespace coterie::sim {

RiskPtr read_risk(TomlTable& file, const RiskKinds& laws, const std::string& key) {
  RiskLibrary risks(file.directory(), laws);
  const auto risk = risks.resolve(file.text(key), file.place(key));
  if (!risk->alike())
    file.fail(key,
              "must be one risk for all workers: mix(...), age=drawn and age=each are for campaigns of worksharing and "
              "dispatch");
  return risk->planned();
}

double read_linear_rate(TomlTable& file, const RiskKinds& laws, const std::string& why, const std::string& key) {
  const RiskPtr risk = read_risk(file, laws, key);
  const auto rate = risk->linear_rate();
  if (!rate) file.fail(key, fmt::format("must be linear(kappa=...), not {}: {}", echoed(risk->text()), why));
  return *rate;
}

}  // namespace coterie::sim
