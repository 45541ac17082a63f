#include "sim/files/lock.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <thread>

#include "core/errors.hpp"
#include "sim/files/file_calls.hpp"

namespace coterie::sim {
namespace {

TEST(LockedFile, IsHeldByOneAtATime) {
  const std::string path = testing::TempDir() + "locked_file_test";
  std::filesystem::remove(path);
  std::optional<LockedFile> first(std::in_place, path, LockedFile::Held::kFail);
  EXPECT_EQ(first->failure(), 0);
  EXPECT_EQ(LockedFile(path, LockedFile::Held::kFail).failure(), EWOULDBLOCK);

  first.reset();

  EXPECT_EQ(LockedFile(path, LockedFile::Held::kFail).failure(), 0);
}

TEST(LockedFile, WhoeverWaitedGetsTheFileOfThisName) {
  const std::string path = testing::TempDir() + "locked_file_renamed";
  std::filesystem::remove(path);
  std::optional<LockedFile> first(std::in_place, path, LockedFile::Held::kWait);
  std::thread waiting([&] {
    const LockedFile second(path, LockedFile::Held::kWait);
    EXPECT_EQ(second.failure(), 0);
    EXPECT_TRUE(write_at(second.descriptor(), 0, std::as_bytes(std::span("second", 6))));
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // likely enough for it to wait for the lock

  std::filesystem::rename(path, path + ".published");
  first.reset();
  waiting.join();

  EXPECT_EQ(std::filesystem::file_size(path), 6U);
  EXPECT_EQ(std::filesystem::file_size(path + ".published"), 0U);
}

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
