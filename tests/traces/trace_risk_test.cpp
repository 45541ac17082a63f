#include "traces/trace_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "tests/own_path.hpp"

namespace coterie::traces {
namespace {

class TraceRiskTest : public ::testing::Test {
 protected:
  TraceRiskTest() : directory_(own_path("")) { std::filesystem::create_directories(directory_); }
  ~TraceRiskTest() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }
  TraceRisk risk(const std::string& text) const {
    return risk_from_trace(Expression::parse(text, Place{"c.toml", 3, 1}), directory_.string());
  }
  std::string error_of(const std::string& text) const {
    try {
      risk(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::filesystem::path directory_;
};

TEST_F(TraceRiskTest, IsThePapersRiskNormalisedByTheLongest) {
  write("a.durations", "5\n10\n5\n20\n");
  const TraceRisk trace = risk("trace(file=a.durations)");
  EXPECT_EQ(trace.n, 4u);
  EXPECT_EQ(trace.scale, 20);
  EXPECT_EQ(trace.censored_share, 0);
  EXPECT_EQ(trace.within_horizon, 1);
  EXPECT_EQ(trace.risk->probability(0.25), 0);  // strictly shorter
  EXPECT_EQ(trace.risk->probability(0.2500001), 0.5);
  EXPECT_EQ(trace.risk->probability(0.6), 0.75);
  EXPECT_EQ(trace.risk->horizon(), 1);
  EXPECT_EQ(trace.risk->text(), "trace(file=a.durations, estimator=kaplan-meier, age=0, normalise=longest)");
  EXPECT_EQ(risk(trace.risk->text()).risk->text(), trace.risk->text());
}

TEST_F(TraceRiskTest, TakesLengthsWithTheirUnitAsSeconds) {
  write("a.durations", "5000\n10000\n20000\n");
  EXPECT_EQ(risk("trace(file=a.durations, age=1h30m, normalise=horizon(2h))").canonical,
            risk("trace(file=a.durations, age=5400, normalise=horizon(7200))").canonical);
  EXPECT_EQ(risk("trace(file=a.durations, age=\"each(0, 1h)\")").canonical,
            risk("trace(file=a.durations, age=\"each(0, 3600)\")").canonical);
  EXPECT_NE(error_of("trace(file=a.durations, age=1h30)").find("with its unit d, h, min"), std::string::npos);
}

TEST_F(TraceRiskTest, LeavesTheMassOfKaplanMeierAsNotInterrupted) {
  write("b.durations", "duration,observed\n1,1\n2,0\n3,1\n4,0\n");
  const TraceRisk naive = risk("trace(file=b.durations, normalise=none, estimator=naive)");
  EXPECT_EQ(naive.risk->probability(2.5), 0.5);
  EXPECT_EQ(naive.censored_share, 0.5);
  const TraceRisk trace = risk("trace(file=b.durations, normalise=none)");
  EXPECT_DOUBLE_EQ(trace.risk->probability(2.5), 0.25);
  EXPECT_DOUBLE_EQ(trace.risk->probability(100), 0.625);  // 1/4 + 3/4 * 1/2
  EXPECT_DOUBLE_EQ(trace.within_horizon, 0.625);
  EXPECT_TRUE(std::isinf(trace.risk->quantile(0.7)));
}

TEST_F(TraceRiskTest, WithoutCensoredSpellsBothEstimatorsAreOneLawOfOneIdentity) {
  std::string text;
  for (int i = 1; i <= 97; ++i) text += std::to_string(i * i) + "\n";
  write("a.durations", text);
  write("b.durations", "duration,observed\n1,1\n2,0\n3,1\n");
  const TraceRisk usual = risk("trace(file=a.durations)");
  const TraceRisk naive = risk("trace(file=a.durations, estimator=naive)");
  EXPECT_EQ(usual.canonical, naive.canonical);
  for (int i = 1; i <= 97; ++i) {
    const double t = (static_cast<double>(i * i) + 0.5) / usual.scale;
    EXPECT_EQ(usual.risk->probability(t), naive.risk->probability(t));
    EXPECT_EQ(usual.risk->probability(t), static_cast<double>(i) / 97);
  }
  EXPECT_NE(risk("trace(file=b.durations)").canonical, risk("trace(file=b.durations, estimator=naive)").canonical);
}

TEST_F(TraceRiskTest, CompletesAnOpenTailAsTheUserSays) {
  write("b.durations", "duration,observed\n1,1\n2,0\n3,1\n4,0\n");
  const std::string beginning = "trace(file=b.durations, normalise=none, estimator=kaplan-meier";
  const TraceRisk gone = risk(beginning + ", tail=gone)");
  EXPECT_DOUBLE_EQ(gone.risk->probability(4), 0.625);  // as without it,
  EXPECT_DOUBLE_EQ(gone.risk->probability(4.01), 1);   // but all interrupted at the last time seen
  EXPECT_EQ(gone.risk->horizon(), 4);
  EXPECT_EQ(gone.last_seen, 4);
  EXPECT_DOUBLE_EQ(gone.within_horizon, 1);
  EXPECT_NE(gone.canonical, risk(beginning + ")").canonical);
  EXPECT_EQ(risk(beginning + ", tail=immortal)").canonical, risk(beginning + ")").canonical);
  EXPECT_EQ(risk(gone.risk->text()).risk->text(), gone.risk->text());
  EXPECT_DOUBLE_EQ(risk(beginning + ", tail=gone, age=3.5)").risk->horizon(), 0.5);
  EXPECT_NO_THROW(risk(beginning + ", tail=gone, age=stationary)"));
  EXPECT_NE(error_of(beginning + ", age=stationary)").find("tail=gone"), std::string::npos);
  EXPECT_NE(error_of(beginning + ", tail=maybe)").find("immortal or gone"), std::string::npos);
  EXPECT_NE(error_of("trace(file=b.durations, estimator=naive, tail=gone)").find("kaplan-meier"), std::string::npos);
}

TEST_F(TraceRiskTest, ALastSpellThatEndedInAnInterruptionLeavesNoTail) {
  write("c.durations", "duration,observed\n1,1\n2,0\n3,1\n");
  const std::string beginning = "trace(file=c.durations, normalise=none, estimator=kaplan-meier";
  EXPECT_DOUBLE_EQ(risk(beginning + ")").within_horizon, 1);
  EXPECT_EQ(risk(beginning + ")").risk->horizon(), risk(beginning + ", tail=gone)").risk->horizon());
}

TEST_F(TraceRiskTest, ConditionsOnAgeInSecondsAndScalesAfterwards) {
  write("a.durations", "5\n10\n5\n20\n");
  const TraceRisk trace = risk("trace(file=a.durations, age=6, normalise=horizon(2))");
  EXPECT_EQ(trace.scale, 2);
  EXPECT_EQ(trace.risk->probability(2), 0);  // 10 - 6 = 4 seconds
  EXPECT_EQ(trace.risk->probability(2.1), 0.5);
  EXPECT_EQ(trace.risk->horizon(), 7);
}

TEST_F(TraceRiskTest, PassesTheReadingOptionsOn) {
  write("i.csv", "host,start,end\na,0,3\na,4,\nb,1,9\n");
  const TraceRisk trace = risk(
      "trace(file=i.csv, format=intervals, unit=min, t1=10, host=\"a\", normalise=none, "
      "estimator=naive)");
  EXPECT_EQ(trace.n, 2u);
  EXPECT_EQ(trace.risk->horizon(), 360);
  EXPECT_EQ(trace.censored_share, 0.5);
}

TEST_F(TraceRiskTest, StandsTimesThatScalingRoundsTogether) {
  write("c.durations", "1e-320\n2e-320\n1e10\n");
  EXPECT_NEAR(risk("trace(file=c.durations, estimator=kaplan-meier)").risk->probability(0.5), 2.0 / 3, 1e-15);
}

TEST_F(TraceRiskTest, NamesTheMistake) {
  write("a.durations", "5\n10\n");
  write("z.durations", "0\n0\n");
  write("bad.durations", "5\nx\n");
  EXPECT_NE(error_of("trace(file=a.durations, estimater=naive)").find("did you mean \"estimator\"?"),
            std::string::npos);
  EXPECT_NE(error_of("trace(format=durations)").find("\"file\" is missing"), std::string::npos);
  EXPECT_NE(error_of("trace(file=bad.durations)").find("bad.durations:2: E_NUMBER"), std::string::npos);
  EXPECT_EQ(error_of("trace(file=bad.durations)").find("c.toml:3:1: "), 0u);
  for (const char* arguments : {"estimator=km", "age=-1", "age=x", "age=11", "normalise=max", "format=csv", "t1=3"})
    EXPECT_NE(error_of(std::string("trace(file=a.durations, ") + arguments + ")"), "") << arguments;
  EXPECT_NE(error_of("trace(file=z.durations)"), "");
  EXPECT_THROW(risk("trace(file=missing.durations)"), RuntimeError);
}

TEST_F(TraceRiskTest, ChecksumIsCrc64OfXz) {
  write("check", "123456789");  // the check value of CRC-64/XZ
  EXPECT_EQ(file_checksum((directory_ / "check").string()), "995dc9bbdf1939fa");
}

}  // namespace
}  // namespace coterie::traces
