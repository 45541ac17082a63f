// Schedules that users bring: what is read, what is refused and where, and what comes back of our own.
#include "sim/input/schedule_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "core/text.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/kernels/kernel.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::sim {
namespace {

using heuristics::Granularity;
using heuristics::Plan;
using heuristics::WorksharingProblem;

ScheduleFile read(const std::string& text, double unit = 1) {
  std::istringstream input(text);
  return ScheduleFile::read(input, "my.csv", unit);
}

WorksharingProblem problem_of(std::size_t workers, double work, double startup,
                              const RiskPtr& risk = make_linear_risk()) {
  return {workers, work, startup, risk, 1, 0};
}

/// What a text is refused for, as it is read or for a problem; "" where it is not.
std::string refusal(const std::string& text, const WorksharingProblem& problem = problem_of(4, 10, 0.01)) {
  try {
    read(text).plan(problem);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ScheduleFile, PiecesAreCutAtAllBoundaries) {
  // Worker 0 runs [0, 2) then [3, 4), worker 2 runs [1, 3.5); [4, 5) and worker 1 have nothing.
  const auto risk = make_linear_risk(0.1);
  const Plan plan = read("worker,begin,end\n0,0,2\n2,1,3.5\n0,3,4\n").plan(problem_of(3, 5, 0.5, risk));
  EXPECT_THAT(plan.schedule->boundaries(), testing::ElementsAre(0, 1, 2, 3, 3.5, 4, 5));
  EXPECT_EQ(plan.chunks, 3u);
  EXPECT_EQ(plan.chunk_size, 2.5);
  EXPECT_EQ(plan.schedule->deployed_work(), 4);
  EXPECT_TRUE(plan.schedule->tasks(1).tasks.empty());
  // [0, 1) and [1, 2) end at 2.5, [3, 3.5) and [3.5, 4) at 4 on worker 0; [1, 3.5) ends at 3 on worker 2.
  const double expected =
      1 * (1 - 0.25) + 1 * (1 - 0.25 * 0.3) + 1 * (1 - 0.3) + 0.5 * (1 - 0.4 * 0.3) + 0.5 * (1 - 0.4);
  EXPECT_NEAR(plan.expected_work, expected, 1e-14);
}

TEST(ScheduleFile, AWorkerThatRunsWorkTwiceCompletesItOnce) {
  const auto risk = make_linear_risk(0.1);
  const Plan plan = read("worker,begin,end\n0,0,2\n0,1,3\n0,0,2\n").plan(problem_of(1, 3, 0, risk));
  EXPECT_NEAR(plan.expected_work, 2 * (1 - 0.2) + 1 * (1 - 0.4), 1e-14);
}

TEST(ScheduleFile, ColumnsMayStandInAnyOrderAndRowsToo) {
  const Plan rows = read("worker,begin,end\n0,2,3\n0,0,1\n1,0,1\n").plan(problem_of(2, 3, 0.1));
  const std::string quoted =
      "\xEF\xBB\xBF\"end\",\"order\",\"worker\",\"begin\"\r\n\"1\",2,0,0\r\n\r\n# mine\r\n1,\"1\",1,-0\r\n3,1,0,2\r\n";
  const Plan columns = read(quoted).plan(problem_of(2, 3, 0.1));
  EXPECT_EQ(rows.expected_work, columns.expected_work);
  EXPECT_EQ(schedule_csv({"", problem_of(2, 3, 0.1), rows}), schedule_csv({"", problem_of(2, 3, 0.1), columns}));
}

TEST(ScheduleFile, LengthsMayBeInAnotherUnit) {
  const std::string text = "worker,begin,end,finish\n0,0,3600,3660\n1,1800,7200,5460\n";
  const ScheduleFile file = read(text, 7200);
  EXPECT_EQ(file.least_work(), 1);
  const Plan plan = file.plan(problem_of(2, 1, 60.0 / 7200));
  EXPECT_THAT(plan.schedule->boundaries(), testing::ElementsAre(0, 0.25, 0.5, 1));
  const auto misfit = file.misfit(problem_of(2, 1, 30.0 / 7200));
  ASSERT_TRUE(misfit);
  EXPECT_EQ(misfit->axis, "startup");
  EXPECT_THAT(misfit->problem, testing::HasSubstr("finishes at 3660 here, but at 3630 with a start-up cost of 30"));
}

TEST(ScheduleFile, SaysWhichAxisDoesNotFit) {
  const ScheduleFile file = read("worker,begin,end,finish\n0,0,1,1.25\n5,0,2,2.25\n");
  const auto axis = [&](const WorksharingProblem& problem) {
    const auto misfit = file.misfit(problem);
    return misfit ? misfit->axis : "";
  };
  EXPECT_EQ(axis(problem_of(6, 2, 0.25)), "");
  EXPECT_EQ(axis(problem_of(60, 20, 0.25)), "");
  EXPECT_EQ(axis(problem_of(5, 2, 0.25)), "workers");
  EXPECT_EQ(axis(problem_of(6, 1.9, 0.25)), "work");
  EXPECT_EQ(axis(problem_of(6, 2, 0)), "startup");
  EXPECT_EQ(axis(problem_of(6, 2, 0.3)), "startup");
}

struct Refused {
  const char* text;
  const char* message;
};

TEST(ScheduleFile, RefusesWithPlaceAndAdvice) {
  const Refused cases[] = {
      {"", "my.csv: E_EMPTY: the header is missing"},
      {"\n# only this\n", "my.csv: E_EMPTY: the header is missing"},
      {"0,0,1\n", "my.csv:1: E_HEADER: "},
      {"worker;begin;end\n0;0;1\n", "my.csv:1: E_HEADER: unknown column \"worker;begin;end\""},
      {"worker,begin,ende\n0,0,1\n", "my.csv:1: E_HEADER: unknown column \"ende\" (did you mean \"end\"?)"},
      {"worker,begin,end,speed\n0,0,1,1\n", "my.csv:1: E_HEADER: unknown column \"speed\""},
      {"worker,begin,end,\n0,0,1,\n", "my.csv:1: E_HEADER: unknown column \"\""},
      {"worker,begin\n0,0\n", "my.csv:1: E_HEADER: no column \"end\""},
      {"worker,begin,end,begin\n0,0,1,0\n", "my.csv:1: E_HEADER: the column \"begin\" occurs twice"},
      {"worker,begin,end\n0,0\n", "my.csv:2: E_FIELDS: 2 fields instead of 3"},
      {"worker,begin,end\n0,0,0,5\n", "my.csv:2: E_FIELDS: 4 fields instead of 3"},
      {"worker,begin,end\n\n-1,0,1\n",
       "my.csv:3: E_NUMBER: worker is \"-1\"; it must be a whole number from 0 to 999999"},
      {"worker,begin,end\n1.5,0,1\n", "my.csv:2: E_NUMBER: worker is \"1.5\""},
      {"worker,begin,end\n1000000,0,1\n", "my.csv:2: E_NUMBER: worker is \"1000000\""},
      {"worker,begin,end\n99999999999999999999,0,1\n", "my.csv:2: E_NUMBER: worker"},
      {"worker,begin,end\n,0,1\n", "my.csv:2: E_NUMBER: worker is \"\""},
      {"worker,begin,end\n0,nan,1\n", "my.csv:2: E_NUMBER: begin is \"nan\"; it must be a number such as 0.25"},
      {"worker,begin,end\n0,0,inf\n", "my.csv:2: E_NUMBER: end is \"inf\""},
      {"worker,begin,end\n0,0,1e309\n", "my.csv:2: E_NUMBER: end is \"1e309\""},
      {"worker,begin,end\n0,0,0x1p3\n", "my.csv:2: E_NUMBER: end is \"0x1p3\""},
      {"worker,begin,end\n0,0,\"1\n", "my.csv:2: E_NUMBER: end is \"\"1\""},
      {"worker,begin,end\n0,-1,1\n", "my.csv:2: E_NEGATIVE: begin is -1; it must be 0 or more"},
      {"worker,begin,end\n0,1,1\n", "my.csv:2: E_RANGE: the chunk ends at 1, which is not after its begin 1"},
      {"worker,begin,end\n0,2,1\n", "my.csv:2: E_RANGE: the chunk ends at 1, which is not after its begin 2"},
      {"worker,begin,end\n0,0,1\n3,9,10.5\n1,2,3\n",
       "my.csv:3: E_RANGE: the chunk ends at 10.5, beyond the work of 10"},
      {"worker,begin,end\n4,0,1\n0,0,1\n",
       "my.csv:2: E_WORKER: worker 4 needs at least 5 workers, not 4 (workers are numbered from 0)"},
      {"worker,order,begin,end\n0,0,0,1\n", "my.csv:2: E_NUMBER: order is \"0\"; it must be a whole number from 1"},
      {"worker,order,begin,end\n0,1,0,1\n1,1,0,1\n0,1,1,2\n",
       "my.csv:4: E_ORDER: worker 0 has two tasks of order 1, the other in line 2"},
      {"worker,order,begin,end\n0,1,0,1\n0,3,1,2\n",
       "my.csv:3: E_ORDER: worker 0 has a task of order 3 but none of order 2"},
      {"worker,order,begin,end\n0,2,0,1\n", "my.csv:2: E_ORDER: worker 0 has a task of order 2 but none of order 1"},
      {"worker,chunk,begin,end\n0,7,0,1\n1,7,0,2\n2,7,1,2\n",
       "my.csv:4: E_CHUNK: chunk 7 begins at 1 here and at 0 in line 2; give different chunks different numbers"},
      {"worker,chunk,begin,end\n0,-7,0,1\n", "my.csv:2: E_NUMBER: chunk is \"-7\""},
      {"worker,begin,end,finish\n0,0,1,\n", "my.csv:2: E_NUMBER: finish is \"\""},
      {"worker,begin,end,finish\n0,0,1,1.01\n0,1,2,2.01\n",
       "my.csv:3: E_FINISH: task 2 of worker 0 finishes at 2.01 here, but at 2.02 with a start-up cost of 0.01"},
      {"worker,begin,end,finish\n0,0,1,1.02\n",
       "my.csv:2: E_FINISH: task 1 of worker 0 finishes at 1.02 here, but at 1.01"},
      {"worker,begin,end,finish\n0,0,1,3\n0,1,2,2.5\n",
       "my.csv:3: E_FINISH: worker 0 finishes task 2 at 2.5, before its previous task at 3"},
      {"worker,begin,end\n0,0,1\xff\n", "my.csv:2: E_ENCODING"},
  };
  for (const Refused& one : cases) EXPECT_THAT(refusal(one.text), testing::StartsWith(one.message)) << one.text;
}

TEST(ScheduleFile, RefusesChunksThatCutOneAnotherIntoTooManyParts) {
  // 15,000 chunks [k, 15000 + k): each is cut by all that begin or end within it.
  std::string text = "worker,begin,end\n";
  for (int k = 0; k < 15000; ++k) text += "0," + std::to_string(k) + "," + std::to_string(15000 + k) + "\n";
  EXPECT_THAT(refusal(text, problem_of(1, 30000, 0)), testing::StartsWith("my.csv: E_SIZE: overlapping chunks cut"));
}

TEST(ScheduleFile, FilesThatCannotBeReadAreTheWorldsFault) {
  EXPECT_THROW(ScheduleFile::open("/no/such/file.csv"), RuntimeError);
  EXPECT_THROW(ScheduleFile::open("/"), RuntimeError);
}

// Every strategy of ours, written and read again: the same CSV, the same expected work and the same completed work.
TEST(ScheduleFile, WhatWeWriteComesBack) {
  Dice dice("schedule files come back");
  const std::vector<RiskPtr> risks = {make_linear_risk(), make_parametric_risk(Expression::parse("weibull(shape=0.7)")),
                                      make_parametric_risk(Expression::parse("exponential(rate=1)"))};
  std::size_t seen = 0;
  for (const auto& strategy : heuristics::worksharing_strategies())
    for (int i = 0; i < 8; ++i) {
      const bool two = strategy.name == "two-workers";
      const std::size_t workers = two ? 2 : dice.whole(1, 9);
      const double startup = two || dice.coin() ? 0 : dice.real(0.001, 0.1);
      const WorksharingProblem problem{workers,
                                       dice.real(0.1, 1.5) * static_cast<double>(workers),
                                       startup,
                                       risks[dice.whole(0, 2)],
                                       dice.coin() ? 1 : 0.5,
                                       0};
      const Granularity chunks{dice.coin() ? Granularity::Kind::kPerUnit : Granularity::Kind::kPerSlice,
                               strategy.name == "optimal" ? 2 * workers : dice.whole(1, 30)};
      Plan ours;
      try {
        ours = strategy.build(problem, chunks);
      } catch (const InputError&) {  // large charts, no chunk that gains
        continue;
      }
      if (!ours.schedule || last_finish(*ours.schedule) == 0) continue;
      const std::string csv = schedule_csv({strategy.name, problem, ours});
      const Plan back = read(csv).plan(problem);
      EXPECT_EQ(schedule_csv({strategy.name, problem, back}), csv) << strategy.name;
      EXPECT_DOUBLE_EQ(back.expected_work, ours.expected_work) << strategy.name;
      EXPECT_DOUBLE_EQ(back.schedule->deployed_work(), ours.schedule->deployed_work()) << strategy.name;
      std::vector<double> capacities(workers);
      for (double& capacity : capacities) capacity = dice.real(0, 1.1 * last_finish(*ours.schedule));
      EXPECT_NEAR(completed_work(*back.schedule, capacities), completed_work(*ours.schedule, capacities),
                  1e-12 * problem.work)
          << strategy.name;
      ++seen;
    }
  EXPECT_GT(seen, 80u);
}

std::string random_text(Dice& dice, std::size_t workers, bool on_grid) {
  std::string text = "worker,begin,end\n";
  const std::size_t tasks = dice.whole(1, 25);
  for (std::size_t k = 0; k < tasks; ++k) {
    double begin = dice.real(0, 2);
    double end = begin + dice.real(0.01, 1);
    if (on_grid) {
      begin = static_cast<double>(dice.whole(0, 8)) / 4;
      end = begin + static_cast<double>(dice.whole(1, 4)) / 4;
    }
    text += std::to_string(dice.whole(0, workers - 1)) + "," + to_text(begin) + "," + to_text(end) + "\n";
  }
  return text;
}

// Chunks that overlap in any way, on one worker too: the kernels against the readable reference of core.
TEST(ScheduleFile, KernelsRunWhateverIsRead) {
  Dice dice("schedules of users");
  for (int i = 0; i < 200; ++i) {
    const std::size_t workers = dice.whole(1, 6);
    const WorksharingProblem problem = problem_of(workers, 3, dice.coin() ? 0 : 0.125);
    const Plan plan = read(random_text(dice, workers, i % 2 == 0)).plan(problem);
    for (const auto evaluation : {Evaluation::kCheapest, Evaluation::kBitsets, Evaluation::kMarks}) {
      const auto kernel = compile(*plan.schedule, {.evaluation = evaluation});
      KernelScratch scratch;
      for (int k = 0; k < 8; ++k) {
        std::vector<double> capacities(workers);
        for (double& capacity : capacities) capacity = dice.whole(0, 4) == 0 ? 10 : dice.real(0, 4);
        EXPECT_NEAR(kernel->completed_work(capacities, 0, scratch), completed_work(*plan.schedule, capacities), 1e-9);
      }
    }
  }
}

// Workers alone, on every capacity: expected work is the integral of completed work.
TEST(ScheduleFile, ExpectedWorkIsTheMeanOfCompletedWork) {
  Dice dice("expected work of users' schedules");
  for (int i = 0; i < 20; ++i) {
    const WorksharingProblem problem =
        problem_of(2, 3, 0.0625, make_linear_risk(0.125));  // lives are multiples of 1/16
    const Plan plan = read(random_text(dice, 2, true)).plan(problem);
    double sum = 0;
    constexpr int kLives = 128;  // equally likely, each within a stretch of time in which nothing ends
    for (int a = 0; a < kLives; ++a)
      for (int b = 0; b < kLives; ++b) {
        const std::vector<double> lives = {(a + 0.5) / 16, (b + 0.5) / 16};
        sum += completed_work(*plan.schedule, lives);
      }
    EXPECT_NEAR(sum / kLives / kLives, plan.expected_work, 1e-12);
  }
}

}  // namespace
}  // namespace coterie::sim
