#pragma once

#include <cstddef>
#include <functional>

namespace coterie::sim {

/// Jobs that are prepared by one thread each, and whose pieces any thread may run then.
struct PreparedJobs {
  std::size_t count = 0;
  std::function<std::size_t(std::size_t job)> prepare;          ///< returns the number of its pieces
  std::function<void(std::size_t job, std::size_t piece)> run;  ///< pieces of a job begin in order
  /// Asked before each, by one thread at a time; must not throw.
  std::function<bool()> go_on = [] { return true; };
};

/// Prepares and runs the jobs on the threads: each thread prepares a job, runs its pieces, and goes on to the next;
/// where no job is left it runs pieces of others' (the first first). So no more jobs are prepared at a time than there
/// are threads, and what a job holds is freed where it was made, but for the last ones: memory that others free makes
/// threads wait for one another. Ends early, with what was begun, where `go_on` says no; returns whether all was run.
/// Exceptions do not cross threads: the one that a single thread would have met is thrown again when all are done.
/// What the calling thread's CancellationScope asks, all threads are asked; Cancelled is thrown again, too.
bool run_jobs(const PreparedJobs& jobs, int threads);

/// The same, while the calling thread has something of its own to do: before each step that it takes, and after the
/// last one, it calls `own` until that returns false, for there is nothing it could do now. An exception of `own` comes
/// before others; the jobs are run all the same.
bool run_jobs_beside(const std::function<bool()>& own, const PreparedJobs& jobs, int threads);

/// task(0), task(1), ... below `count` on the threads; exceptions as above.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

/// The same, with something of the calling thread's own to do.
void parallel_for_beside(const std::function<bool()>& own, std::size_t count, int threads,
                         const std::function<void(std::size_t)>& task);

/// More threads than any machine has processors.
constexpr int kMostThreads = 4096;

/// `threads` as given; where it is 0, as many as the machine has cores, or as OMP_NUM_THREADS says. Throws InputError
/// where that says more than kMostThreads.
int thread_count(int threads);

}  // namespace coterie::sim
