#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "core/stream.hpp"

namespace coterie::sim {

/// Background jobs that slow a worker down. They turn a worker's interruption time into its capacity: the work it can
/// process before it is interrupted. With start-up costs in work units nothing else matters. [time-varying.md, Section
/// 10]
class Background {
 public:
  virtual ~Background() = default;
  /// Integral of the speed over [0, interruption]; where that exceeds `enough` work, anything from `enough` to it.
  /// Throws RuntimeError where the speed changes too often to follow.
  virtual double capacity(double interruption, double enough, Stream& stream) const = 0;
  virtual std::string text() const = 0;
};

/// A background that can be written in a campaign: one row. "none" makes none (a null pointer).
struct BackgroundKind {
  std::string name;
  std::string summary;
  std::vector<Parameter> parameters;
  std::shared_ptr<const Background> (*make)(const Expression& expression);
};

const std::vector<BackgroundKind>& background_kinds();
std::shared_ptr<const Background> make_background(const Expression& expression);

}  // namespace coterie::sim
