#pragma once

#include <memory>
#include <vector>

#include "heuristics/dispatch/spells.hpp"
#include "traces/recording.hpp"

namespace coterie::sim {

/// Windows of a recording, in which all workers live together: worker k is the k-th of machines that are drawn without
/// replacement.
class RecordedSpells final : public heuristics::Availability {
 public:
  /// `window`, of at most the recording's length, in units of `scale` seconds. `starts`: where windows may begin, on
  /// the clock of the recording and no later than a window before its end; empty: anywhere.
  RecordedSpells(std::shared_ptr<const traces::Recording> recording, double window, double scale,
                 std::vector<double> starts = {});

  double window() const { return window_; }
  std::size_t machines() const { return recording_->machines.size(); }
  /// The same in units of `unit` times its own.
  std::shared_ptr<const RecordedSpells> in_unit(double unit) const;

  bool is_recorded() const override { return true; }
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
