#include "sim/input/risks.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "core/length.hpp"
#include "core/mixture_risk.hpp"
#include "core/printable.hpp"
#include "core/table.hpp"
#include "sim/input/worker_classes.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

constexpr double kWholeLaw = 1 - 1e-9;  // probabilities add up to this where no tail is open

std::string note(const traces::TraceRisk& trace, const Expression& expression) {
  std::string text = fmt::format("{}: {} durations, {:.1f} % censored, one unit of time is {}",
                                 std::filesystem::path(trace.path).lexically_normal().string(), trace.n,
                                 100 * trace.censored_share, seconds_text(trace.scale));
  if (trace.within_horizon < kWholeLaw)
    text += fmt::format(", {:.2g} % not seen to be interrupted up to {:.6g}: taken never to be{}",
                        100 * (1 - trace.within_horizon), trace.last_seen,
                        expression.has("tail") ? "" : "; tail=gone takes all of them to be interrupted there");
  if (trace.censored_share > 0.01 && expression.word("estimator", "naive") == "naive")
    text += "\n  warning: their ends are taken for interruptions; estimator=kaplan-meier does not";
  return text;
}

/// Throws InputError for a name that `coterie list risks` has not.
void require_known(const Expression& expression, const RiskKinds& kinds) {
  struct Name {
    std::string name;
  };
  std::vector<Name> names;
  for (const RiskKind& kind : kinds) names.push_back({kind.name});
  for (const CompositeRisk& kind : composite_risks()) names.push_back({kind.name});
  find_row(names, expression.name(), "risk", expression.place());
}

bool is_trace(const std::string& text) { return expression_name(text) == "trace"; }
bool is_mix(const std::string& text) { return expression_name(text) == "mix"; }
bool has_ages(const traces::TraceRisk& trace) { return trace.fresh || !trace.of_ages.empty(); }

}  // namespace

const std::vector<CompositeRisk>& composite_risks() {
  static const std::vector<CompositeRisk> table = {
      {"trace", "interruptions as a file of availability shows them", "worksharing-2013, Section 7.2",
       traces::trace_parameters()},
      {"mix",
       "workers of several classes: mix(WEIGHT : RISK, WEIGHT : RISK, ...)",
       "beyond worksharing-2013, Section 7",
       {}},
  };
  return table;
}

RiskPtr RiskLibrary::make_from_trace(const std::string& text, const Place& place) {
  const Expression expression = Expression::parse(text, place);
  std::shared_ptr<const traces::TraceRisk> trace;
  try {
    trace = std::make_shared<traces::TraceRisk>(traces::risk_from_trace(expression, directory_));
  } catch (const RuntimeError& error) {
    const std::string message = with_echoed(error.what(), expression.word("file"));
    throw RuntimeError(place.file.empty() ? message : fmt::format("{}: trace: {}", place.text(), message));
  }
  for (const auto& [file, checksum] : trace->checksums) checksums_[file] = checksum;
  notes_.push_back(note(*trace, expression));
  traces_[text] = trace;
  return trace->risk;
}

RiskPtr RiskLibrary::make(const std::string& text, const Place& place) {
  if (const auto found = made_.find(text); found != made_.end()) return found->second;
  RiskPtr risk;
  if (is_trace(text)) {
    risk = make_from_trace(text, place);
  } else if (is_mix(text)) {
    const WorkerClasses classes = WorkerClasses::parse(text, place);
    std::vector<RiskPtr> risks;
    std::vector<std::string> texts;
    for (const std::string& one : classes.risks) {
      risks.push_back(make(one, place));
      texts.push_back(risks.back()->text());
    }
    risk =
        std::make_shared<MixtureRisk>(std::move(risks), classes.weights, WorkerClasses::text(classes.weights, texts));
  } else {
    const Expression expression = Expression::parse(text, place);
    require_known(expression, kinds_);
    risk = make_parametric_risk(expression, kinds_);
  }
  return made_[text] = risk;
}

RiskPtr RiskLibrary::get(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  return make(text, place);
}

std::vector<RiskPtr> RiskLibrary::of_workers(const std::string& text, std::size_t workers, const StreamKey& ages,
                                             const Place& place) {
  const std::lock_guard lock(mutex_);
  make(text, place);
  WorkerClasses classes{{1}, {text}};
  if (is_mix(text)) classes = WorkerClasses::parse(text, place);
  const auto traced = [&](const std::string& risk) -> const traces::TraceRisk* {
    const auto found = traces_.find(risk);
    return found == traces_.end() || !has_ages(*found->second) ? nullptr : found->second.get();
  };
  if (classes.risks.size() == 1 && !traced(classes.risks.front())) return {make(classes.risks.front(), place)};
  const std::vector<std::size_t> kinds = class_of_workers(class_counts(classes.weights, workers));
  std::vector<RiskPtr> risks;
  std::vector<std::size_t> met(classes.risks.size(), 0);
  for (std::size_t w = 0; w < workers; ++w) {
    const std::string& risk = classes.risks[kinds[w]];
    const traces::TraceRisk* trace = traced(risk);
    const std::size_t number = met[kinds[w]]++;
    if (trace != nullptr && trace->fresh) {
      Stream stream(ages, 0, static_cast<std::uint32_t>(w));
      risks.push_back(trace->drawn(to_uniform(stream())));
    } else if (trace != nullptr) {
      risks.push_back(trace->of_ages[number % trace->of_ages.size()]);
    } else {
      risks.push_back(make(risk, place));
    }
  }
  return risks;
}

bool RiskLibrary::alike(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  make(text, place);
  const auto found = traces_.find(text);
  return !is_mix(text) && (found == traces_.end() || !has_ages(*found->second));
}

std::string RiskLibrary::canonical(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  const RiskPtr risk = make(text, place);
  const auto of = [&](const std::string& one) {
    return is_trace(one) ? traces_.at(one)->canonical : make(one, place)->text();
  };
  if (!is_mix(text)) return of(text);
  const WorkerClasses classes = WorkerClasses::parse(text, place);
  std::vector<std::string> texts;
  for (const std::string& one : classes.risks) texts.push_back(of(one));
  return WorkerClasses::text(classes.weights, texts);
}

std::optional<std::string> RiskLibrary::with_tails_gone(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  make(text, place);
  bool open = false;
  const auto gone = [&](const std::string& risk) {
    if (!is_trace(risk) || traces_.at(risk)->within_horizon > kWholeLaw || Expression::parse(risk).has("tail"))
      return risk;
    open = true;
    return risk.substr(0, risk.rfind(')')) + ", tail=gone)";
  };
  std::string result = text;
  if (is_mix(text)) {
    WorkerClasses classes = WorkerClasses::parse(text, place);
    for (std::string& risk : classes.risks) risk = gone(risk);
    result = WorkerClasses::text(classes.weights, classes.risks);
  } else {
    result = gone(text);
  }
  return open ? std::optional(result) : std::nullopt;
}

std::vector<std::string> RiskLibrary::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::map<std::string, std::string> RiskLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
