#include "core/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/cancellation.hpp"
#include "core/compensated_sum.hpp"
#include "core/contract.hpp"

namespace coterie {
namespace {

double size_of(const Task& task, std::span<const double> piece_sizes) {
  if (task.pieces == 1) return piece_sizes[task.first_piece];
  CompensatedSum sum;
  for (std::uint32_t i = 0; i < task.pieces; ++i) sum.add(piece_sizes[task.first_piece + i]);
  return sum.value();
}

/// A list for each worker.
std::vector<std::uint32_t> own_lists(std::size_t workers) {
  std::vector<std::uint32_t> list_of(workers);
  std::iota(list_of.begin(), list_of.end(), 0u);
  return list_of;
}

/// Each worker has a list, each list a worker.
void require_a_list_each(std::span<const std::uint32_t> list_of, std::size_t lists) {
  std::vector<char> had(lists, 0);
  for (const std::uint32_t list : list_of) {
    if (list >= lists) throw std::invalid_argument("a worker has a list that does not exist");
    had[list] = 1;
  }
  if (std::find(had.begin(), had.end(), 0) != had.end()) throw std::invalid_argument("nobody has one of the lists");
}

/// By piece: whether a task names it.
std::vector<char> given_pieces(const TaskLists& lists, std::size_t pieces) {
  std::vector<char> given(pieces, 0);
  for (std::size_t list = 0; list < lists.size(); ++list)
    for (const Task& task : lists[list].tasks) {
      const std::size_t end = std::size_t{task.first_piece} + task.pieces;
      if (task.first_piece >= pieces || end > pieces)
        throw std::invalid_argument("a task names a piece that does not exist");
      if (task.pieces == 1)
        given[task.first_piece] = 1;
      else
        std::fill(given.begin() + task.first_piece, given.begin() + static_cast<std::ptrdiff_t>(end), char{1});
    }
  return given;
}

}  // namespace

FinishTimes back_to_back(std::span<const Task> tasks, std::span<const double> piece_sizes, double startup_cost,
                         double start) {
  COTERIE_REQUIRE(startup_cost >= 0 && start >= 0);
  std::vector<double> finish;
  finish.reserve(tasks.size());
  CompensatedSum clock;
  clock.add(start);
  for (const Task& task : tasks) {
    clock.add(size_of(task, piece_sizes));
    clock.add(startup_cost);
    finish.push_back(clock.value());
  }
  return finish;
}

void TaskLists::reserve(std::size_t lists, std::size_t tasks) {
  tasks_.reserve(tasks);
  last_.reserve(lists);
  times_of_.reserve(lists);
}

void TaskLists::close(const FinishTimes& finish) {
  cancellation_point();
  if (finish.size() != open().size()) throw std::invalid_argument("a task without a finish time");
  last_.push_back(tasks_.size());
  if (times_.empty() || !times_.back().shares(finish)) times_.push_back(finish);
  times_of_.push_back(static_cast<std::uint32_t>(times_.size() - 1));
}

Schedule::Schedule(std::vector<double> boundaries, TaskLists lists, std::vector<std::uint32_t> list_of)
    : boundaries_(std::move(boundaries)),
      lists_(std::make_shared<const TaskLists>(std::move(lists))),
      list_of_(list_of.empty() ? own_lists(lists_->size()) : std::move(list_of)) {
  if (boundaries_.empty()) throw std::invalid_argument("a schedule needs boundaries");
  if (!lists_->open().empty()) throw std::invalid_argument("the last list is not closed");
  require_a_list_each(list_of_, lists_->size());
  sizes_.resize(boundaries_.size() - 1);
  for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i] = boundaries_[i + 1] - boundaries_[i];
  given_ = given_pieces(*lists_, sizes_.size());
  CompensatedSum sum;
  for (std::size_t i = 0; i < sizes_.size(); ++i)
    if (given_[i] != 0) sum.add(sizes_[i]);
  deployed_ = sum.value();
}

Schedule Schedule::run_by(std::span<const std::uint32_t> worker_of) const {
  constexpr auto kNobody = static_cast<std::uint32_t>(-1);
  if (worker_of.size() != workers()) throw std::invalid_argument("a worker for each list");
  Schedule moved = *this;
  std::fill(moved.list_of_.begin(), moved.list_of_.end(), kNobody);
  for (std::size_t k = 0; k < worker_of.size(); ++k) {
    if (worker_of[k] >= workers() || moved.list_of_[worker_of[k]] != kNobody)
      throw std::invalid_argument("not every worker is given one list");
    moved.list_of_[worker_of[k]] = list_of_[k];
  }
  return moved;
}

namespace {

/// A list, and how many workers with the same risk run it: they fail alike.
struct AlikeWorkers {
  std::uint32_t list;
  const Risk* risk;
  std::size_t workers;
};

/// In the order of their first workers.
std::vector<AlikeWorkers> alike_workers(const Schedule& schedule, std::span<const RiskPtr> risks) {
  std::vector<AlikeWorkers> alike;
  if (risks.size() == 1) {
    alike.reserve(schedule.lists().size());
    constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
    std::vector<std::size_t> place(schedule.lists().size(), kNowhere);
    for (std::size_t w = 0; w < schedule.workers(); ++w) {
      std::size_t& at = place[schedule.list_of(w)];
      if (at == kNowhere) {
        at = alike.size();
        alike.push_back({schedule.list_of(w), risks.front().get(), 0});
      }
      ++alike[at].workers;
    }
    return alike;
  }
  std::map<std::pair<std::uint32_t, const Risk*>, std::size_t> place;
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const auto [entry, fresh] = place.try_emplace({schedule.list_of(w), risks[w].get()}, alike.size());
    if (fresh) alike.push_back({schedule.list_of(w), risks[w].get(), 0});
    ++alike[entry->second].workers;
  }
  return alike;
}

}  // namespace

std::size_t task_count(const Schedule& schedule) {
  std::size_t tasks = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w) tasks += schedule.tasks(w).tasks.size();
  return tasks;
}

double last_finish(const Schedule& schedule) {
  double last = 0;
  for (std::size_t list = 0; list < schedule.lists().size(); ++list)
    if (const FinishTimes& finish = schedule.lists()[list].finish; !finish.empty())
      last = std::max(last, finish.back());
  return last;
}

double expected_work(const Schedule& schedule, std::span<const RiskPtr> risks) {
  if (risks.size() != 1 && risks.size() != schedule.workers())
    throw std::invalid_argument("one risk for all workers or one each");
  struct Fate {
    double lost = 1;
    std::size_t seen = 0;
  };
  std::vector<Fate> fates(schedule.pieces());
  std::vector<double> risk_at;
  const FinishTimes* timed = nullptr;  // the times whose risks risk_at holds; consecutive lists often share them
  const Risk* timed_risk = nullptr;
  std::size_t stamp = 0;
  for (const auto& [list, risk, workers] : alike_workers(schedule, risks)) {
    cancellation_point();
    ++stamp;
    const auto& [tasks, finish] = schedule.lists()[list];
    if (timed == nullptr || risk != timed_risk || finish != *timed) {
      risk_at.resize(finish.size());
      risk->probabilities(finish, risk_at);
      timed = &finish;
      timed_risk = risk;
    }
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      if (risk_at[k] >= 1) break;  // neither this task nor any later one is ever done
      const double factor = workers == 1 ? risk_at[k] : std::pow(risk_at[k], static_cast<double>(workers));
      const Task& task = tasks[k];
      for (std::size_t piece = task.first_piece; piece < task.first_piece + std::size_t{task.pieces}; ++piece) {
        Fate& fate = fates[piece];
        if (fate.seen == stamp) continue;  // only the first execution on a worker counts
        fate.seen = stamp;
        fate.lost *= factor;
      }
    }
  }
  CompensatedSum sum;
  for (std::size_t i = 0; i < fates.size(); ++i) sum.add(schedule.piece_sizes()[i] * (1 - fates[i].lost));
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
    const TaskList list = schedule.tasks(w);
    for (std::size_t k = 0; k < tasks_done(list, capacities[w]); ++k)
      for (std::uint32_t i = 0; i < list.tasks[k].pieces; ++i) done[list.tasks[k].first_piece + i] = true;
  }
  double work = 0;
  for (std::size_t i = 0; i < done.size(); ++i)
    if (done[i]) work += schedule.piece_sizes()[i];
  return work;
}

}  // namespace coterie
