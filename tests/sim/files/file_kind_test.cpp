#include "sim/files/file_kind.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace coterie::sim {
namespace {

TEST(FileKind, ResultsAreKnownWhatIsLeftOfThem) {
  std::ifstream input(COTERIE_TEST_DATA "/result.h5", std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(input)), {});
  const std::string folder = testing::TempDir() + "file_kind_test." + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  const auto written = [&](const std::string& name, const std::string& content) {
    std::ofstream(folder + "/" + name, std::ios::binary) << content;
    return folder + "/" + name;
  };

  EXPECT_TRUE(looks_like_result(written("r", good)));
  EXPECT_TRUE(looks_like_result(written("cut", good.substr(0, 100))));
  EXPECT_TRUE(looks_like_result(written("damaged", "text" + good.substr(4))));
  EXPECT_TRUE(looks_like_result(written("later", std::string(512, ' ') + good)));
  EXPECT_TRUE(looks_like_result(written("empty.h5", "")));
  EXPECT_TRUE(looks_like_result(written("zeros.h5", std::string(100, '\0'))));
  EXPECT_FALSE(looks_like_result(written("text.h5", "seed = 1\n")));
  EXPECT_FALSE(looks_like_result(written("empty.toml", "")));
  EXPECT_FALSE(looks_like_result(folder));
  EXPECT_FALSE(looks_like_result("/dev/zero"));
  EXPECT_FALSE(looks_like_result(folder + "/gone.h5"));
  EXPECT_TRUE(looks_like_text(written("long", std::string(4095, 'x') + "\xC3\xB6" + std::string(10, 'x'))));
  EXPECT_FALSE(looks_like_text(written("wrong", std::string(4000, 'x') + "\xFF" + std::string(10'000, 'x'))));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace coterie::sim
