#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/length.hpp"

namespace coterie::traces {
struct AvailabilityTrace;
}

namespace coterie::sim {

/// Where the user wrote what, by key.
using Places = std::map<std::string, Place>;

/// A trace, and how it is read (traces/readers/reading_options.hpp: t0 and t1 take a window of it).
struct TraceSource {
  std::string file;
  std::string format;
  std::vector<std::string> options;
  std::shared_ptr<const traces::AvailabilityTrace> known = {};  ///< what the file had told by some time; null: all

  bool operator==(const TraceSource&) const = default;
};

/// How many machines there are; if `least` is below `most`, or with `automatic`, a number is to be found.
struct MachineCount {
  std::size_t least = 1;
  std::size_t most = 1;
  bool automatic = false;

  bool is_open() const { return automatic || least < most; }
};

/// Machines of one kind. Without trace and risk they are never interrupted, unless the question replays a recording.
struct MachineGroup {
  std::string name = "machines";
  MachineCount count;
  std::optional<TraceSource> trace;
  std::string estimator = "kaplan-meier";  ///< or naive
  std::string tail = "both";               ///< immortal, gone
  std::string age = "0";                   ///< a length, or stationary
  std::string risk;                        ///< an expression
  std::optional<double> risk_unit;         ///< seconds in one unit of time of the risk
  std::string replaced = "never";          ///< never, a length, a law, or recorded
  double speed = 1;
  double price = 0;   ///< of an hour, or of a unit of time
  double billed = 1;  ///< whole multiples of so many seconds are paid; 0: exactly what is rented
  std::optional<std::size_t> zones;
  std::optional<double> common;
  bool fallback = false;
  Places places = {};
};

/// Windows of a recording in which all machines live together.
struct ReplayQuestion {
  TraceSource trace;
  std::optional<Length> window;
  bool slots = false;  ///< a machine is a slot that one host after another fills
};

/// Background jobs (M/M/1) on each machine.
struct JobsQuestion {
  Length every;
  Length last;
};

/// What is to be written, and so is all that is compared.
enum class PlanForm { kAny, kLists, kQueue };

/// What a user asks: plain data. Lengths have their units, or are bare numbers in one unit of the user's own.
struct Question {
  Length work;
  std::optional<Length> task;
  std::optional<Length> checkpoint;
  Length restart;
  std::size_t tries = 0;  ///< 0: no limit
  std::string start;      ///< a time, or nothing
  std::string deadline;   ///< a length, a time, or nothing
  double confidence = 0.95;
  std::vector<MachineGroup> machines;
  std::optional<ReplayQuestion> replay;
  std::optional<Length> latency;  ///< default: checkpoint; infinite: deaf
  std::optional<Length> notice;   ///< default: latency
  Length warning;
  std::vector<std::string> policies;  ///< none: all that apply
  std::size_t chunks = 0;  ///< of fixed lists: equal ones in each group's part of the work; 0: as many as are best
  std::optional<JobsQuestion> jobs;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> runs;
  std::size_t resamples = 200;
  bool explain = false;
  PlanForm form = PlanForm::kAny;
  Places places = {};

  /// "--work" or "work", as messages call it.
  std::string called(const std::string& key) const;
  Place place(const std::string& key) const;
  bool from_file = false;  ///< keys of a question file, not options
};

inline constexpr std::size_t kMostMachines = 10'000;

}  // namespace coterie::sim
