#include "heuristics/worksharing/overlapping_lists.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/cancellation.hpp"
#include "core/chunk_numbers.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kMostPieces = 5000;
constexpr double kMostLooks = 3e7;  // at pieces

/// A part of the workload.
struct Part {
  double begin = 0;
  double size = 0;
};

/// The workload cut at the ends of parts, and how much of each piece is expected to be undone.
class Layout {
 public:
  Layout(double work, const std::vector<Part>& parts) : boundaries_{0, work} {
    for (const Part& part : parts) {
      boundaries_.push_back(part.begin);
      boundaries_.push_back(part.begin + part.size);
    }
    std::sort(boundaries_.begin(), boundaries_.end());
    const auto same = [&](double a, double b) { return b - a <= 1e-9 * work; };
    boundaries_.erase(std::unique(boundaries_.begin(), boundaries_.end(), same), boundaries_.end());
    boundaries_.back() = work;
    undone_.assign(boundaries_.size() - 1, 1.0);
  }

  std::size_t pieces() const { return undone_.size(); }
  const std::vector<double>& boundaries() const { return boundaries_; }
  double size(std::size_t piece) const { return boundaries_[piece + 1] - boundaries_[piece]; }
  double size(const Task& task) const {
    return boundaries_[task.first_piece + task.pieces] - boundaries_[task.first_piece];
  }
  Task task_of(const Part& part) const {
    const std::size_t first = nearest(part.begin);
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(nearest(part.begin + part.size) - first)};
  }
  double undone(const Task& task) const {
    double sum = 0;
    for (std::size_t i = task.first_piece; i < task.first_piece + task.pieces; ++i) sum += undone_[i] * size(i);
    return sum;
  }
  void run(const Task& task, double lost) {
    for (std::size_t i = task.first_piece; i < task.first_piece + task.pieces; ++i) undone_[i] *= lost;
  }

 private:
  std::size_t nearest(double place) const {
    const auto above = std::lower_bound(boundaries_.begin() + 1, boundaries_.end() - 1, place);
    const auto below = above - 1;
    return static_cast<std::size_t>((place - *below < *above - place ? below : above) - boundaries_.begin());
  }

  std::vector<double> boundaries_;
  std::vector<double> undone_;
};

/// Workers of one risk: how many, their list, and the probability that each of its chunks is lost.
struct WorkerClass {
  RiskPtr risk;
  std::vector<double> sizes;
  std::vector<double> lost;
  double work = 0;
};

using Lists = std::vector<std::vector<Task>>;  // by worker

class Placement {
 public:
  Placement(const WorksharingProblem& problem, std::size_t tangent, SliceCache& memory) : problem_(problem) {
    std::map<const Risk*, std::size_t> met;
    for (const RiskPtr& risk : problem.risks()) {
      const auto [entry, fresh] = met.emplace(risk.get(), classes_.size());
      if (fresh) classes_.push_back(class_of(risk, tangent, memory));
      class_of_.push_back(entry->second);
    }
    class_of_.resize(problem.workers, class_of_.front());
    for (std::size_t w = 0; w < problem.workers; ++w) {
      all_ += of(w).work;
      tasks_ += of(w).sizes.size();
      steps_ = std::max(steps_, of(w).sizes.size());
    }
  }

  /// Whether lists overlap at all, or are of different workers, and have chunks that can be told apart.
  bool applies() const {
    const auto tiny = [&](const WorkerClass& one) {
      return std::any_of(one.sizes.begin(), one.sizes.end(), [&](double w) { return w < 1e-6 * problem_.work; });
    };
    return (all_ > problem_.work || (classes_.size() > 1 && all_ > 0)) &&
           std::none_of(classes_.begin(), classes_.end(), tiny);
  }

  /// Places for chunks of one size side by side over all of W; all first chunks are placed before all second ones,
  /// where most is undone. A chunk that finds no place beside the worker's own is left out.
  std::optional<Plan> chunk_by_chunk() const {
    std::map<double, std::vector<Part>> places;
    for (const WorkerClass& one : classes_)
      for (const double size : one.sizes) {
        const auto count = std::max(1.0, std::floor(problem_.work / size * (1 + 1e-9)));
        if (count + static_cast<double>(places.size()) > kMostPieces) return std::nullopt;
        std::vector<Part>& parts = places[size];
        if (parts.empty())
          for (double i = 0; i < count; ++i) parts.push_back({problem_.work * i / count, size});
      }
    std::vector<Part> parts;
    for (const auto& [size, some] : places) parts.insert(parts.end(), some.begin(), some.end());
    Layout layout(problem_.work, parts);
    if (too_large(layout, tasks_)) return std::nullopt;
    std::map<double, std::vector<Task>> tasks;
    for (const auto& [size, some] : places)
      for (const Part& part : some) tasks[size].push_back(layout.task_of(part));
    Lists lists(problem_.workers);
    std::vector<double> clocks(problem_.workers, 0.0);
    for (std::size_t step = 0; step < steps_; ++step)
      for (std::size_t w = 0; w < problem_.workers; ++w) {
        if (step >= of(w).sizes.size()) continue;
        cancellation_point();
        const Task task = most_undone(layout, tasks.at(of(w).sizes[step]), lists[w]);
        if (task.pieces == 0) continue;
        clocks[w] += layout.size(task) + problem_.startup_cost;
        layout.run(task, of(w).risk->probability(clocks[w]));
        lists[w].push_back(task);
      }
    return plan_of(layout, lists);
  }

  /// Each list as a whole, its chunks side by side from any of them on, forwards or backwards, at the begin of W or at
  /// its end: worker by worker where most is gained.
  std::optional<Plan> list_by_list() const {
    std::vector<std::vector<std::vector<Part>>> ways;  // by class
    std::vector<Part> parts;
    std::size_t looks = 0;
    for (const WorkerClass& one : classes_) {
      if (4 * one.sizes.size() * one.sizes.size() > kMostPieces) return std::nullopt;
      ways.push_back(ways_of(one));
      for (const auto& way : ways.back()) parts.insert(parts.end(), way.begin(), way.end());
      looks = std::max(looks, ways.back().size());
    }
    Layout layout(problem_.work, parts);
    if (too_large(layout, looks * problem_.workers)) return std::nullopt;
    std::vector<Lists> tasks(classes_.size());  // by class and way
    for (std::size_t c = 0; c < classes_.size(); ++c)
      for (const auto& way : ways[c]) {
        tasks[c].emplace_back();
        for (const Part& part : way) tasks[c].back().push_back(layout.task_of(part));
      }
    Lists lists;
    for (std::size_t w = 0; w < problem_.workers; ++w) {
      cancellation_point();
      lists.push_back(most_gained(layout, tasks[class_of_[w]], of(w)));
      for (std::size_t k = 0; k < lists[w].size(); ++k) layout.run(lists[w][k], of(w).lost[k]);
    }
    return plan_of(layout, lists);
  }

 private:
  const WorkerClass& of(std::size_t worker) const { return classes_[class_of_[worker]]; }

  bool too_large(const Layout& layout, std::size_t looks) const {
    return layout.pieces() > kMostPieces ||
           static_cast<double>(looks) * static_cast<double>(layout.pieces()) > kMostLooks;
  }

  WorkerClass class_of(const RiskPtr& risk, std::size_t tangent, SliceCache& memory) const {
    WorkerClass one{
        risk,
        memory.worker(risk, problem_.startup_cost, WorkerCeiling::kMostPoints)->list(tangent, problem_.work),
        {},
        0};
    double clock = 0;
    for (const double size : one.sizes) {
      one.work += size;
      one.lost.push_back(risk->probability(clock += size + problem_.startup_cost));
    }
    return one;
  }

  std::vector<std::vector<Part>> ways_of(const WorkerClass& one) const {
    const std::size_t count = one.sizes.size();
    if (count == 0) return {{}};  // one way: to do nothing
    std::vector<std::vector<Part>> ways;
    for (const double begin : {0.0, std::max(0.0, problem_.work - one.work)})
      for (std::size_t first = 0; first < count; ++first)
        for (const bool forwards : {true, false}) {
          std::vector<Part> way(count);
          double place = begin;
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t k = (forwards ? first + i : first + count - i) % count;
            way[k] = {place, one.sizes[k]};
            place += one.sizes[k];
          }
          ways.push_back(std::move(way));
        }
    return ways;
  }

  static bool meet(const Task& a, const Task& b) {
    return a.first_piece < b.first_piece + b.pieces && b.first_piece < a.first_piece + a.pieces;
  }

  /// No pieces where each place meets a task of its own.
  static Task most_undone(const Layout& layout, const std::vector<Task>& places, const std::vector<Task>& own) {
    Task best{0, 0};
    double most = 0;
    for (const Task& place : places) {
      const double undone = layout.undone(place);
      if (undone <= most * (1 + 1e-12)) continue;
      if (std::any_of(own.begin(), own.end(), [&](const Task& other) { return meet(other, place); })) continue;
      best = place;
      most = undone;
    }
    return best;
  }

  static const std::vector<Task>& most_gained(const Layout& layout, const Lists& ways, const WorkerClass& one) {
    std::size_t best = 0;
    double most = 0;
    for (std::size_t i = 0; i < ways.size(); ++i) {
      double gained = 0;
      for (std::size_t k = 0; k < ways[i].size(); ++k) gained += (1 - one.lost[k]) * layout.undone(ways[i][k]);
      if (gained <= most * (1 + 1e-12)) continue;
      best = i;
      most = gained;
    }
    return ways[best];
  }

  /// Work that nobody has been given is done last, in chunks no longer than the others (unless a piece is), each by the
  /// worker that is free first.
  void fill_gaps(const Layout& layout, Lists& chosen) const {
    const auto size_of = [&](const Task& task) {
      double size = 0;
      for (std::size_t i = 0; i < task.pieces; ++i) size += layout.size(task.first_piece + i);
      return size;
    };
    std::vector<char> given(layout.pieces());
    std::vector<double> through(chosen.size());
    double longest = 0;
    for (std::size_t w = 0; w < chosen.size(); ++w)
      for (const Task& task : chosen[w]) {
        std::fill_n(given.begin() + task.first_piece, task.pieces, 1);
        through[w] += size_of(task) + problem_.startup_cost;
        longest = std::max(longest, size_of(task));
      }
    for (std::uint32_t piece = 0; piece < given.size();) {
      if (given[piece] != 0) {
        ++piece;
        continue;
      }
      Task gap{piece, 1};
      for (++piece; piece < given.size() && given[piece] == 0; ++piece, ++gap.pieces)
        if (size_of(gap) + layout.size(piece) > longest) break;
      const auto first = std::min_element(through.begin(), through.end());
      chosen[static_cast<std::size_t>(first - through.begin())].push_back(gap);
      *first += size_of(gap) + problem_.startup_cost;
    }
  }

  Plan plan_of(const Layout& layout, Lists chosen) const {
    fill_gaps(layout, chosen);
    std::vector<double> sizes;
    for (std::size_t i = 0; i < layout.pieces(); ++i) sizes.push_back(layout.size(i));
    TaskLists lists;
    for (const std::vector<Task>& own : chosen) {
      for (const Task& task : own)
        if (task.pieces > 0) lists.add(task);
      lists.close(back_to_back(lists.open(), sizes, problem_.startup_cost));
    }
    Plan plan;
    plan.chunk_size = of(0).sizes.empty() ? 0 : of(0).sizes.front();
    plan.schedule = std::make_shared<const Schedule>(layout.boundaries(), std::move(lists));
    plan.chunks = ChunkNumbers(*plan.schedule).count();
    plan.expected_work = expected_work(*plan.schedule, problem_.risks());
    return plan;
  }

  const WorksharingProblem& problem_;
  std::vector<WorkerClass> classes_;
  std::vector<std::size_t> class_of_;  // by worker
  double all_ = 0;                     // work of all lists
  std::size_t tasks_ = 0;
  std::size_t steps_ = 0;  // tasks of the longest list
};

}  // namespace

std::optional<Plan> overlapping_lists_plan(const WorksharingProblem& problem, std::size_t tangent, SliceCache& memory) {
  const Placement placement(problem, tangent, memory);
  if (!placement.applies()) return std::nullopt;
  std::optional<Plan> best = placement.chunk_by_chunk();
  std::optional<Plan> other = placement.list_by_list();
  if (!best || (other && other->expected_work > best->expected_work)) best.swap(other);
  return best;
}

}  // namespace coterie::heuristics
