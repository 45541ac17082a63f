// coterie with a strategy, policies and a risk of your own, which work with all verbs:
//   my-coterie schedule --strategy staggered --workers 3 --work 1 --chunks 12 --risk "uniform(low=0.5, high=1.5)"
// and with a verb of your own, which runs a campaign and uses its result:
//   my-coterie ratios CAMPAIGN.toml RESULT.h5

#include <algorithm>
#include <iostream>

#include "core/text.hpp"
#include "heuristics/dispatch/policies.hpp"
#include "heuristics/restart/restart_policies.hpp"
#include "heuristics/worksharing/group_schedule.hpp"
#include "sim/command_line/command_line.hpp"
#include "sim/results/result_file.hpp"
#include "sim/run/run_campaign.hpp"

namespace {

using namespace coterie;

/// Each execution goes through the groups in the same cyclic order, but starts a little further on.
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

/// A queue of equal chunks; when it is empty, copies of chunks that are not known to be complete, the oldest first.
class Tenths final : public heuristics::ListeningPolicy {
 public:
  heuristics::Order next(const heuristics::Heard& heard, std::uint32_t worker) override {
    const double share = heard.work() / static_cast<double>(heard.workers());
    if (heard.pool() > 0) return heuristics::Order::fresh(share / 10);
    for (std::uint32_t piece = 0; piece < heard.pieces(); ++piece)
      if (!heard.is_known(piece) && !heard.is_gone(piece) && !heard.has_had(worker, piece))
        return heuristics::Order::piece(piece);
    return heuristics::Order::nothing();  // asked again when something is heard
  }
};

heuristics::PolicyMaker tenths(const heuristics::DispatchQuestion&) {
  return [] { return std::make_unique<Tenths>(); };
}

/// An interruption at any moment from low to high, all equally likely.
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

/// A job that restarts: spot in the first half of the time to the deadline, then on-demand.
class HalfTime final : public heuristics::RestartPolicy {
 public:
  explicit HalfTime(double deadline) : half_(deadline / 2) {}
  heuristics::Move next(const heuristics::Situation& now) const override {
    if (now.time >= half_) return {.market = heuristics::Market::kOnDemand};
    return {.market = now.spot_up ? heuristics::Market::kSpot : heuristics::Market::kNone, .until = half_};
  }

 private:
  double half_;
};

std::unique_ptr<heuristics::RestartPolicy> half_time(const heuristics::RestartQuestion& question) {
  return std::make_unique<HalfTime>(question.job.deadline);
}

sim::Extension mine() {
  sim::Extension mine;
  mine.program = "my-coterie";
  mine.version = "1";  // of your strategies, policies and risks: change it when they change
  mine.strategies.push_back({.name = "staggered",
                             .summary = "group schedule: each execution starts a little further on",
                             .source = "mine",
                             .builder = staggered_plan});
  mine.policies.push_back({.name = "tenths",
                           .summary = "a queue of chunks of a tenth of a worker's share, then copies",
                           .source = "mine",
                           .prepare = tenths});
  mine.restart_policies.push_back({.name = "half-time",
                                   .summary = "spot for half of the time to the deadline, then on-demand",
                                   .source = "mine",
                                   .uses_on_demand = true,
                                   .needs_deadline = true,
                                   .prepare = half_time});
  mine.risks.push_back({.name = "uniform",
                        .summary = "an interruption at any moment from low to high",
                        .parameters = {{"low", "work", "0", ">= 0", "no interruption before"},
                                       {"high", "work", "", "> low", "certain interruption by then"}},
                        .make = make_uniform});
  return mine;
}

/// A campaign as one step of a program: runs what is missing from its results, and prints the mean ratio of each
/// strategy.
void print_ratios(const std::string& campaign, const std::string& output) {
  const sim::Catalogue catalogue(mine());
  sim::StopRule stop(3600);  // seconds; stop.request() ends it sooner, from any thread
  sim::RunSettings settings;
  settings.existing = sim::Existing::kResume;
  settings.stop = &stop;
  settings.progress = [](const sim::ProgressState& state) { std::cerr << '\r' << 100 * state.share() << " %   "; };
  const auto outcome = sim::run_campaign(sim::read_campaign(campaign, {}, catalogue), output, settings);
  if (outcome.end == sim::RunOutcome::End::kStopped) throw Stopped("stopped " + outcome.stopped_at);
  const sim::ResultFile result(output, catalogue);
  for (std::size_t s = 0; s < result.strategies().size(); ++s)
    std::cout << result.strategies()[s] << ' ' << result.file().read_doubles("mean")[s] << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 || std::string(argv[1]) != "ratios") return sim::command_line(mine(), argc, argv);
  try {
    print_ratios(argv[2], argv[3]);
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
