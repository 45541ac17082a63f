#include "sim/backtest/recorded_windows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {

void PrintTo(const RecordedWindow& window, std::ostream* out) {
  *out << "from " << window.begin << ':';
  for (const auto& machine : window.machines) {
    *out << " [";
    for (const auto& [begin, end] : machine) *out << ' ' << begin << '-' << end;
    *out << " ]";
  }
}

namespace {

using Life = std::vector<std::pair<double, double>>;

std::vector<std::vector<Life>> lives_of(const std::vector<RecordedWindow>& windows) {
  std::vector<std::vector<Life>> all;
  for (const RecordedWindow& window : windows) {
    auto& lives = all.emplace_back();
    for (const auto& machine : window.machines) {
      Life& life = lives.emplace_back();
      for (const auto& [begin, end] : machine) life.emplace_back(begin, end);
    }
  }
  return all;
}

/// a: 0-10, 20-50; b: 15-25, 40-47 (cut off); c: 30-90.
traces::AvailabilityTrace three_hosts() {
  traces::AvailabilityTrace trace;
  trace.records = {{"a", 0, 10}, {"a", 20, 30}, {"b", 15, 10}, {"b", 40, 7, false}, {"c", 30, 60}};
  return trace;
}

std::vector<std::vector<Life>> windows_of(const WindowsAsked& asked, double from, std::size_t machines,
                                          CutOff cut_off = CutOff::kLeaves) {
  const RecordedFleets fleets(three_hosts(), asked);
  return lives_of(fleets.windows(from, fleets.end(), machines, 100, cut_off, 0));
}

TEST(RecordedWindows, TakeTheNextMachinesEachFromItsBeginning) {
  EXPECT_THAT(windows_of({}, 10, 2),
              testing::ElementsAre(std::vector<Life>{{{0, 10}}, {{0, 30}}}, std::vector<Life>{{{0, 60}}, {{0, 7}}}));
}

TEST(RecordedWindows, BeginAtAnAge) {
  EXPECT_THAT(
      windows_of({.age = 8}, 10, 1),
      testing::ElementsAre(std::vector<Life>{{{0, 2}}}, std::vector<Life>{{{0, 22}}}, std::vector<Life>{{{0, 52}}}));
}

TEST(RecordedWindows, HaveAHostOnceWhereItComesBack) {
  EXPECT_THAT(windows_of({.after = AfterSpell::kRecorded}, 0, 2),
              testing::ElementsAre(std::vector<Life>{{{0, 10}, {20, 50}}, {{0, 10}, {25, 32}}},
                                   std::vector<Life>{{{0, 30}}, {{0, 60}}}));
}

TEST(RecordedWindows, ReplaceALostMachineByTheNextOne) {
  WindowsAsked asked{.after = AfterSpell::kReplaced, .span = 40};
  asked.down = std::make_shared<EmpiricalRisk>(std::vector<double>{5}, "5");
  EXPECT_EQ(windows_of(asked, 0, 1).front(), (std::vector<Life>{{{0, 10}, {15, 25}, {30, 60}}}));
}

TEST(RecordedWindows, OfMachinesThatAreUpBeginAtOneMoment) {
  WindowsAsked asked{.joining = Joining::kUp, .span = 5};
  EXPECT_THAT(windows_of(asked, 22, 2).front(), testing::UnorderedElementsAre(Life{{0, 28}}, Life{{0, 3}}));
}

TEST(RecordedWindows, OfMachinesTogetherHaveThoseThatWereKnown) {
  WindowsAsked asked{.joining = Joining::kTogether, .span = 20};
  EXPECT_THAT(windows_of(asked, 16, 2).front(), testing::UnorderedElementsAre(Life{{4, 20}}, Life{{0, 9}}));
}

TEST(RecordedWindows, SayWhatBecomesOfASpellThatWasCutOff) {
  EXPECT_EQ(windows_of({}, 40, 1, CutOff::kLeaves).front(), (std::vector<Life>{{{0, 7}}}));
  EXPECT_EQ(windows_of({}, 40, 1, CutOff::kStays).front(), (std::vector<Life>{{{0, kInfinity}}}));
  const double end = windows_of({}, 40, 1, CutOff::kGoesOn).front().front().front().second;
  EXPECT_THAT(end, testing::AnyOf(10, 30, 60));  // as one of the others, all longer than 7
}

TEST(RecordedWindows, AreKnownToTheirEnd) {
  const RecordedFleets fleets(three_hosts(), {.span = 55});
  EXPECT_THAT(fleets.plan_times(fleets.after_share(0.2), 5), testing::ElementsAre(15, 20, 30));
  EXPECT_EQ(fleets.windows(0, 90, 1, 100, CutOff::kLeaves, 0).size(), 4);
}

/// Short and long lives in turn, and in runs of 50.
TEST(RecordedWindows, TellHowAlikeMachinesAreThatFollowEachOther) {
  const auto likeness = [](const std::function<bool(std::size_t)>& is_long) {
    traces::AvailabilityTrace trace;
    for (std::size_t k = 0; k < 1000; ++k)
      trace.records.push_back(
          {std::to_string(k), static_cast<double>(k), is_long(k) ? 9.0 + 1e-3 * static_cast<double>(k) : 1});
    return RecordedFleets(trace, {}).likeness(1005);
  };
  EXPECT_NEAR(likeness([](std::size_t k) { return k % 2 == 0; })->correlation, -1, 0.02);
  EXPECT_FALSE(likeness([](std::size_t k) { return k % 2 == 0; })->is_certain());
  EXPECT_TRUE(likeness([](std::size_t k) { return k / 50 % 2 == 0; })->is_certain());
}

TEST(RecordedWindows, NeedTimes) {
  traces::AvailabilityTrace trace;
  trace.records = {{std::nullopt, std::nullopt, 10}};
  EXPECT_THROW(RecordedFleets(trace, {}), InputError);
}

}  // namespace
}  // namespace coterie::sim
