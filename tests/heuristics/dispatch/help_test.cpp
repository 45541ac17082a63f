#include "heuristics/dispatch/help.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <tuple>

#include "core/infinity.hpp"
#include "heuristics/dispatch/dispatch_run.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/hand_made_schedule.hpp"

namespace coterie::heuristics {
namespace {

using Begun = std::vector<std::tuple<double, std::uint32_t, std::uint32_t>>;  // when, who, what

Begun begun(const std::vector<DispatchEvent>& log) {
  Begun list;
  for (const DispatchEvent& event : log)
    if (event.kind == DispatchEvent::Kind::kBegins) list.emplace_back(event.time, event.worker, event.first_piece);
  return list;
}

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

  EXPECT_EQ(begun(log), (Begun{{0, 0, 0}, {0, 1, 2}, {0, 2, 3}, {0.25, 1, 1}, {0.25, 2, 0}}));
  EXPECT_EQ(outcome.completed, 1);
  EXPECT_EQ(outcome.makespan, 0.5);
}

/// News of the first quarter at .75, of the second, after which it has nothing to do, at 1.
TEST(Help, IsAskedForByTheNewsOfTheLastOwnChunkAlone) {
  const std::vector<double> sizes = {0.25, 0.25, 2};
  const HandMadeLists lists = {hand_made_list({{0}, {1}}, sizes, 0), hand_made_list({{2}}, sizes, 0)};
  Help help(hand_made_schedule({0, 0.25, 0.5, 2.5}, lists));
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("help", 2, 2.5, 0, std::span(&risk, 1), {0.5, kInfinity, 0, true});
  std::vector<DispatchEvent> log;

  run(help, std::vector<double>{9, 9}, &log);

  EXPECT_EQ(begun(log), (Begun{{0, 0, 0}, {0, 1, 2}, {0.25, 0, 1}, {1.5, 0, 2}}));
}

/// Interrupted with its first chunk and given the second before that is known, the first worker has both to run again.
TEST(Help, CountsWhatAWorkerThatCameBackWillComeToAgain) {
  const std::vector<double> sizes = {0.25, 0.25, 0.5, 1};
  const HandMadeLists lists = {hand_made_list({{0}, {1}}, sizes, 0), hand_made_list({{2}}, sizes, 0),
                               hand_made_list({{3}}, sizes, 0)};
  Help help(hand_made_schedule({0, 0.25, 0.5, 1, 2}, lists));
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("help", 3, 2, 0, std::span(&risk, 1), {0.125, kInfinity, 1, true});
  Spells spells;
  for (const std::vector<Spell>& one : {std::vector<Spell>{{0, 0.125}, {0.3125, 9}}, {{0, 9}}, {{0, 9}}}) {
    for (const Spell& spell : one) spells.add(spell);
    spells.close_worker();
  }
  std::vector<DispatchEvent> log;

  run(help, spells, &log);

  const Begun list = begun(log);
  ASSERT_GE(list.size(), 5u);
  EXPECT_EQ(list[3], (Begun::value_type{0.3125, 0, 0}));
  EXPECT_EQ(list[4], (Begun::value_type{0.5, 1, 3})) << "one has piece 1 to come, as one has piece 3, which is later";
}

TEST(Help, NeedsSharesOfTheirOwn) {
  const std::vector<double> sizes(1, 1);
  const HandMadeLists lists = {hand_made_list({{0}}, sizes, 0), hand_made_list({{0}}, sizes, 0)};
  EXPECT_THROW(Help{hand_made_schedule({0, 1}, lists)}, std::invalid_argument);
}

}  // namespace
}  // namespace coterie::heuristics
