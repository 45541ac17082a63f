#include "heuristics/dispatch/spells.hpp"

#include <gtest/gtest.h>

#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

TEST(Spells, AreToldByWorker) {
  Spells spells;
  spells.add({0, 1});
  spells.add({2, 2});
  spells.add({3, 3.5});
  spells.close_worker();
  spells.close_worker();
  spells.add({0.5, 4});
  spells.close_worker();

  ASSERT_EQ(spells.workers(), 3u);
  ASSERT_EQ(spells.of(0).size(), 2u) << "one has no length";
  EXPECT_EQ(spells.of(0)[1].begin, 3);
  EXPECT_TRUE(spells.of(1).empty());
  EXPECT_EQ(spells.of(2).front().end, 4);
  EXPECT_EQ(spells.useful(0), 1 + 0.5 + 3.5);
  EXPECT_EQ(spells.useful(0.75), 0.25 + 2.75) << "one is too short to begin";

  spells.forgive_ties(false);
  EXPECT_EQ(spells.of(0)[0].end, 1);
  EXPECT_EQ(spells.of(0)[1].end, just_after(3.5));
  EXPECT_EQ(spells.of(2)[0].end, 4);
  spells.forgive_ties(true);
  EXPECT_EQ(spells.of(0)[0].end, just_after(1));

  spells.clear();
  EXPECT_EQ(spells.workers(), 0u);
}

}  // namespace
}  // namespace coterie::heuristics
