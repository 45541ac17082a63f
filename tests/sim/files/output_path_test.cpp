#include "sim/files/output_path.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/errors.hpp"
#include "sim/files/durable_file.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;

/// A folder with the file `real`, the link `link` to it, `loop` to itself and `dangling` to nothing.
class OutputPath : public testing::Test {
 protected:
  OutputPath() {
    fs::create_directories(folder_ + "/below");
    std::ofstream(path("real")) << "old";
    fs::create_symlink("real", path("link"));
    fs::create_symlink("../link", path("below/far"));
    fs::create_symlink("loop", path("loop"));
    fs::create_symlink("gone", path("dangling"));
    fs::create_hard_link(path("real"), path("twin"));
  }
  ~OutputPath() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }

 private:
  std::string folder_ = testing::TempDir() + "output_path_test." + std::to_string(::getpid());
};

TEST_F(OutputPath, LinksAreFollowed) {
  EXPECT_EQ(output_target(path("real")), path("real"));
  EXPECT_EQ(output_target(path("new")), path("new"));
  for (const char* name : {"link", "below/far"}) EXPECT_TRUE(fs::equivalent(output_target(path(name)), path("real")));
  EXPECT_FALSE(fs::is_symlink(output_target(path("below/far"))));
  EXPECT_EQ(followed(path("dangling")), path("gone"));
  for (const char* name : {"loop", "dangling", "below"}) EXPECT_THROW(output_target(path(name)), InputError) << name;
  EXPECT_THROW(followed(path("loop")), InputError);
}

TEST_F(OutputPath, ALinkStaysALinkWhenWhatItLeadsToIsWritten) {
  write_text_durably(path("below/far"), "new");
  std::string content;
  std::ifstream(path("real")) >> content;
  EXPECT_EQ(content, "new");
  EXPECT_TRUE(fs::is_symlink(path("below/far")) && fs::is_symlink(path("link")));
  EXPECT_THROW(write_text_durably("/dev/null", "x"), InputError);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputPath, NoInputIsReplacedUnderAnyName) {
  for (const char* input : {"real", "link", "twin", "below/far"})
    EXPECT_THROW(protect_inputs(path("real"), {path("other"), path(input)}), InputError) << input;
  EXPECT_NO_THROW(protect_inputs(path("new"), {path("real")}));
  EXPECT_NO_THROW(protect_inputs(path("new"), {path("gone"), "/dev/stdin"}));
}

}  // namespace
}  // namespace coterie::sim
