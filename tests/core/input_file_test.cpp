#include "core/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "core/errors.hpp"

namespace coterie {
namespace {

/// A folder of its own.
class InputFile : public testing::Test {
 protected:
  InputFile() { std::filesystem::create_directories(folder_); }
  ~InputFile() override { std::filesystem::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = testing::TempDir() + "input_file_test." + std::to_string(::getpid());
};

TEST_F(InputFile, PlainFilesAreReadAsTheyAre) {
  const std::string content("a\0b\n", 4);
  std::ofstream(path("plain")) << content;
  std::filesystem::create_symlink("plain", path("link"));

  EXPECT_EQ(read_text(path("plain"), 4), content);
  EXPECT_EQ(read_text(path("link"), 4), content);
  EXPECT_FALSE(is_stream(path("link")));
  EXPECT_NO_THROW(require_plain_file(path("link"), ""));
  EXPECT_THROW(read_text(path("plain"), 3), RuntimeError);
}

TEST_F(InputFile, APipeIsReadToItsEnd) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const std::string content(200'000, 'x');  // more than a pipe holds
  std::thread writer([&] { std::ofstream(path("pipe")) << content; });

  const std::string got = read_text(path("pipe"), content.size());
  writer.join();

  EXPECT_EQ(got, content);
  EXPECT_TRUE(is_stream(path("pipe")));
}

TEST_F(InputFile, WhatHasNoEndOrNoTextIsRefused) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THROW(read_text(path("pipe"), 10), RuntimeError);  // nobody writes
  EXPECT_THROW(read_text("/dev/zero", 10), RuntimeError);
  EXPECT_THROW(read_text("/dev/urandom", 10), RuntimeError);
  EXPECT_THROW(read_text(path("."), 10), RuntimeError);
  EXPECT_THROW(read_text(path("gone"), 10), RuntimeError);
  EXPECT_EQ(read_text("/dev/null", 10), "");
  for (const std::string& other : {path("pipe"), path("."), std::string("/dev/null"), path("gone")})
    EXPECT_THROW(require_plain_file(other, "why"), RuntimeError) << other;
}

}  // namespace
}  // namespace coterie
