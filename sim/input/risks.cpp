#include "sim/input/risks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "core/empirical_risk.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/table.hpp"
#include "sim/input/risk_table.hpp"
#include "sim/input/worker_classes.hpp"

namespace coterie::sim {
namespace {

constexpr const char* kTrace = "trace";
constexpr const char* kTable = "cdf";
constexpr const char* kMix = "mix";

/// Warnings of rows and columns that are not used, or not as the file alone would say.
bool is_left_out(const std::string& code) {
  constexpr std::array<std::string_view, 17> kCodes = {
      "W_COLUMN", "W_CAUSE",    "W_ABSENT", "W_COMMENT", "W_NOTSTARTED", "W_STEP", "W_NOSTART", "W_MISSED", "W_NOCODE",
      "W_NOEND",  "W_TIMEZONE", "W_UNIT",   "W_OPEN",    "W_DIFFER",     "W_LATE", "W_LASTUP",  "W_NODES"};
  return std::find(kCodes.begin(), kCodes.end(), code) != kCodes.end();
}

std::string warning_text(const std::string& text) { return "\n  warning: " + text; }

/// Of the trace in `file`, with what its reader left out.
std::string note(const std::string& file, const traces::TraceRisk& trace, const Expression& expression,
                 const std::vector<std::string>& left_out) {
  std::string text = fmt::format("{}: {} durations, {:.1f} % censored, one unit of time is {}", file, trace.n,
                                 100 * trace.censored_share, seconds_text(trace.scale));
  if (trace.within_horizon < kWholeLaw)
    text += fmt::format(", {:.2g} % not seen interrupted up to {:.6g}: assumed never to be{}",
                        100 * (1 - trace.within_horizon), trace.last_seen,
                        expression.has("tail") ? "" : "; tail=gone assumes that all are interrupted there");
  if (!trace.is_new && trace.durations->rounding() > 0)
    text += fmt::format(", lengths taken as rounded to {}", seconds_text(trace.durations->rounding()));
  for (const std::string& warning : left_out) text += warning_text(warning);
  if (trace.censored_share > 0 && expression.word("estimator", "kaplan-meier") == "naive")
    text += warning_text("their ends are counted as interruptions; estimator=kaplan-meier (default) avoids this");
  return text;
}

/// Throws InputError for a name that `coterie list risks` has not.
void require_known(const Expression& expression, const RiskKinds& kinds) {
  std::vector<std::string> names = names_in(kinds);
  for (std::string& name : names_in(composite_risks())) names.push_back(std::move(name));
  find_row(names, expression.name(), "risk", expression.place());
}

}  // namespace

const std::vector<CompositeRisk>& composite_risks() {
  static const std::vector<CompositeRisk> table = {
      {kTrace, "interruptions from an availability file", "worksharing-2013, Section 7.2", traces::trace_parameters()},
      {kTable,
       "a table of the distribution function, linear between its rows; whoever outlasts it is never interrupted",
       "beyond worksharing-2013, Section 2.2.1",
       {{"file", "", "", "", "path, relative to the campaign file, of a CSV file with the columns time,probability"}}},
      {kMix,
       "workers of several classes: mix(WEIGHT : RISK, WEIGHT : RISK, ...)",
       "beyond worksharing-2013, Section 7",
       {}},
  };
  return table;
}

std::vector<std::string> RiskLibrary::leave_out(const std::string& file,
                                                const std::map<std::string, std::int64_t>& warnings) {
  std::vector<std::string> texts;
  for (const traces::WarningLine& line : traces::warning_lines(warnings))
    if (is_left_out(line.code)) texts.push_back(line.text);
  for (const std::string& text : texts) left_out_.push_back({file, text});
  return texts;
}

UserRisk::Class RiskLibrary::class_of_trace(const Expression& expression) {
  const Place& place = expression.place();
  std::shared_ptr<const traces::TraceRisk> trace;
  try {
    trace = std::make_shared<traces::TraceRisk>(traces::risk_from_trace(expression, directory_));
  } catch (const RuntimeError& error) {
    const std::string message = with_echoed(error.what(), expression.word("file"));
    throw RuntimeError(place.file.empty() ? message : fmt::format("{}: trace: {}", place.text(), message));
  }
  for (const auto& [file, checksum] : trace->checksums) checksums_[file] = checksum;
  const std::string file = std::filesystem::path(trace->path).lexically_normal().string();
  notes_.push_back(note(file, *trace, expression, leave_out(file, trace->warnings)));
  return {1, trace->risk, trace, trace->canonical};
}

UserRisk::Class RiskLibrary::class_of_table(const Expression& expression) {
  expression.allow_only({"file"});
  const std::string& file = expression.word("file");
  const std::string path = traces::resolved(file, directory_);
  const std::string checksum = traces::file_checksum(path);
  checksums_[file] = checksum;
  const std::string text = fmt::format("{}(file={})", kTable, traces::quoted_if_needed(file));
  return {1, read_risk_table(path, text), nullptr, fmt::format("{}(crc64={})", kTable, checksum)};
}

UserRisk::Class RiskLibrary::one_class(const std::string& text, const Place& place) {
  if (const auto found = classes_.find(text); found != classes_.end()) return found->second;
  const Expression expression = Expression::parse(text, place);
  require_known(expression, kinds_);
  Class& found = classes_[text];
  if (expression.name() == kTrace) return found = class_of_trace(expression);
  if (expression.name() == kTable) return found = class_of_table(expression);
  const RiskPtr risk = make_parametric_risk(expression, kinds_);
  return found = {1, risk, nullptr, risk->text()};
}

std::shared_ptr<const UserRisk> RiskLibrary::resolve(const std::string& text, const Place& place) {
  const std::lock_guard lock(mutex_);
  if (const auto found = resolved_.find(text); found != resolved_.end()) return found->second;
  std::shared_ptr<const UserRisk> risk;
  if (expression_name(text) == kMix) {
    const WorkerClasses written = WorkerClasses::parse(text, place);
    std::vector<Class> classes;
    for (std::size_t k = 0; k < written.risks.size(); ++k) {
      classes.push_back(one_class(written.risks[k], place));
      classes.back().weight = written.weights[k];
    }
    risk = std::make_shared<const UserRisk>(UserRisk::mixed(std::move(classes)));
  } else {
    risk = std::make_shared<const UserRisk>(one_class(text, place));
  }
  return resolved_[text] = risk;
}

std::shared_ptr<const traces::NamedRecording> RiskLibrary::recording(const Expression& expression) {
  const std::lock_guard lock(mutex_);
  std::string arguments;
  for (const std::string& key : names_of(traces::recording_parameters()))
    if (expression.has(key)) arguments += key + "=" + expression.word(key) + "\n";
  auto& known = recordings_[arguments];
  if (known) return known;
  try {
    known = std::make_shared<const traces::NamedRecording>(traces::read_recording(expression, directory_));
  } catch (const RuntimeError& error) {
    const std::string message = with_echoed(error.what(), expression.word("trace"));
    throw RuntimeError(expression.place().file.empty() ? message
                                                       : fmt::format("{}: {}", expression.place().text(), message));
  }
  for (const auto& [file, checksum] : known->checksums) checksums_[file] = checksum;
  const std::string file =
      std::filesystem::path(traces::resolved(expression.word("trace"), directory_)).lexically_normal().string();
  std::string note = file + ": a recording";
  const std::vector<std::string> left_out = leave_out(file, known->warnings);
  for (const std::string& warning : left_out) note += warning_text(warning);
  if (!left_out.empty()) notes_.push_back(std::move(note));
  return known;
}

std::vector<std::string> RiskLibrary::notes() const {
  const std::lock_guard lock(mutex_);
  return notes_;
}

std::vector<LeftOut> RiskLibrary::left_out() const {
  const std::lock_guard lock(mutex_);
  return left_out_;
}

std::map<std::string, std::string> RiskLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
