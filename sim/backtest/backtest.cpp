#include "sim/backtest/backtest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/backtest/recorded_windows.hpp"
#include "sim/backtest/scores.hpp"
#include "sim/planning/answer.hpp"
#include "sim/planning/clock.hpp"
#include "traces/change.hpp"
#include "traces/known_at.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/times.hpp"
#include "traces/summary.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kPromisedRuns = 0x4000000;  // the first of the runs whose outcomes are promised
constexpr double kLatest = 0.975;                   // of the greatest range
constexpr std::array<double, 3> kRanges = {0.5, 0.8, 0.95};

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(); }

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

/// One plan, what it promised, and what came of it in the windows that followed.
struct Trial {
  double at = 0;  ///< it knew what was recorded before
  double until = 0;
  Answer answer;
  std::vector<double> finishes;  ///< promised, sorted
  std::vector<RecordedWindow> windows;
  std::vector<bool> decided;                              ///< by window: whether no spell that was cut off matters
  std::map<std::string, std::vector<FleetOutcome>> seen;  ///< by policy, on as many machines as the chosen one
  traces::Change change;                                  ///< of what it knew

  const Contender& chosen() const { return answer.options.front(); }
  const std::vector<FleetOutcome>& outcomes() const { return seen.at(chosen().name); }
};

class Backtest {
 public:
  Backtest(const BacktestQuestion& asked, const Catalogue& catalogue,
           const std::function<void(const std::string&)>& tell)
      : asked_(asked), catalogue_(catalogue), tell_(tell), question_(asked.question) {
    question_.explain = false;
    question_.resamples = 0;
  }

  Json operator()() {
    find_source();
    tell_("reading");
    log_ = traces::read_trace(source_.file, source_.format, source_.options);
    fleets_ = std::make_unique<RecordedFleets>(log_, windows_asked());
    make_trials();
    return told();
  }

 private:
  static Place place_in(const MachineGroup& group, const std::string& key) {
    const auto found = group.places.find(key);
    return found == group.places.end() ? Place{} : found->second;
  }

  /// The recording that all machines are from.
  void find_source() {
    std::optional<TraceSource> source;
    if (question_.replay) source = question_.replay->trace;
    for (const MachineGroup& group : question_.machines) {
      if (!group.risk.empty())
        throw InputError(place_in(group, "risk"),
                         fmt::format("{} {}: a backtest needs machines whose times were recorded, or that are never "
                                     "interrupted",
                                     question_.called("risk"), echoed(group.risk)));
      if (!group.trace) continue;
      if (source && !(*source == *group.trace))
        throw InputError(place_in(group, "trace"),
                         fmt::format("{} and {}: a backtest takes all machines from one recording",
                                     printable(source->file), printable(group.trace->file)));
      source = group.trace;
      log_groups_.push_back(&group);
    }
    if (!source)
      throw InputError(question_.place("trace"), "no machines have a recording: which file tells when they were up?");
    if (question_.jobs)
      throw InputError(question_.place("jobs_every"),
                       "background jobs are in no recording: leave them out of a backtest");
    source_ = *source;
  }

  WindowsAsked windows_asked() {
    WindowsAsked windows;
    windows.seed = question_.seed;
    if (question_.replay) {
      windows.joining = Joining::kTogether;
      windows.slots = question_.replay->slots;
      return windows;
    }
    const MachineGroup& first = *log_groups_.front();
    for (const MachineGroup* group : log_groups_)
      for (const auto& [key, same] : {std::pair{"age", group->age == first.age},
                                      {"replaced", group->replaced == first.replaced},
                                      {"estimator", group->estimator == first.estimator}})
        if (!same)
          throw InputError(place_in(*group, key), fmt::format("{}: a backtest needs the same one for all recorded "
                                                              "machines",
                                                              question_.called(key)));
    if (first.age == "stationary")
      windows.joining = Joining::kUp;
    else
      windows.age = parse_length(first.age, question_.called("age"), place_in(first, "age")).value;
    windows.all_ends = first.estimator == "naive";
    windows.after = first.replaced == "never"      ? AfterSpell::kGone
                    : first.replaced == "recorded" ? AfterSpell::kRecorded
                                                   : AfterSpell::kReplaced;
    return windows;
  }

  Question question_at(double time) const {
    Question question = question_;
    const auto known = std::make_shared<const traces::AvailabilityTrace>(traces::known_at(log_, time));
    if (question.replay) question.replay->trace.known = known;
    for (MachineGroup& group : question.machines)
      if (group.trace) group.trace->known = known;
    return question;
  }

  void make_trials() {
    const double first = fleets_->after_share(asked_.first_part);
    Trial begun = plan_at(first);
    const double work = begun.answer.situation->work;
    span_ = span_of(begun) * work;
    WindowsAsked windows = windows_asked();
    windows.span = span_;
    const Situation& situation = *begun.answer.situation;
    for (const GroupLaws& machines : situation.machines)
      if (machines.down && windows.after == AfterSpell::kReplaced) windows.down = machines.down->in_unit(1 / work);
    if (question_.replay && !question_.start.empty()) windows.starts = starts();
    fleets_ = std::make_unique<RecordedFleets>(log_, std::move(windows));
    std::vector<double> times = fleets_->plan_times(first, asked_.plans);
    if (times.empty() || times.front() != first)
      throw InputError(fmt::format(
          "{}: {} are left after the first plan, but its windows take {}; give less {}, fewer machines or a smaller {}",
          printable(source_.file), length_text(fleets_->end() - first), length_text(span_), question_.called("work"),
          "--first-part"));
    for (std::size_t k = 0; k < times.size(); ++k) {
      tell_(fmt::format("plan {} of {}", k + 1, times.size()));
      Trial trial = k == 0 ? std::move(begun) : plan_at(times[k]);
      trial.until = k + 1 < times.size() ? times[k + 1] : fleets_->end();
      hold(trial, first);
      if (!trial.windows.empty()) trials_.push_back(std::move(trial));
    }
    if (trials_.empty())
      throw InputError(
          fmt::format("{}: too few machines are recorded after the first plan for one window; give fewer "
                      "machines, fewer --plans or a smaller --first-part",
                      printable(source_.file)));
  }

  /// By when the promises of a window are decided, in units of the work.
  double span_of(const Trial& trial) const {
    const Situation& situation = *trial.answer.situation;
    if (situation.replay) return situation.horizon;
    const double deadline = std::isfinite(situation.deadline) ? situation.deadline : 0;
    if (const double finish = time_for_share(trial.finishes, kLatest); std::isfinite(finish))
      return std::max(deadline, finish);
    const auto never = std::find(trial.finishes.begin(), trial.finishes.end(), kInfinity);
    return std::max(deadline, never == trial.finishes.begin() ? 1 : *std::prev(never));
  }

  /// Moments of the week at which the work may start.
  std::vector<double> starts() const {
    constexpr double kWeek = 7 * 86400;
    const double asked = parse_clock_time(question_.start)->in_week;
    std::vector<double> starts;
    double start = fleets_->begin() + std::fmod(asked - second_of_week(fleets_->begin()) + kWeek, kWeek);
    for (; start + span_ <= fleets_->end(); start += kWeek) starts.push_back(start);
    return starts;
  }

  Trial plan_at(double time) {
    Trial trial;
    trial.at = time;
    const Question question = question_at(time);
    const traces::AvailabilityTrace known = traces::known_at(log_, time);
    trial.answer = answer(question, catalogue_);
    trial.change = traces::change(known);
    const Contender& chosen = trial.chosen();
    for (const FleetOutcome& run :
         run_fleet(*chosen.fleet, *chosen.policy, question_.seed, kPromisedRuns, question_.runs.value_or(kRuns)))
      trial.finishes.push_back(run.finish);
    std::sort(trial.finishes.begin(), trial.finishes.end());
    return trial;
  }

  /// The windows that follow a plan, with each of its policies.
  void hold(Trial& trial, double first) {
    const Fleet& fleet = *trial.chosen().fleet;
    std::vector<bool> recorded;
    for (const bool fallback : {false, true})
      for (const FleetGroup& group : fleet.groups)
        if (group.fallback == fallback) recorded.insert(recorded.end(), group.count, group.life != nullptr);
    const auto machines = static_cast<std::size_t>(std::count(recorded.begin(), recorded.end(), true));
    if (machines == 0) throw InputError("the plan takes none of the recorded machines: nothing to hold it against");
    const auto windows = [&](CutOff cut_off) {
      return fleets_->windows(trial.at, trial.until, machines, asked_.windows, cut_off, first);
    };
    trial.windows = windows(CutOff::kGoesOn);
    const auto run = [&](const Contender& one, std::vector<RecordedWindow> of) {
      Fleet held = *one.fleet;
      const std::size_t count = of.size();
      held.replay = std::make_shared<WindowsInTurn>(std::move(of), recorded, trial.answer.situation->work);
      return run_fleet(held, *one.policy, question_.seed, 0, count);
    };
    for (const Contender& one : trial.answer.options)
      if (one.counts == trial.chosen().counts) trial.seen[one.name] = run(one, trial.windows);
    const auto stay = run(trial.chosen(), windows(CutOff::kStays));
    const auto leave = run(trial.chosen(), windows(CutOff::kLeaves));
    for (std::size_t i = 0; i < stay.size(); ++i) trial.decided.push_back(stay[i].finish == leave[i].finish);
  }

  std::string time_text(double time) const {
    return traces::has_clock(log_) ? traces::utc_text(time) : length_text(time - fleets_->begin());
  }

  /// By window of all plans.
  void gather() {
    for (std::size_t k = 0; k < trials_.size(); ++k)
      for (const FleetOutcome& seen : trials_[k].outcomes()) {
        plan_of_.push_back(k);
        ranks_.push_back(rank_of(seen.finish, trials_[k].finishes));
      }
  }

  Score mean_of(const std::function<double(const Trial&, std::size_t)>& value, bool share = false) const {
    std::vector<double> values;
    for (const Trial& trial : trials_)
      for (std::size_t i = 0; i < trial.windows.size(); ++i) values.push_back(value(trial, i));
    return share ? share_score(values, plan_of_) : score(values, plan_of_);
  }

  Score coverage(double range) const {
    std::vector<double> hits;
    for (const Rank& rank : ranks_) hits.push_back(rank.within(range));
    return share_score(hits, plan_of_);
  }

  bool has_deadline() const { return std::isfinite(situation().deadline); }
  const Situation& situation() const { return *trials_.front().answer.situation; }
  double work() const { return situation().work; }
  bool in_time(const FleetOutcome& seen) const {
    return outcomes_of(std::span(&seen, 1), situation().deadline, question_.confidence).in_time.share > 0;
  }

  Json told() {
    gather();
    Json json;
    json["log"] = source_.file;
    json["unit"] = "s";
    json["question"] = trials_.front().answer.json["question"];
    json["setting"] = setting();
    json["begin"] = fleets_->begin();
    json["end"] = fleets_->end();
    json["clock"] = traces::has_clock(log_);
    json["windows"] = plan_of_.size();
    json["undecided"] = undecided();
    for (const double range : kRanges) {
      const Score found = coverage(range);
      const std::string name = fmt::format("coverage_{}", std::lround(100 * range));
      json[name] = found.mean;
      json[name + "_low"] = found.low;
      json[name + "_high"] = found.high;
    }
    json["calibration"] = calibration();
    json["means"] = means();
    json["held"] = held(json);
    json["regret"] = regret();
    json["signs"] = signs();
    json["plans"] = Json::array();
    for (std::size_t k = 0; k < trials_.size(); ++k) json["plans"].push_back(plan_json(k));
    json["promises"] = promises();
    return json;
  }

  /// Whether the 80 % ranges, the medians and what was promised of the deadline agree with what came.
  static bool held(const Json& found) {
    const Json& in_time = found["means"]["done_by_deadline"];
    const Json& curve = found["calibration"];
    const auto half =
        std::find_if(curve.begin(), curve.end(), [](const Json& point) { return point["promised"] == 0.5; });
    return found["coverage_80_low"] <= 0.8 && found["coverage_80_high"] >= 0.8 && (*half)["agrees"] &&
           (in_time.is_null() || in_time["agrees"]);
  }

  std::string setting() const {
    if (question_.replay)
      return fmt::format("machines known at each plan, all in the same {} as recorded", length_text(span_));
    const MachineGroup& group = *log_groups_.front();
    std::string text = group.age == "stationary" ? "machines that were up at one moment"
                       : fleets_age() > 0        ? "the next machines that were up for " + group.age
                                                 : "the next machines that came up, each from its beginning";
    if (group.replaced == "recorded") return text + ", and back when their hosts were";
    return text + (group.replaced == "never" ? "" : ", replaced by those that came after them");
  }
  double fleets_age() const { return parse_length(log_groups_.front()->age, "age").value; }

  std::size_t undecided() const {
    std::size_t count = 0;
    for (const Trial& trial : trials_)
      count += static_cast<std::size_t>(std::count(trial.decided.begin(), trial.decided.end(), false));
    return count;
  }

  Json calibration() const {
    Json curve = Json::array();
    for (int percent = 5; percent < 100; percent += 5) {
      std::vector<double> came;
      for (const Rank& rank : ranks_) came.push_back(rank.by(percent / 100.0));
      const Score found = share_score(came, plan_of_);
      curve.push_back(beside(percent / 100.0, found));
    }
    return curve;
  }

  static Json beside(double promised, const Score& came) {
    return {{"promised", promised},
            {"came", came.mean},
            {"low", came.low},
            {"high", came.high},
            {"agrees", came.low <= promised && promised <= came.high}};
  }

  /// Means over all windows.
  Json means() const {
    const auto promised = [&](double Outcomes::*field) {
      double mean = 0;
      for (const Trial& trial : trials_)
        mean += trial.chosen().proof.*field * static_cast<double>(trial.windows.size());
      return mean / static_cast<double>(plan_of_.size());
    };
    Json json;
    json["done_by_deadline"] = nullptr;
    if (has_deadline()) {
      double share = 0;
      for (const Trial& trial : trials_)
        share += trial.chosen().proof.in_time.share * static_cast<double>(trial.windows.size());
      json["done_by_deadline"] = beside(
          share / static_cast<double>(plan_of_.size()),
          mean_of([&](const Trial& trial, std::size_t i) { return in_time(trial.outcomes()[i]) ? 1.0 : 0.0; }, true));
    }
    const auto time = [&](double share) { return share * work(); };
    json["work_done"] =
        beside(time(promised(&Outcomes::work_done)),
               mean_of([&](const Trial& trial, std::size_t i) { return time(trial.outcomes()[i].work_done); }));
    json["machine_time"] =
        beside(time(promised(&Outcomes::machine_time)),
               mean_of([&](const Trial& trial, std::size_t i) { return time(sum(trial.outcomes()[i].machine_time)); }));
    json["cost"] = beside(promised(&Outcomes::cost),
                          mean_of([&](const Trial& trial, std::size_t i) { return sum(trial.outcomes()[i].cost); }));
    return json;
  }

  /// The one policy that, used throughout, would have been chosen by what came of it.
  Json regret() const {
    std::vector<std::string> names;
    std::vector<Outcomes> found;
    ChoiceQuestion choice{has_deadline(), question_.confidence, false};
    for (const MachineGroup& group : question_.machines) choice.has_prices = choice.has_prices || group.price > 0;
    const auto add = [&](const std::string& name, const auto& outcomes_in) {
      std::vector<FleetOutcome> all;
      for (const Trial& trial : trials_) {
        const auto& seen = outcomes_in(trial);
        all.insert(all.end(), seen.begin(), seen.end());
      }
      names.push_back(name);
      found.push_back(outcomes_of(all, situation().deadline, question_.confidence));
      found.back().in_time.low = found.back().in_time.share + ChoiceQuestion::kMargin;
    };
    add(
        "as planned", [](const Trial& trial) -> const auto& { return trial.outcomes(); });
    for (const auto& [name, unused] : trials_.front().seen)
      if (std::all_of(trials_.begin(), trials_.end(),
                      [&, &policy = name](const Trial& trial) { return trial.seen.contains(policy); }))
        add(
            name, [&, &policy = name ](const Trial& trial) -> const auto& { return trial.seen.at(policy); });
    const std::size_t best = choose(found, choice).order.front();
    const auto outcome = [&](const Outcomes& one) {
      return Json{{"done_by_deadline", has_deadline() ? Json(one.in_time.share) : Json()},
                  {"q50", finite(one.q50 * work())},
                  {"q95", finite(one.q95 * work())},
                  {"machine_time", one.machine_time * work()},
                  {"cost", one.cost}};
    };
    return {{"best", names[best] == "central" ? "queue" : names[best]},
            {"planned", outcome(found.front())},
            {"best_outcome", outcome(found[best])}};
  }

  Json signs() const {
    const auto change_json = [](const traces::Change& change) {
      return Json{{"factor", change.factor ? Json(*change.factor) : Json()},
                  {"p", change.factor ? Json(change.p) : Json()},
                  {"problem", change.problem}};
    };
    Json first;
    for (const Trial& trial : trials_)
      if (first.is_null() && is_doubtful(trial.change)) {
        first = change_json(trial.change);
        first["at"] = trial.at;
      }
    const auto alike = fleets_->likeness(trials_.front().at);
    const auto cycle = traces::interruption_cycle(traces::known_at(log_, trials_.front().at));
    return {{"change_at_first_plan", change_json(trials_.front().change)},
            {"first_warning", first},
            {"change_of_all", change_json(traces::change(log_))},
            {"all_ended",
             std::all_of(log_.records.begin(), log_.records.end(), [](const auto& one) { return one.observed; })},
            {"alike", alike && alike->is_certain() ? Json(alike->correlation) : Json()},
            {"day_cycle", cycle && cycle->is_certain() ? Json(cycle->strength) : Json()}};
  }
  static bool is_doubtful(const traces::Change& change) { return !traces::doubt(change, "").empty(); }

  Json plan_json(std::size_t k) const {
    const Trial& trial = trials_[k];
    double held = 0, came = 0;
    std::vector<double> finishes;
    for (std::size_t i = 0, at = window_number(k); i < trial.windows.size(); ++i, ++at) {
      held += ranks_[at].within(0.8);
      came += in_time(trial.outcomes()[i]) ? 1 : 0;
      finishes.push_back(trial.outcomes()[i].finish);
    }
    std::sort(finishes.begin(), finishes.end());
    const auto count = static_cast<double>(trial.windows.size());
    const Json& option = trial.answer.json["options"][0];
    return {{"at", trial.at},
            {"at_text", time_text(trial.at)},
            {"option", option["name"]},
            {"machines", option["machines"]},
            {"windows", trial.windows.size()},
            {"done_by_deadline", option["done_by_deadline"]},
            {"came_by_deadline", has_deadline() ? Json(came / count) : Json()},
            {"promised_finish", option["finish"]},
            {"came_q50", finite(time_for_share(finishes, 0.5) * work())},
            {"held_80", held / count},
            {"change_p", trial.change.factor ? Json(trial.change.p) : Json()}};
  }
  std::size_t window_number(std::size_t k) const {
    return static_cast<std::size_t>(std::lower_bound(plan_of_.begin(), plan_of_.end(), k) - plan_of_.begin());
  }

  Json promises() const {
    Json all = Json::array();
    for (std::size_t k = 0; k < trials_.size(); ++k) {
      const Trial& trial = trials_[k];
      const Json& option = trial.answer.json["options"][0];
      Json ranges;
      for (const double range : kRanges)
        ranges[fmt::format("range_{}", std::lround(100 * range))] = {
            finite(time_for_share(trial.finishes, (1 - range) / 2) * work()),
            finite(time_for_share(trial.finishes, (1 + range) / 2) * work())};
      for (std::size_t i = 0; i < trial.windows.size(); ++i) {
        const FleetOutcome& seen = trial.outcomes()[i];
        const Rank& rank = ranks_[window_number(k) + i];
        Json one = {{"plan", k},
                    {"begin", trial.windows[i].begin},
                    {"option", option["name"]},
                    {"done_by_deadline", option["done_by_deadline"]},
                    {"finish", option["finish"]}};
        one.update(ranges);
        one["machine_time"] = option["machine_time"];
        one["cost"] = option["cost"];
        one["came"] = {{"done_by_deadline", has_deadline() ? Json(in_time(seen)) : Json()},
                       {"finish", finite(seen.finish * work())},
                       {"work_done", seen.work_done * work()},
                       {"machine_time", sum(seen.machine_time) * work()},
                       {"cost", sum(seen.cost)}};
        one["rank"] = {rank.below, rank.up_to};
        one["decided"] = static_cast<bool>(trial.decided[i]);
        all.push_back(std::move(one));
      }
    }
    return all;
  }

  static constexpr std::uint64_t kRuns = 4000;

  const BacktestQuestion& asked_;
  const Catalogue& catalogue_;
  const std::function<void(const std::string&)>& tell_;
  Question question_;
  TraceSource source_;
  std::vector<const MachineGroup*> log_groups_;
  traces::AvailabilityTrace log_;
  std::unique_ptr<RecordedFleets> fleets_;
  double span_ = 0;
  std::vector<Trial> trials_;
  std::vector<std::size_t> plan_of_;  // by window
  std::vector<Rank> ranks_;
};

}  // namespace

Json backtest(const BacktestQuestion& asked, const Catalogue& catalogue,
              const std::function<void(const std::string&)>& tell) {
  return Backtest(asked, catalogue, tell)();
}

}  // namespace coterie::sim
