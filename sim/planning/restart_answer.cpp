#include "sim/planning/restart_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/least_risk.hpp"
#include "core/length.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"
#include "heuristics/restart/restart_policies.hpp"
#include "sim/planning/share_estimate.hpp"
#include "sim/planning/words.hpp"
#include "sim/sampling/spot_market.hpp"
#include "traces/resampler.hpp"

namespace coterie::sim {
namespace {

using heuristics::MarketOutcome;
using heuristics::RestartQuestion;
using Json = nlohmann::ordered_json;

struct RestartOption {
  std::string strategy;  ///< "tries(losses=2)"
  std::shared_ptr<const heuristics::RestartPolicy> policy;
  std::vector<double> finish;
  double rented = 0, cost = 0, lost = 0;      // of all machines, sums over runs; cost at a price of 1 for spot
  double interruptions = 0, checkpoints = 0;  // of the job, sums over runs
  ShareEstimate in_time;

  double quantile(double level) const {
    const auto at = std::ceil(level * static_cast<double>(finish.size())) - 1;
    return at < static_cast<double>(finish.size()) ? finish[static_cast<std::size_t>(std::max(0.0, at))] : kInfinity;
  }
  std::string name() const { return expression_name(strategy); }
};

std::vector<std::string> strategies_for(const RestartAsked& asked) {
  std::vector<std::string> names = {"optimal", "young", "daly"};
  if (asked.job.saves_in_time()) names = {"spot"};
  if (!asked.on_demand) return names;
  names.insert(names.end(), {"tries(losses=1)", "tries(losses=2)", "tries(losses=3)", "on-demand"});
  if (std::isfinite(asked.job.deadline) && asked.job.deadline >= asked.job.work)
    names.insert(names.end(), {"last-moment", "uniform-progress", "time-sliced"});
  return names;
}

double hours(const RestartAsked& asked) { return asked.has_unit ? 3600 : 1; }

class RestartPlanner {
 public:
  explicit RestartPlanner(const RestartAsked& asked) : asked_(asked), life_(least_of(asked.life, asked.gang)) {
    const auto mean = asked.down ? heuristics::mean_life(*asked.down) : std::optional(asked.down_time);
    question_ = {asked.job, life_, asked.down, asked.spares > 0 ? 0 : mean.value_or(kInfinity), 0, ""};
  }

  Json answer() {
    for (const std::string& name : strategies_for(asked_)) add(name);
    if (options_.empty()) throw InputError("no interval between checkpoints fits into the lives of the machines");
    simulate();
    choose();
    Json options = Json::array();
    for (const RestartOption& one : options_) options.push_back(json_of(one));
    return {{"question", question_json()},
            {"unit", asked_.has_unit ? Json("s") : Json()},
            {"chosen", 0},
            {"reason", reason_},
            {"assumptions", asked_.assumptions},
            {"doubts", doubts()},
            {"options", options}};
  }

 private:
  void add(const std::string& strategy) {
    const auto& table = heuristics::restart_strategies();
    question_.strategy = strategy;
    try {
      RestartOption option;
      option.strategy = strategy;
      option.policy = find_row(table, expression_name(strategy), "strategy").prepare(question_);
      const double chunk = interval_of(option);
      if (!std::isnan(chunk) && !asked_.job.saves_in_time() &&
          !(life_->survival(asked_.job.restart + chunk + asked_.job.checkpoint) > 0))
        return;  // such a chunk is never done
      options_.push_back(std::move(option));
    } catch (const InputError&) {
      // Young and Daly need a mean life, which some laws have not; without any option the answer says so.
    }
  }

  /// Of a job that has just started; NaN where it does not start on spot.
  double interval_of(const RestartOption& option) const {
    heuristics::Situation start;
    start.left = asked_.job.work;
    start.spot_up = true;
    start.running = start.last = heuristics::Market::kSpot;
    const heuristics::Move move = option.policy->next(start);
    return move.market == heuristics::Market::kSpot ? std::min(move.chunk, asked_.job.work) : std::nan("");
  }

  void simulate() {
    const StreamKey lives = StreamKey::derive(asked_.seed, 0, Use::kInterruption);
    const StreamKey absences = StreamKey::derive(asked_.seed, 0, Use::kReturn);
    for (std::uint64_t run = 0; run < asked_.runs; ++run) {
      const auto spot = renewal_times(*life_, asked_.down.get(), asked_.down_time, asked_.spares, lives, absences, run);
      for (RestartOption& one : options_) {
        const MarketOutcome outcome = run_market(asked_.job, *one.policy, *spot);
        one.finish.push_back(outcome.finish);
        const auto gang = static_cast<double>(asked_.gang);  // on-demand needs no spares
        const double on_spot = static_cast<double>(asked_.gang + asked_.spares) * (outcome.rented - outcome.on_demand);
        one.rented += on_spot + gang * outcome.on_demand;
        one.cost += on_spot + gang * asked_.job.price * outcome.on_demand;
        one.lost += gang * outcome.lost;
        one.interruptions += static_cast<double>(outcome.interruptions);
        one.checkpoints += static_cast<double>(outcome.checkpoints);
      }
    }
    for (RestartOption& one : options_) {
      std::sort(one.finish.begin(), one.finish.end());
      const auto late = std::upper_bound(one.finish.begin(), one.finish.end(), asked_.job.deadline * (1 + 1e-9));
      one.in_time = estimate_share(static_cast<std::size_t>(late - one.finish.begin()), one.finish.size());
    }
  }

  bool has_deadline() const { return std::isfinite(asked_.job.deadline); }
  bool is_sure(const RestartOption& one) const {
    constexpr double kPoint = 0.01;
    return one.in_time.share >= asked_.confidence && one.in_time.low >= asked_.confidence - kPoint;
  }

  /// The rules of other plans: with a deadline the cheapest of those that meet it, within 1 % the earlier one; if none
  /// does, the most likely one; without a deadline the earliest 95 % finishing time, within 2 % the cheaper one.
  void choose() {
    const bool any_sure = std::any_of(options_.begin(), options_.end(), [&](const auto& one) { return is_sure(one); });
    const auto before = [&](const RestartOption& a, const RestartOption& b) {
      if (has_deadline()) {
        if (is_sure(a) != is_sure(b)) return is_sure(a);
        if (!is_sure(a)) return a.in_time.share > b.in_time.share;
        return a.cost < b.cost;
      }
      return a.quantile(0.95) < b.quantile(0.95);
    };
    std::stable_sort(options_.begin(), options_.end(), before);
    const RestartOption& first = options_.front();
    const auto as_good = [&](const RestartOption& one) {
      if (has_deadline()) return is_sure(first) && is_sure(one) && one.cost <= 1.01 * first.cost;
      return one.quantile(0.95) <= 1.02 * first.quantile(0.95);
    };
    auto best = options_.begin();
    for (auto one = options_.begin(); one != options_.end(); ++one)
      if (as_good(*one) && (has_deadline() ? one->quantile(0.95) < best->quantile(0.95) : one->cost < best->cost))
        best = one;
    std::rotate(options_.begin(), best, best + 1);
    const std::string least = asked_.price > 0 ? "cost" : "machine time";
    if (!has_deadline())
      reason_ = fmt::format("it is done the earliest in 95 % of the runs (within 2 %, the least {})", least);
    else if (any_sure)
      reason_ = fmt::format("of those that meet the deadline in {} of the runs it has the least {}",
                            percent_text(asked_.confidence), least);
    else
      reason_ = fmt::format("none meets the deadline in {} of the runs; this one most often",
                            percent_text(asked_.confidence));
  }

  static Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

  Json json_of(const RestartOption& one) const {
    const auto runs = static_cast<double>(asked_.runs);
    Json parameters = Json::object();
    parameters["interval"] = finite(interval_of(one));
    const Expression expression = Expression::parse(one.strategy);
    if (one.name() == "tries") parameters["tries"] = expression.number("losses");
    if (one.name() == "last-moment")
      parameters["switch_at"] = std::max(0.0, asked_.job.deadline - asked_.job.work - asked_.job.change);
    return {{"name", one.name()},
            {"policy", one.name()},
            {"machines", {{"spot", asked_.gang + asked_.spares}}},
            {"parameters", parameters},
            {"runs", asked_.runs},
            {"done_by_deadline", has_deadline() ? Json(one.in_time.share) : Json()},
            {"done_by_deadline_low", has_deadline() ? Json(one.in_time.low) : Json()},
            {"done_by_deadline_high", has_deadline() ? Json(one.in_time.high) : Json()},
            {"finish", quantiles_of(one, 1)},
            {"last_finish", asked_.jobs > 1 ? quantiles_of(one, static_cast<double>(asked_.jobs)) : Json()},
            {"work_done", asked_.job.work * static_cast<double>(asked_.gang)},
            {"machine_time", one.rented / runs},
            {"rented_time", one.rented / runs},
            {"cost", asked_.price > 0 ? Json(one.cost / runs * asked_.price / hours(asked_)) : Json()},
            {"wasted", one.lost / runs},
            {"failed_tasks", 0},
            {"interruptions", one.interruptions / runs},
            {"checkpoints", one.checkpoints / runs}};
  }

  /// Of the last of `jobs` independent ones: all are done by t with the probability of one, to the power of their
  /// number.
  Json quantiles_of(const RestartOption& one, double jobs) const {
    const auto at = [&](double level) { return finite(one.quantile(std::pow(level, 1 / jobs))); };
    return {{"q50", at(0.5)}, {"q90", at(0.9)}, {"q95", at(0.95)}};
  }

  Json question_json() const {
    return {{"job", "restart"},
            {"work", asked_.job.work},
            {"checkpoint", asked_.job.checkpoint},
            {"restart", asked_.job.restart},
            {"warning", asked_.job.warning},
            {"gang", asked_.gang},
            {"spares", asked_.spares},
            {"jobs", asked_.jobs},
            {"deadline", has_deadline() ? Json(asked_.job.deadline) : Json()},
            {"confidence", asked_.confidence},
            {"price", asked_.price > 0 ? Json(asked_.price) : Json()},
            {"on_demand", asked_.on_demand ? Json(*asked_.on_demand) : Json()},
            {"change", asked_.job.change},
            {"seed", asked_.seed}};
  }

  /// The expected time with the chosen interval, for other machines drawn from the same trace. [Efron 1979]
  Json doubts() const {
    Json list = Json::array();
    const double interval = interval_of(options_.front());
    if (!asked_.durations || asked_.resamples < 20 || std::isnan(interval) || asked_.job.saves_in_time()) return list;
    const double chunk = std::max(interval, asked_.job.work / 200);
    const traces::Resampler resampler(asked_.durations->counts());
    const StreamKey key = StreamKey::derive(asked_.seed, 0, Use::kPlan);
    std::vector<double> times;
    for (std::uint32_t i = 0; i < asked_.resamples; ++i) {
      const auto counts = resampler.draw(Stream(key, i, 0));
      try {
        const RiskPtr life =
            std::make_shared<EmpiricalRisk>(traces::kaplan_meier_law(counts), "a resample of the trace");
        times.push_back(expected_time({asked_.job.work, asked_.job.checkpoint, asked_.job.restart, question_.mean_down,
                                       least_of(life, asked_.gang)},
                                      heuristics::EqualChunks(chunk)));
      } catch (const InputError&) {  // no interruption at all in it
        times.push_back(asked_.job.work + asked_.job.checkpoint * std::ceil(asked_.job.work / chunk));
      }
    }
    std::sort(times.begin(), times.end());
    const auto at = [&](double level) {
      return times[static_cast<std::size_t>(level * static_cast<double>(times.size()))];
    };
    list.push_back(fmt::format("over resamples of the trace, the mean time on spot is from {} to {} (95 %)",
                               text_of(at(0.025)), text_of(at(0.975))));
    return list;
  }

  std::string text_of(double time) const {
    if (!std::isfinite(time)) return "no end";
    return asked_.has_unit ? length_text(time, 3) : LengthFormat()(time, 3);
  }

  const RestartAsked& asked_;
  RiskPtr life_;
  RestartQuestion question_;
  std::vector<RestartOption> options_;
  std::string reason_;
};

std::string written(const Json& answer, const Json& time) {
  if (time.is_null()) return "never";
  return answer["unit"].is_null() ? LengthFormat()(time.get<double>(), 3) : length_text(time.get<double>(), 3);
}

std::string advice_of(const Json& answer, const Json& option) {
  const std::string policy = option["policy"];
  const std::string interval = written(answer, option["parameters"]["interval"]);
  const std::string save = answer["question"]["checkpoint"] <= answer["question"]["warning"]
                               ? "save when a machine is about to go"
                           : policy == "optimal" ? "save first after " + interval + ", later by age"
                                                 : "save every " + interval;
  if (policy == "on-demand") return "use on-demand alone";
  if (policy == "tries")
    return fmt::format("{} on spot; after {} go on-demand", save,
                       counted(option["parameters"]["tries"].get<std::uint64_t>(), "interruption"));
  if (policy == "last-moment") return fmt::format("{} on spot, until only on-demand still meets the deadline", save);
  if (policy == "uniform-progress") return save + " on spot; on-demand while behind the even pace to the deadline";
  if (policy == "time-sliced") return save + " on spot; on-demand to meet each tenth of the deadline";
  return save + " on spot";
}

}  // namespace

Json restart_answer(const RestartAsked& asked) { return RestartPlanner(asked).answer(); }

std::string restart_text(const Json& answer) {
  const Json& question = answer["question"];
  const Json& best = answer["options"][0];
  std::string text = fmt::format("Do this: {}: done in {} in half of the runs, in {} in 95 %", advice_of(answer, best),
                                 written(answer, best["finish"]["q50"]), written(answer, best["finish"]["q95"]));
  if (!question["deadline"].is_null())
    text += fmt::format(", by the deadline of {} in {}", written(answer, question["deadline"]),
                        share_text(best["done_by_deadline"].get<double>()));
  if (!best["cost"].is_null()) text += fmt::format(", {:.4g} $", best["cost"].get<double>());
  text += fmt::format(". {:.3g} interruptions are expected.", best["interruptions"].get<double>());
  if (!best["last_finish"].is_null())
    text += fmt::format(" The last of {} such jobs ends in {} in half of all cases, in {} in 95 %.",
                        question["jobs"].get<std::uint64_t>(), written(answer, best["last_finish"]["q50"]),
                        written(answer, best["last_finish"]["q95"]));
  text = paragraph(text) + paragraph("Why: " + answer["reason"].get<std::string>() + ".") + '\n';
  text += fmt::format("{:<18}{:>12}{:>10}{:>12}{:>12}{:>10}\n", "policy", "save after", "in time", "50 % by", "95 % by",
                      "cost, $");
  for (const Json& one : answer["options"])
    text += fmt::format("{:<18}{:>12}{:>10}{:>12}{:>12}{:>10}\n",
                        one["policy"] == "tries" ? fmt::format("tries {}", one["parameters"]["tries"].get<int>())
                                                 : one["policy"].get<std::string>(),
                        one["parameters"]["interval"].is_null() ? "-" : written(answer, one["parameters"]["interval"]),
                        one["done_by_deadline"].is_null() ? "-" : share_text(one["done_by_deadline"].get<double>()),
                        written(answer, one["finish"]["q50"]), written(answer, one["finish"]["q95"]),
                        one["cost"].is_null() ? "-" : fmt::format("{:.4g}", one["cost"].get<double>()));
  text += '\n';
  for (const Json& one : answer["assumptions"]) text += paragraph("Assumed: " + one.get<std::string>());
  for (const Json& one : answer["doubts"]) text += paragraph("Doubts: " + one.get<std::string>());
  return text;
}

std::string restart_shell(const Json& answer) {
  const Json& best = answer["options"][0];
  std::string text = fmt::format("POLICY={}\n", best["policy"].get<std::string>());
  const auto add = [&](const char* name, const Json& value, bool up) {
    if (value.is_null()) return;
    const double number = value.get<double>();
    text += fmt::format("{}={}\n", name,
                        to_text(answer["unit"].is_null() ? number
                                : up                     ? std::ceil(number)
                                                         : std::floor(number)));
  };
  add("INTERVAL", best["parameters"]["interval"], false);
  if (best["parameters"].contains("tries")) text += fmt::format("TRIES={}\n", best["parameters"]["tries"].get<int>());
  if (best["parameters"].contains("switch_at")) add("SWITCH_AT", best["parameters"]["switch_at"], false);
  add("FINISH_Q50", best["finish"]["q50"], true);
  add("FINISH_Q95", best["finish"]["q95"], true);
  if (!best["done_by_deadline"].is_null())
    text += fmt::format("DONE_BY_DEADLINE={}\n", best["done_by_deadline"].get<double>());
  if (!best["cost"].is_null()) text += fmt::format("COST={:.4f}\n", best["cost"].get<double>());
  return text;
}

}  // namespace coterie::sim
