#include "sim/engine/parallel.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "core/cancellation.hpp"
#include "core/errors.hpp"

namespace coterie::sim {
namespace {

/// What the threads of one run_jobs share.
class JobQueue {
 public:
  explicit JobQueue(const PreparedJobs& jobs) : jobs_(jobs), end_(jobs.count) {}  // on the calling thread

  /// By each of the threads, until there is nothing left for it; `first`: before each step.
  void work(const std::function<void()>& first = [] {}) {
    const CancellationScope scope(cancellation_);
    first();
    std::unique_lock lock(mutex_);
    std::size_t own = end_;  // the last job that this thread prepared
    while (const auto step = next(own, lock)) {
      std::size_t pieces = 0;
      std::exception_ptr problem;
      bool cancelled = false;
      lock.unlock();
      try {
        cancellation_point();
        if (step->piece)
          jobs_.run(step->job, *step->piece);
        else
          pieces = jobs_.prepare(step->job);
      } catch (const Cancelled&) {
        cancelled = true;
      } catch (...) {
        problem = std::current_exception();
      }
      first();
      lock.lock();
      if (problem) note(*step, problem);
      cancelled_ = cancelled_ || cancelled;
      if (step->piece) continue;
      own = step->job;
      --preparing_;
      if (pieces > 0 && step->job < end_) make_ready(*step, pieces);
      changed_.notify_all();
    }
  }

  /// After all of them.
  bool finish() const {
    if (problem_) std::rethrow_exception(problem_);
    if (cancelled_) throw Cancelled();
    return !stopped_;
  }

 private:
  struct Pieces {
    std::size_t next;
    std::size_t count;
  };
  struct Step {
    std::size_t job;
    std::optional<std::size_t> piece;  ///< none: the job is prepared
    auto operator<=>(const Step&) const = default;
  };

  std::optional<Step> next(std::size_t own, std::unique_lock<std::mutex>& lock) {
    while (true) {
      if (ready_.empty() && next_job_ >= end_ && preparing_ == 0) return std::nullopt;
      if (!stopped_ && !jobs_.go_on()) stopped_ = true;
      if (stopped_ || cancelled_) return std::nullopt;
      if (const auto found = ready_.find(own); found != ready_.end()) return take_piece(found);
      if (next_job_ < end_) {
        ++preparing_;
        return Step{next_job_++, {}};
      }
      if (!ready_.empty()) return take_piece(ready_.begin());
      changed_.wait(lock);
    }
  }

  void make_ready(const Step& step, std::size_t pieces) {
    try {
      ready_[step.job] = {0, pieces};
    } catch (const std::bad_alloc&) {
      note(step, std::current_exception());
    }
  }

  Step take_piece(std::map<std::size_t, Pieces>::iterator job) {
    const Step step{job->first, job->second.next++};
    if (job->second.next == job->second.count) ready_.erase(job);
    return step;
  }

  /// What comes before the first problem is still run: one before it may turn up.
  void note(const Step& step, const std::exception_ptr& problem) {
    if (problem_ && first_problem_ < step) return;
    problem_ = problem;
    first_problem_ = step;
    end_ = step.job;
    ready_.erase(ready_.lower_bound(end_), ready_.end());
  }

  const PreparedJobs& jobs_;
  const Cancellation* cancellation_ = CancellationScope::current();  // of the calling thread
  std::mutex mutex_;                                                 // of all that follows
  std::condition_variable changed_;
  std::map<std::size_t, Pieces> ready_;
  std::size_t next_job_ = 0;
  std::size_t end_;  // jobs from here on are not (or no longer) wanted
  std::size_t preparing_ = 0;
  bool stopped_ = false;
  bool cancelled_ = false;
  std::exception_ptr problem_;
  Step first_problem_{};
};

}  // namespace

bool run_jobs_beside(const std::function<bool()>& own, const PreparedJobs& jobs, int threads) {
  JobQueue queue(jobs);
  std::exception_ptr problem;
  const std::function<void()> do_own = [&] {
    try {
      while (!problem && own()) {
      }
    } catch (...) {
      problem = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  try {
    for (int i = 1; i < threads; ++i) others.emplace_back([&queue] { queue.work(); });
  } catch (const std::system_error&) {  // the system has no more threads: the existing ones do all the work
  }
  queue.work(do_own);
  for (std::thread& other : others) other.join();
  do_own();
  if (problem) std::rethrow_exception(problem);
  return queue.finish();
}

bool run_jobs(const PreparedJobs& jobs, int threads) {
  return run_jobs_beside([] { return false; }, jobs, threads);
}

void parallel_for_beside(const std::function<bool()>& own, std::size_t count, int threads,
                         const std::function<void(std::size_t)>& task) {
  const auto all = [count](std::size_t) { return count; };
  const auto run = [&task](std::size_t, std::size_t piece) { task(piece); };
  run_jobs_beside(own, {count > 0 ? std::size_t{1} : 0, all, run}, threads);
}

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  parallel_for_beside([] { return false; }, count, threads, task);
}

int thread_count(int threads) {
  if (threads > 0) return threads;
  const int usual = std::min(omp_get_max_threads(), omp_get_thread_limit());
  if (usual > kMostThreads)
    throw InputError(fmt::format("OMP_NUM_THREADS={}: must be at most {}", usual, kMostThreads));
  return usual;
}

}  // namespace coterie::sim
