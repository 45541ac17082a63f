#include "heuristics/dispatch/help.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/hand_made_schedule.hpp"
#include "tests/infinity.hpp"

namespace coterie::heuristics {
namespace {

/// Three workers, two quarters, one and one; the first is interrupted early.
TEST(Help, WhoIsThroughRunsWhatFewestHave) {
  const std::vector<double> sizes(4, 0.25);
  const HandMadeLists lists = {hand_made_list({{0}, {1}}, sizes, 0), hand_made_list({{2}}, sizes, 0),
                               hand_made_list({{3}}, sizes, 0)};
  Help help(hand_made_schedule({0, 0.25, 0.5, 0.75, 1}, lists));
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("help", 3, 1, 0, std::span(&risk, 1), {0, kInfinity, 1, true});
  std::vector<DispatchEvent> log;

  const DispatchOutcome outcome = run(help, std::vector<double>{0.1, 5, 5}, &log);

  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> begun;  // when, who, what
  for (const DispatchEvent& event : log)
    if (event.kind == DispatchEvent::Kind::kBegins) begun.emplace_back(event.time, event.worker, event.first_piece);
  const std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> expected = {
      {0, 0, 0}, {0, 1, 2}, {0, 2, 3}, {0.25, 1, 1}, {0.25, 2, 0}};
  EXPECT_EQ(begun, expected);
  EXPECT_EQ(outcome.completed, 1);
  EXPECT_EQ(outcome.makespan, 0.5);
}

TEST(Help, NeedsSharesOfTheirOwn) {
  const std::vector<double> sizes(1, 1);
  const HandMadeLists lists = {hand_made_list({{0}}, sizes, 0), hand_made_list({{0}}, sizes, 0)};
  EXPECT_THROW(Help{hand_made_schedule({0, 1}, lists)}, std::invalid_argument);
}

}  // namespace
}  // namespace coterie::heuristics
