#include "core/chunk_numbers.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

Schedule schedule_of(const std::vector<std::vector<Task>>& lists) {
  TaskLists made;
  for (const auto& list : lists) {
    for (const Task& task : list) made.add(task);
    made.close(back_to_back(made.open(), std::vector<double>{1, 1, 1, 1}, 0.1));
  }
  return {{0, 1, 2, 3, 4}, std::move(made)};
}

TEST(ChunkNumbers, AreThoseOfPiecesWhereEachIsAChunk) {
  const ChunkNumbers number(schedule_of({{{3, 1}, {0, 1}}, {{3, 1}}}));
  EXPECT_EQ(number.count(), 4u);
  EXPECT_EQ(number({3, 1}), 3u);
  EXPECT_EQ(number({0, 1}), 0u);
}

TEST(ChunkNumbers, TellChunksApartThatBeginTogether) {
  const ChunkNumbers number(schedule_of({{{0, 2}, {2, 2}}, {{0, 3}, {3, 1}}, {{2, 2}, {0, 2}}}));
  EXPECT_EQ(number.count(), 4u);
  EXPECT_EQ(number({0, 2}), 0u);
  EXPECT_EQ(number({0, 3}), 1u);
  EXPECT_EQ(number({2, 2}), 2u);
  EXPECT_EQ(number({3, 1}), 3u);
}

}  // namespace
}  // namespace coterie
