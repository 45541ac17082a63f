#include "sim/solve/problem_risk.hpp"

#include <fmt/format.h>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "sim/input/risks.hpp"

namespace coterie::sim {

RiskPtr read_risk(TomlTable& file, const RiskKinds& laws, const std::string& key) {
  RiskLibrary risks(file.directory(), laws);
  const std::string text = file.text(key);
  if (!risks.alike(text, file.place(key)))
    file.fail(key, "must be one risk for all workers: mix(...), age=drawn and age=each are for campaigns");
  return risks.get(text, file.place(key));
}

double read_linear_rate(TomlTable& file, const RiskKinds& laws, const std::string& why, const std::string& key) {
  const RiskPtr risk = read_risk(file, laws, key);
  const auto rate = risk->linear_rate();
  if (!rate) file.fail(key, fmt::format("must be linear(kappa=...), not {}: {}", echoed(risk->text()), why));
  return *rate;
}

}  // namespace coterie::sim
