#include "heuristics/ceilings/listening_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kMostSteps = 1e6;

std::size_t steps_of(double length, double step) { return static_cast<std::size_t>(std::llround(length / step)); }

void require_multiple(const char* name, double length, double step) {
  constexpr double kSame = 1e-9;
  const double steps = length / step;
  if (!(steps <= kMostSteps) || std::abs(steps - std::round(steps)) > kSame * std::max(1.0, steps))
    throw InputError(fmt::format("{} = {} must be a whole number of steps of {}, at most {}", name, to_text(length),
                                 to_text(step), to_text(kMostSteps)));
}

}  // namespace

std::size_t ListeningProblem::work_steps() const { return steps_of(work, step); }
std::size_t ListeningProblem::startup_steps() const { return steps_of(startup_cost, step); }

std::vector<double> ListeningProblem::survival(std::size_t worker) const {
  constexpr double kHardlyAnyone = 1e-12;
  const std::size_t last = work_steps() * (1 + startup_steps());
  const std::size_t most = kMostStates / (work_steps() + 1);
  std::vector<double> survival = {1};
  for (std::size_t k = 1; k <= last && survival.back() > kHardlyAnyone; ++k) {
    if (k >= most) throw InputError("too many states: the work and lives are too long for this step");
    survival.push_back(risks[worker]->survival(static_cast<double>(k) * step));
  }
  return survival;
}

void ListeningProblem::validate() const {
  if (risks.empty()) throw InputError("at least one worker is needed");
  if (!(step > 0 && std::isfinite(step))) throw InputError(fmt::format("step = {} must be above 0", to_text(step)));
  if (!(work > 0 && std::isfinite(work))) throw InputError(fmt::format("work = {} must be above 0", to_text(work)));
  if (!(startup_cost >= 0 && std::isfinite(startup_cost)))
    throw InputError(fmt::format("startup = {} must not be below 0", to_text(startup_cost)));
  require_multiple("work", work, step);
  require_multiple("startup", startup_cost, step);
  if (work_steps() < 1) throw InputError(fmt::format("work = {} must be at least one step of {}", work, step));
}

}  // namespace coterie::heuristics
