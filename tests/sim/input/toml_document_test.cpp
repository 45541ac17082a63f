#include "sim/input/toml_document.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

std::string copies(int count, const std::string& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

std::string toml_refusal(const std::string& text) {
  try {
    TomlTable::parse(text, "c.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TomlDocument, KeysNestedTooDeepAreRefusedWithTheirPlace) {
  const std::string dots = copies(20'000, "a.") + "a";
  for (const std::string& text : {"x = 1\n" + dots + " = 1\n", "x = 1\n[" + dots + "]\n", "x = 1\n[[" + dots + "]]\n",
                                  "x = 1\n t = {" + dots + " = 1}\n", "x = 1\n\"#\"." + dots + " = 1\n"})
    EXPECT_TRUE(toml_refusal(text).starts_with("c.toml:2: more than 50 dots in a row"))
        << toml_refusal(text).substr(0, 200);
}

TEST(TomlDocument, NestingOverManyLinesDoesNoHarm) {
  for (const int dots : {50, 51, 200, 1000})
    EXPECT_NE(toml_refusal("x = " + copies(200, "[\n{" + copies(dots, "a.") + "a = [\n")), "");
}

TEST(TomlDocument, DotsInCommentsAndListsAreNotDeep) {
  for (const std::string& text : {"x = 1\n # " + copies(1100, ".") + "\n", "x = [" + copies(1000, "1.5, ") + "]\n"})
    EXPECT_EQ(toml_refusal(text), "");
}

}  // namespace
}  // namespace coterie::sim
