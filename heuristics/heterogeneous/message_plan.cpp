#include "heuristics/heterogeneous/message_plan.hpp"

#include <algorithm>

#include "core/cancellation.hpp"

namespace coterie::heuristics {
namespace {

/// Calls `done(worker, piece, time)` for every piece of every message, message by message.
template <class Worker, class Done>
void follow(const MessagePlan& plan, std::span<const Worker> workers, double startup, std::vector<double>& free_at,
            Done done) {
  free_at.assign(workers.size(), 0);
  double sent = 0;
  for (const Message& message : plan.messages) {
    const Worker& worker = workers[message.worker];
    double size = 0;
    for (const std::uint32_t piece : message.pieces) size += plan.piece_sizes[piece];
    sent += size * worker.receive();
    double time = std::max(free_at[message.worker], sent);
    for (const std::uint32_t piece : message.pieces) {
      time += (plan.piece_sizes[piece] + startup) * worker.compute();
      done(message.worker, piece, time);
    }
    free_at[message.worker] = time;
  }
}

}  // namespace

std::vector<RiskyWorker> under_linear_risk(Platform platform) {
  std::vector<RiskyWorker> workers;
  for (const LinearWorker& worker : platform)
    workers.push_back({worker.speed, worker.bandwidth, make_linear_risk(worker.risk_rate)});
  return workers;
}

double MessagePlan::deployed_work() const {
  double sum = 0;
  for (const double size : piece_sizes) sum += size;
  return sum;
}

MessagePlanValue::MessagePlanValue(std::span<const RiskyWorker> workers, double startup) : startup_(startup) {
  workers_.reserve(workers.size());
  for (const RiskyWorker& worker : workers)
    workers_.push_back({worker.receive(), worker.compute(), worker.risk->linear_rate(), worker.risk.get()});
}

double MessagePlanValue::operator()(const MessagePlan& plan) {
  cancellation_point();
  lost_.assign(plan.piece_sizes.size(), 1);
  follow(plan, std::span<const Evaluated>(workers_), startup_, free_at_,
         [&](std::size_t worker, std::uint32_t piece, double time) {
           lost_[piece] *= workers_[worker].probability(time);
         });
  double sum = 0;
  for (std::size_t piece = 0; piece < lost_.size(); ++piece) sum += plan.piece_sizes[piece] * (1 - lost_[piece]);
  return sum;
}

double completed_work(const MessagePlan& plan, Platform workers, double startup,
                      std::span<const double> interruptions) {
  std::vector<char> completed(plan.piece_sizes.size(), 0);
  std::vector<double> free_at;
  follow(plan, workers, startup, free_at, [&](std::size_t worker, std::uint32_t piece, double time) {
    if (time <= interruptions[worker]) completed[piece] = 1;
  });
  double sum = 0;
  for (std::size_t piece = 0; piece < completed.size(); ++piece)
    if (completed[piece]) sum += plan.piece_sizes[piece];
  return sum;
}

Schedule to_schedule(const MessagePlan& plan, std::span<const RiskyWorker> workers, double startup) {
  std::vector<double> boundaries = {0};
  for (const double size : plan.piece_sizes) boundaries.push_back(boundaries.back() + size);
  std::vector<std::vector<Task>> tasks(workers.size());
  std::vector<std::vector<double>> finish(workers.size());
  std::vector<double> free_at;
  follow(plan, workers, startup, free_at, [&](std::size_t worker, std::uint32_t piece, double time) {
    tasks[worker].push_back({piece, 1});
    finish[worker].push_back(time);
  });
  std::size_t copies = 0;
  for (const auto& list : tasks) copies += list.size();
  TaskLists lists;
  lists.reserve(workers.size(), copies);
  for (std::size_t worker = 0; worker < workers.size(); ++worker) {
    for (const Task& task : tasks[worker]) lists.add(task);
    lists.close(std::move(finish[worker]));
  }
  return Schedule(std::move(boundaries), std::move(lists));
}

}  // namespace coterie::heuristics
