#include "heuristics/worksharing/worker_exchanges.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace coterie::heuristics {
namespace {

/// ln of a risk of 0: far below that of any other, and small enough for sums to keep their digits.
constexpr double kLogOfNothing = -1000;

/// Of all work, what an exchange must gain at least: far above rounding, so that the search ends.
constexpr double kLeastGain = 1e-11;

/// Relative to their size, by how much chunks of one size differ by rounding.
constexpr double kSameSize = 1e-12;

/// ln of the risk of each task of a list, were it run by a worker of some risk. Lists share times, workers risks.
class LogRisks {
 public:
  const std::vector<double>& of(const FinishTimes& finish, const Risk& risk) {
    auto& logs = logs_[{finish.begin(), finish.size(), &risk}];
    if (logs.size() != finish.size()) {
      logs.resize(finish.size());
      risk.probabilities({finish.begin(), finish.size()}, logs);
      for (double& value : logs) value = value > 0 ? std::log(value) : kLogOfNothing;
    }
    return logs;
  }

 private:
  std::map<std::tuple<const double*, std::size_t, const Risk*>, std::vector<double>> logs_;
};

/// Who runs which chunks in which order, and for each chunk the ln of the probability that nobody completes it.
class Exchanges {
 public:
  Exchanges(const Schedule& schedule, std::span<const RiskPtr> risks, std::size_t most_steps)
      : schedule_(schedule), risks_(risks), sizes_(schedule.piece_sizes()), most_steps_(most_steps) {
    for (std::size_t w = 0; w < schedule.workers(); ++w) {
      const TaskList list = schedule.tasks(w);
      lists_.push_back({{}, &list.finish});
      for (const Task& task : list.tasks) lists_.back().pieces.push_back(task.first_piece);
    }
    least_gain_ = kLeastGain * schedule.deployed_work();
    log_lost_.assign(schedule.pieces(), 0.0);
    change_.assign(schedule.pieces(), 0.0);
    for (std::size_t w = 0; w < lists_.size(); ++w) add(lists_[w], risk_of(w), 1, log_lost_);
    lost_.resize(log_lost_.size());
    for (std::size_t piece = 0; piece < lost_.size(); ++piece) lost_[piece] = std::exp(log_lost_[piece]);
  }

  void run() {
    for (bool gained = true; gained && steps_ < most_steps_;) {
      gained = exchange_workers();
      gained = exchange_chunks() || gained;
    }
  }

  Schedule schedule() const {
    TaskLists lists;
    for (const List& list : lists_) {
      for (const std::uint32_t piece : list.pieces) lists.add({piece, 1});
      lists.close(*list.finish);
    }
    return {schedule_.boundaries(), std::move(lists)};
  }

 private:
  struct List {
    std::vector<std::uint32_t> pieces;
    const FinishTimes* finish;
  };

  const Risk& risk_of(std::size_t worker) const { return *risks_[risks_.size() == 1 ? 0 : worker]; }

  void add(const List& list, const Risk& risk, double sign, std::vector<double>& sums) {
    const std::vector<double>& logs = log_risks_.of(*list.finish, risk);
    for (std::size_t k = 0; k < list.pieces.size(); ++k) sums[list.pieces[k]] += sign * logs[k];
  }

  /// Any two workers whose risks differ, neighbours first.
  bool exchange_workers() {
    bool gained = false;
    for (std::size_t apart = 1; apart < lists_.size(); ++apart)
      for (std::size_t a = 0; a + apart < lists_.size() && steps_++ < most_steps_; ++a)
        gained = (&risk_of(a) != &risk_of(a + apart) && try_workers(a, a + apart)) || gained;
    return gained;
  }

  bool try_workers(std::size_t a, std::size_t b) {
    List& one = lists_[a];
    List& other = lists_[b];
    steps_ += 2 * (one.pieces.size() + other.pieces.size());
    add(one, risk_of(a), -1, change_);
    add(one, risk_of(b), 1, change_);
    add(other, risk_of(b), -1, change_);
    add(other, risk_of(a), 1, change_);
    double gain = 0;
    touched_.clear();
    for (const List* list : {&one, &other})
      for (const std::uint32_t piece : list->pieces) {
        if (change_[piece] == 0) continue;
        const double lost = std::exp(log_lost_[piece] + change_[piece]);
        gain += sizes_[piece] * (lost_[piece] - lost);
        touched_.push_back({piece, log_lost_[piece] + change_[piece], lost});
        change_[piece] = 0;
      }
    if (gain <= least_gain_) return false;
    for (const Fate& fate : touched_) settle(fate);
    std::swap(one, other);
    return true;
  }

  /// Any two chunks of one size in a worker's list.
  bool exchange_chunks() {
    bool gained = false;
    for (std::size_t w = 0; w < lists_.size(); ++w) {
      const std::vector<double>& logs = log_risks_.of(*lists_[w].finish, risk_of(w));
      std::vector<std::uint32_t>& pieces = lists_[w].pieces;
      for (std::size_t k = 0; k < pieces.size() && steps_ < most_steps_; ++k) {
        steps_ += pieces.size() - k;
        for (std::size_t l = k + 1; l < pieces.size(); ++l)
          gained = try_chunks(pieces[k], pieces[l], logs[l] - logs[k]) || gained;
      }
    }
    return gained;
  }

  /// `later`: by how much the ln of the risk grows from the earlier place to the later one.
  bool try_chunks(std::uint32_t& earlier, std::uint32_t& other, double later) {
    if (later == 0 || std::abs(sizes_[earlier] - sizes_[other]) > kSameSize * sizes_[other]) return false;
    if (!(log_lost_[other] > log_lost_[earlier] + later)) return false;  // where sizes are the same, that gains
    const Fate first = {earlier, log_lost_[earlier] + later, std::exp(log_lost_[earlier] + later)};
    const Fate second = {other, log_lost_[other] - later, std::exp(log_lost_[other] - later)};
    const double gain = sizes_[earlier] * (lost_[earlier] - first.lost) + sizes_[other] * (lost_[other] - second.lost);
    if (gain <= least_gain_) return false;
    settle(first);
    settle(second);
    std::swap(earlier, other);
    return true;
  }

  /// A chunk, and what becomes of it.
  struct Fate {
    std::uint32_t piece;
    double log_lost;
    double lost;
  };
  void settle(const Fate& fate) {
    log_lost_[fate.piece] = fate.log_lost;
    lost_[fate.piece] = fate.lost;
  }

  const Schedule& schedule_;
  std::span<const RiskPtr> risks_;
  std::span<const double> sizes_;
  std::vector<List> lists_;  // by worker
  LogRisks log_risks_;
  std::vector<double> log_lost_;  // by piece
  std::vector<double> lost_;      // its exp
  std::vector<double> change_;    // of log_lost_; 0 between exchanges
  std::vector<Fate> touched_;
  double least_gain_ = 0;
  std::size_t steps_ = 0;
  std::size_t most_steps_;
};

/// Whether each task is one piece, none twice in a list, and all of them no more than `most_steps`.
bool can_be_exchanged(const Schedule& schedule, std::size_t most_steps) {
  std::size_t steps = 0;
  std::vector<std::size_t> last(schedule.pieces(), 0);
  for (std::size_t w = 0; w < schedule.workers(); ++w) {
    const TaskList list = schedule.tasks(w);
    steps += list.tasks.size();
    if (steps > most_steps) return false;
    for (const Task& task : list.tasks)
      if (task.pieces != 1 || std::exchange(last[task.first_piece], w + 1) == w + 1) return false;
  }
  return true;
}

}  // namespace

Schedule with_exchanges(const Schedule& schedule, std::span<const RiskPtr> risks, std::size_t most_steps) {
  if (!can_be_exchanged(schedule, most_steps)) return schedule;
  Exchanges exchanges(schedule, risks, most_steps);
  exchanges.run();
  return exchanges.schedule();
}

}  // namespace coterie::heuristics
