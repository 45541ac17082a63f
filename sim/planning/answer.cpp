#include "sim/planning/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/text.hpp"
#include "sim/planning/contest.hpp"
#include "sim/planning/explanation.hpp"
#include "sim/planning/planner.hpp"
#include "sim/planning/resampling.hpp"
#include "sim/planning/short_chunks.hpp"
#include "sim/planning/words.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

Json finite(double value, double unit) { return std::isfinite(value) ? Json(value * unit) : Json(); }

double named(const heuristics::PolicyPlan& plan, const std::string& name, double otherwise) {
  const auto found = std::find_if(plan.parameters.begin(), plan.parameters.end(),
                                  [&](const auto& parameter) { return parameter.first == name; });
  return found == plan.parameters.end() ? otherwise : found->second;
}

/// By group, the best chunk of a machine alone at each age of a table: [age, chunk].
Json longest_by_age(const Situation& situation, const Contender& one) {
  const auto& tables = one.policy->parameters.first_chunks;
  const auto crew = crew_of(*one.fleet);
  Json json = Json::object();
  for (const FleetGroup& group : one.fleet->groups) {
    const RiskPtr law = group.life ? group.life : never_interrupted();
    const auto at = static_cast<std::size_t>(std::find(crew->laws.begin(), crew->laws.end(), law) - crew->laws.begin());
    const heuristics::FirstChunks& chunks = *tables[tables.size() == 1 ? 0 : at];
    Json ages = Json::array();
    for (const double age : chunks.times())
      ages.push_back({age * situation.work, finite(chunks(age) * group.speed, situation.work)});
    json[group.name] = std::move(ages);
  }
  return json;
}

/// What a queue goes by; chunks in work, at the start and for machines of the first group.
Json queue_json(const Situation& situation, const Contender& one) {
  const heuristics::PolicyPlan& plan = one.policy->parameters;
  const double work = situation.work;
  if (situation.task > 0)
    return {{"first_chunk", situation.task * work},
            {"least_chunk", situation.task * work},
            {"shares", nullptr},
            {"copies", true}};
  double speeds = 0, speed = 0;  // of all, and of the first group
  for (const FleetGroup& group : one.fleet->groups) {
    if (group.fallback) continue;
    speeds += group.speed * static_cast<double>(group.count);
    if (speed == 0) speed = group.speed;
  }
  const double shares = named(plan, "c", 2);
  const double least = std::max(named(plan, "c_min", 0), situation.checkpoint) * speed;
  double first = speed / (shares * speeds);
  if (!plan.first_chunks.empty())
    first = std::min(first, named(plan, "b", 1) * (*plan.first_chunks.front())(0) * speed);
  Json json = {{"first_chunk", std::max(least, first) * work},
               {"least_chunk", least * work},
               {"shares", shares},
               {"copies", true}};
  if (situation.question.explain && !plan.first_chunks.empty()) {
    json["first_share"] = named(plan, "b", 1);
    json["longest_by_age"] = longest_by_age(situation, one);
  }
  return json;
}

Json parameters_json(const Situation& situation, const Contender& one) {
  if (one.policy->plan && one.policy->plan->schedule) {
    const Schedule& schedule = *one.policy->plan->schedule;
    const ChunkSizes sizes = chunk_sizes(schedule);
    return {{"chunks", sizes.chunks},
            {"least_chunk", sizes.least * situation.work},
            {"greatest_chunk", sizes.greatest * situation.work},
            {"copies", copies_of(schedule).mean},
            {"groups", one.policy->plan->coteries.size()},
            {"last_finish", last_finish(schedule) * situation.work}};
  }
  if (one.name == "central") return queue_json(situation, one);
  Json json = Json::object();
  for (const auto& [name, value] : one.policy->parameters.parameters) json[name] = value;
  return json;
}

Json option_json(const Situation& situation, const Contender& one) {
  const Outcomes& found = one.proof;
  const double work = situation.work;
  const bool deadline = std::isfinite(situation.deadline);
  const std::string policy = one.name == "central" ? "queue" : one.name;
  Json machines = Json::object();
  for (std::size_t g = 0; g < one.counts.size(); ++g) machines[situation.question.machines[g].name] = one.counts[g];
  return {{"name", policy},
          {"policy", policy},
          {"machines", machines},
          {"parameters", parameters_json(situation, one)},
          {"runs", found.runs},
          {"done_by_deadline", deadline ? Json(found.in_time.share) : Json()},
          {"done_by_deadline_low", deadline ? Json(found.in_time.low) : Json()},
          {"done_by_deadline_high", deadline ? Json(found.in_time.high) : Json()},
          {"all_done", found.all_done},
          {"finish",
           {{"q50", finite(found.q50, work)}, {"q90", finite(found.q90, work)}, {"q95", finite(found.q95, work)}}},
          {"work_done", found.work_done * work},
          {"machine_time", finite(found.machine_time, work)},
          {"rented_time", finite(found.rented_time, work)},
          {"cost", finite(found.cost, 1)},
          {"wasted", finite(found.wasted, work)},
          {"failed_tasks", finite(found.failed_tasks, 1)},
          {"interruptions", finite(found.interruptions, 1)}};
}

/// "16 machines", "16 spot and 8 sure machines"
std::string counts_text(const Situation& situation, const Counts& counts) {
  if (counts.size() == 1) return counted(counts.front(), "machine");
  std::string text;
  for (std::size_t g = 0; g < counts.size(); ++g)
    text += fmt::format("{}{} {}", text.empty() ? "" : " and ", counts[g], situation.question.machines[g].name);
  return text;
}

/// Puts an answer together.
class Answerer {
 public:
  Answerer(const Situation& situation, const Catalogue& catalogue, const Contest::Tell& tell)
      : situation_(situation), contest_(situation, catalogue, tell) {}

  Answer operator()() {
    options_ = situation_.background      ? beside_jobs()
               : situation_.finds_count() ? with_counts_found()
                                          : compare_policies(contest_, fixed_counts());
    std::vector<Outcomes> outcomes;
    for (const Contender& one : options_) outcomes.push_back(one.proof);
    rule_ = situation_.background ? ChoiceRule::kWork : choose(outcomes, contest_.question()).rule;
    Answer answer;
    Json& json = answer.json;
    json["unit"] = situation_.has_unit ? Json("s") : Json();
    json["question"] = question_json(situation_);
    json["question"]["horizon"] = finite(options_.front().fleet->horizon, situation_.work);
    json["chosen"] = 0;
    json["takes"] = nullptr;
    json["reason"] = reason(json["takes"]);
    json["assumptions"] = situation_.assumptions;
    json["doubts"] = doubts();
    json["warnings"] = situation_.warnings;
    json["options"] = Json::array();
    for (const Contender& one : options_) json["options"].push_back(option_json(situation_, one));
    if (situation_.question.explain)
      json["explain"] =
          explanation_json(situation_, situation_.machines.size() == 1 ? options_.front().counts.front() : 0);
    answer.options = std::move(options_);
    return answer;
  }

 private:
  Counts fixed_counts() const {
    Counts counts;
    for (const MachineGroup& group : situation_.question.machines) counts.push_back(group.count.most);
    if (std::accumulate(counts.begin(), counts.end(), std::size_t{0}) == 0)
      throw InputError(situation_.question.place("count"), "there are no machines at all: give a count above 0");
    return counts;
  }

  /// Fixed lists on machines that jobs slow down: only their work is known, exactly or by simulation.
  std::vector<Contender> beside_jobs() const {
    const Counts counts = fixed_counts();
    const PlanAnswer found = sim::answer(static_question(situation_, counts.front()));
    std::vector<Contender> options;
    for (const PlanOption& option : found.options) {
      if (!situation_.question.policies.empty() && situation_.question.policies.front() != option.strategy) continue;
      Contender one{option.strategy, counts, options.size(), nullptr, nullptr, {}, {}};
      one.fleet = std::make_shared<const Fleet>(fleet_of(situation_, counts));
      FleetPolicy policy;
      policy.name = option.strategy;
      policy.plan = option.plan;
      one.policy = std::make_shared<const FleetPolicy>(std::move(policy));
      const PlanOutcome& worse = option.if_gone ? *option.if_gone : option;
      one.proof.runs = found.question.instances;
      one.proof.all_done = worse.completion;
      one.proof.work_done = worse.expected_work;
      for (double Outcomes::*unknown : {&Outcomes::machine_time, &Outcomes::rented_time, &Outcomes::cost,
                                        &Outcomes::wasted, &Outcomes::failed_tasks, &Outcomes::interruptions})
        one.proof.*unknown = kInfinity;
      options.push_back(std::move(one));
    }
    if (options.empty())
      throw InputError(situation_.question.place("policy"),
                       fmt::format("{} is not planned beside background jobs: use one of {}",
                                   situation_.question.policies.front(), quoted_list(considered_strategies())));
    std::stable_sort(options.begin(), options.end(), [&](const Contender& a, const Contender& b) {
      if ((a.name == found.choice().strategy) != (b.name == found.choice().strategy))
        return a.name == found.choice().strategy;
      return a.proof.work_done > b.proof.work_done;
    });
    return options;
  }

  /// The best number that the search found, raised until fresh runs prove it; with the runners-up.
  std::vector<Contender> with_counts_found() {
    constexpr std::size_t kMostRaised = 10;
    const std::vector<Counts> found = find_counts(contest_);
    Counts counts = found.front();
    std::vector<Contender> options = compare_policies(contest_, counts);
    for (std::size_t raised = 0; raised < kMostRaised && !contest_.question().meets(options.front().proof) &&
                                 contest_.question().may_meet(options.front().proof);
         ++raised) {
      Counts more = counts;
      for (std::size_t g = 0; g < more.size(); ++g)
        if (const MachineCount& asked = situation_.question.machines[g].count; asked.is_open())
          more[g] = std::min(std::min(asked.most, situation_.recorded_machines),
                             more[g] + std::max<std::size_t>(1, more[g] / 20));
      if (more == counts) break;
      counts = more;
      options = compare_policies(contest_, counts);
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
      if (found[i] == counts) continue;
      options.push_back(contest_.contender(contest_.searching_policy(), found[i]));
      contest_.prove(options.back());
    }
    const Choice choice = contest_.choose(options, true);
    std::vector<Contender> ordered;
    for (const std::size_t o : choice.order) ordered.push_back(std::move(options[o]));
    return ordered;
  }

  std::string deadline() const { return situation_.length(situation_.deadline); }

  /// Why the first option is chosen; fills in what it would take where nothing meets the deadline.
  std::string reason(Json& takes) {
    const Outcomes& best = options_.front().proof;
    const bool alone = options_.size() == 1;
    const std::string asked = asked_share_text(situation_.question.confidence);
    switch (rule_) {
      case ChoiceRule::kDeadline:
        return fmt::format(
            "{} in at least {} of the runs.",
            alone ? fmt::format("It is done by {}", deadline())
                  : fmt::format("It {} of those that are done by {}",
                                contest_.question().has_prices ? "costs least" : "takes the least machine time",
                                deadline()),
            asked);
      case ChoiceRule::kNearest:
        return nearest(takes, asked);
      case ChoiceRule::kFinish:
        return alone ? ""
                     : fmt::format("It is done first (in {} of the runs; within 2 %, the one that takes least).",
                                   std::isfinite(best.q95)   ? "95 %"
                                   : std::isfinite(best.q90) ? "90 %"
                                                             : "50 %");
      case ChoiceRule::kWork:
        return alone ? "" : "It does the most work on average (within 0.1 %, the plainer one).";
    }
    return "";
  }

  std::string nearest(Json& takes, const std::string& asked) {
    const Contender& best = options_.front();
    if (contest_.question().may_meet(best.proof))
      return fmt::format(
          "These {} runs do not decide whether that is at least {} (95 % interval {} to {}); give more "
          "{}.",
          best.proof.runs, asked, share_text(best.proof.in_time.low), share_text(best.proof.in_time.high),
          situation_.question.called("runs"));
    const auto more = enough_machines(contest_, best.counts);
    double time = kInfinity;
    for (const Contender& one : options_) time = std::min(time, one.proof.confident);
    takes = {{"time", finite(time, situation_.work)}, {"machines", nullptr}};
    if (more) {
      takes["machines"] = Json::object();
      for (std::size_t g = 0; g < more->size(); ++g)
        takes["machines"][situation_.question.machines[g].name] = (*more)[g];
    }
    return fmt::format("Nothing is done by {} in {} of the runs; this comes nearest. That would take {}, or {}.",
                       deadline(), asked, std::isfinite(time) ? situation_.length(time) : "a time beyond all runs",
                       more ? counts_text(situation_, *more) : "more machines than were tried");
  }

  std::vector<std::string> doubts() {
    std::vector<std::string> all;
    if (situation_.background) return situation_.doubts;
    if (situation_.is_open()) all.push_back(open_text(situation_, options_.front(), contest_));
    if (const std::string range = range_text(situation_, options_.front(), contest_); !range.empty())
      all.push_back(range);
    all.insert(all.end(), situation_.doubts.begin(), situation_.doubts.end());
    std::erase(all, "");
    return all;
  }

  const Situation& situation_;
  Contest contest_;
  std::vector<Contender> options_;
  ChoiceRule rule_ = ChoiceRule::kFinish;
};

}  // namespace

Answer answer(const Question& question, const Catalogue& catalogue, const Contest::Tell& tell) {
  tell("reading");
  const auto situation = std::make_shared<const Situation>(resolve(question, catalogue));
  Answer found = Answerer(*situation, catalogue, tell)();
  found.situation = situation;
  return found;
}

}  // namespace coterie::sim
