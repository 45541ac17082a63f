#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/parameter.hpp"
#include "core/risk.hpp"
#include "sim/input/user_risk.hpp"
#include "traces/recording.hpp"

namespace coterie::sim {

/// A risk made from other risks or from files, besides the parametric ones: one row of `coterie list risks`.
struct CompositeRisk {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters;
};
const std::vector<CompositeRisk>& composite_risks();

/// What a reader left out of a file, or did not take as the file alone says.
struct LeftOut {
  std::string file;
  std::string text;
};

/// The risks of one campaign: the parametric ones, trace(file=...) and cdf(file=...), whose paths are relative to the
/// campaign's directory, and mix(WEIGHT : RISK, ...), workers of several classes. Each is resolved once, by any thread,
/// and shared.
class RiskLibrary {
 public:
  /// `kinds`: the known parametric risks.
  explicit RiskLibrary(std::string directory, RiskKinds kinds = parametric_risks())
      : directory_(std::move(directory)), kinds_(std::move(kinds)) {}

  /// The risk of the expression `text`. Throws InputError at `place`.
  std::shared_ptr<const UserRisk> resolve(const std::string& text, const Place& place = {});
  /// The risk for which plans are made.
  RiskPtr get(const std::string& text, const Place& place = {}) { return resolve(text, place)->planned(); }

  /// The recording of machines over time that `expression` names; each is read once. Throws InputError at the
  /// expression's place.
  std::shared_ptr<const traces::NamedRecording> recording(const Expression& expression);

  /// A line for each trace: durations, censored share, time scale, what its reader left out; a warning where ends of
  /// censored spells count as interruptions. For each recording of which something was left out, what that was.
  std::vector<std::string> notes() const;
  /// Of all files read so far.
  std::vector<LeftOut> left_out() const;
  /// The trace files read so far, as the campaign names them, with their checksums.
  std::map<std::string, std::string> checksums() const;

 private:
  using Class = UserRisk::Class;

  /// With the lock held.
  Class one_class(const std::string& text, const Place& place);
  Class class_of_trace(const Expression& expression);
  Class class_of_table(const Expression& expression);
  /// Remembers what these warnings say was left out; returns it.
  std::vector<std::string> leave_out(const std::string& file, const std::map<std::string, std::int64_t>& warnings);

  std::string directory_;
  RiskKinds kinds_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const UserRisk>> resolved_;                  // by their text
  std::map<std::string, Class> classes_;                                             // by theirs
  std::map<std::string, std::shared_ptr<const traces::NamedRecording>> recordings_;  // by their arguments
  std::map<std::string, std::string> checksums_;
  std::vector<std::string> notes_;
  std::vector<LeftOut> left_out_;
};

}  // namespace coterie::sim
