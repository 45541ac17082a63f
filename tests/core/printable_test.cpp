#include "core/printable.hpp"

#include <gtest/gtest.h>

#include "core/utf8.hpp"

namespace coterie {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text : {"", "greedy", "K\xC3\xB6ln \xE2\x82\xAC \xF0\x9F\x98\x80", "a \"b\" \\n"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, ShowsWhatWouldSteerATerminal) {
  EXPECT_EQ(printable("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(printable("a\nb\tc\r", "\n\t"), "a\nb\tc\\r");
  EXPECT_EQ(printable(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(printable("\x7f"), "\\u007f");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\u009b2J");  // C1: as ESC [
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "evil"),
            "\\u202eevil");  // right-to-left override
  EXPECT_EQ(printable("\xE2\x81\xA6\xEF\xBB\xBF"), "\\u2066\\ufeff");
  EXPECT_EQ(printable("a\xF3\xA0\x81\x81z"), "a\\udb40\\udc41z");  // tags are invisible
  EXPECT_EQ(printable("\xFFz\xE2\x82"), "\\xffz\\xe2\\x82");       // no UTF-8
  EXPECT_EQ(printable("\x9b"), "\\x9b");                           // C1 of an 8-bit terminal
}

TEST(Printable, LeavesNothingThatSteersWhateverTheBytes) {
  std::string all;
  for (int i = 0; i < 256; ++i)
    for (int j = 0; j < 256; ++j) all += {static_cast<char>(i), static_cast<char>(j)};
  const std::string shown = printable(all);
  EXPECT_TRUE(is_utf8(shown));
  for (const char c : shown) ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7F);
  EXPECT_EQ(printable(shown), shown);
}

TEST(Echoed, CutsAtTheEndOfACharacter) {
  const std::string just(kMostEchoed, 'x');
  EXPECT_EQ(echoed(just), just);
  EXPECT_EQ(echoed(just + "y"), just + "...");
  for (std::size_t before = kMostEchoed - 4; before <= kMostEchoed; ++before) {
    const std::string text = std::string(before, 'x') + "\xF0\x9F\x98\x80 and more";
    const std::string cut = echoed(text);
    EXPECT_TRUE(is_utf8(cut)) << before;
    EXPECT_TRUE(cut.ends_with("...")) << before;
    EXPECT_LE(cut.size(), kMostEchoed + 3) << before;
  }
}

TEST(WithEchoed, CutsATextWhereverItStands) {
  const std::string text(300, 'x');
  const std::string cut = std::string(kMostEchoed, 'x') + "...";
  EXPECT_EQ(with_echoed(text + ": no " + text + ".h5", text), cut + ": no " + cut + ".h5");
  EXPECT_EQ(with_echoed("bad \"a\nb\"\nnext line", "a\nb"), "bad \"a\\nb\"\nnext line");
  EXPECT_EQ(with_echoed("one\ntwo", "\n"), "one\ntwo");
  EXPECT_EQ(with_echoed("one two", "one"), "one two");
  EXPECT_EQ(with_echoed("one two", ""), "one two");
}

}  // namespace
}  // namespace coterie
