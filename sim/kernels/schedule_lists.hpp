#pragma once

#include <deque>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "sim/kernels/task_counter.hpp"

namespace coterie::sim {

/// When the lists of a schedule end their tasks, and which worker has which list: a counter for each (lists with the
/// same finish times share one). The schedule is no longer needed afterwards.
class ScheduleLists {
 public:
  /// `order`: of the schedule's lists, each once. `common`: see CompileOptions.
  ScheduleLists(const Schedule& schedule, std::span<const std::uint32_t> order, const CapacityGrid& grid,
                const FinishTimes& common);

  ListsView view(const std::int32_t* common_tasks) const {
    return {views_.size(), first_worker_.data(), workers_.data(),
            views_.data(), alone_.data(),        all_begin_common_ ? common_tasks : nullptr};
  }
  const TaskCounterView& counter(std::size_t list) const { return *views_[list]; }
  std::span<const std::uint32_t> workers(std::size_t list) const {
    return std::span(workers_).subspan(first_worker_[list], first_worker_[list + 1] - first_worker_[list]);
  }

  /// Tasks that each worker completes.
  std::vector<std::size_t> tasks_done(std::span<const double> capacities) const;

 private:
  const TaskCounterView* view_of(const FinishTimes& finish, const CapacityGrid& grid);

  std::deque<TaskCounter> counters_;
  std::vector<const TaskCounterView*> views_;  // by list
  std::vector<std::uint32_t> first_worker_;
  std::vector<std::uint32_t> workers_;
  std::vector<std::uint32_t> alone_;  // by list
  bool all_begin_common_;
};

/// Pieces by size: work is counted in pieces of each size, so that every evaluation gives the same bits.
class PieceSizes {
 public:
  static constexpr std::size_t kMost = 8;

  explicit PieceSizes(const Schedule& schedule);
  /// Whether there are few enough sizes to count in.
  bool few() const { return sizes_.size() <= kMost; }
  std::size_t count() const { return sizes_.size(); }
  std::uint32_t of_piece(std::size_t piece) const { return of_piece_[piece]; }
  SizesView view() const { return {count(), sizes_.data(), pieces_.data(), deployed_}; }
  /// Whether they give the same work for the same counts.
  friend bool operator==(const PieceSizes& a, const PieceSizes& b) {
    return a.sizes_ == b.sizes_ && a.pieces_ == b.pieces_ && a.deployed_ == b.deployed_;
  }

 private:
  std::vector<double> sizes_;
  std::vector<std::int32_t> pieces_;  // of each size that anybody is given
  std::vector<std::uint32_t> of_piece_;
  double deployed_ = 0;
};

}  // namespace coterie::sim
