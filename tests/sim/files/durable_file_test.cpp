#include "sim/files/durable_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>

#include "core/errors.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;

/// An empty folder.
class TemporaryFileTest : public testing::Test {
 protected:
  TemporaryFileTest() { fs::create_directories(folder_); }
  ~TemporaryFileTest() override { fs::remove_all(folder_); }
  std::string folder_ = own_path("/");
};

TEST_F(TemporaryFileTest, HasANameOfItsOwnUntilItIsPublished) {
  std::ofstream(folder_ + "o") << "old";
  TemporaryFile first(folder_ + "o");
  TemporaryFile second(folder_ + "o");
  EXPECT_EQ(files_in(folder_).size(), 3U);
  EXPECT_EQ(fs::file_size(folder_ + "o"), 3U);
  EXPECT_TRUE(write_at(first.descriptor(), 0, std::as_bytes(std::span("first", 5))));

  second.publish();
  first.publish();

  EXPECT_THAT(files_in(folder_), testing::ElementsAre("o"));
  EXPECT_EQ(fs::file_size(folder_ + "o"), 5U);
}

TEST_F(TemporaryFileTest, LeavesNothingBehindUnlessPublished) {
  { const TemporaryFile file(folder_ + "o"); }
  EXPECT_THROW(TemporaryFile(folder_ + "no/such/folder"), RuntimeError);
  EXPECT_THAT(files_in(folder_), testing::IsEmpty());
}

TEST_F(TemporaryFileTest, IsKnownByItsName) {
  EXPECT_EQ(target_of_temporary(temporary_name("o.h5")), "o.h5");
  for (const char* other :
       {"", "o.h5", "o.h5.partial", "o.h5.partial-", "o.h5.partial-backup", ".partial-0123456789abcdeF",
        "o.h5-partial-0123456789abcdef", "o.h5.partial-0123456789abcdef0", "0123456789abcdef"})
    EXPECT_EQ(target_of_temporary(other), "") << other;
}

}  // namespace
}  // namespace coterie::sim
