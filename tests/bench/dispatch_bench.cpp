// Events a second of schedules that listen, and of the same queue as a programmer writes it first: a heap of events,
// and all that is outstanding looked at for each copy.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <queue>
#include <random>
#include <tuple>
#include <utility>

#include "heuristics/dispatch/central.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/dispatch/help.hpp"
#include "heuristics/dispatch/planned_lists.hpp"
#include "heuristics/worksharing/registry.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kStartup = 0.01;
constexpr double kLoad = 0.2;  // where copying takes most
constexpr CentralParameters kParameters{2, 2 * kStartup, 0.92};
const RiskPtr kRisk = make_linear_risk();

/// The lives of workers, as many of them in all whatever their number.
std::vector<std::vector<double>> lives_of(std::size_t workers) {
  std::mt19937_64 engine(2013);
  std::uniform_real_distribution<double> uniform(0, 1);
  std::vector<std::vector<double>> lives(std::max<std::size_t>(1, 10'000 / workers), std::vector<double>(workers));
  for (auto& one : lives) std::generate(one.begin(), one.end(), [&] { return uniform(engine); });
  return lives;
}

double work_of(std::size_t workers) { return kLoad * static_cast<double>(workers); }

std::shared_ptr<const Schedule> shares_of(std::size_t workers) {
  const WorksharingProblem problem{workers, work_of(workers), kStartup, kRisk, 1.0};
  return worksharing_strategy("no-replication").build(problem, {Granularity::Kind::kAuto, 0}).schedule;
}

/// `of_events`: items are events, else instances.
void run(benchmark::State& state, ListeningPolicy& policy, bool of_events = true) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  const auto lives = lives_of(workers);
  DispatchRun dispatch("of the benchmark", workers, work_of(workers), kStartup, std::span(&kRisk, 1), Listening{0, 0});
  std::size_t items = 0;
  for (auto _ : state)
    for (const auto& one : lives) {
      const std::size_t events = dispatch(policy, one).events;
      items += of_events ? events : 1;
    }
  state.SetItemsProcessed(static_cast<std::int64_t>(items));
}

void DispatchSkip(benchmark::State& state) {
  PlannedLists policy(*shares_of(static_cast<std::size_t>(state.range(0))));
  run(state, policy);
}
BENCHMARK(DispatchSkip)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void DispatchHelp(benchmark::State& state) {
  Help policy(*shares_of(static_cast<std::size_t>(state.range(0))));
  run(state, policy);
}
BENCHMARK(DispatchHelp)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

std::shared_ptr<const ChunksByAge> first_chunks() {
  static const auto chunks = std::make_shared<const ChunksByAge>(std::span(&kRisk, 1), kStartup);
  return chunks;
}

void DispatchCentral(benchmark::State& state) {
  Central policy(first_chunks(), kParameters);
  run(state, policy);
}
BENCHMARK(DispatchCentral)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

void DispatchCentralInstances(benchmark::State& state) {
  Central policy(first_chunks(), kParameters);
  run(state, policy, false);
}
BENCHMARK(DispatchCentralInstances)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

/// The queue of Central with immediate news.
class PlainQueue {
 public:
  PlainQueue(double work, const std::vector<double>& lives) : lives_(lives), pool_(work), task_(lives.size(), 0) {
    alive_ = lives.size();
    for (std::size_t worker = 0; worker < lives.size(); ++worker) {
      events_.emplace(lives[worker], worker, kInterruption);
      hand_out(worker);
    }
  }

  /// The work that is completed.
  double run() {
    while (!events_.empty() && (pool_ > 0 || !outstanding_.empty())) {
      const auto [time, worker, task] = events_.top();
      events_.pop();
      now_ = time;
      std::vector<std::size_t> asking = std::exchange(idle_, {});
      if (task == kInterruption) {
        interrupt(worker);
      } else if (task_[worker] == task && lives_[worker] >= time) {
        complete(running_[worker], asking);
      } else {
        idle_.swap(asking);
      }
      for (const std::size_t one : asking)
        if (lives_[one] > now_) hand_out(one);
    }
    return completed_;
  }

 private:
  static constexpr std::size_t kInterruption = 0;
  struct Chunk {
    double size;
    std::vector<std::pair<std::size_t, double>> holders;  // and when they end it
  };

  void complete(std::size_t chunk, std::vector<std::size_t>& asking) {
    completed_ += chunks_[chunk].size;
    for (const auto& [worker, end] : chunks_[chunk].holders) {
      task_[worker] = kInterruption;
      asking.push_back(worker);
    }
    outstanding_.erase(std::find(outstanding_.begin(), outstanding_.end(), chunk));
  }

  void interrupt(std::size_t worker) {
    --alive_;
    if (task_[worker] == kInterruption) return;
    const std::size_t chunk = running_[worker];
    std::erase_if(chunks_[chunk].holders, [&](const auto& holder) { return holder.first == worker; });
    task_[worker] = kInterruption;
    if (!chunks_[chunk].holders.empty()) return;
    pool_ += chunks_[chunk].size;
    outstanding_.erase(std::find(outstanding_.begin(), outstanding_.end(), chunk));
  }

  void hand_out(std::size_t worker) {
    std::size_t chunk = chunks_.size();
    if (pool_ > 0) {
      const double most = kParameters.first * (*first_chunks())(worker, now_);
      if (most < 1e-7) return;
      const double share = pool_ / (kParameters.shares * static_cast<double>(std::max<std::size_t>(1, alive_)));
      const double size = std::min({most, std::max(share, kParameters.least), pool_});
      chunks_.push_back({size, {}});
      outstanding_.push_back(chunk);
      pool_ = pool_ - size < 1e-12 ? 0 : pool_ - size;
    } else {
      double best = 0;
      for (const std::size_t one : outstanding_) {
        const double time = kStartup + chunks_[one].size;
        double value = chunks_[one].size / time * kRisk->survival(now_ + time);
        for (const auto& [holder, end] : chunks_[one].holders)
          value *= 1 - kRisk->survival(end) / kRisk->survival(now_);
        if (value <= best) continue;
        best = value;
        chunk = one;
      }
      if (best <= 0) return idle_.push_back(worker);
    }
    const double end = now_ + kStartup + chunks_[chunk].size;
    chunks_[chunk].holders.emplace_back(worker, end);
    running_.resize(lives_.size());
    running_[worker] = chunk;
    task_[worker] = ++tasks_;
    events_.emplace(end, worker, tasks_);
  }

  const std::vector<double>& lives_;
  double pool_;
  std::vector<std::size_t> task_;  // by worker: its number, from 1
  std::vector<std::size_t> running_;
  std::vector<Chunk> chunks_;
  std::vector<std::size_t> outstanding_;
  std::vector<std::size_t> idle_;
  using Event = std::tuple<double, std::size_t, std::size_t>;  // time, worker, task
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::size_t tasks_ = 0;
  std::size_t alive_ = 0;
  double now_ = 0;
  double completed_ = 0;
};

void DispatchCentralPlainly(benchmark::State& state) {
  const auto workers = static_cast<std::size_t>(state.range(0));
  const auto lives = lives_of(workers);
  double plain = 0;
  for (auto _ : state)
    for (const auto& one : lives) plain += PlainQueue(work_of(workers), one).run();
  // It completes the same but for ties.
  Central policy(first_chunks(), kParameters);
  DispatchRun dispatch("of the benchmark", workers, work_of(workers), kStartup, std::span(&kRisk, 1), Listening{0, 0});
  double ours = 0;
  for (const auto& one : lives) ours += dispatch(policy, one).completed;
  plain /= static_cast<double>(state.iterations());
  if (std::abs(plain - ours) > 0.01 * ours) state.SkipWithError("the plain queue completes something else");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * lives.size()));
}
BENCHMARK(DispatchCentralPlainly)->Arg(25)->Arg(1000)->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace coterie::heuristics
