#include "core/utf8.hpp"

#include <gtest/gtest.h>

#include <string>

namespace coterie {
namespace {

std::string encoded(std::uint32_t code) {
  std::string text;
  if (code < 0x80) return {static_cast<char>(code)};
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(kLead[more] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80u | (code >> (6 * i) & 0x3Fu));
  return text;
}

TEST(Utf8, ReadsEachCharacterThatThereIs) {
  for (std::uint32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code == 0xD800) code = 0xE000;
    const std::string text = encoded(code);
    const Utf8Character read = utf8_character(text, 0);
    ASSERT_EQ(read.bytes, text.size()) << code;
    ASSERT_EQ(read.code, code);
  }
}

TEST(Utf8, RefusesAllOtherBytes) {
  EXPECT_TRUE(is_utf8("K\xC3\xB6ln \xE2\x82\xAC \xF0\x9F\x98\x80"));
  for (const char* wrong : {"\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xF0\x8F\xBF\xBF",
                            "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xE2\x82", "\xE2\x28\xA1"})
    EXPECT_FALSE(is_utf8(wrong)) << wrong;
}

}  // namespace
}  // namespace coterie
