#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/background_law.hpp"
#include "core/expression.hpp"
#include "core/parameter.hpp"
#include "core/speed_profile.hpp"
#include "core/stream.hpp"
#include "sim/kernels/lane_loops.hpp"

namespace coterie::sim {

/// Background jobs that slow a worker down. They turn a worker's interruption time into its capacity: the work it can
/// process before it is interrupted. With start-up costs in work units nothing else matters; where start-up costs take
/// wall-clock time, the whole path of the speed does (wall_clock.hpp).
class Background {
 public:
  virtual ~Background() = default;
  /// Integral of the speed over [0, interruption]; if that exceeds `enough` work, any value from `enough` to it.
  /// Throws RuntimeError if the speed changes too often to follow.
  virtual double capacity(double interruption, double enough, Stream& stream) const = 0;
  /// The same in place for kLanes instances at once: times[worker * kLanes + lane] of `workers` workers in the
  /// instances from first_instance on become capacities, each on the stream of `key` of its worker, or of worker 0
  /// where jobs are common.
  virtual void capacities(const StreamKey& key, std::uint64_t first_instance, std::size_t workers, std::size_t lanes,
                          double enough, const LaneLoops& loops, std::span<double> times) const = 0;
  /// The speed itself, for the same stream: valid until `interruption`, or until `enough` work is done if that is
  /// earlier.
  virtual SpeedProfile path(double interruption, double enough, Stream& stream) const = 0;
  /// Whether all workers have the same jobs at the same times, instead of separate ones.
  virtual bool is_common() const { return false; }
  /// Whether a start-up cost is a wall-clock time, instead of work that slows down with the worker.
  virtual bool has_wall_clock_startup() const { return false; }
  /// The law of the jobs, if a worker runs at speed 1/(n + 1) with n of them; nothing for any other background.
  virtual std::optional<BackgroundLaw> law() const { return std::nullopt; }
  virtual std::string text() const = 0;
};

/// A background that can be written in a campaign: one row. "none" makes none (a null pointer).
struct BackgroundKind {
  std::string name;
  std::string summary;
  std::string source;  ///< paper and section; "" if there is none
  std::vector<Parameter> parameters;
  std::shared_ptr<const Background> (*make)(const Expression& expression);
};

const std::vector<BackgroundKind>& background_kinds();
std::shared_ptr<const Background> make_background(const Expression& expression);

}  // namespace coterie::sim
