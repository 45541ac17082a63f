#include "sim/run/ranked_rows.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kMany = 1'000'000;

TEST(PiecesAtOnce, TakeSomeTenSecondsHoweverOftenTheConfigurationChanges) {
  PiecesAtOnce pieces;
  EXPECT_EQ(pieces.next(kMany), 1u);
  for (int batch = 0; batch < 10; ++batch) {
    const std::uint64_t taken = pieces.next(kMany);
    pieces.took(taken, 0.1 * static_cast<double>(taken), 0.05);
    EXPECT_NEAR(static_cast<double>(pieces.next(kMany)), 100, 1);
  }
  EXPECT_EQ(pieces.next(7), 7u);
  EXPECT_EQ(pieces.next(0), 1u);
}

TEST(PiecesAtOnce, TakeTenTimesWhatATrialTakesToPrepare) {
  PiecesAtOnce pieces;
  pieces.took(1, 60.1, 60);
  EXPECT_EQ(pieces.next(kMany), 9u);  // 600 s: if the next ones are of the same trial, they take a second
  pieces.took(9, 0.9, std::nullopt);
  EXPECT_NEAR(static_cast<double>(pieces.next(kMany)), 6000, 1);
}

}  // namespace
}  // namespace coterie::sim
