#include "core/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace coterie {
namespace {

/// A sum that keeps the digits an addition loses. [Neumaier 1974]
class ExactSum {
 public:
  void add(double value) {
    const double sum = sum_ + value;
    lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - sum) + value : (value - sum) + sum_;
    sum_ = sum;
  }
  double value() const { return sum_ + lost_; }

 private:
  double sum_ = 0;
  double lost_ = 0;
};

double size_of(const Task& task, std::span<const double> piece_sizes) {
  if (task.pieces == 1) return piece_sizes[task.first_piece];
  ExactSum sum;
  for (std::uint32_t i = 0; i < task.pieces; ++i) sum.add(piece_sizes[task.first_piece + i]);
  return sum.value();
}

}  // namespace

TaskList TaskList::back_to_back(std::vector<Task> tasks, std::span<const double> piece_sizes, double startup_cost,
                                double start) {
  TaskList list;
  list.finish.reserve(tasks.size());
  ExactSum clock;
  clock.add(start);
  for (const Task& task : tasks) {
    clock.add(size_of(task, piece_sizes));
    clock.add(startup_cost);
    list.finish.push_back(clock.value());
  }
  list.tasks = std::move(tasks);
  return list;
}

Schedule::Schedule(std::vector<double> boundaries, std::vector<std::shared_ptr<const TaskList>> workers)
    : boundaries_(std::move(boundaries)), workers_(std::move(workers)) {
  if (boundaries_.empty()) throw std::invalid_argument("a schedule needs boundaries");
  for (std::size_t i = 0; i + 1 < boundaries_.size(); ++i) sizes_.push_back(boundaries_[i + 1] - boundaries_[i]);
  std::vector<bool> given(sizes_.size(), false);
  const TaskList* previous = nullptr;
  for (const auto& list : workers_) {
    if (list.get() == previous) continue;
    previous = list.get();
    if (list->tasks.size() != list->finish.size()) throw std::invalid_argument("a task without a finish time");
    for (const Task& task : list->tasks) {
      if (std::size_t{task.first_piece} + task.pieces > sizes_.size())
        throw std::invalid_argument("a task names a piece that does not exist");
      for (std::uint32_t i = 0; i < task.pieces; ++i) given[task.first_piece + i] = true;
    }
  }
  ExactSum sum;
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    if (given[i]) sum.add(sizes_[i]);
  deployed_ = sum.value();
}

double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks) {
  if (risks.size() != 1 && risks.size() != schedule.workers())
    throw std::invalid_argument("one risk for all workers or one each");
  // Workers with the same list and the same risk fail alike: one factor, raised to their number.
  std::map<std::pair<const TaskList*, const Risk*>, std::size_t> alike;
  std::vector<std::pair<const TaskList*, const Risk*>> order;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const std::pair key(&schedule.tasks(w), risks[risks.size() == 1 ? 0 : w].get());
    if (alike[key]++ == 0) order.push_back(key);
  }
  std::vector<double> lost(schedule.pieces(), 1.0);
  std::vector<std::size_t> seen(schedule.pieces(), 0);
  std::vector<double> risk_at;
  const std::vector<double>* timed = nullptr;  // what risk_at holds the risks of: lists often keep the same times
  const Risk* timed_risk = nullptr;
  std::size_t stamp = 0;
  for (const auto& key : order) {
    ++stamp;
    const auto& [list, risk] = key;
    const std::size_t multiplicity = alike[key];
    if (timed == nullptr || risk != timed_risk || list->finish != *timed) {
      risk_at.resize(list->finish.size());
      risk->probabilities(list->finish, risk_at);
      timed = &list->finish;
      timed_risk = risk;
    }
    for (std::size_t k = 0; k < list->tasks.size(); ++k) {
      const double factor = multiplicity == 1 ? risk_at[k] : std::pow(risk_at[k], static_cast<double>(multiplicity));
      const Task& task = list->tasks[k];
      for (std::size_t piece = task.first_piece; piece < task.first_piece + std::size_t{task.pieces}; ++piece) {
        if (seen[piece] == stamp) continue;  // only the first execution on a worker counts
        seen[piece] = stamp;
        lost[piece] *= factor;
      }
    }
  }
  ExactSum sum;
  for (std::size_t i = 0; i < lost.size(); ++i) sum.add(schedule.piece_sizes()[i] * (1 - lost[i]));
  return sum.value();
}

double expected_work(const Schedule& schedule, const RiskPtr& risk) {
  return expected_work(schedule, std::span<const RiskPtr>(&risk, 1));
}

std::size_t tasks_done(const TaskList& list, double capacity) {
  return static_cast<std::size_t>(std::upper_bound(list.finish.begin(), list.finish.end(), capacity) -
                                  list.finish.begin());
}

double completed_work(const Schedule& schedule, std::span<const double> capacities) {
  if (capacities.size() != schedule.workers()) throw std::invalid_argument("one capacity a worker");
  std::vector<bool> done(schedule.pieces(), false);
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList& list = schedule.tasks(w);
    for (std::size_t k = 0; k < tasks_done(list, capacities[w]); ++k)
      for (std::uint32_t i = 0; i < list.tasks[k].pieces; ++i) done[list.tasks[k].first_piece + i] = true;
  }
  double work = 0;
  for (std::size_t i = 0; i < done.size(); ++i)
    if (done[i]) work += schedule.piece_sizes()[i];
  return work;
}

}  // namespace coterie
