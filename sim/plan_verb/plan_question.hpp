#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/infinity.hpp"
#include "sim/input/risks.hpp"
#include "sim/plan_verb/machine_classes.hpp"
#include "sim/planning/plan_view.hpp"
#include "sim/terminal/options.hpp"
#include "traces/change.hpp"

namespace coterie::sim {

/// Whether a risk has a trace(...) in it that does not say what becomes one unit of time.
bool has_trace_of_its_own_unit(const std::string& risk);

/// Lengths given on the command line, in the unit of the question: seconds, or bare numbers.
class Scale {
 public:
  Scale(const Options& options, bool has_unit) : options_(options), has_unit_(has_unit) { work_ = length("work"); }
  double work() const { return work_; }
  static double never() { return kInfinity; }
  bool has_unit() const { return has_unit_; }
  double share(const std::string& name) const { return length(name) / work_; }
  /// Seconds, or a bare number. Throws InputError.
  double length(const std::string& name) const;

 private:
  const Options& options_;
  bool has_unit_;
  double work_ = 1;
};

/// What the machines of `coterie plan` are like, by --trace, --classes or --risk and the options that go with these:
/// fills in the risks of the question, and what is said about the machines. Throws InputError.
class Machines {
 public:
  Machines(const Options& options, PlanView& view);

  /// Seconds in one unit of time of the risk; nothing where that is not known.
  std::optional<double> unit() const;
  void live_by_risk(const Scale& scale, double unit);
  std::optional<TraceBasis> live_by_trace(const Scale& scale);
  void live_by_classes(const Scale& scale, const std::vector<MachineClass>& classes);
  /// Adds what readers left out of the other files of the library: of traces in mix(...), and of the availability.
  void warn_of_files();
  /// The question for so many of them.
  PlanQuestion question(std::size_t workers) const;
  /// The trace files that were read.
  std::vector<std::string> files() const;
  /// From `horizon` on no machine is up; in the unit of the question.
  void end_at(double horizon);
  const std::string& risk_text() const { return risk_text_; }
  /// Holds the risks of the machines.
  const std::shared_ptr<RiskLibrary>& library() const { return library_; }
  /// The question's unit of time, in units of the risk.
  double unit_of_question() const { return unit_; }

 private:
  void check_reading() const;
  void require_plausible_unit(const std::string& file, const traces::TraceRisk& trace, double median,
                              double checkpoint) const;
  void resolve(const std::string& text, const Place& place = {});
  void take(double unit);
  Lives lives_of(const UserRisk& risk, std::size_t workers) const;
  /// Concerns the trace whose risk was resolved last.
  traces::Change warn_of_change();
  /// `whose`: "" or, if there are several traces, "FILE: ".
  void warn(const traces::TraceRisk& trace, const std::string& whose = "");

  const Options& options_;
  PlanView& view_;
  std::shared_ptr<RiskLibrary> library_;
  std::set<std::pair<std::string, std::string>> told_;  ///< files, and what was said that their readers left out
  std::string risk_text_;
  std::shared_ptr<const UserRisk> risk_;
  double unit_ = 1;
  double horizon_ = kInfinity;
};

}  // namespace coterie::sim
