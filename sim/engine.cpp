#include "sim/engine.hpp"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "sim/parallel.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kBatchValues = 4'000'000;  // ratios held in memory at a time (32 MB)
constexpr std::size_t kMostTrials = 32;          // compiled schedules held at a time
constexpr auto kPrepareTime = std::chrono::seconds(5);

using Clock = std::chrono::steady_clock;

/// Tasks whose results fit in memory one by one: long ones are cut, at ends of blocks.
std::vector<RowGap> cut(const std::vector<RowGap>& tasks) {
  std::vector<RowGap> pieces;
  for (const RowGap& task : tasks) {
    const std::uint64_t fits = kBatchValues / (task.strategies.size() + 1);
    const std::uint64_t most = std::max(kBlockInstances, fits - fits % kBlockInstances);
    for (std::uint64_t done = 0; done < task.instances; done += most) {
      pieces.push_back(task);
      pieces.back().first_instance += done;
      pieces.back().instances = std::min(most, task.instances - done);
    }
  }
  return pieces;
}

/// A task being computed.
struct Job {
  const RowGap* task;
  std::vector<std::string> strategies;
  std::shared_ptr<const Trial> trial;
  std::vector<double> ratio;  ///< strategy x instance
  std::vector<double> reference;
};

struct BlockOfJob {
  std::size_t job;
  std::uint64_t first;  ///< counted in the task
  std::uint64_t instances;
};

/// Some tasks in work: first their trials are prepared, then their blocks computed.
class Batch {
 public:
  Batch(const Campaign& campaign, const RunControl& control, Progress& progress, std::uint64_t& done)
      : campaign_(campaign), control_(control), progress_(progress), done_(done) {}

  /// Takes as many of the tasks as fit in memory and can be prepared in a few seconds; returns how many.
  std::size_t prepare(std::span<const RowGap> tasks) {
    const std::shared_ptr<const Trial> last = jobs_.empty() ? nullptr : jobs_.back().trial;
    const RowGap* last_task = jobs_.empty() ? nullptr : jobs_.back().task;
    jobs_.clear();
    std::size_t values = 0;
    for (const RowGap& task : tasks) {
      values += task.instances * (task.strategies.size() + 1);
      if ((values > kBatchValues && !jobs_.empty()) || jobs_.size() == kMostTrials) break;
      jobs_.push_back({&task, {}, nullptr, {}, {}});
    }
    if (last && last_task->configuration == tasks[0].configuration && last_task->strategies == tasks[0].strategies)
      jobs_[0].trial = last;  // the task was cut: its trial goes on
    const auto end = Clock::now() + kPrepareTime;
    const auto go_on = [&] { return !control_.stop() && Clock::now() < end; };
    jobs_.resize(parallel_prefix(jobs_.size(), thread_count(control_.threads), go_on, [&](std::size_t i) {
      Job& job = jobs_[i];
      const RowGap& task = *job.task;
      for (const std::size_t s : task.strategies) job.strategies.push_back(campaign_.strategies[s]);
      const Configuration& configuration = campaign_.configurations[task.configuration];
      if (!job.trial)
        job.trial = campaign_.model->prepare(
            {configuration, campaign_.seed, job.strategies, *campaign_.risks, campaign_.sampling});
      job.ratio.resize(task.strategies.size() * task.instances);
      job.reference.resize(task.instances);
    }));
    return jobs_.size();
  }

  /// Returns false where it was stopped.
  bool compute() {
    blocks_.clear();
    for (std::size_t job = 0; job < jobs_.size(); ++job)
      for (std::uint64_t first = 0; first < jobs_[job].task->instances; first += kBlockInstances)
        blocks_.push_back({job, first, std::min(kBlockInstances, jobs_[job].task->instances - first)});
    finished_.assign(blocks_.size(), 0);
    first_unfinished_ = 0;
    kept_ = 0;
    next_keep_ = Clock::now() + to_duration(control_.keep_seconds);
    const auto go_on = [&] { return !control_.stop(); };
    const std::size_t run = parallel_prefix(blocks_.size(), thread_count(control_.threads), go_on, [&](std::size_t i) {
      compute_block(blocks_[i]);
      const std::lock_guard lock(mutex_);
      finished_[i] = 1;
      done_ += blocks_[i].instances;
      progress_.update(done_);
      while (first_unfinished_ < blocks_.size() && finished_[first_unfinished_] != 0) ++first_unfinished_;
      if (Clock::now() >= next_keep_) keep_finished();
    });
    keep_finished();
    return run == blocks_.size();
  }

 private:
  static Clock::duration to_duration(double seconds) {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  }

  void compute_block(const BlockOfJob& work) {
    Job& job = jobs_[work.job];
    Block block;
    block.first_instance = job.task->first_instance + work.first;
    block.instances = static_cast<std::size_t>(work.instances);
    block.reference = job.reference.data() + work.first;
    block.ratio = job.ratio.data() + work.first;
    block.stride = job.task->instances;
    job.trial->run(block);
  }

  /// Hands over the blocks that are finished, up to the first that is not.
  void keep_finished() {
    std::vector<ResultRow> rows;
    while (kept_ < first_unfinished_) {
      const std::size_t begin = kept_;
      while (kept_ < first_unfinished_ && blocks_[kept_].job == blocks_[begin].job) ++kept_;
      const std::uint64_t first = blocks_[begin].first;
      add_rows(jobs_[blocks_[begin].job], first, blocks_[kept_ - 1].first + blocks_[kept_ - 1].instances - first, rows);
    }
    if (!rows.empty()) control_.keep(std::move(rows));
    next_keep_ = Clock::now() + to_duration(control_.keep_seconds);
  }

  static void add_rows(const Job& job, std::uint64_t first, std::uint64_t instances, std::vector<ResultRow>& rows) {
    const RowGap& task = *job.task;
    RowSpan span{task.configuration, kReferenceColumn, task.first_instance + first, instances, {}};
    const auto add = [&](const double* values) {
      rows.push_back({span, std::vector<double>(values + first, values + first + instances)});
    };
    if (task.reference) add(job.reference.data());
    const std::vector<StrategyFacts> facts = job.trial->facts();
    for (std::size_t s = 0; s < task.strategies.size(); ++s) {
      span.column = column_of(task.strategies[s]);
      span.facts = facts[s];
      add(job.ratio.data() + s * task.instances);
    }
  }

  const Campaign& campaign_;
  const RunControl& control_;
  Progress& progress_;
  std::uint64_t& done_;
  std::vector<Job> jobs_;
  std::vector<BlockOfJob> blocks_;
  std::mutex mutex_;  // of what follows, while blocks are computed
  std::vector<char> finished_;
  std::size_t first_unfinished_ = 0;
  std::size_t kept_ = 0;
  Clock::time_point next_keep_;
};

}  // namespace

bool compute_rows(const Campaign& campaign, const std::vector<RowGap>& tasks, const RunControl& control,
                  Progress& progress) {
  const std::vector<RowGap> pieces = cut(tasks);
  std::uint64_t done = progress.done_before();
  Batch batch(campaign, control, progress, done);
  bool finished = true;
  for (std::size_t at = 0; at < pieces.size() && finished;) {
    at += batch.prepare(std::span(pieces).subspan(at));
    finished = batch.compute() && (at == pieces.size() || !control.stop());
  }
  progress.finish();
  return finished;
}

}  // namespace coterie::sim
