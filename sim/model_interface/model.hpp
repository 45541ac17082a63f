#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/expected_ratio.hpp"
#include "core/infinity.hpp"
#include "core/parameter.hpp"
#include "sim/input/risks.hpp"
#include "sim/model_interface/configuration.hpp"

namespace coterie::sim {

/// What a strategy chose for a configuration; NaN if not applicable.
struct StrategyFacts {
  double chunks = std::numeric_limits<double>::quiet_NaN();
  double chunk_size = std::numeric_limits<double>::quiet_NaN();
  double expected = std::numeric_limits<double>::quiet_NaN();  ///< exact expected metric
};

/// Measurements of a strategy in an instance besides the ratio, in models that make them.
enum Measure : std::size_t {
  kMakespan,     ///< when all work was completed; infinite: never
  kMachineTime,  ///< time that workers spent computing
  kWasted,       ///< part of it that was lost, dropped or already complete
};
inline constexpr std::size_t kMeasures = 3;

/// Where a Trial puts its results: ratio of strategy s in instance i is ratio[s * stride + i], and so are the measures.
struct Block {
  std::uint64_t first_instance = 0;
  std::size_t instances = 0;
  double* reference = nullptr;
  double* ratio = nullptr;
  std::size_t stride = 0;
  std::array<double*, kMeasures> measures = {};  ///< null: not wanted, such as when ModelWords::measures is false
};

/// A prepared configuration: immutable, run by any thread for any block of instances. Its output for an instance and a
/// strategy depends only on the configuration, the seed, the instance and the strategy, not on the other strategies or
/// the block. Resumed, extended and sharded runs rely on that.
class Trial {
 public:
  virtual ~Trial() = default;
  virtual std::vector<StrategyFacts> facts() const = 0;
  /// Measures that are not known are NaN.
  virtual void run(const Block& block) const = 0;
  /// A single instance for humans: as `coterie replay --format json` prints it, without the key "configuration".
  virtual nlohmann::ordered_json replay(std::uint64_t instance) const = 0;
};

class ScheduleLibrary;

struct TrialRequest {
  const Configuration& configuration;
  std::uint64_t seed;
  const std::vector<std::string>& strategies;
  RiskLibrary& risks;
  ScheduleLibrary* schedules = nullptr;  ///< for strategies that come from files; needed if there is one
};

/// A schedule for humans.
struct Picture {
  std::string caption;
  std::string svg;
};

struct StrategyText {
  std::string name;
  std::string summary;
  std::string source;
  std::vector<Parameter> parameters = {};  ///< if it is named with arguments, name(key=value, ...)
};

/// An upper bound for some kind of strategy, by configuration: proven wherever it is a number.
struct Ceiling {
  std::string name;     ///< in results
  std::string summary;  ///< "upper bound on the expected work of any static schedule"
};

/// What is compared if an axis has another value than usual.
struct OtherMetric {
  std::string axis;
  std::string value;
  std::string name;
  std::string unit;
  std::string of_reference = {};  ///< what the reference has instead; empty: the same
};

/// What a model says of itself.
struct ModelWords {
  std::string name;
  std::string summary;
  std::string source;
  std::string metric;                           ///< "work completed"
  std::string metric_unit;                      ///< "work"
  std::string reference;                        ///< "omniscient"
  std::vector<OtherMetric> other_metrics = {};  ///< all chosen by one axis
  bool least_is_best = false;                   ///< true for times, false for work
  /// An axis and the value to which sentences about a result refer if the axis has several; empty: none.
  std::pair<std::string, std::string> headline = {};
  /// The model that has the same instances for the same values of its axes; empty: this one.
  std::string instances_of = {};
  bool measures = false;  ///< whether its trials measure more than the ratio
  /// Known upper bounds on the expected metric.
  std::vector<Ceiling> ceilings = {};
};

/// A kind of campaign. The engine, the grid, the result store and the command line know models only through this.
class Model {
 public:
  explicit Model(ModelWords words) : words_(std::move(words)) {}
  virtual ~Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  const ModelWords& words() const { return words_; }
  const std::string& name() const { return words_.name; }
  const std::string& reference() const { return words_.reference; }
  const std::string& instances_of() const { return words_.instances_of.empty() ? name() : words_.instances_of; }
  virtual const std::vector<Axis>& axes() const = 0;
  /// By its name; none: nullptr.
  const Axis* axis(const std::string& name) const;
  virtual std::vector<StrategyText> strategies() const = 0;
  /// Why `name` is not one of strategies(), and what would be correct; empty if there is nothing to say.
  virtual std::string why_no_strategy(const std::string&) const { return {}; }
  /// Checks a configuration without building anything expensive; throws InputError with a place. May set the canonical
  /// form of values that can be written in several ways.
  virtual void validate(Configuration& configuration, RiskLibrary& risks) const = 0;
  /// Throws InputError for strategies that cannot handle the configuration, as far as this is known without planning.
  virtual void accept(const TrialRequest&) const {}
  virtual std::unique_ptr<Trial> prepare(const TrialRequest& request) const = 0;

  /// The values of the ceilings, in their order; NaN if not known. They depend only on the configuration and the seed.
  virtual std::vector<double> ceiling_values(const TrialRequest&) const { return {}; }
  /// The exact mean ratio by strategy; NaN if not known. Called only for "exact" means.
  virtual std::vector<BoundedNumber> expected_ratios(const TrialRequest& request) const;
  /// Why no mean of a configuration can be exact; nothing if some can.
  virtual std::optional<std::string> why_not_exact(const Configuration& configuration) const;
  /// The drawing size of the schedules of a configuration; the smallest one is drawn. Infinite if it is too large, and
  /// for models without static schedules of tasks.
  virtual double drawing_size(const Configuration&) const { return kInfinity; }
  /// The schedules as its trial runs them, if the drawing size is finite; schedules that are drawn anew for each
  /// instance, and those that are too large, are left out.
  virtual std::vector<Picture> pictures(const TrialRequest&) const { return {}; }

 private:
  ModelWords words_;
};

}  // namespace coterie::sim
