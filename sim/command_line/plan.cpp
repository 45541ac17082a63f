#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>

#include "core/empirical_risk.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/command_line/known_names.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/output_path.hpp"
#include "sim/input/risks.hpp"
#include "sim/planning/plan_view.hpp"
#include "sim/sampling/interruptions.hpp"
#include "traces/lifetime_estimates.hpp"
#include "traces/readers/formats.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

constexpr std::size_t kMostWorkers = 10'000;

void declare_plan_options(Options& options, const Catalogue& catalogue) {
  options.add()("trace", po::value<std::string>(),
                "how long such machines stayed, in any format of coterie list formats")(
      "trace-format", po::value<std::string>(), "the format of that file (told from its content)")(
      "option", po::value<std::vector<std::string>>(), "KEY=VALUE: how to read it (see coterie trace --help)")(
      "estimator", po::value<std::string>(),
      "kaplan-meier (default; right with spells cut off) or naive (the paper's)")(
      "tail", po::value<std::string>(),
      "of spells without an end beyond the last interruption: both (default: plan for both), immortal or gone")(
      "age", po::value<std::string>(), "how long the machines are up already: a time, or stationary (default 0)")(
      "risk", po::value<std::string>(), "in place of a trace: a risk of coterie list risks")(
      "risk-unit", po::value<std::string>(), "what one unit of time of --risk is, such as 1h")(
      "workers", po::value<std::string>()->required(), "number of machines")(
      "work", po::value<std::string>()->required(), "time that one machine would need for everything, such as 40h")(
      "checkpoint", po::value<std::string>()->required(), "what each chunk costs besides its work, such as 5min")(
      "chunks", po::value<std::string>(),
      "equal chunks of each coterie's part (of all work without coteries); default auto")(
      "strategy", po::value<std::string>(), "plan with this one in place of the best")(
      "lambda", po::value<std::string>(), "greatest tolerated probability of interruption (default 1)")(
      "jobs-every", po::value<std::string>(),
      "background jobs (M/M/1): mean time between two of them on a machine; none is there when the work begins")(
      "jobs-last", po::value<std::string>(),
      "and the mean time that one needs alone; jobs halve, third, ... the speed")(
      "latency", po::value<std::string>(),
      "how long after it happened it is known that a chunk is complete or a machine gone (default: --checkpoint)")(
      "deadline", po::value<std::string>(), "when all should be done: how often is it?")(
      "export", po::value<std::string>(), "write the schedule to FILE.csv (for a dispatcher) or FILE.svg")(
      "instances", po::value<std::string>()->default_value("10000"), "runs to simulate")(
      "resamples", po::value<std::string>()->default_value("200"), "resamples of the trace")(
      "seed", po::value<std::string>()->default_value("1"), "same seed, same answer")(
      "format", po::value<std::string>(), "text (default) or json");
  options.positional("word", 0, 0);
  options.file("trace");
  options.file("export", {".csv", ".svg"});
  options.propose("estimator", {"kaplan-meier", "naive"});
  options.propose("tail", {"both", "immortal", "gone"});
  options.propose("age", {"stationary"});
  options.propose("chunks", {"auto"});
  options.propose("trace-format", format_names());
  options.propose("strategy", worksharing_names(catalogue));
  options.propose("risk", risk_names(catalogue));
}

/// Lengths of the command line in the unit of the question.
class Scale {
 public:
  Scale(const Options& options, bool has_unit) : options_(options), has_unit_(has_unit) { work_ = length("work"); }
  double work() const { return work_; }
  bool has_unit() const { return has_unit_; }
  double share(const std::string& name) const { return length(name) / work_; }

  /// Seconds, or a bare number.
  double length(const std::string& name) const {
    const ZeroLength zero =
        name == "checkpoint" || name == "age" || name == "latency" ? ZeroLength::kAllowed : ZeroLength::kRefused;
    if (has_unit_) return parse_seconds(options_.text(name), "--" + name, {}, zero);
    const Length length = parse_length(options_.text(name), "--" + name, {}, zero);
    if (length.has_unit)
      throw InputError(fmt::format("--{} {}: say what one unit of time of --risk is, such as --risk-unit 1h", name,
                                   options_.text(name)));
    return length.value;
  }

 private:
  const Options& options_;
  bool has_unit_;
  double work_ = 1;
};

std::string option_value(const std::string& text) { return '"' + text + '"'; }

std::string trace_expression(const Options& options, const std::string& estimator, const std::string& age) {
  std::string text = fmt::format("trace(file={}, normalise=none, estimator={}, age={}",
                                 option_value(options.text("trace")), estimator, age);
  if (options.choice("tail") != "both") text += ", tail=" + options.choice("tail");
  if (options.has("trace-format")) text += fmt::format(", format={}", options.text("trace-format"));
  for (const std::string& word : options.texts("option")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("--option {}: write KEY=VALUE", word));
    text += fmt::format(", {}={}", word.substr(0, equals), option_value(word.substr(equals + 1)));
  }
  return text + ")";
}

/// An exponential or hyperexponential risk in another unit, by name and value; null for others.
RiskPtr exponential_in_unit(const Risk& risk, double unit) {
  if (!risk.text().starts_with("exponential(") && !risk.text().starts_with("hyperexponential(")) return nullptr;
  const Expression law = Expression::parse(risk.text());
  const auto rate = [&](const char* name) { return to_text(law.number(name) * unit); };
  const std::string text = law.name() == "exponential"
                               ? fmt::format("exponential(rate={})", rate("rate"))
                               : fmt::format("hyperexponential(p={}, rate1={}, rate2={})", to_text(law.number("p")),
                                             rate("rate1"), rate("rate2"));
  RiskPtr made = make_parametric_risk(Expression::parse(text));
  for (const double share : {0.1, 0.5, 0.9})  // an aged one has the name of the law that it was
    if (const double time = risk.quantile(share); !(std::abs(made->probability(time / unit) - share) < 1e-12))
      return nullptr;
  return made;
}

/// A risk with its time in units of `unit`. What jumps stays a risk that jumps, and what is exponential stays so:
/// strategies and laws of capacity know better what to do with it.
RiskPtr in_unit(const RiskPtr& risk, double unit) {
  const auto* steps = dynamic_cast<const EmpiricalRisk*>(risk.get());
  if (steps == nullptr) {
    const RiskPtr exponential = exponential_in_unit(*risk, unit);
    return exponential ? exponential : hastened(risk, unit);
  }
  std::vector<double> times, weights;
  double before = 0;
  for (std::size_t i = 0; i < steps->jumps().size(); ++i) {
    const double time = steps->jumps()[i] / unit;
    const double weight = steps->cumulative()[i] - before;
    before = steps->cumulative()[i];
    if (!times.empty() && time <= times.back()) {  // neighbours that division rounds to the same number
      weights.back() += weight;
    } else {
      times.push_back(time);
      weights.push_back(weight);
    }
  }
  return std::make_shared<EmpiricalRisk>(std::move(times), std::move(weights), risk->text());
}

/// What the machines are like: fills in the risks of the question, and what is said of them.
class Machines {
 public:
  Machines(const Options& options, PlanView& view) : options_(options), view_(view) {
    if (options.has("trace") == options.has("risk"))
      throw InputError("give either --trace FILE or --risk R: how long do the machines stay?");
    if (options.has("risk"))
      for (const char* name : {"trace-format", "option", "estimator", "tail", "age"})
        if (options.has(name))
          throw InputError(fmt::format("--{} goes with --trace; write it into trace(...) of --risk", name));
    if (options.has("trace") && options.has("risk-unit")) throw InputError("--risk-unit goes with --risk, not --trace");
    if (options.has("risk")) resolve(options.text("risk"));
  }

  /// Seconds in a unit of time of the risk; nothing where that is not known.
  std::optional<double> unit() const {
    if (options_.has("trace")) return 1;
    if (options_.has("risk-unit")) {
      return parse_seconds(options_.text("risk-unit"), "--risk-unit");
    }
    const traces::TraceRisk* trace = risk_->trace();
    return trace == nullptr ? std::nullopt : std::optional(trace->scale);
  }

  void live_by_risk(const Scale& scale, double unit) {
    take(scale.work() / unit);
    view_.machines = fmt::format("machines of risk {}", printable(options_.text("risk")));
    if (options_.has("risk-unit")) view_.machines += fmt::format(" (unit of time: {})", options_.text("risk-unit"));
  }

  std::optional<TraceBasis> live_by_trace(const Scale& scale) {
    const std::string file = options_.text("trace");
    const std::string estimator = options_.choice("estimator");
    if (estimator == "naive" && options_.has("tail"))
      throw InputError("--tail goes with --estimator kaplan-meier; naive takes every spell's end for an interruption");
    traces::ReadingOptions::parse(options_.texts("option"));  // refuses what is none: trace(...) takes more than these
    const bool stationary = options_.text("age", "0") == "stationary";
    const double age = stationary || !options_.has("age") ? 0 : scale.length("age");
    resolve(trace_expression(options_, estimator, stationary ? "stationary" : to_text(age)));
    take(scale.work());
    const traces::TraceRisk& trace = *risk_->trace();
    const traces::Durations& durations = *trace.durations;
    TraceBasis basis{durations.divided(scale.work()), estimator == "kaplan-meier", age / scale.work(), stationary};
    if (options_.choice("tail") == "gone") basis.tail = traces::OpenTail::kGone;
    require_plausible_unit(durations, scale.length("checkpoint"));
    view_.machines = fmt::format("machines that stay as those of\n{}\n({} spells, {})", printable(file),
                                 durations.size(), median_text(durations, estimator == "naive"));
    if (basis.age > 0) view_.machines += fmt::format(",\nup for {} already", options_.text("age"));
    if (basis.stationary) view_.machines += ",\nmet at a random moment of life";
    warn(trace);
    return basis;
  }

  /// The traces that were read.
  const std::vector<std::string>& files() const { return files_; }

 private:
  /// Throws InputError where a file that says no unit has lives that are hardly seconds.
  void require_plausible_unit(const traces::Durations& durations, double checkpoint) const {
    constexpr double kMinute = 60;
    constexpr double kFarBelow = 0.1;  // of a checkpoint
    const double median = traces::lifetime_estimates(durations).median.value;
    const bool tiny = durations.longest() < kMinute;
    if (!tiny && !(median < kFarBelow * checkpoint)) return;
    const std::string file = options_.text("trace");
    if (traces::unit_source(file, options_.text("trace-format", ""), options_.texts("option")) !=
        traces::UnitSource::kAssumed)
      return;
    throw InputError(
        fmt::format("{}: {} if its numbers are seconds, which it does not say; in which unit are they? "
                    "--option unit=s, min, h or d",
                    printable(file),
                    tiny ? fmt::format("no machine stays longer than {}", length_text(durations.longest()))
                         : fmt::format("half of the machines leave within {}, a checkpoint takes {}",
                                       length_text(median), length_text(checkpoint))));
  }

  /// The median of the law that plans are made for.
  static std::string median_text(const traces::Durations& durations, bool naive) {
    if (naive) return fmt::format("median {} if all ends are interruptions", length_text(durations.median()));
    const traces::LifetimeEstimate median = traces::lifetime_estimates(durations).median;
    if (!std::isfinite(median.value)) return fmt::format("half of them stay longer than {}", length_text(median.low));
    if (!std::isfinite(median.high))
      return fmt::format("median {}, 95 %: {} or more", length_text(median.value), length_text(median.low));
    return fmt::format("median {}, 95 %: {} to {}", length_text(median.value), length_text(median.low),
                       length_text(median.high));
  }

  void resolve(const std::string& text) {
    RiskLibrary library("", view_.answer.question.catalogue->risks());
    risk_ = library.resolve(text);
    for (const auto& [file, checksum] : library.checksums()) files_.push_back(file);
  }

  void take(double unit) {
    PlanQuestion& question = view_.answer.question;
    question.lives = lives_of(*risk_, unit);
    if (const auto gone = risk_->if_gone()) question.if_gone = lives_of(*gone, unit);
  }

  Lives lives_of(const UserRisk& risk, double unit) const {
    const PlanQuestion& question = view_.answer.question;
    Lives lives{in_unit(risk.planned(), unit), {}};
    if (risk.alike()) {
      lives.risks = {lives.planned};
      return lives;
    }
    const StreamKey ages = StreamKey::derive(question.seed, plan_identity(), Use::kAge);
    for (const RiskPtr& one : risk.of_workers(question.workers, ages)) lives.risks.push_back(in_unit(one, unit));
    return lives;
  }

  void warn(const traces::TraceRisk& trace) {
    constexpr std::size_t kFew = 50;
    if (trace.n < kFew)
      view_.warnings.push_back(fmt::format("{} spells are few: look at how sure they make us", trace.n));
    if (options_.choice("tail") == "immortal" && std::isinf(view_.answer.question.lives.planned->quantile(1)))
      view_.warnings.push_back("some machines were never seen to leave; the plan takes it that they stay");
    for (const auto& [code, count] : trace.warnings) view_.warnings.push_back(traces::warning_text(code, count));
  }

  const Options& options_;
  PlanView& view_;
  std::shared_ptr<const UserRisk> risk_;
  std::vector<std::string> files_;
};

void read_background(const Options& options, const Scale& scale, PlanView& view) {
  if (options.has("jobs-every") != options.has("jobs-last"))
    throw InputError(
        "--jobs-every and --jobs-last go together: how often do background jobs come, how long do they last?");
  if (!options.has("jobs-every")) return;
  view.answer.question.background = make_background(Expression::parse(fmt::format(
      "mm1(arrival={}, service={})", to_text(1 / scale.share("jobs-every")), to_text(1 / scale.share("jobs-last")))));
  view.background = fmt::format("one every {}, of {} each", options.text("jobs-every"), options.text("jobs-last"));
}

void read_granularity(const Options& options, PlanQuestion& question) {
  using Kind = heuristics::Granularity::Kind;
  if (options.text("chunks", "auto") != "auto") {
    question.granularity = {Kind::kPerSlice, static_cast<std::size_t>(options.integer("chunks", 1))};
    if (static_cast<double>(question.granularity.count) > heuristics::Chunking::kMostChunks)
      throw InputError(fmt::format("--chunks must be at most {}", to_text(heuristics::Chunking::kMostChunks)));
  } else if (!(question.startup_cost > 0)) {
    throw InputError(
        "--checkpoint 0: where chunks cost nothing more of them are always better; give what one costs, or --chunks N");
  }
}

void ask_what_listening_is_worth(const Options& options, const Scale& scale, PlanView& view) {
  if (view.answer.question.background) {
    for (const char* name : {"latency", "deadline"})
      if (options.has(name))
        throw InputError(fmt::format("--{}: not known beside background jobs; leave out --jobs-every", name));
    return;
  }
  constexpr std::uint64_t kMostLives = 100'000, kLeastRuns = 200;  // a second or so, of some 100 chunks each
  ListeningQuestion question;
  question.latency = scale.share(options.has("latency") ? "latency" : "checkpoint");
  if (options.has("deadline")) question.deadline = scale.share("deadline");
  question.instances =
      std::min(view.answer.question.instances, std::max(kLeastRuns, kMostLives / view.answer.question.workers));
  view.listening = listen(view.answer, question);
}

void export_schedule(const PlanView& view, const std::string& path) {
  const std::string kind = std::filesystem::path(path).extension();
  if (kind == ".csv") write_text_durably(path, schedule_csv(chosen_schedule(view)));
  if (kind == ".svg") write_text_durably(path, schedule_svg(chosen_schedule(view)));
}

}  // namespace

int plan_verb(const Call& call) {
  Options options(
      "plan --trace FILE|--risk R --workers P --work D --checkpoint D [...]",
      "What to do with work that takes one machine --work, on machines that may be taken away: which strategy, how "
      "many\n"
      "copies, how large chunks, what to expect, and how sure that is. Times are written 2d, 40h, 5min, 90s.\n"
      "  coterie plan --trace lab.csv --workers 20 --work 40h --checkpoint 5min --export schedule.csv");
  declare_plan_options(options, call.catalogue);
  options.propose("format", {"text", "json"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  if (options.has("export")) {
    const std::string kind = std::filesystem::path(options.text("export")).extension();
    if (kind != ".csv" && kind != ".svg")
      throw InputError(fmt::format("--export {}: the file's name must end in .csv or .svg", options.text("export")));
    output_target(options.text("export"));  // refused now rather than when all is known
  }
  PlanView view;
  PlanQuestion& question = view.answer.question;
  question.catalogue = &call.catalogue;
  question.workers = static_cast<std::size_t>(options.integer("workers", 1));
  if (question.workers > kMostWorkers) throw InputError(fmt::format("--workers must be at most {}", kMostWorkers));
  question.seed = static_cast<std::uint64_t>(options.integer("seed", 0));
  question.instances = static_cast<std::uint64_t>(options.integer("instances", 2));
  const auto resamples = static_cast<std::size_t>(options.integer("resamples", 0));
  question.strategy = ScheduleLibrary::canonical(options.text("strategy", ""));
  if (!question.strategy.empty() && !ScheduleLibrary::is_file(question.strategy))
    call.catalogue.strategy(question.strategy);
  Machines machines(options, view);
  const std::optional<double> unit = machines.unit();
  const Scale scale(options, unit.has_value());
  view.work = scale.work();
  view.has_unit = scale.has_unit();
  question.schedules = std::make_shared<ScheduleLibrary>("", scale.work());
  if (ScheduleLibrary::is_file(question.strategy)) question.schedules->get(question.strategy);
  question.startup_cost = scale.share("checkpoint");
  question.lambda = options.number("lambda", 1);
  read_granularity(options, question);
  std::optional<TraceBasis> basis;
  if (options.has("trace")) {
    basis = machines.live_by_trace(scale);
  } else {
    machines.live_by_risk(scale, unit.value_or(1));
  }
  if (options.has("export")) protect_inputs(followed(options.text("export")), machines.files());
  read_background(options, scale, view);
  view.answer = answer(PlanQuestion(question));
  ask_what_listening_is_worth(options, scale, view);
  if (basis && resamples > 0) view.confidence = bootstrap(view.answer, *basis, resamples);
  view.circumstances = circumstances(view.answer, basis, [&](double share) {
    return view.has_unit ? length_text(share * view.work) : LengthFormat()(share * view.work);
  });
  if (options.has("export")) {
    view.exported = options.text("export");
    export_schedule(view, view.exported);
  }
  std::cout << (format == "json" ? json_text(plan_json(view)) + "\n" : plan_text(view));
  return 0;
}

}  // namespace coterie::sim
