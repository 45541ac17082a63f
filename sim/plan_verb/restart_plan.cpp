#include "sim/plan_verb/restart_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "sim/input/json_text.hpp"
#include "sim/input/recorded_down.hpp"
#include "sim/plan_verb/question_reader.hpp"
#include "sim/planning/restart_answer.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// Lengths that all have units, or all have none.
class Lengths {
 public:
  explicit Lengths(const Options& options) : options_(options) {}

  double read(const char* name, double otherwise, ZeroLength zero) {
    if (!options_.has(name)) return otherwise;
    const Length length = parse_length(options_.text(name), std::string("--") + name, {}, zero);
    if (length.value > 0) note(name, length.has_unit);
    return length.value;
  }
  void note(const char* name, bool has_unit) {
    if (known_ && has_unit != unit_)
      throw InputError(fmt::format("--{} and --{}: give both a unit such as 5min, or neither", first_, name));
    if (!known_) first_ = name;
    known_ = true;
    unit_ = has_unit;
  }
  bool has_unit() const { return unit_; }

 private:
  const Options& options_;
  bool known_ = false;
  bool unit_ = true;
  std::string first_;
};

std::string needed(const Options& options, const char* name, const char* question) {
  if (!options.has(name)) throw InputError(fmt::format("--{} is missing: {}", name, question));
  return options.text(name);
}

/// The lives of machines, and how long they are away.
void read_machines(const Options& options, const Catalogue& catalogue, Lengths& lengths, RestartAsked& asked) {
  RiskLibrary risks("", catalogue.risks());
  if (options.has("trace") == options.has("risk"))
    throw InputError("give either --trace FILE or --risk R: how long do machines stay?");
  for (const char* name : {"trace-format", "option", "resamples"})
    if (options.has(name) && !options.has("trace")) throw InputError(fmt::format("--{} goes with --trace", name));
  if (options.has("risk-unit") && !options.has("risk"))
    throw InputError("--risk-unit goes with --risk: traces are read in seconds");
  if (options.has("replaced") && (options.text("replaced").empty() || options.text("replaced") == "never"))
    throw InputError(
        "--replaced: a job that restarts needs machines that come back; leave it out, or say after how "
        "long");
  std::string text = options.text("risk", "");
  double unit = 1;
  if (options.has("trace")) {
    text = "trace(file=" + traces::quoted_if_needed(options.text("trace")) + ", normalise=none";
    if (options.has("trace-format")) text += ", format=" + traces::quoted_if_needed(options.text("trace-format"));
    traces::ReadingOptions::parse(options.texts("option"));  // refuses what trace(...) takes besides
    for (const std::string& one : options.texts("option")) {
      const std::size_t equals = one.find('=');
      text += fmt::format(", {}={}", one.substr(0, equals), traces::quoted_if_needed(one.substr(equals + 1)));
    }
    text += ")";
    lengths.note("trace", true);
  } else if (options.has("risk-unit")) {
    unit = parse_seconds(options.text("risk-unit"), "--risk-unit");
    lengths.note("risk-unit", true);
  } else {
    lengths.note("risk", false);
  }
  const auto life = risks.resolve(text);
  if (!life->alike() || !life->are_new())
    throw InputError("--risk must be one law of new machines: machines that come up are new");
  asked.life = life->planned()->in_unit(1 / unit);
  const traces::TraceRisk* const trace = life->trace();
  if (trace != nullptr) asked.durations = trace->durations;
  const std::string replaced = options.text("replaced", "");
  const auto recorded = [&] { return recorded_down(text, risks, {}); };
  if (replaced == "recorded") {
    asked.down = recorded();
  } else if (replaced.empty()) {
    try {
      if (trace != nullptr) asked.down = recorded();
    } catch (const InputError&) {
      // Not a recording of machines that return: the assumption below says so.
    }
  } else if (parse_rational(replaced) || std::isdigit(static_cast<unsigned char>(replaced.front())) != 0 ||
             replaced.front() == '.') {
    asked.down_time = lengths.read("replaced", 0, ZeroLength::kAllowed);
  } else {
    asked.down = risks.resolve(replaced)->planned()->in_unit(1 / unit);
  }
  if (asked.down && replaced.empty())
    asked.assumptions.push_back("lost machines come back after the gaps of the trace");
  else if (asked.down || options.has("replaced"))
    asked.assumptions.push_back("lost machines come back after " +
                                (replaced == "recorded" ? "the gaps of the trace" : replaced));
  else
    asked.assumptions.push_back("lost machines are replaced at once (--replaced says after how long)");
}

void read_prices(const Options& options, RestartAsked& asked) {
  const auto price_of = [&](const char* name) {
    const double value = options.number(name, 0);
    if (options.has(name) && !(value > 0)) throw InputError(fmt::format("--{} must be above 0", name));
    return value;
  };
  asked.price = price_of("price");
  if (options.has("change") && !options.has("on-demand")) throw InputError("--change goes with --on-demand");
  if (!options.has("on-demand")) return;
  if (!(asked.price > 0)) throw InputError("--on-demand goes with --price, that of spot");
  asked.on_demand = price_of("on-demand");
  asked.job.price = *asked.on_demand / asked.price;
  if (asked.job.price < 1)
    throw InputError(
        fmt::format("--on-demand must be at least --price: machines that are sure and cheaper need no plan"));
}

RestartAsked asked_of(const Options& options, const Catalogue& catalogue) {
  const std::set<std::string> known = {"job",        "work",   "checkpoint", "restart",  "gang",        "spares",
                                       "trace",      "risk",   "risk-unit",  "replaced", "warning",     "deadline",
                                       "confidence", "price",  "on-demand",  "change",   "instances",   "seed",
                                       "resamples",  "format", "jobs",       "option",   "trace-format"};
  for (const std::string& name : options.given())
    if (!known.contains(name)) throw InputError(fmt::format("--{} is not for --job restart", name));
  RestartAsked asked;
  Lengths lengths(options);
  needed(options, "work", "how long would the job take on machines that stay, such as 40h?");
  needed(options, "checkpoint", "how long does it take to save, such as 5min?");
  asked.job.work = lengths.read("work", 0, ZeroLength::kRefused);
  asked.job.checkpoint = lengths.read("checkpoint", 0, ZeroLength::kAllowed);
  asked.job.restart = lengths.read("restart", 0, ZeroLength::kAllowed);
  asked.job.warning = lengths.read("warning", 0, ZeroLength::kAllowed);
  asked.job.change = lengths.read("change", asked.job.restart, ZeroLength::kAllowed);
  asked.job.deadline = lengths.read("deadline", kInfinity, ZeroLength::kRefused);
  constexpr long long kMost = 100'000;
  if (options.has("gang")) asked.gang = static_cast<std::size_t>(options.integer("gang", 1, kMost));
  if (options.has("spares")) asked.spares = static_cast<std::size_t>(options.integer("spares", 0, kMost));
  if (options.has("jobs")) asked.jobs = static_cast<std::size_t>(options.integer("jobs", 1, 1'000'000));
  if (options.has("seed")) asked.seed = static_cast<std::uint64_t>(options.integer("seed", 0));
  if (options.has("instances")) asked.runs = static_cast<std::uint64_t>(options.integer("instances", 2, 100'000'000));
  if (options.has("resamples")) asked.resamples = static_cast<std::size_t>(options.integer("resamples", 0, 1'000'000));
  asked.confidence = confidence_of(options);
  read_machines(options, catalogue, lengths, asked);
  read_prices(options, asked);
  asked.has_unit = lengths.has_unit();
  if (asked.on_demand && std::isfinite(asked.job.deadline) && asked.job.deadline < asked.job.work)
    throw InputError(fmt::format("--deadline {} is below --work {}, which on-demand alone takes",
                                 options.text("deadline"), options.text("work")));
  if (asked.gang > 1)
    asked.assumptions.push_back(
        fmt::format("a gang of {} stays as long as the first of {} new machines", asked.gang, asked.gang));
  return asked;
}

}  // namespace

void declare_restart_options(Options& options) {
  options.add()("job", po::value<std::string>(), "restart: one job that goes on from its last checkpoint")(
      "gang", po::value<std::string>(), "machines that such a job needs at once (default 1)")(
      "spares", po::value<std::string>(), "machines that take a lost one's place at once (default 0)")(
      "on-demand", po::value<std::string>(), "price of a sure machine for an hour, to which the job may change")(
      "change", po::value<std::string>(), "what changing between spot and on-demand takes (default: --restart)")(
      "jobs", po::value<std::string>(), "so many jobs alike: when does the last one end?");
  options.propose("job", {"restart"});
}

void refuse_restart_options(const Options& options) {
  for (const char* name : {"gang", "spares", "on-demand", "change", "jobs"})
    if (options.has(name)) throw InputError(fmt::format("--{} goes with --job restart", name));
  if (options.choice("format") == "shell") throw InputError("--format shell goes with --job restart");
}

int restart_plan(const Options& options, const Catalogue& catalogue) {
  if (options.text("job") != "restart")
    throw InputError(fmt::format("--job must be restart, not {}", echoed(options.text("job"))));
  if (!options.words().empty()) throw InputError("--job restart takes options alone, no question file");
  const nlohmann::ordered_json answer = restart_answer(asked_of(options, catalogue));
  const std::string format = options.choice("format");
  if (format == "json")
    std::cout << json_text(answer) << '\n';
  else
    std::cout << (format == "shell" ? restart_shell(answer) : restart_text(answer));
  return 0;
}

}  // namespace coterie::sim
