#include "heuristics/restart/restart_policies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"
#include "heuristics/restart/optimal_rule.hpp"
#include "heuristics/restart/optimal_switch.hpp"

namespace coterie::heuristics {
namespace {

double known_mean(const RestartQuestion& question) {
  const auto mean = question.life ? mean_life(*question.life) : std::nullopt;
  if (!mean)
    throw InputError(
        fmt::format("{} needs a mean time between interruptions: give a risk that has one", question.strategy));
  return *mean;
}

double positive_argument(const RestartQuestion& question, const char* name, double otherwise) {
  const Expression expression = Expression::parse(question.strategy);
  const double value = expression.number(name, otherwise);
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("{}: {} must be positive and finite", question.strategy, name));
  return value;
}

double whole_argument(const RestartQuestion& question, const char* name, double otherwise) {
  const double value = positive_argument(question, name, otherwise);
  if (value != std::floor(value) || value > 1e6)
    throw InputError(fmt::format("{}: {} must be a whole number from 1 to 1000000", question.strategy, name));
  return value;
}

/// Spot alone, with a rule for chunks.
class SpotAlone final : public RestartPolicy {
 public:
  explicit SpotAlone(std::shared_ptr<const ChunkRule> rule) : rule_(std::move(rule)) {}
  Move next(const Situation& now) const override {
    if (now.running != Market::kSpot) return {Market::kSpot};
    return {Market::kSpot, rule_->chunk(now.left, now.age)};
  }

 private:
  std::shared_ptr<const ChunkRule> rule_;
};

std::unique_ptr<RestartPolicy> equal_chunks(double interval) {
  return std::make_unique<SpotAlone>(std::make_shared<EqualChunks>(interval));
}

std::unique_ptr<RestartPolicy> optimal_policy(const RestartQuestion& question) {
  if (question.job.saves_in_time()) return equal_chunks(question.job.work);
  return std::make_unique<SpotAlone>(optimal_restarts(question.restart_job()).rule);
}

std::unique_ptr<RestartPolicy> young_policy(const RestartQuestion& question) {
  if (question.job.checkpoint == 0) return equal_chunks(question.job.work);
  return equal_chunks(young_interval(question.job.checkpoint, known_mean(question)));
}

std::unique_ptr<RestartPolicy> daly_policy(const RestartQuestion& question) {
  if (question.job.checkpoint == 0) return equal_chunks(question.job.work);
  return equal_chunks(daly_interval(question.job.checkpoint, known_mean(question)));
}

std::unique_ptr<RestartPolicy> periodic_policy(const RestartQuestion& question) {
  const double interval = positive_argument(question, "interval", std::nan(""));
  if (interval > question.job.work)
    throw InputError(
        fmt::format("{}: interval must not exceed the work, {}", question.strategy, to_text(question.job.work)));
  return equal_chunks(interval);
}

std::unique_ptr<RestartPolicy> spot_policy(const RestartQuestion& question) { return equal_chunks(question.chunk()); }

class OnDemandAlone final : public RestartPolicy {
 public:
  Move next(const Situation&) const override { return {Market::kOnDemand}; }
};

std::unique_ptr<RestartPolicy> on_demand_policy(const RestartQuestion&) { return std::make_unique<OnDemandAlone>(); }

class Tries final : public RestartPolicy {
 public:
  Tries(double losses, double chunk) : losses_(losses), chunk_(chunk) {}
  Move next(const Situation& now) const override {
    return static_cast<double>(now.losses) < losses_ ? Move{Market::kSpot, chunk_} : Move{Market::kOnDemand};
  }

 private:
  double losses_;
  double chunk_;
};

std::unique_ptr<RestartPolicy> tries_policy(const RestartQuestion& question) {
  return std::make_unique<Tries>(whole_argument(question, "losses", 1), question.chunk());
}

/// Policies that meet a deadline surely: whatever happens on spot, there is time left to end on-demand.
class InTime : public RestartPolicy {
 public:
  InTime(const MarketJob& job, double chunk) : job_(job), chunk_(chunk) {}

 protected:
  static constexpr int kToTheEnd = 1;

  /// When on-demand must have been chosen to end in time.
  double latest(const Situation& now) const {
    return job_.deadline - now.left - now.start_cost(job_, Market::kOnDemand);
  }
  Move to_the_end() const { return {Market::kOnDemand, kInfinity, kInfinity, kToTheEnd}; }

  /// Goes on on spot, with a chunk after which, if it is lost at its end, there is still time for on-demand.
  Move safe_chunk(const Situation& now) const {
    const double room = latest(now) - now.time - job_.checkpoint;
    if (job_.saves_in_time()) return room >= 0 ? Move{Market::kSpot, chunk_} : to_the_end();
    const double chunk = std::min({chunk_, now.left, room});
    return chunk > 1e-6 * std::min(chunk_, now.left) ? Move{Market::kSpot, chunk} : to_the_end();
  }
  /// The margin of Wu et al.: one change to spot and one back.
  double margin() const { return job_.change + std::max(job_.change, job_.restart); }
  /// When an idle job must go on-demand to the end: what is left of the time is what is left of the work + 2 d.
  double safety_net(const Situation& now) const { return job_.deadline - now.left - margin(); }

  const MarketJob job_;
  const double chunk_;
};

class LastMoment final : public InTime {
 public:
  using InTime::InTime;
  Move next(const Situation& now) const override {
    if (now.running == Market::kOnDemand) return to_the_end();
    if (now.running == Market::kSpot) return safe_chunk(now);
    if (now.time >= latest(now)) return to_the_end();
    if (now.spot_up) return now.may_start_spot(job_) ? Move{Market::kSpot, chunk_} : to_the_end();
    return {Market::kNone, kInfinity, latest(now)};
  }
};

std::unique_ptr<RestartPolicy> last_moment_policy(const RestartQuestion& question) {
  return std::make_unique<LastMoment>(question.job, question.chunk());
}

class UniformProgress final : public InTime {
 public:
  using InTime::InTime;
  Move next(const Situation& now) const override {
    const double pace = job_.work / job_.deadline;
    const double done = job_.work - now.left;
    if (now.memory == kToTheEnd) return to_the_end();
    if (now.running == Market::kSpot) return safe_chunk(now);
    if (now.running == Market::kOnDemand) {
      // Caught up at the time t at which done + t - now = pace (t + 2 d); pace < 1, or it would be to the end.
      const double ahead = (pace * (now.time + 2 * job_.change) - done) / (1 - pace);
      if (ahead > 1e-9 * job_.deadline) return {Market::kOnDemand, kInfinity, now.time + ahead};
    }
    if (now.time >= safety_net(now)) return to_the_end();
    if (now.spot_up && now.may_start_spot(job_)) return {Market::kSpot, chunk_};
    const double behind = done / pace;  // from then on
    if (now.running == Market::kOnDemand ? now.spot_up : now.time >= behind) return {Market::kOnDemand};
    return {Market::kNone, kInfinity, std::min(behind, safety_net(now))};
  }
};

std::unique_ptr<RestartPolicy> uniform_progress_policy(const RestartQuestion& question) {
  return std::make_unique<UniformProgress>(question.job, question.chunk());
}

class TimeSliced final : public InTime {
 public:
  TimeSliced(const MarketJob& job, double chunk, double slices) : InTime(job, chunk), slices_(slices) {}
  Move next(const Situation& now) const override {
    if (now.memory == kToTheEnd) return to_the_end();
    if (now.running == Market::kSpot) return safe_chunk(now);
    const double length = job_.deadline / slices_;
    const double slice = std::min(slices_, std::floor(now.time / length * (1 + 1e-12) + 1e-12) + 1);
    const double goal = job_.work * slice / slices_;
    const double missing = goal - (job_.work - now.left);
    const double tiny = 1e-9 * job_.work;
    if (now.running == Market::kOnDemand && missing > tiny)  // until its share is done
      return {Market::kOnDemand, kInfinity, now.time + missing};
    if (now.time >= safety_net(now)) return to_the_end();
    const double end = slice * length;
    const double net = missing > tiny ? end - missing - margin() : end;
    if (missing > tiny && now.time >= net) return {Market::kOnDemand};
    if (now.spot_up && now.may_start_spot(job_)) return {Market::kSpot, chunk_};
    return {Market::kNone, kInfinity, std::min(net, safety_net(now))};
  }

 private:
  double slices_;
};

std::unique_ptr<RestartPolicy> time_sliced_policy(const RestartQuestion& question) {
  return std::make_unique<TimeSliced>(question.job, question.chunk(), whole_argument(question, "slices", 10));
}

}  // namespace

RestartJob RestartQuestion::restart_job() const {
  if (!life) throw InputError(fmt::format("{} plans by a law of lives: give a risk", strategy));
  return {job.work, job.checkpoint, job.restart, mean_down, life};
}

double RestartQuestion::chunk() const {
  if (job.saves_in_time()) return job.work;
  return interval > 0 ? interval : young_interval(job.checkpoint, known_mean(*this));
}

const std::vector<RestartStrategy>& restart_strategies() {
  constexpr const char* kPage = "beyond the papers";
  constexpr const char* kWu = "Wu et al., NSDI 2024";
  static const std::vector<RestartStrategy> table = {
      {"optimal",
       "spot, chunks of least expected finishing time, by work left and age",
       kPage,
       {},
       false,
       false,
       optimal_policy},
      {"young", "spot, chunks of sqrt(2 C M)", "Young 1974", {}, false, false, young_policy},
      {"daly",
       "spot, chunks of Daly's higher-order interval",
       "Daly 2006, Equation (37)",
       {},
       false,
       false,
       daly_policy},
      {"periodic",
       "spot, equal chunks",
       kPage,
       {{"interval", "time", "", "> 0", "work between checkpoints"}},
       false,
       false,
       periodic_policy},
      {"on-demand", "never spot", kPage, {}, true, false, on_demand_policy},
      {"spot", "only spot", kPage, {}, false, false, spot_policy},
      {"tries",
       "spot until it was lost some times, then on-demand",
       kPage,
       {{"losses", "", "1", "1 to 1000000", "interruptions after which it is given up"}},
       true,
       false,
       tries_policy},
      {"last-moment",
       "spot until waiting longer would surely miss the deadline, then on-demand",
       kPage,
       {},
       true,
       true,
       last_moment_policy},
      {"uniform-progress",
       "on-demand only where the job is behind the even pace to the deadline",
       kWu,
       {},
       true,
       true,
       uniform_progress_policy},
      {"time-sliced",
       "the deadline in equal slices, each with its share of the work done surely",
       kWu,
       {{"slices", "", "10", "1 to 1000000", "number of slices"}},
       true,
       true,
       time_sliced_policy},
      {"optimal-switch",
       "least expected cost that surely meets the deadline, for lives and absences of the risk",
       kPage,
       {},
       true,
       true,
       optimal_switch},
  };
  return table;
}

}  // namespace coterie::heuristics
