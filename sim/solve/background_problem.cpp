#include "sim/solve/background_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "heuristics/background/sample_average_plan.hpp"
#include "heuristics/background/time_varying_certificate.hpp"
#include "sim/solve/background_file.hpp"

namespace coterie::sim {
namespace {

using heuristics::BackgroundPlan;

struct Settings {
  StreamKey key;        ///< of the backgrounds that a plan is made from
  StreamKey fresh_key;  ///< of those that it is judged by
  std::uint64_t trials = 0;
  std::uint64_t fresh_trials = 0;
  heuristics::FirstPlan first = heuristics::FirstPlan::kWithoutBackground;
};

enum class Needs { kNothing, kLaw, kEquilibrium };

struct Method {
  std::string name;
  std::string text;  ///< for the answer: which algorithm, corrected or not
  Needs needs;
  BackgroundPlan (*plan)(const BackgroundFile& file, const Settings& settings);
};

const std::vector<Method>& methods() {
  static const std::vector<Method> table = {
      {"exact",
       "exact: time-varying-2019 Algorithms 1 and 2 without time slots: the first time at which all processors can "
       "stop together (errata E1, E3); where a link is slower than the next one, another division may finish earlier",
       Needs::kNothing,
       [](const BackgroundFile& file, const Settings&) {
         return BackgroundPlan{heuristics::solve_time_varying(file.known), {}, 0};
       }},
      {"no-background", "no-background: time-varying-2019 (1a)-(1c), corrected (erratum E1)", Needs::kNothing,
       [](const BackgroundFile& file, const Settings&) { return heuristics::plan_without_background(file.random); }},
      {"before-correction",
       "before-correction: equilibrium mean of background jobs on every machine that has any, as time-varying-2019 "
       "quotes Sohn and Robertazzi 1998",
       Needs::kEquilibrium,
       [](const BackgroundFile& file, const Settings&) { return heuristics::plan_before_correction(file.random); }},
      {"simulation", "simulation: median trial of time-varying-2019 Algorithm 3, each solved exactly", Needs::kLaw,
       [](const BackgroundFile& file, const Settings& settings) {
         return heuristics::plan_by_simulation(file.random, settings.key, settings.trials);
       }},
      {"iterative", "iterative: median pass of time-varying-2019 Algorithm 4", Needs::kLaw,
       [](const BackgroundFile& file, const Settings& settings) {
         return heuristics::plan_iteratively(file.random, settings.key, settings.trials, settings.first);
       }},
      {"sample-average",
       "sample-average: least mean finish time over sampled backgrounds that 150 subgradient steps find (not proven "
       "optimal; not in the paper)",
       Needs::kLaw,
       [](const BackgroundFile& file, const Settings& settings) {
         return heuristics::plan_by_sample_average(file.random, settings.key, settings.trials);
       }},
  };
  return table;
}

const Method& read_method(TomlTable& file) {
  const std::string name = file.text("method", methods().front().name);
  std::vector<std::string> known;
  for (const Method& method : methods()) {
    if (method.name == name) return method;
    known.push_back(method.name);
  }
  file.fail("method", fmt::format("must be {}, not \"{}\"{}", quoted_list(known), name, suggestion(name, known)));
}

Settings read_settings(TomlTable& file) {
  constexpr std::int64_t kMostTrials = 100'000'000;
  Settings settings;
  const std::int64_t trials = file.integer("trials", 10'000);
  if (trials < 1 || trials > kMostTrials)
    file.fail("trials", fmt::format("must be from 1 to {}, not {}", kMostTrials, trials));
  settings.trials = static_cast<std::uint64_t>(trials);
  const std::int64_t fresh = file.integer("fresh_trials", trials > 1 ? trials : 0);
  if (fresh < 0 || fresh == 1 || fresh > kMostTrials)
    file.fail("fresh_trials", fmt::format("must be 0 (no evaluation) or from 2 to {}, not {}", kMostTrials, fresh));
  settings.fresh_trials = static_cast<std::uint64_t>(fresh);
  const std::int64_t written_seed = file.integer("seed", 2019);
  if (written_seed < 0) file.fail("seed", "must not be negative");
  const auto seed = static_cast<std::uint64_t>(written_seed);
  settings.key = StreamKey::derive(seed, identity_hash("solve background"), Use::kArrival);
  settings.fresh_key = StreamKey::derive(seed, identity_hash("solve background: evaluation"), Use::kArrival);
  const std::string first = file.text("first", "no-background");
  if (first == "before-correction") {
    settings.first = heuristics::FirstPlan::kBeforeCorrection;
  } else if (first != "no-background") {
    file.fail("first", fmt::format("must be \"no-background\" or \"before-correction\", not \"{}\"", first));
  }
  return settings;
}

/// Refuses a file that lacks what the method needs.
void require(const TomlTable& file, const BackgroundFile& tree, const Method& method, const Settings& settings) {
  if (method.needs == Needs::kNothing) return;
  if (tree.random.processes.empty())
    throw InputError(file.place("method"), fmt::format("\"arrival\" is missing: method = \"{}\" needs the law of the "
                                                       "background jobs (write arrival = and service = rates)",
                                                       method.name));
  const auto limited = [](const heuristics::RandomMachine& machine) {
    return machine.process && !machine.rule.is_unlimited();
  };
  bool any = limited(tree.random.control);
  for (const auto& machine : tree.random.processors) any = any || limited(machine);
  for (const auto& machine : tree.random.links) any = any || limited(machine);
  if (any)
    throw InputError(
        file.place("method"),
        fmt::format("method = \"{}\" may meet any number of background jobs, but a share lists only some levels; "
                    "leave out share_continues = false if the last level also holds for more jobs",
                    method.name));
  if (method.needs != Needs::kEquilibrium &&
      !(method.name == "iterative" && settings.first == heuristics::FirstPlan::kBeforeCorrection))
    return;
  for (std::size_t k = 0; k < tree.random.processes.size(); ++k) {
    try {
      tree.random.processes[k].equilibrium_mean();
    } catch (const InputError& error) {
      throw InputError(tree.law_places[k], error.what());
    }
  }
}

/// The keys of the file that this method has no use for: one file may serve several methods.
std::vector<std::string> keys_without_effect(const TomlTable& file, const Method& method, const Settings& settings) {
  const bool samples = method.needs == Needs::kLaw;
  const bool judged = method.needs != Needs::kNothing && settings.fresh_trials > 0;
  const std::pair<const char*, bool> used[] = {{"trials", samples || (judged && !file.has("fresh_trials"))},
                                               {"fresh_trials", method.needs != Needs::kNothing},
                                               {"seed", samples || judged},
                                               {"first", method.name == "iterative"}};
  std::vector<std::string> keys;
  for (const auto& [key, is_used] : used)
    if (!is_used && file.has(key)) keys.emplace_back(key);
  return keys;
}

/// Quartiles of type 7 (linear between order statistics), as box plots show them.
std::vector<double> quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::vector<double> result;
  for (const double part : {0.25, 0.5, 0.75}) {
    const double at = part * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    result.push_back(values[below] + (at - std::floor(at)) * (values[above] - values[below]));
  }
  return result;
}

constexpr std::size_t kExactLinks = 64;  // fractions grow with every link
constexpr std::size_t kExactPieces = 100'000;

/// How far the finish time is from an exact root of the equations; null if none was found beside it, or if the tree is
/// too large to look for one in fractions.
nlohmann::ordered_json root_error(const heuristics::TimeVaryingTree& tree, const heuristics::TreeSchedule& schedule) {
  std::size_t pieces = tree.control.pieces();
  for (const auto* profiles : {&tree.processors, &tree.links})
    for (const SpeedProfile& profile : *profiles) pieces += profile.pieces();
  if (tree.links.size() > kExactLinks || pieces > kExactPieces) return nullptr;
  const heuristics::RootCertificate certificate = heuristics::certify(tree, schedule);
  return certificate.holds ? nlohmann::ordered_json(certificate.error) : nullptr;
}

/// A file with the plan that its method makes.
struct Solved {
  const Method& method;
  Settings settings;
  BackgroundFile tree;
  BackgroundPlan plan;
};

Solved solve(TomlTable& file) {
  const Method& method = read_method(file);
  const Settings settings = read_settings(file);
  BackgroundFile tree = read_background_file(file);
  file.finish();
  require(file, tree, method, settings);
  BackgroundPlan plan = method.plan(tree, settings);
  return {method, settings, std::move(tree), std::move(plan)};
}

TimingRow row(std::string name, const JobSequence& jobs, double begin, double end, BarKind kind,
              const std::string& label) {
  TimingRow result{std::move(name), {{begin, end, kind, label}}, {}};
  const bool any = std::any_of(jobs.counts.begin(), jobs.counts.end(), [](std::int64_t count) { return count > 0; });
  for (std::size_t k = 0; any && k < jobs.times.size(); ++k)
    result.jobs.push_back({jobs.times[k], static_cast<double>(jobs.counts[k])});
  return result;
}

}  // namespace

bool plans_by_law(TomlTable& file) { return read_method(file).needs != Needs::kNothing; }

TimingDiagram draw_background(TomlTable& file, const RiskKinds&) {
  const auto [method, settings, tree, plan] = solve(file);
  const std::vector<double>& shares = plan.schedule.shares;
  const heuristics::TreeSchedule met = heuristics::realise(tree.known, shares);
  const auto share = [&](std::size_t i) { return fmt::format("{:.4g}", shares[i]); };
  TimingDiagram diagram{fmt::format("background jobs, method {}: finish time {:.6g}", method.name, met.finish_time),
                        "in the bars: shares of the load",
                        met.finish_time,
                        {}};
  diagram.rows.push_back(
      row("P0", tree.control_jobs, 0, tree.known.control.time_of(shares[0]), BarKind::kCompute, share(0)));
  for (std::size_t i = 1; i < shares.size(); ++i) {
    const double start = met.start_times[i];
    diagram.rows.push_back(
        row(fmt::format("link {}", i), tree.link_jobs[i - 1], met.start_times[i - 1], start, BarKind::kSend, share(i)));
    diagram.rows.push_back(row(fmt::format("P{}", i), tree.processor_jobs[i - 1], start,
                               tree.known.processors[i - 1].time_after(start, shares[i]), BarKind::kCompute, share(i)));
  }
  return diagram;
}

nlohmann::ordered_json solve_background(TomlTable& file, const RiskKinds&) {
  const auto [method, settings, tree, plan] = solve(file);

  nlohmann::ordered_json answer;
  const bool exact = method.name == "exact";
  answer["problem"] = "background";
  answer["method"] = method.text;
  answer["exact"] = exact;
  if (const auto keys = keys_without_effect(file, method, settings); !keys.empty())
    answer["keys_without_effect"] = keys;
  answer["finish_time"] = plan.schedule.finish_time;
  answer["start_times"] = plan.schedule.start_times;
  answer["shares"] = plan.schedule.shares;
  answer["residual"] = plan.schedule.residual;
  const double alone = tree.known.control.time_of(1);
  if (exact) {
    answer["single_root"] = heuristics::has_one_root(tree.known) ? nlohmann::ordered_json(true) : nullptr;
    answer["root_error"] = root_error(tree.known, plan.schedule);
    answer["control_alone"] = alone;
    answer["speedup"] = alone / plan.schedule.finish_time;
  } else if (tree.has_jobs) {
    answer["realised_finish_time"] = heuristics::realise(tree.known, plan.schedule.shares).finish_time;
  }
  if (method.needs != Needs::kNothing && settings.fresh_trials > 0) {
    const auto fresh =
        heuristics::realised_mean(tree.random, plan.schedule.shares, settings.fresh_key, settings.fresh_trials);
    answer["mean_realised_finish_time"] = fresh.mean;
    answer["standard_error"] = fresh.standard_error;
  }
  if (!plan.finish_times.empty()) {
    answer["trials"] = settings.trials;
    answer["median_trial"] = plan.median + 1;
    answer["quartiles"] = quartiles(plan.finish_times);
  }
  return answer;
}

}  // namespace coterie::sim
