#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/parameter.hpp"
#include "core/risk.hpp"
#include "core/stream.hpp"

namespace coterie::traces {
struct TraceRisk;
}

namespace coterie::sim {

/// A risk that is made of others or of files, beside the parametric ones: one row of `coterie list risks`.
struct CompositeRisk {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters;
};
const std::vector<CompositeRisk>& composite_risks();

/// The risks of one campaign: the parametric ones, trace(file=...), whose path is relative to the campaign's directory,
/// and mix(WEIGHT : RISK, ...), workers of several classes. Each is made once, by any thread, and shared.
class RiskLibrary {
 public:
  /// `kinds`: the parametric ones that may be named.
  explicit RiskLibrary(std::string directory, RiskKinds kinds = parametric_risks())
      : directory_(std::move(directory)), kinds_(std::move(kinds)) {}

  /// The risk of a worker of whom no more is known: of mix(...), and of ages that differ, the mixture. Plans are made
  /// for it. Throws InputError at `place`.
  RiskPtr get(const std::string& text, const Place& place = {});
  /// The risk of each of `workers` workers, as they live: one alone where all have the same. The classes of mix(...)
  /// get workers in proportion to their weights (whole numbers by the largest remainders) and stand spread evenly over
  /// the list; ages of age=drawn come from `ages`, one draw a worker.
  std::vector<RiskPtr> of_workers(const std::string& text, std::size_t workers, const StreamKey& ages,
                                  const Place& place = {});
  /// The same risk with every open tail of Kaplan-Meier completed the other way (tail=gone); nothing where no trace in
  /// it leaves a tail open, or where the user has said what becomes of it.
  std::optional<std::string> with_tails_gone(const std::string& text, const Place& place = {});
  /// Do all workers have one risk, whatever is drawn?
  bool alike(const std::string& text, const Place& place = {});
  /// Does a campaign draw the ages of some workers (age=drawn)?
  bool draws_ages(const std::string& text, const Place& place = {});
  /// The text that the identity of a configuration is made of: every parameter written, a trace by its checksum.
  std::string canonical(const std::string& text, const Place& place = {});

  /// A line for each trace: durations, censored share, time scale; a warning where more than 1 % is censored.
  std::vector<std::string> notes() const;
  /// The trace files read so far, as the campaign names them, with their checksums.
  std::map<std::string, std::string> checksums() const;

 private:
  /// With the lock held.
  RiskPtr make(const std::string& text, const Place& place);
  RiskPtr make_from_trace(const std::string& text, const Place& place);

  std::string directory_;
  RiskKinds kinds_;
  mutable std::mutex mutex_;
  std::map<std::string, RiskPtr> made_;
  std::map<std::string, std::shared_ptr<const traces::TraceRisk>> traces_;
  std::map<std::string, std::string> checksums_;
  std::vector<std::string> notes_;
};

}  // namespace coterie::sim
