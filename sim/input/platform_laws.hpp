#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"

namespace coterie::sim {

/// The law of one property of the machines of a random platform: a speed, a bandwidth, a cost. Values are positive.
class PlatformLaw {
 public:
  virtual ~PlatformLaw() = default;
  /// The quantile of u in [0, 1]. Sampling is by inversion, with one uniform number per value.
  virtual double quantile(double u) const = 0;
  /// The expression of this law, with every parameter.
  virtual std::string text() const = 0;

  bool is_constant() const { return quantile(0) == quantile(1); }
};

using PlatformLawPtr = std::shared_ptr<const PlatformLaw>;

/// A law that can be written in a campaign: one row.
struct PlatformLawKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  PlatformLawPtr (*make)(const Expression& expression);
};

const std::vector<PlatformLawKind>& platform_laws();

/// Throws InputError at the expression's place for an unknown law, a wrong argument or values that are not positive.
PlatformLawPtr make_platform_law(const Expression& expression);

}  // namespace coterie::sim
