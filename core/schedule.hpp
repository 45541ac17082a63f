#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/finish_times.hpp"
#include "core/risk.hpp"

namespace coterie {

/// Consecutive pieces that a worker processes as a unit: all are completed, or none.
struct Task {
  std::uint32_t first_piece = 0;
  std::uint32_t pieces = 1;
};

/// What one worker does, in order (a view). finish[k] is when task k ends, in units of work at full speed (start-up
/// costs and waiting included), and does not decrease: the task is completed iff finish[k] <= the worker's capacity.
struct TaskList {
  std::span<const Task> tasks;
  const FinishTimes& finish;
};

/// finish[k] = start + sum of (size + startup_cost) up to task k, summed without loss of digits.
FinishTimes back_to_back(std::span<const Task> tasks, std::span<const double> piece_sizes, double startup_cost,
                         double start = 0);

/// Lists of tasks, contiguous in memory. A list is built task by task, then closed with its finish times.
class TaskLists {
 public:
  void reserve(std::size_t lists, std::size_t tasks);
  void add(Task task) { tasks_.push_back(task); }
  /// The tasks added since a list was last closed.
  std::span<const Task> open() const { return std::span(tasks_).subspan(closed()); }
  /// Throws std::invalid_argument unless there is a finish time for each task.
  void close(const FinishTimes& finish);

  std::size_t size() const { return last_.size(); }
  TaskList operator[](std::size_t list) const {
    const std::size_t first = list == 0 ? 0 : last_[list - 1];
    return {std::span(tasks_).subspan(first, last_[list] - first), times_[times_of_[list]]};
  }

 private:
  std::size_t closed() const { return last_.empty() ? 0 : last_.back(); }

  std::vector<Task> tasks_;
  std::vector<std::size_t> last_;        // where a list ends
  std::vector<std::uint32_t> times_of_;  // by list: its index in times_
  std::vector<FinishTimes> times_;       // stored once if consecutive lists share theirs
};

/// A static schedule: the workload [0, W) cut into pieces, and a list of tasks for each worker. Workers that do the
/// same may share a list; copies of a schedule share all lists. Used by expected_work, the simulation kernel and
/// `coterie schedule`.
class Schedule {
 public:
  /// `boundaries`: 0 = b_0 < b_1 < ... < b_m, piece i is [b_i, b_{i+1}). `list_of`: the list of each worker; every list
  /// has a worker; empty: one list for each worker, in order.
  /// Throws std::invalid_argument if there are no boundaries, if a list names a missing piece or a worker a missing
  /// list, if a list has no worker, or if the last list is not closed (a builder's bug).
  Schedule(std::vector<double> boundaries, TaskLists lists, std::vector<std::uint32_t> list_of = {});

  std::size_t workers() const { return list_of_.size(); }
  std::size_t pieces() const { return sizes_.size(); }
  const std::vector<double>& boundaries() const { return boundaries_; }
  std::span<const double> piece_sizes() const { return sizes_; }
  TaskList tasks(std::size_t worker) const { return lists()[list_of_[worker]]; }
  /// The distinct lists; one per worker if none is shared.
  const TaskLists& lists() const { return *lists_; }
  /// The list of a worker.
  std::uint32_t list_of(std::size_t worker) const { return list_of_[worker]; }
  /// The same lists run by other workers: that of worker k by worker_of[k]. Throws std::invalid_argument unless this is
  /// a permutation of all workers.
  Schedule run_by(std::span<const std::uint32_t> worker_of) const;
  /// Whether at least one worker is given this piece.
  bool is_given(std::size_t piece) const { return given_[piece] != 0; }
  /// Total size of the pieces that at least one worker is given.
  double deployed_work() const { return deployed_; }

 private:
  std::vector<double> boundaries_;
  std::vector<double> sizes_;
  std::vector<char> given_;  // by piece
  std::shared_ptr<const TaskLists> lists_;
  std::vector<std::uint32_t> list_of_;  // by worker
  double deployed_ = 0;
};

/// Number of tasks of all workers together.
std::size_t task_count(const Schedule& schedule);

/// When the last worker has finished all its tasks, in units of work at full speed; 0 if there are no tasks.
double last_finish(const Schedule& schedule);

/// Exact expected work of any static schedule of independent workers:
///   E = sum over pieces of size x (1 - product over the piece's workers of Pr(earliest finish)).
/// [worksharing-2013, Equations (2) and (7) and their charged forms, for any schedule]
/// `risks`: one per worker, or one for all. Result in [0, deployed_work].
double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks);
double expected_work(const Schedule& schedule, const RiskPtr& risk);

/// Number of leading tasks with finish <= capacity.
std::size_t tasks_done(const TaskList& list, double capacity);

/// Work completed in one instance, by marking pieces one by one: the readable reference for all fast kernels.
double completed_work(const Schedule& schedule, std::span<const double> capacities);

}  // namespace coterie
