#pragma once

#include <cstddef>
#include <functional>

namespace coterie::sim {

/// Jobs that are each prepared by one thread, and whose pieces any thread may then run.
struct PreparedJobs {
  std::size_t count = 0;
  std::function<std::size_t(std::size_t job)> prepare;          ///< returns the number of its pieces
  std::function<void(std::size_t job, std::size_t piece)> run;  ///< pieces of a job begin in order
  /// Asked before each piece, by one thread at a time; must not throw.
  std::function<bool()> go_on = [] { return true; };
};

/// Prepares and runs the jobs on the threads: each thread prepares a job, runs its pieces, and continues with the next;
/// when no job is left it runs pieces of other jobs (in order). So there are never more prepared jobs than threads, and
/// except for the last ones, memory is freed by the thread that allocated it: freeing memory of other threads makes
/// threads wait for one another. Stops early, after the pieces in progress, if `go_on` returns false; returns whether
/// everything was run. Exceptions do not cross threads: the one that a single thread would have met is rethrown when
/// all are done. The calling thread's CancellationScope applies to all threads; Cancelled is rethrown, too.
bool run_jobs(const PreparedJobs& jobs, int threads);

/// The same, while the calling thread has work of its own: before each of its steps, and after the last one, it calls
/// `own` until that returns false, which means that there is nothing to do now. An exception of `own` takes precedence
/// over others; the jobs are still run.
bool run_jobs_beside(const std::function<bool()>& own, const PreparedJobs& jobs, int threads);

/// task(0), task(1), ... below `count` on the threads; exceptions as above.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

/// The same, with work of the calling thread's own.
void parallel_for_beside(const std::function<bool()>& own, std::size_t count, int threads,
                         const std::function<void(std::size_t)>& task);

/// The most threads: more than any machine has processors.
constexpr int kMostThreads = 4096;

/// `threads` as given; if 0, the number of cores, or OMP_NUM_THREADS. Throws InputError if that is more than
/// kMostThreads.
int thread_count(int threads);

}  // namespace coterie::sim
