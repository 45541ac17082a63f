#include "traces/recording.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "core/errors.hpp"
#include "tests/own_path.hpp"

namespace coterie::traces {
namespace {

using testing::HasSubstr;

AvailabilityRecord record(const std::string& host, double start, double duration) {
  AvailabilityRecord one;
  one.host = host;
  one.start = start;
  one.duration = duration;
  return one;
}

AvailabilityTrace three_hosts() {
  AvailabilityTrace trace;
  trace.records = {record("b", 10, 5), record("a", 12, 1), record("b", 15, 5), record("c", 14, 20), record("b", 2, 3)};
  return trace;
}

TEST(Recording, HasAMachineAHostAndItsSpellsInOrder) {
  const Recording recording = Recording::of_hosts(three_hosts());
  ASSERT_EQ(recording.machines.size(), 3u);
  using Times = std::vector<Recording::UpTime>;
  EXPECT_TRUE(recording.machines[0] == (Times{{2, 5}, {10, 15}, {15, 20}})) << "host b";
  EXPECT_TRUE(recording.machines[1] == (Times{{12, 13}}));
  EXPECT_EQ(recording.begin, 2);
  EXPECT_EQ(recording.end, 34);
}

/// When c comes, a is gone and b is there; when b comes again, its own place is empty; d gets that after it.
TEST(Recording, InSlotsGivesWhoeverComesThePlaceThatIsEmptyLongest) {
  AvailabilityTrace trace = three_hosts();
  trace.records.push_back(record("d", 21, 4));
  trace.records.push_back(record("e", 22, 1));
  const Recording slots = Recording::of_hosts(trace).in_slots();
  using Times = std::vector<Recording::UpTime>;
  ASSERT_EQ(slots.machines.size(), 3u);
  EXPECT_TRUE(slots.machines[0] == (Times{{2, 5}, {10, 15}, {15, 20}, {21, 25}}));
  EXPECT_TRUE(slots.machines[1] == (Times{{12, 13}, {14, 34}}));
  EXPECT_TRUE(slots.machines[2] == (Times{{22, 23}}));
  EXPECT_EQ(slots.end, 34);
}

TEST(Recording, NeedsHostsAndTimesAndOneHistoryOfEach) {
  const auto refused = [](AvailabilityTrace trace) -> std::string {
    try {
      Recording::of_hosts(trace);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  AvailabilityTrace trace = three_hosts();
  trace.records[1].host.reset();
  EXPECT_THAT(refused(trace), HasSubstr("a spell has no host: a recording needs hosts and times"));
  trace = three_hosts();
  trace.records[1].start.reset();
  EXPECT_THAT(refused(trace), HasSubstr("a spell has no start"));
  trace = three_hosts();
  trace.records.push_back(record("c", 20, 1));
  EXPECT_THAT(refused(trace), HasSubstr("the host c is up twice at the same time"));
  EXPECT_THAT(refused({}), HasSubstr("there are no spells"));
}

/// 0.3 + (0.9 - 0.3) > 0.9 in floating point.
TEST(Recording, HasSpellsThatTouch) {
  const std::string path = own_path(".csv");
  std::ofstream(path) << "host,start,end\na,0.3,0.9\na,0.9,2\nb,5,10\nb,5,5\n";
  const Recording recording = read_recording(Expression::parse("replay(trace=" + path + ")"), "").recording;
  ASSERT_EQ(recording.machines.size(), 2u);
  ASSERT_EQ(recording.machines[0].size(), 2u);
  EXPECT_LE(recording.machines[0][0].end, 0.9);
  EXPECT_DOUBLE_EQ(recording.machines[0][0].end, 0.9);
  EXPECT_TRUE(recording.machines[1] == (std::vector<Recording::UpTime>{{5, 5}, {5, 10}}));
  const Recording slots = recording.in_slots();
  ASSERT_EQ(slots.machines.size(), 1u);
  EXPECT_EQ(slots.machines[0].size(), 4u);
}

TEST(Recording, IsReadByItsArguments) {
  const std::string path = own_path(".csv");
  std::ofstream(path) << "host,start,end,observed\nx,0,2,1\ny,1,3,1\nx,5,6,0\n";
  const auto named = read_recording(Expression::parse("replay(trace=" + path + ", unit=min, machines=hosts)"), "");
  EXPECT_EQ(named.recording.machines.size(), 2u);
  EXPECT_EQ(named.recording.end, 360);
  ASSERT_EQ(named.checksums.size(), 1u);
  EXPECT_EQ(named.canonical, "crc64=" + named.checksums.front().second + ", machines=hosts, unit=min");
  const auto slots = read_recording(Expression::parse("replay(trace=" + path + ", machines=slots)"), "");
  EXPECT_EQ(slots.recording.machines.size(), 2u);
  EXPECT_THROW(read_recording(Expression::parse("replay(trace=" + path + ", machines=racks)"), ""), InputError);
  EXPECT_THROW(read_recording(Expression::parse("replay(window=3)"), ""), InputError) << "no trace";
  EXPECT_THROW(read_recording(Expression::parse("replay(trace=nowhere.csv)"), ""), RuntimeError);
}

}  // namespace
}  // namespace coterie::traces
