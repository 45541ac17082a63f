#include "sim/solve/restart_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/errors.hpp"
#include "core/least_risk.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"
#include "heuristics/restart/optimal_rule.hpp"
#include "sim/input/recorded_down.hpp"
#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

using heuristics::RestartJob;
using heuristics::RestartPlan;

double length_key(TomlTable& file, const std::string& key, double otherwise) {
  const double value = file.number(key, otherwise);
  if (!(value >= 0) || !std::isfinite(value)) file.fail(key, "must be finite and not negative");
  return value;
}

double positive_key(TomlTable& file, const std::string& key) {
  const double value = file.number(key);
  if (!(value > 0) || !std::isfinite(value)) file.fail(key, "must be positive and finite");
  return value;
}

/// A length, or a law of which the mean counts: one that is given, or the gaps of the trace of the risk.
double mean_down(TomlTable& file, const RiskKinds& laws) {
  if (!file.has("down") || file.value("down").is_number()) return length_key(file, "down", 0);
  RiskLibrary risks(file.directory(), laws);
  const RiskPtr law = file.text("down") == "recorded" ? recorded_down(file.text("risk"), risks, file.place("down"))
                                                      : read_risk(file, laws, "down");
  const auto mean = heuristics::mean_life(*law);
  if (!mean) file.fail("down", "must be a length, or a law with a finite mean above 0");
  return *mean;
}

RestartJob read_job(TomlTable& file, const RiskKinds& laws) {
  RestartJob job;
  job.work = positive_key(file, "work");
  job.checkpoint = length_key(file, "checkpoint", 0);
  job.restart = length_key(file, "restart", 0);
  job.down = mean_down(file, laws);
  const std::int64_t gang = file.integer("gang", 1);
  constexpr std::int64_t kMost = 1'000'000;
  if (gang < 1 || gang > kMost) file.fail("gang", fmt::format("must be from 1 to {}", kMost));
  job.life = least_of(read_risk(file, laws), static_cast<std::size_t>(gang));
  return job;
}

RestartPlan optimal(TomlTable& file, const RestartJob& job) {
  constexpr std::int64_t kMost = 20'000;
  const std::int64_t steps = file.integer("steps", 0);
  if (file.has("steps") && (steps < 1 || steps > kMost)) file.fail("steps", fmt::format("must be from 1 to {}", kMost));
  if (job.checkpoint == 0 && steps == 0 && job.life->steps() == nullptr)
    file.fail("method", "= \"optimal\" needs a checkpoint above 0, or steps: it is best to save all the time");
  return heuristics::optimal_restarts(job, static_cast<std::size_t>(steps));
}

double mean_of(TomlTable& file, const RestartJob& job) {
  if (!(job.checkpoint > 0)) file.fail("method", "needs a checkpoint above 0: its interval is 0");
  const auto mean = heuristics::mean_life(*job.life);
  if (!mean) file.fail("method", "needs a mean time between interruptions, and the risk has none that is finite");
  return *mean;
}

RestartPlan young(TomlTable& file, const RestartJob& job) {
  return heuristics::restart_intervals(job, heuristics::young_interval(job.checkpoint, mean_of(file, job)),
                                       "sqrt(2 C M) [Young 1974]");
}

RestartPlan daly(TomlTable& file, const RestartJob& job) {
  return heuristics::restart_intervals(job, heuristics::daly_interval(job.checkpoint, mean_of(file, job)),
                                       "higher-order interval [Daly 2006, Equation (37)]");
}

RestartPlan interval(TomlTable& file, const RestartJob& job) {
  const double length = positive_key(file, "interval");
  if (length > job.work) file.fail("interval", fmt::format("must not exceed the work, {}", to_text(job.work)));
  return heuristics::restart_intervals(job, length, "equal intervals");
}

RestartPlan table(TomlTable& file, const RestartJob& job) {
  const double age_step = positive_key(file, "age_step");
  const TomlValue value = file.value("chunks");
  if (value.kind != TomlValue::Kind::kList || value.list.empty())
    file.fail("chunks", "must be a list of rows, one for each work left of 1, 2, ... steps");
  const double step = job.work / static_cast<double>(value.list.size());
  std::vector<std::vector<std::uint32_t>> chunks;
  for (const TomlValue& row : value.list) {
    const auto most = static_cast<double>(chunks.size() + 1);
    chunks.emplace_back();
    for (const TomlValue& one : row.list) {
      if (one.kind != TomlValue::Kind::kInteger || !(one.number >= 1 && one.number <= most))
        throw InputError(one.place, fmt::format("a chunk of row {} must be a whole number of steps from 1 to {}",
                                                chunks.size(), chunks.size()));
      chunks.back().push_back(static_cast<std::uint32_t>(one.number));
    }
    if (chunks.back().empty())
      throw InputError(row.place, "a row must be a list of chunks, one for each age of 0, 1, ... age steps");
  }
  RestartPlan plan;
  plan.rule = std::make_shared<heuristics::ChunkTable>(step, age_step, std::move(chunks));
  plan.interval = plan.rule->chunk(job.work, 0);
  plan.expected_time = heuristics::expected_time(job, *plan.rule);
  plan.method = "table of chunks by work left and age";
  plan.exact = true;
  if (!std::isfinite(plan.expected_time)) file.fail("chunks", "never ends the job: some chunk is never done");
  return plan;
}

struct RestartMethod {
  std::string name;
  RestartPlan (*plan)(TomlTable& file, const RestartJob& job);
};

const std::vector<RestartMethod>& restart_methods() {
  static const std::vector<RestartMethod> table_of_methods = {
      {"optimal", optimal}, {"young", young}, {"daly", daly}, {"interval", interval}, {"table", table}};
  return table_of_methods;
}

}  // namespace

nlohmann::ordered_json solve_restart(TomlTable& file, const RiskKinds& laws) {
  const RestartJob job = read_job(file, laws);
  const std::string name = file.text("method", restart_methods().front().name);
  RestartPlan plan;
  try {
    plan = find_row(restart_methods(), name, "method", file.place("method")).plan(file, job);
  } catch (const InputError& error) {
    const Place work = file.place("work");
    if (std::string(error.what()).starts_with(work.file)) throw;
    throw InputError(work, error.what());
  }
  file.finish();
  if (!std::isfinite(plan.expected_time))
    file.fail("work", "takes longer than any number: a chunk is hardly ever done");
  return {{"problem", "restart"},      {"method", plan.method},
          {"exact", plan.exact},       {"expected_time", plan.expected_time},
          {"interval", plan.interval}, {"chunks", heuristics::undisturbed_chunks(job, *plan.rule)}};
}

}  // namespace coterie::sim
