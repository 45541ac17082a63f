// Published figures of real traces. The data may not travel with the program: COTERIE_TRACES names the directory
// that holds them, and without it these tests are skipped.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "core/errors.hpp"
#include "tests/own_path.hpp"
#include "traces/fit.hpp"
#include "traces/readers/formats.hpp"
#include "traces/summary.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::traces {
namespace {

constexpr double kHour = 3600;

class RealTraces : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* root = std::getenv("COTERIE_TRACES");
    if (root == nullptr || *root == '\0') GTEST_SKIP() << "COTERIE_TRACES is not set: no real traces here";
    root_ = root;
  }

  std::string path(const std::string& file) const { return (root_ / file).string(); }

  /// An .xz file, unpacked for this test alone.
  std::string unpacked(const std::string& file) const {
    std::string target = own_path("-" + std::filesystem::path(file).stem().string());
    const std::string command = "xz -dc '" + path(file) + "' > '" + target + "'";
    if (std::system(command.c_str()) != 0) throw RuntimeError("cannot unpack " + file);
    return target;
  }

  static double parameter(const AvailabilityTrace& trace, const std::string& law, const std::string& name) {
    for (const FittedLaw& fitted : fit_laws(Durations(trace)))
      if (fitted.name == law)
        for (const auto& [key, value] : fitted.parameters)
          if (key == name) return value;
    throw std::logic_error(name);
  }

  std::filesystem::path root_;
};

TEST_F(RealTraces, Lanl05HasThePublishedMeanAndWeibullFit) {
  const AvailabilityTrace trace = read_trace(unpacked("lanl05-fta/event_trace.tab.xz"), "");
  const TraceSummary summary = summarise(trace);
  EXPECT_EQ(summary.n, 19874u);
  EXPECT_EQ(summary.censored, 0u);
  EXPECT_NEAR(summary.mean.value / kHour, 1779.99, 0.005);
  EXPECT_NEAR(parameter(trace, "weibull", "shape"), 0.482, 0.0005);
  EXPECT_NEAR(parameter(trace, "weibull", "scale") / kHour, 816.6, 0.05);
}

TEST_F(RealTraces, G5k06KeepsOneClusterWithItsCensoring) {
  const TraceSummary summary = summarise(read_trace(path("g5k06-fta/event_trace.tab"), "fta"));
  EXPECT_EQ(summary.n, 5804u);
  EXPECT_EQ(summary.hosts, 57u);
  EXPECT_EQ(summary.censored, 56u);
  EXPECT_EQ(summary.left_truncated, 45u);
}

TEST_F(RealTraces, Microsoft99HasThePublishedWeibullFit) {
  const AvailabilityTrace trace = read_trace(unpacked("microsoft99-avt/microsoft.avt.xz"), "avt");
  const TraceSummary summary = summarise(trace);
  EXPECT_EQ(summary.n, 526078u);
  EXPECT_NEAR(summary.mean.value / kHour, 67.01, 0.005);
  EXPECT_NEAR(parameter(trace, "weibull", "shape"), 0.546, 0.0005);
  EXPECT_NEAR(parameter(trace, "weibull", "scale") / kHour, 35.30, 0.005);
}

TEST_F(RealTraces, Microsoft99HasTheSpellsOfItsFirstNodes) {
  EXPECT_EQ(read_trace(path("microsoft99-avt/microsoft.first4000.avt"), "").records.size(), 49277u);
}

TEST_F(RealTraces, Microsoft99IsCensoredAtTheEndsOfItsRecording) {
  const TraceSummary summary =
      summarise(read_trace(unpacked("microsoft99-avt/microsoft.avt.xz"), "avt", {"t0=0", "t1=3024000"}));
  EXPECT_EQ(summary.left_truncated, 41263u);
  EXPECT_EQ(summary.censored, 42791u);
}

TEST_F(RealTraces, Websites02HasThePublishedMeanAndWeibullFit) {
  const AvailabilityTrace trace = read_trace(path("websites02-avt/web_sites.avt"), "");
  const TraceSummary summary = summarise(trace);
  EXPECT_EQ(summary.n, 47843u);
  EXPECT_EQ(summary.zeros, 2u);
  EXPECT_NEAR(summary.mean.value / kHour, 11.85, 0.005);
  EXPECT_NEAR(parameter(trace, "weibull", "shape"), 0.456, 0.0005);
  EXPECT_NEAR(parameter(trace, "weibull", "scale") / kHour, 3.683, 0.0005);
}

TEST_F(RealTraces, GcpNeedsKaplanMeier) {
  const std::string file = path("gcp-preemptible-2019/lifetimes.csv");
  const auto risk = [&](const std::string& estimator) {
    return risk_from_trace(
        Expression::parse("trace(file=\"" + file + "\", normalise=none, estimator=" + estimator + ")"), "");
  };
  const TraceRisk naive = risk("naive");
  const TraceRisk product_limit = risk("kaplan-meier");
  EXPECT_EQ(naive.n, 1442u);
  EXPECT_NEAR(naive.censored_share, 725.0 / 1442, 1e-12);
  const std::vector<std::array<double, 3>> rows = {{1, .39, .15}, {12, .69, .32}, {23, .75, .38}};
  for (const auto& [hours, ignoring, respecting] : rows) {
    EXPECT_NEAR(naive.risk->probability(hours * kHour), ignoring, 0.005) << hours << " h";
    EXPECT_NEAR(product_limit.risk->probability(hours * kHour), respecting, 0.005) << hours << " h";
  }
}

TEST_F(RealTraces, BambooHasTheCensoredNodesOfItsDescription) {
  const TraceSummary g4dn = summarise(read_trace(path("bamboo-spot/g4dn-trace.csv"), "", {"unit=ms"}));
  EXPECT_EQ(g4dn.n, 79u);
  EXPECT_EQ(g4dn.censored, 5u);
  const TraceSummary p3 = summarise(read_trace(path("bamboo-spot/p3-trace.csv"), "", {"unit=ms"}));
  EXPECT_EQ(p3.n, 177u);
  EXPECT_EQ(p3.censored, 10u);
}

}  // namespace
}  // namespace coterie::traces
