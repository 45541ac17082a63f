#include "sim/plan_verb/plan_question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/cut_risk.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/input/worker_classes.hpp"
#include "traces/lifetime_estimates.hpp"
#include "traces/readers/reading_options.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

std::string option_value(const std::string& text) {
  if (text.find('"') != std::string::npos)
    throw InputError(
        fmt::format("{}: names and values with a double quote cannot be used; rename the file", echoed(text)));
  return '"' + text + '"';
}

std::string trace_expression(const Options& options, const std::string& file, const std::string& age) {
  std::string text = fmt::format("trace(file={}, normalise=none, estimator={}, age={}", option_value(file),
                                 options.choice("estimator"), age);
  if (options.choice("tail") != "both") text += ", tail=" + options.choice("tail");
  if (options.has("trace-format")) text += ", format=" + option_value(options.text("trace-format"));
  for (const std::string& word : options.texts("option")) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("--option {}: write KEY=VALUE", word));
    text += fmt::format(", {}={}", word.substr(0, equals), option_value(word.substr(equals + 1)));
  }
  return text + ")";
}

/// The median of the law that plans are made for.
std::string median_text(const traces::LifetimeEstimate& median, const traces::Durations& durations, bool naive) {
  if (naive) return fmt::format("median {} if every end is an interruption", length_text(durations.median()));
  if (!std::isfinite(median.value)) return fmt::format("half of them stay longer than {}", length_text(median.low));
  if (!std::isfinite(median.high))
    return fmt::format("median {}, 95 %: {} or more", length_text(median.value), length_text(median.low));
  return fmt::format("median {}, 95 %: {} to {}", length_text(median.value), length_text(median.low),
                     length_text(median.high));
}

}  // namespace

bool has_trace_of_its_own_unit(const std::string& risk) {
  const std::string name = expression_name(risk);
  if (name == "trace") return !Expression::parse(risk).has("normalise");
  if (name != "mix") return false;
  const std::vector<std::string> parts = parse_items(risk);
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return has_trace_of_its_own_unit(std::string(trimmed(split_outside(part, ':').back())));
  });
}

double Scale::length(const std::string& name) const {
  const ZeroLength zero =
      name == "checkpoint" || name == "age" || name == "latency" ? ZeroLength::kAllowed : ZeroLength::kRefused;
  if (has_unit_) return parse_seconds(options_.text(name), "--" + name, {}, zero);
  const Length length = parse_length(options_.text(name), "--" + name, {}, zero);
  if (length.has_unit)
    throw InputError(fmt::format("--{} {}: say how long one unit of time of --risk is, such as --risk-unit 1h", name,
                                 options_.text(name)));
  return length.value;
}

Machines::Machines(const Options& options, PlanView& view) : options_(options), view_(view) {
  if (options.has("trace") + options.has("risk") + options.has("classes") != 1)
    throw InputError("give either --trace FILE or --risk R or --classes FILE: how long do the machines stay?");
  if (options.has("risk"))
    for (const char* name : {"trace-format", "option", "estimator", "tail", "age"})
      if (options.has(name))
        throw InputError(fmt::format("--{} goes with --trace; write it into trace(...) of --risk", name));
  if (options.has("classes") && options.has("age"))
    throw InputError("--age goes with --trace; with --classes, write ages into the column age of the file");
  if (!options.has("risk") && options.has("risk-unit"))
    throw InputError("--risk-unit goes with --risk: traces are read in seconds");
  if (!options.has("risk")) return;
  if (options.has("risk-unit") && has_trace_of_its_own_unit(options.text("risk")))
    throw InputError(
        "--risk: the longest duration of trace(...) would become one --risk-unit; leave out --risk-unit to keep the "
        "times of the trace, or write normalise=longest into it");
  resolve(options.text("risk"));
}

std::optional<double> Machines::unit() const {
  if (!options_.has("risk")) return 1;
  if (options_.has("risk-unit")) {
    return parse_seconds(options_.text("risk-unit"), "--risk-unit");
  }
  const traces::TraceRisk* trace = risk_->trace();
  return trace == nullptr ? std::nullopt : std::optional(trace->scale);
}

void Machines::live_by_risk(const Scale& scale, double unit) {
  take(scale.work() / unit);
  view_.machines = fmt::format("machines with risk {}", printable(options_.text("risk")));
  if (options_.has("risk-unit")) view_.machines += fmt::format(" (unit of time: {})", options_.text("risk-unit"));
  view_.machine_facts = {{"risk", printable(options_.text("risk"))}, {"risk_unit", nullptr}};
  if (options_.has("risk-unit")) view_.machine_facts["risk_unit"] = unit;
  if (const traces::TraceRisk* trace = risk_->trace()) {
    warn(*trace);
    warn_of_change();
  }
}

void Machines::warn_of_files() {
  for (const LeftOut& one : library_->left_out())
    if (told_.emplace(one.file, one.text).second) view_.warnings.push_back(printable(one.file) + ": " + one.text);
}

void Machines::check_reading() const {
  if (options_.choice("estimator") == "naive" && options_.has("tail"))
    throw InputError("--tail goes with --estimator kaplan-meier; naive takes every end of a spell as an interruption");
  traces::ReadingOptions::parse(options_.texts("option"));  // refuses all others: trace(...) takes more than these
}

void Machines::live_by_classes(const Scale& scale, const std::vector<MachineClass>& classes) {
  check_reading();
  const bool naive = options_.choice("estimator") == "naive";
  std::string mix;
  std::vector<std::size_t> counts;
  view_.machine_facts = nlohmann::ordered_json::array();
  for (const MachineClass& one : classes) {
    const Place row{options_.text("classes"), one.line};
    const bool stationary = one.age == "stationary";
    const std::string age = one.age.empty() || stationary
                                ? (stationary ? one.age : "0")
                                : to_text(parse_seconds(one.age, "age", row, ZeroLength::kAllowed));
    const std::string text = trace_expression(options_, one.trace, age);
    resolve(text, row);
    const traces::TraceRisk& trace = *risk_->trace();
    const traces::LifetimeEstimate median = traces::lifetime_estimates(*trace.durations).median;
    require_plausible_unit(one.trace, trace, median.value, scale.length("checkpoint"));
    warn(trace, classes.size() > 1 ? printable(one.trace) + ": " : "");
    warn_of_change();
    mix += fmt::format("{}{} : {}", mix.empty() ? "mix(" : ", ", one.machines, text);
    counts.push_back(one.machines);
    view_.machine_facts.push_back({{"machines", one.machines},
                                   {"trace", printable(one.trace)},
                                   {"spells", trace.durations->size()},
                                   {"numbers", nlohmann::ordered_json::array()}});
    view_.class_texts.push_back(fmt::format("{} ({}, {}){}", printable(one.trace),
                                            counted(trace.durations->size(), "spell"),
                                            median_text(median, *trace.durations, naive),
                                            stationary   ? ", seen at a random moment of life"
                                            : age == "0" ? ""
                                                         : fmt::format(", up for {} already", one.age)));
  }
  resolve(mix + ")");
  take(scale.work());
  view_.machines = fmt::format("machines of {}, listed in {}", counted(classes.size(), "class", "classes"),
                               printable(options_.text("classes")));
  view_.class_of_machine = class_of_workers(counts);
  for (std::size_t w = 0; w < view_.class_of_machine.size(); ++w)
    view_.machine_facts[view_.class_of_machine[w]]["numbers"].push_back(w);
}

std::optional<TraceBasis> Machines::live_by_trace(const Scale& scale) {
  const std::string file = options_.text("trace");
  const std::string estimator = options_.choice("estimator");
  check_reading();
  const bool stationary = options_.text("age", "0") == "stationary";
  const double age = stationary || !options_.has("age") ? 0 : scale.length("age");
  try {
    resolve(trace_expression(options_, file, stationary ? "stationary" : to_text(age)));
  } catch (const traces::AgeError& error) {
    throw InputError(Place{"--age"}, error.what());
  }
  take(scale.work());
  const traces::TraceRisk& trace = *risk_->trace();
  const traces::Durations& durations = *trace.durations;
  TraceBasis basis{durations.divided(scale.work()), estimator == "kaplan-meier", age / scale.work(), stationary};
  if (options_.choice("tail") == "gone") basis.tail = traces::OpenTail::kGone;
  const traces::LifetimeEstimate median = traces::lifetime_estimates(durations).median;
  require_plausible_unit(file, trace, median.value, scale.length("checkpoint"));
  view_.machines =
      fmt::format("machines that stay as long as those in\n{}\n({}, {})", printable(file),
                  counted(durations.size(), "spell"), median_text(median, durations, estimator == "naive"));
  const auto or_null = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  view_.machine_facts = {{"trace", printable(file)},
                         {"spells", durations.size()},
                         {"median", or_null(estimator == "naive" ? durations.median() : median.value)},
                         {"median_interval", nullptr},
                         {"age", age},
                         {"stationary", stationary},
                         {"change", nullptr},
                         {"change_p", nullptr}};
  const traces::Change change = warn_of_change();
  if (change.factor) {
    view_.machine_facts["change"] = *change.factor;
    view_.machine_facts["change_p"] = change.p;
  }
  if (estimator != "naive") view_.machine_facts["median_interval"] = {or_null(median.low), or_null(median.high)};
  if (basis.age > 0) view_.machines += fmt::format(",\nup for {} already", options_.text("age"));
  if (basis.stationary) view_.machines += ",\nseen at a random moment of life";
  warn(trace);
  return basis;
}

PlanQuestion Machines::question(std::size_t workers) const {
  PlanQuestion question = view_.answer.question;
  question.workers = workers;
  question.memory = std::make_shared<heuristics::SliceCache>();  // the risks below are made anew
  question.lives = lives_of(*risk_, workers);
  if (const auto gone = risk_->if_gone()) question.if_gone = lives_of(*gone, workers);
  return question;
}

/// Throws InputError where a file that gives no unit has times that can hardly be seconds.
void Machines::require_plausible_unit(const std::string& file, const traces::TraceRisk& trace, double median,
                                      double checkpoint) const {
  constexpr double kMinute = 60;
  constexpr double kFarBelow = 0.1;  // of a checkpoint
  if (trace.unit != traces::UnitSource::kAssumed) return;
  const traces::Durations& durations = *trace.durations;
  const bool tiny = durations.longest() < kMinute;
  if (!tiny && !(median < kFarBelow * checkpoint)) return;
  throw InputError(
      fmt::format("{}: {} if its numbers are seconds, which it does not say; in which unit are they? Give "
                  "--option unit=s, min, h or d",
                  printable(file),
                  tiny ? fmt::format("no machine stays longer than {}", length_text(durations.longest()))
                       : fmt::format("half of the machines leave within {} and a checkpoint takes {}",
                                     length_text(median), length_text(checkpoint))));
}

void Machines::resolve(const std::string& text, const Place& place) {
  if (!library_) library_ = std::make_shared<RiskLibrary>("", view_.answer.question.catalogue->risks());
  risk_ = library_->resolve(text, place);
  risk_text_ = text;
}

std::vector<std::string> Machines::files() const {
  std::vector<std::string> files;
  for (const auto& [file, checksum] : library_->checksums()) files.push_back(file);
  return files;
}

void Machines::end_at(double horizon) {
  horizon_ = horizon;
  view_.answer.question = question(view_.answer.question.workers);
}

void Machines::take(double unit) {
  unit_ = unit;
  view_.answer.question = question(view_.answer.question.workers);
}

Lives Machines::lives_of(const UserRisk& risk, std::size_t workers) const {
  CutRisks cut;
  std::map<RiskPtr, RiskPtr> known;  // machines of one class have one risk
  const auto in_question = [&](const RiskPtr& one) {
    RiskPtr& made = known[one];
    if (!made) made = std::isinf(horizon_) ? one->in_unit(unit_) : cut(one->in_unit(unit_), horizon_);
    return made;
  };
  Lives lives{in_question(risk.planned()), {}};
  if (risk.alike()) {
    lives.risks = {lives.planned};
    return lives;
  }
  const StreamKey ages = StreamKey::derive(view_.answer.question.seed, plan_identity(), Use::kAge);
  for (const RiskPtr& one : risk.of_workers(workers, ages)) lives.risks.push_back(in_question(one));
  return lives;
}

traces::Change Machines::warn_of_change() {
  const traces::Change& change = risk_->trace()->change;
  std::string doubt = traces::doubt(change, printable(Expression::parse(risk_text_).word("file")));
  std::vector<std::string>& all = view_.doubts;  // once, even if several classes have the same trace
  if (!doubt.empty() && std::find(all.begin(), all.end(), doubt) == all.end()) all.push_back(std::move(doubt));
  return change;
}

void Machines::warn(const traces::TraceRisk& trace, const std::string& whose) {
  constexpr std::size_t kFew = 50;
  const auto add = [&](const std::string& text) {  // once, even if several classes have the same trace
    std::vector<std::string>& all = view_.warnings;
    if (std::find(all.begin(), all.end(), whose + text) == all.end()) all.push_back(whose + text);
  };
  if (trace.n < kFew) add(fmt::format("only {}: the answer is uncertain", counted(trace.n, "spell")));
  if (options_.choice("tail") == "immortal" && std::isinf(trace.risk->quantile(1)))
    add("some machines were never seen to leave; the plan assumes that they stay");
  const std::string file = std::filesystem::path(trace.path).lexically_normal().string();
  for (const traces::WarningLine& line : traces::warning_lines(trace.warnings)) {
    add(line.text);
    told_.emplace(file, line.text);
  }
}

}  // namespace coterie::sim
