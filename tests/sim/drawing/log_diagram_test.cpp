#include "sim/drawing/log_diagram.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace coterie::sim {
namespace {

TEST(LogDiagram, HasABarForWhatAWorkerRan) {
  const auto log = nlohmann::ordered_json::parse(R"([
    {"time": 0, "worker": 0, "event": "is given", "first_chunk": 0, "chunks": 2, "work": 1},
    {"time": 0, "worker": 0, "event": "begins", "first_chunk": 0, "chunks": 2, "work": 1},
    {"time": 0, "worker": 2, "event": "begins", "first_chunk": 2, "chunks": 1, "work": 1},
    {"time": 0.5, "worker": 2, "event": "is interrupted", "first_chunk": 2, "chunks": 1},
    {"time": 0.75, "worker": 1, "event": "is interrupted"},
    {"time": 1, "worker": 0, "event": "ends", "first_chunk": 0, "chunks": 2, "new_work": 1},
    {"time": 1, "worker": 0, "event": "begins", "first_chunk": 2, "chunks": 1, "work": 1},
    {"time": 1.5, "worker": 0, "event": "drops", "first_chunk": 2, "chunks": 1},
    {"time": 2, "worker": 1, "event": "heard lost"}])");

  const TimingDiagram diagram = log_diagram(log, 3, "title");

  EXPECT_EQ(diagram.end, 2);
  ASSERT_EQ(diagram.rows.size(), 3u);
  EXPECT_EQ(diagram.rows[0].name, "worker 0");
  EXPECT_EQ(diagram.rows[1].name, "worker 1: 0.75");
  ASSERT_EQ(diagram.rows[0].bars.size(), 2u);
  EXPECT_TRUE(diagram.rows[1].bars.empty());
  ASSERT_EQ(diagram.rows[2].bars.size(), 1u);
  const TimingBar& first = diagram.rows[0].bars[0];
  EXPECT_TRUE(first.begin == 0 && first.end == 1 && first.kind == BarKind::kCompute && first.label == "0-1");
  const TimingBar& dropped = diagram.rows[0].bars[1];
  EXPECT_TRUE(dropped.begin == 1 && dropped.end == 1.5 && dropped.kind == BarKind::kWasted && dropped.label == "2");
  const TimingBar& lost = diagram.rows[2].bars[0];
  EXPECT_TRUE(lost.begin == 0 && lost.end == 0.5 && lost.kind == BarKind::kWasted);
}

TEST(LogDiagram, CountsInterruptionsOfWorkersThatComeBack) {
  const auto log = nlohmann::ordered_json::parse(
      R"([{"time": 1, "worker": 0, "event": "is interrupted"}, {"time": 2, "worker": 0, "event": "is interrupted"}])");
  EXPECT_EQ(log_diagram(log, 1, "title").rows[0].name, "worker 0: 2 interruptions");
}

}  // namespace
}  // namespace coterie::sim
