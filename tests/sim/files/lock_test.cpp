#include "sim/files/lock.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"
#include "tests/own_path.hpp"

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

TEST(OutputLock, RemovesWhatAKillLeftOfTheOutput) {
  const std::string folder = own_path("/");
  std::filesystem::create_directories(folder);
  const std::string half = temporary_name(folder + "o.h5");
  for (const std::string& name : {half, temporary_name(folder + "other.h5"), folder + "o.h5.partial"})
    std::ofstream(name) << "half";

  { const OutputLock lock(folder + "o.h5"); }

  EXPECT_FALSE(std::filesystem::exists(half));
  EXPECT_EQ(files_in(folder).size(), 2U);
  std::filesystem::remove_all(folder);
}

TEST(OutputLock, TakesNoFileOfAnotherAway) {
  const std::string folder = own_path("/");
  const std::string lock = folder + "o.h5.lock";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "precious") << "precious";
  const std::vector<std::pair<std::string, std::function<void()>>> ways = {
      {"text", [&] { std::ofstream(lock) << "mine"; }},
      {"folder", [&] { std::filesystem::create_directory(lock); }},
      {"link", [&] { std::filesystem::create_symlink("precious", lock); }},
      {"dangling", [&] { std::filesystem::create_symlink("nothing", lock); }},
      {"second name", [&] { std::filesystem::create_hard_link(folder + "precious", lock); }},
      {"pipe", [&] { ASSERT_EQ(::mkfifo(lock.c_str(), 0600), 0); }}};

  for (const auto& [what, make] : ways) {
    make();
    EXPECT_THROW(OutputLock{folder + "o.h5"}, InputError) << what;
    EXPECT_TRUE(std::filesystem::remove(lock)) << what;
  }

  EXPECT_FALSE(std::filesystem::exists(folder + "nothing"));
  EXPECT_EQ(std::filesystem::file_size(folder + "precious"), 8U);
  std::filesystem::remove_all(folder);
}

TEST(OutputLock, SaysWhereItCannotBeMade) {
  EXPECT_THROW(OutputLock{testing::TempDir() + "no/such/folder/x.h5"}, RuntimeError);
  EXPECT_THROW(OutputLock{"/proc/x.h5"}, RuntimeError);
}

}  // namespace
}  // namespace coterie::sim
