#include "sim/files/lock.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

TEST(OutputLock, KeepsASecondRunAwayUntilItEnds) {
  const std::string output = testing::TempDir() + "lock_test.h5";
  std::optional<OutputLock> first(output);
  EXPECT_THROW(OutputLock{output}, RuntimeError);

  first.reset();

  EXPECT_FALSE(std::filesystem::exists(output + ".lock"));
  EXPECT_NO_THROW(OutputLock{output});
}

TEST(OutputLock, AFileLeftByAKillHoldsNobody) {
  const std::string output = testing::TempDir() + "lock_test_killed.h5";
  std::ofstream(output + ".lock") << "";
  EXPECT_NO_THROW(OutputLock{output});
}

TEST(OutputLock, SaysWhereItCannotBeMade) {
  EXPECT_THROW(OutputLock{testing::TempDir() + "no/such/folder/x.h5"}, RuntimeError);
  EXPECT_THROW(OutputLock{"/proc/x.h5"}, RuntimeError);
}

}  // namespace
}  // namespace coterie::sim
