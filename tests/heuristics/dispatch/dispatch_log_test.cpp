#include "heuristics/dispatch/dispatch_log.hpp"

#include <gtest/gtest.h>

#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

using Kind = DispatchEvent::Kind;

std::vector<Kind> kinds(const std::vector<DispatchEvent>& log) {
  std::vector<Kind> list;
  for (const DispatchEvent& event : log) list.push_back(event.kind);
  return list;
}

TEST(DispatchLog, TellsOfATaskWhatItsWorkerLived) {
  const auto of = [](double life, bool dropped = false) {
    DispatchLog log;
    log.ran({0, 3, 1, 0.5, 1, 2, dropped ? 0.0 : 0.5, dropped}, life);
    return kinds(log.finish(std::vector<WorkerTime>{{life, 0}}));
  };
  EXPECT_EQ(of(kInfinity), (std::vector{Kind::kBegins, Kind::kEnds}));
  EXPECT_EQ(of(2), (std::vector{Kind::kBegins, Kind::kEnds, Kind::kInterrupted}))
      << "a chunk that ends at its worker's time is done";
  EXPECT_EQ(of(kInfinity, true), (std::vector{Kind::kBegins, Kind::kDrops}));
  EXPECT_EQ(of(1.5), (std::vector{Kind::kBegins, Kind::kInterrupted}));
  EXPECT_EQ(of(1.5, true), (std::vector{Kind::kBegins, Kind::kInterrupted}));
  EXPECT_EQ(of(0.5), std::vector<Kind>{}) << "given to a worker that was interrupted before";
}

TEST(DispatchLog, IsInTheOrderOfTimeAndTellsIdleWorkersInterruptions) {
  DispatchLog log;
  log.add({Kind::kGiven, 2, 0, 7, 1, 0.25});
  log.add({Kind::kHeardComplete, 2, 0, 6, 1, 0});
  log.ran({0, 6, 1, 0.5, 0, 2, 0.5}, 9);
  const std::vector<DispatchEvent> all = log.finish(std::vector<WorkerTime>{{9, 0}, {1, 1}, {2.5, 2}});
  EXPECT_EQ(kinds(all),
            (std::vector{Kind::kBegins, Kind::kInterrupted, Kind::kEnds, Kind::kHeardComplete, Kind::kGiven}));
  EXPECT_EQ(all[1].worker, 1u);
  EXPECT_EQ(all[1].pieces, 0u);
  EXPECT_TRUE(log.finish({}).empty()) << "it is another instance's now";
}

}  // namespace
}  // namespace coterie::heuristics
