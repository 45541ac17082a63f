#include "sim/files/file_calls.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string>

namespace coterie::sim {
namespace {

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
  errno = EIO;
  EXPECT_FALSE(read_at(file, 3, std::as_writable_bytes(std::span(got))));
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
}

}  // namespace
}  // namespace coterie::sim
