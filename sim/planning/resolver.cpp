#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "core/empirical_risk.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/planning/clock.hpp"
#include "sim/planning/situation.hpp"
#include "sim/sampling/recorded_spells.hpp"
#include "traces/change.hpp"
#include "traces/common_part.hpp"
#include "traces/down_times.hpp"
#include "traces/lifetime_estimates.hpp"
#include "traces/readers/formats.hpp"
#include "traces/summary.hpp"

namespace coterie::sim {
namespace {

using traces::AvailabilityTrace;
using traces::OpenTail;

Place place_in(const MachineGroup& group, const std::string& key) {
  const auto found = group.places.find(key);
  return found == group.places.end() ? Place{} : found->second;
}

/// Whether a risk has a trace(...) in it that does not say what becomes one unit of time.
bool has_trace_of_its_own_unit(const std::string& risk) {
  const std::string name = expression_name(risk);
  if (name == "trace") return !Expression::parse(risk).has("normalise");
  if (name != "mix") return false;
  const std::vector<std::string> parts = parse_items(risk);
  return std::any_of(parts.begin(), parts.end(), [](const std::string& part) {
    return has_trace_of_its_own_unit(std::string(trimmed(split_outside(part, ':').back())));
  });
}

/// Builds a Situation.
class Resolver {
 public:
  Resolver(const Question& question, const Catalogue& catalogue) : question_(question) {
    found_.question = question;
    found_.library = std::make_shared<RiskLibrary>("", catalogue.risks());
  }

  Situation operator()() {
    for (const MachineGroup& group : question_.machines) read_risk(group);
    find_unit();
    read_lengths();
    for (std::size_t g = 0; g < question_.machines.size(); ++g) read_life(g);
    for (std::size_t g = 0; g < question_.machines.size(); ++g) read_down(g);
    for (std::size_t g = 0; g < question_.machines.size(); ++g) read_zones(g);
    read_times_of_day();
    read_replay();
    read_jobs();
    assume();
    for (const LeftOut& one : found_.library->left_out()) warn(printable(one.file) + ": " + one.text);
    for (const auto& [file, checksum] : found_.library->checksums()) found_.files.push_back(file);
    for (const MachineGroup& one : question_.machines)
      if (const std::string& written_in = place_in(one, "trace").file; !written_in.empty())
        found_.files.push_back(written_in);
    return std::move(found_);
  }

 private:
  const MachineGroup& group(std::size_t g) const { return question_.machines[g]; }

  static void add(std::vector<std::string>& texts, const std::string& text) {  // once, though groups share a trace
    if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(text);
  }
  void warn(const std::string& text) { add(found_.warnings, text); }

  void read_risk(const MachineGroup& group) {
    GroupLaws& machines = found_.machines.emplace_back();
    if (group.risk.empty()) return;
    const Place place = place_in(group, "risk");
    if (group.risk_unit && has_trace_of_its_own_unit(group.risk))
      throw InputError(place, fmt::format("{}: the longest duration of trace(...) would become one {}; leave that out "
                                          "to keep the times of the trace, or write normalise=longest into it",
                                          question_.called("risk"), question_.called("risk_unit")));
    machines.risk = found_.library->resolve(group.risk, place);
    machines.is_new = machines.risk->are_new();
    machines.open = machines.risk->if_gone() != nullptr;
    if (const traces::TraceRisk* trace = machines.risk->trace())
      tell_change(trace->change, printable(Expression::parse(group.risk).word("file")));
  }

  /// Seconds in one unit of time of a group's risk; nothing if that is not known.
  std::optional<double> seconds_of_risk(std::size_t g) const {
    if (group(g).risk_unit) return group(g).risk_unit;
    const traces::TraceRisk* trace = found_.machines[g].risk->trace();
    return trace == nullptr ? std::nullopt : std::optional(trace->scale);
  }

  /// Whether times are seconds, or bare numbers in a unit that the question does not tell.
  void find_unit() {
    std::optional<std::size_t> bare;
    bool seconds = question_.replay.has_value();
    for (std::size_t g = 0; g < question_.machines.size(); ++g) {
      if (group(g).trace) seconds = true;
      if (!found_.machines[g].risk) continue;
      if (seconds_of_risk(g))
        seconds = true;
      else
        bare = g;
    }
    if (bare && seconds)
      throw InputError(place_in(group(*bare), "risk"),
                       fmt::format("{} {}: say how long one unit of its time is, such as {} 1h",
                                   question_.called("risk"), echoed(group(*bare).risk), question_.called("risk_unit")));
    const bool written = question_.work.has_unit || (question_.checkpoint && question_.checkpoint->has_unit);
    found_.has_unit = !bare && (seconds || written);
  }

  double checked(const Length& length, const std::string& key) const {
    const bool anything = length.value == 0 || std::isinf(length.value);
    if (!anything && found_.has_unit && !length.has_unit)
      throw InputError(question_.place(key),
                       fmt::format("{} must be a time with its unit d, h, min, s, ms or us, such as 40h, 1h30m or "
                                   "\"1.5 min\", not \"{}\"",
                                   question_.called(key), to_text(length.value)));
    if (!anything && !found_.has_unit && length.has_unit)
      throw InputError(question_.place(key),
                       fmt::format("{} {}: say how long one unit of time of the risk is, such as {} 1h",
                                   question_.called(key), length_text(length.value), question_.called("risk_unit")));
    return length.value;
  }
  double share(const Length& length, const std::string& key) const { return checked(length, key) / found_.work; }

  void read_lengths() {
    found_.work = checked(question_.work, "work");
    if (question_.task) {
      found_.task = share(*question_.task, "task");
      if (found_.task > 1)
        throw InputError(question_.place("task"),
                         fmt::format("{} is longer than {}: one task is at most all of the work",
                                     question_.called("task"), question_.called("work")));
    }
    if (question_.checkpoint) found_.checkpoint = share(*question_.checkpoint, "checkpoint");
    found_.restart = share(question_.restart, "restart");
    found_.latency = question_.latency ? share(*question_.latency, "latency") : found_.checkpoint;
    found_.notice = question_.notice ? share(*question_.notice, "notice") : found_.latency;
    found_.warning = share(question_.warning, "warning");
    if (question_.replay && question_.replay->window) found_.horizon = share(*question_.replay->window, "window");
  }

  const AvailabilityTrace& trace_of(const TraceSource& source) {
    for (const auto& [known, trace] : traces_)
      if (known == source) return *trace;
    traces::ReadingOptions::parse(source.options);  // refuses unknown ones with the known ones
    traces_.emplace_back(source, source.known);
    if (!source.known)
      traces_.back().second =
          std::make_shared<AvailabilityTrace>(traces::read_trace(source.file, source.format, source.options));
    found_.files.push_back(source.file);
    for (const std::string& option : source.options)
      if (const std::size_t equals = option.find('='); traces::ReadingOptions::names_file(option.substr(0, equals)))
        found_.files.push_back(option.substr(equals + 1));
    return *traces_.back().second;
  }

  void tell_change(const traces::Change& change, const std::string& file) {
    if (const std::string doubt = traces::doubt(change, file); !doubt.empty()) add(found_.doubts, doubt);
  }

  /// Throws InputError where a file that gives no unit has times that can hardly be seconds.
  void require_plausible_unit(const AvailabilityTrace& trace, const traces::Durations& durations, double median,
                              const std::string& file) const {
    constexpr double kMinute = 60;
    constexpr double kFarBelow = 0.1;  // of a checkpoint
    if (trace.unit != traces::UnitSource::kAssumed) return;
    const double checkpoint = found_.checkpoint * found_.work;
    const bool tiny = durations.longest() < kMinute;
    if (!tiny && !(median < kFarBelow * checkpoint)) return;
    throw InputError(fmt::format(
        "{}: {} if its numbers are seconds, which it does not say; in which unit are they? Give {} unit=s, min, h or d",
        printable(file),
        tiny ? fmt::format("no machine stays longer than {}", length_text(durations.longest()))
             : fmt::format("half of the machines leave within {} and a checkpoint takes {}", length_text(median),
                           length_text(checkpoint)),
        question_.from_file ? "options" : "--option"));
  }

  void read_life(std::size_t g) {
    GroupLaws& machines = found_.machines[g];
    if (machines.risk) {
      machines.risk_unit = found_.work / seconds_of_risk(g).value_or(1);
      lives_.push_back("with risk " + printable(group(g).risk));
      return;
    }
    if (!group(g).trace) {
      lives_.push_back(question_.replay ? "" : "that are never interrupted");
      return;
    }
    const std::string& file = group(g).trace->file;
    const AvailabilityTrace& trace = trace_of(*group(g).trace);
    const traces::Durations durations(trace);
    const bool stationary = group(g).age == "stationary";
    const double age = stationary ? 0
                                  : share(parse_length(group(g).age, question_.called("age"), place_in(group(g), "age"),
                                                       ZeroLength::kAllowed),
                                          "age");
    TraceBasis basis{durations.divided(found_.work), group(g).estimator == "kaplan-meier", age, stationary};
    machines.is_new = !stationary && age == 0;
    machines.interruptions = basis.kaplan_meier ? durations.observed() : durations.size();
    try {
      machines.open = group(g).tail == "both" && basis.is_open();
      if (group(g).tail == "gone") basis.tail = OpenTail::kGone;
      basis.risk(basis.durations.counts(), machines.open ? OpenTail::kGone : basis.tail);
    } catch (const traces::AgeError& error) {
      throw InputError(place_in(group(g), "age"), fmt::format("{} {}: no machine of {} is known to be up at that age",
                                                              question_.called("age"), group(g).age, printable(file)));
    } catch (const InputError& error) {
      throw InputError(place_in(group(g), "trace"), fmt::format("{}: {}", printable(file), error.what()));
    }
    const traces::LifetimeEstimate median = traces::lifetime_estimates(durations).median;
    require_plausible_unit(trace, durations, median.value, file);
    tell_change(traces::change(trace), printable(file));
    tell_clock(trace, printable(file));
    for (const traces::WarningLine& line : traces::warning_lines(trace.warnings))
      warn(printable(file) + ": " + line.text);
    const double shown = basis.kaplan_meier ? median.value : durations.median();
    std::string text = fmt::format(
        "that stay as long as those in {} ({}, {})", printable(file), counted(durations.size(), "spell"),
        std::isfinite(shown) ? "median " + length_text(shown) : "half longer than " + length_text(durations.longest()));
    if (age > 0) text += fmt::format(", up for {} already", group(g).age);
    if (stationary) text += ", seen at a random moment of life";
    lives_.push_back(text);
    machines.basis = std::move(basis);
  }

  /// Interruptions that come more often at some hours of the day than at others.
  void tell_clock(const AvailabilityTrace& trace, const std::string& file) {
    if (question_.replay) return;
    const auto cycle = traces::interruption_cycle(trace);
    if (!cycle || !cycle->is_certain()) return;
    add(found_.doubts,
        fmt::format("interruptions in {} follow the clock (day cycle {:.2f}): what is true depends on the start, for "
                    "which {} answers",
                    file, cycle->strength,
                    question_.from_file ? "replay with start = \"Mon 18:00\"" : "--replay FILE --start \"Mon 18:00\""));
  }

  void read_down(std::size_t g) {
    const std::string& text = group(g).replaced;
    const Place place = place_in(group(g), "replaced");
    GroupLaws& machines = found_.machines[g];
    if (text == "never") {
      downs_.push_back("");
      return;
    }
    if (question_.jobs)
      throw InputError(place, fmt::format("{} is not available with background jobs: how far a machine gets between "
                                          "two interruptions is only known for its first life",
                                          question_.called("replaced")));
    if (!machines.basis && !machines.is_new)
      throw InputError(place,
                       fmt::format("{}: a machine that is replaced is new; write the age as {}, not into {}",
                                   question_.called("replaced"), question_.called("age"), question_.called("risk")));
    if (text == "recorded") {
      if (!group(g).trace)
        throw InputError(place, fmt::format("{} recorded goes with {}: which file tells when machines return?",
                                            question_.called("replaced"), question_.called("trace")));
      try {
        const traces::Durations downs = traces::down_times(trace_of(*group(g).trace));
        StepLaw law = traces::kaplan_meier_law(downs);
        law.rounding = downs.rounding();
        const double median = traces::lifetime_estimates(downs).median.value;
        downs_.push_back(std::isfinite(median) ? "as recorded, half within " + length_text(median) : "as recorded");
        machines.down = std::make_shared<EmpiricalRisk>(law.in_unit(found_.work), "recorded");
      } catch (const InputError& error) {
        throw InputError(
            place, fmt::format("{} recorded: {}: {}; give a length, such as {} 20min", question_.called("replaced"),
                               printable(group(g).trace->file), error.what(), question_.called("replaced")));
      }
      return;
    }
    if (!text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) || text.front() == '.')) {
      const double down =
          share(parse_length(text, question_.called("replaced"), place, ZeroLength::kAllowed), "replaced");
      machines.down = std::make_shared<EmpiricalRisk>(std::vector<double>{down}, text);
      downs_.push_back(down > 0 ? "after " + found_.length(down) : "at once");
      return;
    }
    const auto law = found_.library->resolve(text, place);
    const double unit = law->trace() != nullptr ? law->trace()->scale : group(g).risk_unit.value_or(1);
    if (!law->alike())
      throw InputError(place, fmt::format("{} must be one law for all machines", question_.called("replaced")));
    machines.down = law->planned()->in_unit(found_.work / unit);
    downs_.push_back("after a time of law " + printable(text));
  }

  void read_zones(std::size_t g) {
    GroupLaws& machines = found_.machines[g];
    if (group(g).zones) {
      machines.zones = {*group(g).zones, *group(g).common};
      if (question_.jobs && machines.zones.bind(group(g).count.most))
        throw InputError(place_in(group(g), "zones"),
                         fmt::format("{} is not available with background jobs", question_.called("zones")));
      zones_.push_back(fmt::format("{} share {:.3g} % of the risk of each machine", counted(*group(g).zones, "zone"),
                                   100 * *group(g).common));
      return;
    }
    zones_.emplace_back();
    if (!group(g).trace || question_.replay || question_.jobs) return;
    const AvailabilityTrace& trace = trace_of(*group(g).trace);
    const traces::CommonPart part = traces::common_part(trace);
    if (!part.zones_named || !part.value || !(part.low > 0)) return;
    std::set<std::string> names;
    for (const auto& record : trace.records)
      if (record.zone) names.insert(*record.zone);
    machines.zones = {names.size(), *part.value};
    zones_.back() =
        fmt::format("{} share {:.3g} % of the risk, as {} shows ({:.3g} to {:.3g} %)", counted(names.size(), "zone"),
                    100 * *part.value, printable(group(g).trace->file), 100 * part.low, 100 * part.high);
  }

  ClockTime time_of(const std::string& text, const std::string& key, const char* such_as) const {
    const auto time = parse_clock_time(text);
    if (!time)
      throw InputError(question_.place(key),
                       fmt::format("{} must be {} such as \"Fri 17:00\" or 2026-06-05T17:00Z, not \"{}\"",
                                   question_.called(key), such_as, echoed(text)));
    return *time;
  }

  void read_times_of_day() {
    std::optional<ClockTime> start;
    if (!question_.start.empty()) {
      start = time_of(question_.start, "start", "a time");
      require_clock("start");
    }
    const std::string& deadline = question_.deadline;
    if (deadline.empty()) return;
    if (std::isdigit(static_cast<unsigned char>(deadline.front())) && !parse_clock_time(deadline)) {
      found_.deadline =
          share(parse_length(deadline, question_.called("deadline"), question_.place("deadline")), "deadline");
      if (!(found_.deadline > 0))
        throw InputError(question_.place("deadline"), question_.called("deadline") + " must be above 0");
      return;
    }
    const ClockTime end = time_of(deadline, "deadline", "a length such as 12h or a time");
    if (!start)
      throw InputError(question_.place("deadline"),
                       fmt::format("{} {}: when does the work start? Give {}, or a length such as 12h",
                                   question_.called("deadline"), echoed(deadline), question_.called("start")));
    const double seconds = seconds_between(*start, end);
    if (!(seconds > 0))
      throw InputError(question_.place("deadline"),
                       fmt::format("{} {} is not after {} {}", question_.called("deadline"), echoed(deadline),
                                   question_.called("start"), echoed(question_.start)));
    found_.deadline = seconds / found_.work;
  }

  /// Times of day say something only about a recording whose times are those of a calendar.
  void require_clock(const std::string& key) {
    const auto has_clock = [&](const TraceSource& source) { return traces::has_clock(trace_of(source)); };
    bool any = question_.replay && has_clock(question_.replay->trace);
    for (const MachineGroup& group : question_.machines) any = any || (group.trace && has_clock(*group.trace));
    if (!any)
      throw InputError(question_.place(key), fmt::format("{} {}: no recording has the time of day; leave it out",
                                                         question_.called(key), echoed(question_.start)));
  }

  void read_replay() {
    if (!question_.replay) return;
    const ReplayQuestion& asked = *question_.replay;
    if (question_.jobs) throw InputError(question_.place("replay"), "a replay is not available with background jobs");
    const AvailabilityTrace& trace = trace_of(asked.trace);
    for (const MachineGroup& group : question_.machines)
      if (group.replaced != "never")
        throw InputError(place_in(group, "replaced"),
                         fmt::format("{}: a replayed recording tells itself when machines return; leave one out",
                                     question_.called("replaced")));
    traces::Recording recording = traces::Recording::of_hosts(trace);
    if (asked.slots) recording = recording.in_slots();
    if (std::isinf(found_.horizon)) {
      constexpr double kUsual = 2;  // deadlines
      found_.horizon = std::isfinite(found_.deadline)
                           ? std::min(kUsual * found_.deadline, (recording.end - recording.begin) / found_.work)
                           : (recording.end - recording.begin) / 2 / found_.work;
    }
    if (found_.horizon * found_.work > recording.end - recording.begin)
      throw InputError(question_.place("window"),
                       fmt::format("{}: the window of {} is longer than the recording, {}", question_.called("window"),
                                   found_.length(found_.horizon), length_text(recording.end - recording.begin)));
    if (std::isfinite(found_.deadline) && found_.deadline > found_.horizon)
      throw InputError(question_.place("deadline"),
                       fmt::format("{} {} is beyond the windows of the recording, {}", question_.called("deadline"),
                                   echoed(question_.deadline), found_.length(found_.horizon)));
    std::size_t machines = 0;
    for (const MachineGroup& group : question_.machines) machines += group.count.automatic ? 0 : group.count.most;
    if (machines > recording.machines.size())
      throw InputError(question_.place("replay"), fmt::format("{} machines, but the recording {} has only {}", machines,
                                                              printable(asked.trace.file), recording.machines.size()));
    found_.recorded_machines = recording.machines.size();
    replay_windows(std::make_shared<const traces::Recording>(std::move(recording)));
    recorded_law(trace);
  }

  void replay_windows(const std::shared_ptr<const traces::Recording>& recording) {
    constexpr double kWeek = 7 * 86400;
    if (question_.start.empty()) {
      found_.replay = std::make_shared<RecordedSpells>(recording, found_.horizon, found_.work);
      return;
    }
    const double asked = parse_clock_time(question_.start)->in_week;
    std::vector<double> starts;
    double start = recording->begin + std::fmod(asked - second_of_week(recording->begin) + kWeek, kWeek);
    for (; start + found_.horizon * found_.work <= recording->end; start += kWeek) starts.push_back(start);
    if (starts.empty())
      throw InputError(question_.place("start"),
                       fmt::format("{} {}: no window of {} of the recording begins then", question_.called("start"),
                                   echoed(question_.start), found_.length(found_.horizon)));
    found_.replay = std::make_shared<RecordedSpells>(recording, found_.horizon, found_.work, std::move(starts));
  }

  /// What plans take the lives of replayed machines for.
  void recorded_law(const AvailabilityTrace& trace) {
    const traces::Durations durations(trace);
    for (GroupLaws& machines : found_.machines)
      if (!machines.basis && !machines.risk) machines.basis = TraceBasis{durations.divided(found_.work)};
  }

  void read_jobs() {
    if (!question_.jobs) return;
    for (const auto& [key, given] : {std::pair{"deadline", !question_.deadline.empty()},
                                     {"latency", question_.latency.has_value()},
                                     {"task", question_.task.has_value()},
                                     {"restart", question_.restart.value > 0},
                                     {"notice", question_.notice.has_value()},
                                     {"warning", question_.warning.value > 0},
                                     {"tries", question_.tries > 0}})
      if (given)
        throw InputError(question_.place(key), fmt::format("{} is not available with background jobs; leave out {}",
                                                           question_.called(key), question_.called("jobs_every")));
    if (question_.machines.size() > 1 || question_.machines.front().count.is_open() ||
        question_.machines.front().speed != 1)
      throw InputError(question_.place("jobs_every"),
                       "background jobs need one group of machines of speed 1, and their number");
    const MachineGroup& machines = question_.machines.front();
    if (machines.price > 0)
      throw InputError(place_in(machines, "price"),
                       fmt::format("{} is not available with background jobs: how long they keep machines rented is "
                                   "not known",
                                   question_.called("price")));
    if (!machines.trace && machines.risk.empty())
      throw InputError(question_.place("jobs_every"), "background jobs need machines with a trace or a risk");
    if (question_.policies.size() > 1)
      throw InputError(question_.place("policy"), "background jobs take one strategy, or none");
    const double every = share(question_.jobs->every, "jobs_every"), last = share(question_.jobs->last, "jobs_last");
    found_.background = make_background(
        Expression::parse(fmt::format("mm1(arrival={}, service={})", to_text(1 / every), to_text(1 / last))));
  }

  /// One sentence each.
  void assume() {
    std::vector<std::string>& all = found_.assumptions;
    const bool several = question_.machines.size() > 1;
    if (question_.replay) {
      all.push_back(fmt::format(
          "all machines live together in windows of {} of {}{}", found_.length(found_.horizon),
          printable(question_.replay->trace.file),
          question_.start.empty() ? ", at random starts" : fmt::format(" that start at {} UTC", question_.start)));
    }
    for (std::size_t g = 0; g < question_.machines.size() && !question_.replay; ++g) {
      const std::string whose = several ? group(g).name + ": " : "";
      all.push_back(whose + "machines " + lives_[g]);
      if (lives_[g] != "that are never interrupted")
        all.push_back(whose + (downs_[g].empty() ? "a lost machine is gone for good"
                                                 : "lost machines are replaced " + downs_[g]));
      if (!zones_[g].empty()) all.push_back(whose + zones_[g]);
    }
    if (!question_.replay && std::all_of(zones_.begin(), zones_.end(), [](const auto& one) { return one.empty(); }) &&
        (several || question_.machines.front().count.most > 1))
      all.push_back("machines leave independently of each other");
    if (found_.background)
      all.push_back("background jobs slow machines down; nothing is heard of them");
    else if (question_.form == PlanForm::kLists)
      all.push_back("only fixed lists are compared, since lists are written (--export FOLDER: a queue)");
    else
      all.push_back(std::isinf(found_.latency) ? "nothing is heard of the machines"
                    : found_.latency > 0       ? "news of machines come " + found_.length(found_.latency) + " later"
                                               : "news of machines come at once");
  }

  const Question& question_;
  Situation found_;
  std::vector<std::pair<TraceSource, std::shared_ptr<const AvailabilityTrace>>> traces_;
  std::vector<std::string> lives_, downs_, zones_;  // by group, in words
};

}  // namespace

Situation resolve(const Question& question, const Catalogue& catalogue) { return Resolver(question, catalogue)(); }

}  // namespace coterie::sim
