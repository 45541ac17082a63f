#include "sim/files/file_calls.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

TEST(FileCalls, CreateOnlyRegularFilesOfOneName) {
  const std::string folder = own_path("/");
  std::filesystem::create_directories(folder + "folder");
  std::ofstream(folder + "precious") << "precious";
  std::filesystem::create_symlink("precious", folder + "link");
  std::filesystem::create_symlink("nothing", folder + "dangling");
  std::filesystem::create_hard_link(folder + "precious", folder + "second");
  ASSERT_EQ(::mkfifo((folder + "pipe").c_str(), 0600), 0);

  for (const char* name : {"folder", "link", "dangling", "second", "pipe"}) {
    EXPECT_THROW(create_file(folder + name), InputError) << name;
    EXPECT_THROW(RemovedUnlessPublished{folder + name}, InputError) << name;
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(folder + name))) << name;
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "nothing"));
  EXPECT_EQ(std::filesystem::file_size(folder + "precious"), 8U);
  EXPECT_THROW(create_file(folder + "no/such/folder"), RuntimeError);
  EXPECT_TRUE(write_at(create_file(folder + "new").get(), 0, std::as_bytes(std::span("new", 3))));
  create_file(folder + "new");
  EXPECT_EQ(std::filesystem::file_size(folder + "new"), 3U);
  std::filesystem::remove_all(folder);
}

// Interrupted calls and parts of transfers: tests/cli/test_failing_calls.py.
TEST(FileCalls, WriteAndReadAnywhere) {
  const int file = open_file(testing::TempDir() + "file_calls", O_RDWR | O_CREAT | O_TRUNC);
  ASSERT_GE(file, 0);
  const std::string text = "written";
  EXPECT_TRUE(write_at(file, 5, std::as_bytes(std::span(text))));
  EXPECT_TRUE(flush(file));
  std::string got(10, 'x');
  EXPECT_TRUE(read_at(file, 2, std::as_writable_bytes(std::span(got))));
  EXPECT_EQ(got, std::string(3, '\0') + text);
  EXPECT_TRUE(resize_file(file, 8));
  errno = EIO;
  EXPECT_FALSE(read_at(file, 2, std::as_writable_bytes(std::span(got))));
  EXPECT_EQ(errno, 0) << "the file ends before";
  ::close(file);
}

TEST(FileCalls, TellByErrnoWhyTheyFail) {
  EXPECT_LT(open_file("/no/such/file", O_RDONLY), 0);
  EXPECT_EQ(errno, ENOENT);
  const std::string text = "x";
  EXPECT_FALSE(write_at(-1, 0, std::as_bytes(std::span(text))));
  EXPECT_EQ(errno, EBADF);
  EXPECT_FALSE(flush(-1));
  EXPECT_EQ(errno, EBADF);
  EXPECT_FALSE(resize_file(-1, 0));
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace coterie::sim
