#include "sim/engine/parallel.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

const auto kAlways = [] { return true; };

TEST(RunJobs, PreparesEachJobOnceAndRunsEachPieceOnceAfterThat) {
  const std::vector<std::size_t> pieces = {3, 0, 1, 40, 0, 2};
  for (const int threads : {1, 2, 3, 8}) {
    std::vector<std::atomic<int>> prepared(pieces.size());
    std::vector<std::vector<int>> run;
    for (const std::size_t count : pieces) run.emplace_back(count, 0);
    const bool all = run_jobs({pieces.size(),
                               [&](std::size_t job) {
                                 ++prepared[job];
                                 return pieces[job];
                               },
                               [&](std::size_t job, std::size_t piece) {
                                 EXPECT_EQ(prepared[job], 1);
                                 ++run[job][piece];
                               },
                               kAlways},
                              threads);
    EXPECT_TRUE(all);
    for (std::size_t job = 0; job < pieces.size(); ++job) {
      EXPECT_EQ(prepared[job], 1);
      EXPECT_EQ(run[job], std::vector<int>(pieces[job], 1));
    }
  }
}

// A job that is prepared is in memory until its last piece is done.
TEST(RunJobs, PreparesNoMoreJobsAtATimeThanThereAreThreads) {
  for (const int threads : {1, 2, 5}) {
    std::atomic<int> open = 0;
    std::atomic<int> most = 0;
    std::vector<std::atomic<int>> left(200);
    run_jobs({left.size(),
              [&](std::size_t job) {
                left[job] = 4;
                for (int now = ++open, seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
                return std::size_t{4};
              },
              [&](std::size_t job, std::size_t) {
                if (--left[job] == 0) --open;
              },
              kAlways},
             threads);
    EXPECT_LE(most, threads);
  }
}

// What others free of a job, its own thread waits for.
TEST(RunJobs, ThreadsKeepToTheirOwnJobsAsLongAsThereAreOthersToPrepare) {
  constexpr std::size_t kPieces = 4;
  for (const int threads : {1, 2, 5}) {
    std::vector<std::thread::id> owner(100);
    std::atomic<std::size_t> prepared = 0;
    std::atomic<std::size_t> strange = 0;  // pieces of others' jobs, run before all were prepared
    const auto work = [](std::size_t job) { std::this_thread::sleep_for(std::chrono::microseconds(20 * (job % 5))); };
    run_jobs({owner.size(),
              [&](std::size_t job) {
                owner[job] = std::this_thread::get_id();
                work(job);
                ++prepared;
                return kPieces;
              },
              [&](std::size_t job, std::size_t) {
                if (owner[job] != std::this_thread::get_id() && prepared < owner.size()) ++strange;
                work(job);
              },
              kAlways},
             threads);
    // While the last jobs are being prepared, others find none left.
    EXPECT_LE(strange, kPieces * static_cast<std::size_t>(threads - 1));
  }
}

TEST(RunJobs, EndsEarlyWhereItIsToldTo) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> steps = 0;
    int asked = 0;  // by one thread at a time
    const bool all = run_jobs({100,
                               [&](std::size_t) {
                                 ++steps;
                                 return std::size_t{1};
                               },
                               [&](std::size_t, std::size_t) { ++steps; }, [&] { return ++asked <= 40; }},
                              threads);
    EXPECT_FALSE(all);
    EXPECT_EQ(steps, 40);
  }
}

// Some preparations and pieces fail: always the same exception arrives, that of the first of them in order.
TEST(RunJobs, ThrowsWhatASingleThreadWouldHaveMet) {
  Dice dice("failing jobs");
  for (int round = 0; round < 300; ++round) {
    std::vector<std::array<bool, 5>> failing(20);
    for (auto& steps : failing)
      for (bool& step : steps) step = dice.real(0, 1) < 0.02;
    const auto fails = [&](std::size_t job, std::size_t step) { return failing[job][step]; };
    const auto outcome = [&](int threads) -> std::string {
      try {
        run_jobs({20,
                  [&](std::size_t job) {
                    if (fails(job, 0)) throw RuntimeError(std::to_string(job));
                    return job % 5;
                  },
                  [&](std::size_t job, std::size_t piece) {
                    if (fails(job, piece + 1)) throw RuntimeError(std::to_string(job) + "." + std::to_string(piece));
                  },
                  kAlways},
                 threads);
      } catch (const RuntimeError& error) {
        return error.what();
      }
      return "";
    };
    const std::string expected = outcome(1);
    for (const int threads : {2, 3}) ASSERT_EQ(outcome(threads), expected) << round;
  }
}

TEST(ParallelFor, RunsAllAndThrowsTheExceptionOfTheLowest) {
  for (const int threads : {1, 3}) {
    std::vector<int> run(1000, 0);
    parallel_for(run.size(), threads, [&](std::size_t i) { ++run[i]; });
    EXPECT_EQ(run, std::vector<int>(1000, 1));
    std::atomic<int> begun = 0;
    try {
      parallel_for(1000, threads, [&](std::size_t i) {
        ++begun;
        if (i >= 10) throw RuntimeError(std::to_string(i));
      });
      FAIL();
    } catch (const RuntimeError& error) {
      EXPECT_STREQ(error.what(), "10");
    }
    EXPECT_LE(begun, 10 + threads);
  }
}

TEST(ParallelForBeside, TheCallerTakesWhatTheTasksMakeInOrder) {
  for (const int threads : {1, 2, 5})
    for (const std::size_t count : {0u, 1u, 100u}) {
      const auto caller = std::this_thread::get_id();
      std::vector<std::atomic<bool>> made(count);
      std::size_t taken = 0;
      std::size_t nothing_to_do = 0;
      parallel_for_beside(
          [&] {
            EXPECT_EQ(std::this_thread::get_id(), caller);
            if (taken < count && made[taken]) return ++taken, true;
            ++nothing_to_do;
            return false;
          },
          count, threads, [&](std::size_t i) { made[i] = true; });
      EXPECT_EQ(taken, count);
      EXPECT_GE(nothing_to_do, threads == 1 ? count + 1 : 2);  // before the first task, after each that it runs itself
    }
}

TEST(ParallelForBeside, AnExceptionOfTheCallersOwnComesFirstAndTheTasksAreRun) {
  for (const int threads : {1, 3})
    for (const std::size_t count : {0u, 100u}) {
      std::atomic<std::size_t> run = 0;
      int called = 0;
      const auto own = [&]() -> bool {
        ++called;
        throw InputError("own");
      };
      EXPECT_THROW(parallel_for_beside(own, count, threads,
                                       [&](std::size_t i) {
                                         if (++run; i + 1 == count) throw RuntimeError("task");
                                       }),
                   InputError);
      EXPECT_EQ(run, count);
      EXPECT_EQ(called, 1);
    }
}

// Whichever thread it is, and whether it prepares or runs.
TEST(RunJobs, AskEveryThreadWhatTheCallersScopeAsks) {
  for (const int threads : {1, 2, 3})
    for (const bool preparing : {false, true}) {
      std::atomic<bool> asked = false;
      std::atomic<int> heard = 0;
      const CancellationScope scope(asked);
      const auto long_loop = [&] {
        for (asked = true;;) try {
            cancellation_point();
          } catch (const Cancelled&) {
            ++heard;
            throw;
          }
      };
      const PreparedJobs jobs{40,
                              [&](std::size_t) {
                                if (preparing) long_loop();
                                return std::size_t{3};
                              },
                              [&](std::size_t, std::size_t) { long_loop(); }, kAlways};
      EXPECT_THROW(run_jobs(jobs, threads), Cancelled);
      EXPECT_GE(heard, 1);
      EXPECT_LE(heard, threads);
    }
}

TEST(ParallelFor, DoesNotPassOverWhatWasCancelled) {
  std::atomic<bool> asked = true;
  std::atomic<int> done = 0;
  const CancellationScope scope(asked);
  EXPECT_THROW(parallel_for(100, 2, [&](std::size_t) { ++done; }), Cancelled);
  EXPECT_EQ(done, 0);
}

}  // namespace
}  // namespace coterie::sim
