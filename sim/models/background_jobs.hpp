#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/background_law.hpp"
#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "core/stream.hpp"
#include "heuristics/background/background_plans.hpp"

namespace coterie::sim {

/// The background jobs of one instance, on all processors and links of a tree.
class TreeBackground {
 public:
  virtual ~TreeBackground() = default;
  /// The smallest finishing time if all jobs are known in advance.
  virtual heuristics::TreeSchedule clairvoyant() = 0;
  /// The outcome of a fixed division of the load.
  virtual heuristics::TreeSchedule realise(const std::vector<double>& shares) = 0;
};

/// A law of background jobs on the processes of a tree, independent of each other.
class JobLaw {
 public:
  virtual ~JobLaw() = default;
  /// A pure function of (key, instance); process p has the stream of worker p. Refers to `tree`.
  virtual std::unique_ptr<TreeBackground> sample(const heuristics::RandomTree& tree, const StreamKey& key,
                                                 std::uint64_t instance) const = 0;
  /// The law in the form of the planning methods; nothing if they do not support it.
  virtual std::optional<BackgroundLaw> known_law() const { return std::nullopt; }
  virtual std::string text() const = 0;
};

/// A law that can be written in a campaign: one row.
struct JobLawKind {
  std::string name;
  std::string summary;
  std::string source;  ///< paper and section
  std::vector<Parameter> parameters;
  std::shared_ptr<const JobLaw> (*make)(const Expression& expression, double rate_unit);
};

const std::vector<JobLawKind>& job_laws();

/// `rate_unit`: the factor that converts rates to rates per unit of time. Throws InputError at the expression's place.
std::shared_ptr<const JobLaw> make_job_law(const Expression& expression, double rate_unit);

}  // namespace coterie::sim
