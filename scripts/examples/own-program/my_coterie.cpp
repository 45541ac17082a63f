// coterie with a strategy and a risk of your own, for all of its verbs:
//   my-coterie schedule --strategy staggered --workers 3 --work 1 --chunks 12 --risk "uniform(low=0.5, high=1.5)"

#include <algorithm>

#include "core/text.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "sim/command_line/command_line.hpp"

namespace {

using namespace coterie;

/// Each execution goes through the groups in the same order, but begins a little further on.
heuristics::GroupChart staggered_chart(std::size_t executions, std::size_t groups, std::span<const double>) {
  heuristics::GroupChart chart{executions, groups, std::vector<std::uint32_t>(executions * groups)};
  for (std::size_t i = 0; i < executions; ++i)
    for (std::size_t k = 0; k < groups; ++k)
      chart.steps[i * groups + (i * groups / executions + k) % groups] = static_cast<std::uint32_t>(i * groups + k + 1);
  return chart;
}

heuristics::Plan staggered_plan(heuristics::PlanCache& book) {
  return heuristics::group_plan(book.problem(), book.granularity(), staggered_chart);
}

/// An interruption at any moment from low to high, all alike.
class UniformRisk final : public Risk {
 public:
  UniformRisk(double low, double high) : low_(low), high_(high) {}
  double probability(double t) const override { return std::clamp((t - low_) / (high_ - low_), 0.0, 1.0); }
  double quantile(double u) const override { return low_ + u * (high_ - low_); }
  double density(double t) const override { return t > low_ && t < high_ ? 1 / (high_ - low_) : 0; }
  std::string text() const override { return "uniform(low=" + to_text(low_) + ", high=" + to_text(high_) + ")"; }

 private:
  double low_;
  double high_;
};

RiskPtr make_uniform(const Expression& expression) {
  const double low = expression.number("low", 0);
  const double high = expression.number("high");
  if (!(low >= 0 && high > low))
    throw InputError(expression.place(), "uniform: low must not be negative, and high must be greater than low");
  return std::make_shared<UniformRisk>(low, high);
}

}  // namespace

int main(int argc, char** argv) {
  sim::Extension mine;
  mine.program = "my-coterie";
  mine.version = "1";  // of your strategies and risks: give them another one when they change
  mine.strategies.push_back({.name = "staggered",
                             .summary = "group schedule: each execution begins a little further on",
                             .source = "mine",
                             .builder = staggered_plan});
  mine.risks.push_back({.name = "uniform",
                        .summary = "an interruption at any moment from low to high",
                        .parameters = {{"low", "work", "0", ">= 0", "no interruption before"},
                                       {"high", "work", "", "> low", "certain interruption by then"}},
                        .make = make_uniform});
  return sim::command_line(mine, argc, argv);
}
