#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/stream.hpp"

namespace coterie::heuristics {

/// A time during which a worker is up.
struct Spell {
  double begin = 0;
  double end = 0;  ///< of the interruption, or the horizon
};

/// When the workers of one instance are up: the spells of each, in time order.
class Spells {
 public:
  void clear();
  /// Adds a spell of the current worker; close_worker() moves to the next one. Spells of length zero are left out.
  void add(const Spell& spell);
  void close_worker() { first_.push_back(spells_.size()); }

  std::size_t workers() const { return first_.size() - 1; }
  std::span<const Spell> of(std::size_t worker) const {
    return std::span(spells_).subspan(first_[worker], first_[worker + 1] - first_[worker]);
  }
  /// Whether any worker comes up after the start.
  bool any_returns() const;
  double last_end() const;
  std::size_t size() const { return spells_.size(); }
  /// What the omniscient completes if there is enough work: the sum of max(0, length - startup_cost).
  double useful(double startup_cost) const;
  /// A chunk that ends at the same time as a spell (core/ties.hpp) is done; `first`: also at the end of the first one.
  void forgive_ties(bool first);

 private:
  std::vector<Spell> spells_;
  std::vector<std::size_t> first_ = {0};  // by worker, and one more
};

/// Workers that come back.
class Availability {
 public:
  virtual ~Availability() = default;
  /// The spells of one instance up to the horizon (Listening), by random numbers of `key`. `lives`: the first
  /// interruptions, cut at the horizon, if all workers are up at the start.
  virtual void draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
                    Spells& spells) const = 0;
  /// Whether all spells are recorded ones, independent of the lives.
  virtual bool is_recorded() const = 0;
};

}  // namespace coterie::heuristics
