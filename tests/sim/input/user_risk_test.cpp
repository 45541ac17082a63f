#include "sim/input/user_risk.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "sim/input/risks.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

const StreamKey kAges = StreamKey::derive(1, 2, Use::kAge);

class UserRiskTest : public testing::Test {
 protected:
  UserRiskTest() : directory_(own_path("")) {
    std::filesystem::create_directories(directory_);
    std::ofstream(directory_ / "t.csv") << "duration,observed\n1,1\n2,0\n3,1\n4,0\n";
  }
  ~UserRiskTest() override { std::filesystem::remove_all(directory_); }

  void remove_trace() const { std::filesystem::remove(directory_ / "t.csv"); }

  std::filesystem::path directory_;
  RiskLibrary library_{directory_.string()};
};

TEST_F(UserRiskTest, OfOneLawIsThatOfAllWorkers) {
  const auto risk = library_.resolve("exponential");
  EXPECT_TRUE(risk->alike());
  EXPECT_EQ(risk->canonical(), "exponential(rate=1)");
  EXPECT_EQ(risk->of_workers(5, kAges), std::vector{risk->planned()});
  EXPECT_EQ(risk->if_gone(), nullptr);
  EXPECT_EQ(risk->trace(), nullptr);
}

TEST_F(UserRiskTest, OfSeveralClassesPlansForTheMixture) {
  const auto risk = library_.resolve("mix(2 : linear, 1 : exponential(rate=3))");
  EXPECT_FALSE(risk->alike());
  EXPECT_EQ(risk->canonical(), "mix(2 : linear(kappa=1), 1 : exponential(rate=3))");
  EXPECT_NEAR(risk->planned()->probability(0.5), (2 * 0.5 + 1 - std::exp(-1.5)) / 3, 1e-12);
  const auto workers = risk->of_workers(6, kAges);
  ASSERT_EQ(workers.size(), 6u);
  EXPECT_EQ(std::count(workers.begin(), workers.end(), library_.get("linear")), 4);
  EXPECT_EQ(std::count(workers.begin(), workers.end(), library_.get("exponential(rate=3)")), 2);
}

TEST_F(UserRiskTest, GivesEachWorkerItsAge) {
  const auto risk = library_.resolve("trace(file=t.csv, age=each(0, 2))");
  EXPECT_FALSE(risk->alike());
  const auto workers = risk->of_workers(4, kAges);
  ASSERT_EQ(workers.size(), 4u);
  EXPECT_EQ(workers[0], workers[2]);
  EXPECT_EQ(workers[1], workers[3]);
  EXPECT_NE(workers[0], workers[1]);
}

// One reading is enough for all that is asked of a trace: the other answer to an open tail, and the same risk again.
TEST_F(UserRiskTest, ReadsATraceOnce) {
  const std::string trace = "trace(file=t.csv, normalise=none, estimator=kaplan-meier)";
  const auto risk = library_.resolve(trace);
  remove_trace();

  ASSERT_NE(risk->if_gone(), nullptr);
  EXPECT_EQ(risk->planned()->probability(100), 0.625);
  EXPECT_EQ(risk->if_gone()->planned()->probability(100), 1);
  EXPECT_EQ(risk->if_gone()->planned()->quantile(1), 4);
  EXPECT_THAT(risk->if_gone()->canonical(), HasSubstr("tail=gone"));
  EXPECT_EQ(library_.resolve(trace), risk);
  EXPECT_EQ(library_.resolve("mix(1 : " + trace + ", 1 : linear)")->if_gone()->planned()->probability(100), 1);
  EXPECT_EQ(library_.notes().size(), 1u);
}

TEST_F(UserRiskTest, LeavesTailsThatTheUserSpokeOf) {
  for (const char* tail : {"immortal", "gone"})
    EXPECT_EQ(library_.resolve("trace(file=t.csv, estimator=kaplan-meier, tail=" + std::string(tail) + ")")->if_gone(),
              nullptr);
  EXPECT_EQ(library_.resolve("trace(file=t.csv, estimator=naive)")->if_gone(), nullptr);
}

}  // namespace
}  // namespace coterie::sim
