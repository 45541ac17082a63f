#include "traces/known_at.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"

namespace coterie::traces {
namespace {

TEST(KnownAt, IsWhatHadBegunAndWhetherItHadEnded) {
  AvailabilityTrace trace;
  trace.records = {{"over", 0, 10}, {"ends then", 5, 15}, {"runs", 5, 16}, {"begins then", 20, 5}};
  trace.records.push_back({"was not watched yet", 0, 50, true, false, {}, 30});

  const AvailabilityTrace known = known_at(trace, 20);

  ASSERT_EQ(known.records.size(), 3);
  EXPECT_TRUE(known.records[0].observed);
  EXPECT_TRUE(known.records[1].observed);
  EXPECT_EQ(known.records[2].duration, 15);
  EXPECT_FALSE(known.records[2].observed);
}

TEST(KnownAt, NeedsTimes) {
  AvailabilityTrace trace;
  trace.records = {{"a", std::nullopt, 10}};
  EXPECT_THROW(known_at(trace, 5), InputError);
}

}  // namespace
}  // namespace coterie::traces
