#include "sim/input/toml_depth.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "sim/input/toml_document.hpp"

namespace coterie::sim {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

std::string depth_refusal(const std::string& text) {
  try {
    TomlTable::parse(text, "c.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TomlDepth, WhatLiesTooDeepIsRefusedWithItsPlace) {
  const std::string dots = repeated("a.", 20'000) + "a";
  for (const std::string& text :
       {"x = 1\n" + dots + " = 1\n", "x = 1\n[" + dots + "]\n", "x = 1\n[[" + dots + "]]\n",
        "x = 1\n t = {" + dots + " = 1}\n", "x = 1\ny = " + repeated("[", 20'000) + repeated("]", 20'000),
        "x = 1\ny = " + repeated("{a = ", 20'000) + "1", "x = 1\n" + repeated("\"a\" . 'b'.", 10'000) + "c = 1",
        "y = \"\"\"a\"\"\"\"\n" + dots + "= 1", "y = {x = \"\"\"a\"\"\"\"\", " + dots + "= 1}", "# \"\n" + dots + "= 1",
        "y = 'it''s\n" + dots + "= 1"}) {
    EXPECT_TRUE(depth_refusal(text).find("are nested more than 50 deep here") != std::string::npos)
        << depth_refusal(text).substr(0, 200);
    EXPECT_TRUE(depth_refusal(text).starts_with("c.toml:2:") || depth_refusal(text).starts_with("c.toml:1:"))
        << depth_refusal(text);
  }
}

TEST(TomlDepth, DepthAddsUp) {
  std::string text = "[" + repeated("a.", 20) + "a]\n" + repeated("b.", 20) + "b = {" + repeated("c.", 20) + "c = 1}\n";
  EXPECT_TRUE(depth_refusal(text).starts_with("c.toml:2:")) << depth_refusal(text);
  EXPECT_EQ(depth_refusal("[" + repeated("a.", 20) + "a]\n" + repeated("b.", 20) + "b = 1\n"), "");
}

TEST(TomlDepth, WhatIsOnlyLongIsNotDeep) {
  const std::string dots = repeated("a.", 200) + "[{[{(" + repeated("[", 200);
  for (const std::string& text :
       {"x = \"" + dots + "\"\n", "x = '" + dots + "'\n", "x = \"\"\"\n" + dots + "\n\"\"\"\n",
        "x = '''" + dots + "'''\n", "# " + dots + "\nx = 1\n", "x = [" + repeated("1.5, ", 1000) + "]\n",
        "x = [" + repeated("[1.5, [2]],\n", 1000) + "]\n", repeated("[[worker]]\nspeed.x = {a = 1.5}\n", 1000),
        "x = \"\\\"" + dots + "\"\n", "x = \"\"\"a\\\"\"\"\"" + std::string("\n"),
        std::string("a.b.c = 1.5\r\n[x.y.z]\r\nt = 1979-05-27T07:32:00.5\r\n").substr(0, 13)})
    EXPECT_EQ(depth_refusal(text), "") << text.substr(0, 100);
}

}  // namespace
}  // namespace coterie::sim
