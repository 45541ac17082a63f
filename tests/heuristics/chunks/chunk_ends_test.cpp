#include "heuristics/chunks/chunk_ends.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "heuristics/worksharing/two_worker_shape.hpp"

namespace coterie::heuristics {
namespace {

double value_of(const ChargedPair& pair, const RiskPtr& law, const EndLists& lists) {
  TwoWorkerChunks chunks;
  for (std::size_t worker = 0; worker < 2; ++worker) {
    double done = 0;
    for (const double end : lists[worker]) {
      chunks[worker].push_back(worker == 0 ? WorkInterval{done, end} : WorkInterval{pair.work - end, pair.work - done});
      done = end;
    }
  }
  return expected_work_of(chunks, pair.startup, law);
}

EndLists random_lists(std::mt19937& random, double work) {
  EndLists lists;
  for (auto& list : lists) {
    for (int left = std::uniform_int_distribution<int>(1, 5)(random); left > 0; --left)
      list.push_back(std::uniform_real_distribution<double>(0.02, 1)(random) * work);
    std::sort(list.begin(), list.end());
  }
  return lists;
}

TEST(ChunkEnds, NeverLoseByTheSearch) {
  std::mt19937 random(3);
  const RiskPtr law = make_linear_risk(1);
  int gained = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const ChargedPair pair{0.9, 6, 0.02, *law};
    const EndLists start = random_lists(random, pair.work);
    const EndLists end = improved_ends(pair, start);
    for (const auto& list : end) {
      ASSERT_LE(list.size(), 6U);
      ASSERT_TRUE(std::is_sorted(list.begin(), list.end()));
    }
    const double before = value_of(pair, law, start);
    ASSERT_GE(value_of(pair, law, end), before * (1 - 1e-12)) << trial;
    gained += value_of(pair, law, end) > before * 1.01;
  }
  EXPECT_GT(gained, 50);
}

// The grid of the programme holds the 24ths of the work.
TEST(ChunkEnds, RespondAsWellAsAnyListOnAGrid) {
  std::mt19937 random(4);
  const RiskPtr law = make_linear_risk(1);
  for (int trial = 0; trial < 30; ++trial) {
    const ChargedPair pair{0.8, 2, 0.05, *law};
    EndLists lists = random_lists(random, pair.work);
    const double ours = value_of(pair, law, with_response(pair, lists, 1));
    double best = 0;
    for (int i = 1; i <= 24; ++i)
      for (int j = i; j <= 24; ++j) {
        lists[1] = {pair.work * i / 24};
        if (j > i) lists[1].push_back(pair.work * j / 24);
        best = std::max(best, value_of(pair, law, lists));
      }
    ASSERT_GE(ours, best * (1 - 1e-12)) << trial;
  }
}

}  // namespace
}  // namespace coterie::heuristics
