#pragma once

#include <memory>
#include <vector>

#include "heuristics/dispatch/spells.hpp"
#include "traces/recording.hpp"

namespace coterie::sim {

/// Spells as they were recorded, in place of those of laws.
class Replay : public heuristics::Availability {
 public:
  bool is_recorded() const override { return true; }
  /// How long they are known.
  virtual double window() const = 0;
  /// The most workers that there are spells for.
  virtual std::size_t machines() const = 0;
  /// The same in units of `unit` times its own.
  virtual std::shared_ptr<const Replay> in_unit(double unit) const = 0;
};

/// Windows of a recording, in which all workers live together: worker k is the k-th of machines that are drawn without
/// replacement.
class RecordedSpells final : public Replay {
 public:
  /// `window`, of at most the recording's length, in units of `scale` seconds. `starts`: where windows may begin, on
  /// the clock of the recording and no later than a window before its end; empty: anywhere.
  RecordedSpells(std::shared_ptr<const traces::Recording> recording, double window, double scale,
                 std::vector<double> starts = {});

  double window() const override { return window_; }
  std::size_t machines() const override { return recording_->machines.size(); }
  std::shared_ptr<const Replay> in_unit(double unit) const override;
  /// `lives`: one for each worker, of at most machines(); their values do not matter.
  void draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
            heuristics::Spells& spells) const override;

 private:
  std::shared_ptr<const traces::Recording> recording_;
  double window_;
  double scale_;
  std::vector<double> starts_;
};

}  // namespace coterie::sim
