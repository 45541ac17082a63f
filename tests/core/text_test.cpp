#include "core/text.hpp"

#include <gtest/gtest.h>

#include "core/infinity.hpp"

namespace coterie {
namespace {

TEST(ParseNumber, ReadsWhatTheGrammarAllows) {
  EXPECT_EQ(parse_number("12"), 12.0);
  EXPECT_EQ(parse_number("+1.5e3"), 1500.0);
  EXPECT_EQ(parse_number("-.25"), -0.25);
  EXPECT_EQ(parse_number("3."), 3.0);
  EXPECT_EQ(parse_number("1e-400"), 0.0);
}

TEST(ParseNumber, RefusesEverythingElse) {
  for (const char* text : {"", "+", ".", "e5", "1e", "nan", "inf", "0x10", "1,000", "1 ", " 1", "1e999", "--1", "+-1"})
    EXPECT_FALSE(parse_number(text)) << text;
}

TEST(ParseInteger, RefusesFractionsAndOverflow) {
  EXPECT_EQ(parse_integer("-7"), -7);
  EXPECT_FALSE(parse_integer("7.0"));
  EXPECT_FALSE(parse_integer("99999999999999999999"));
  EXPECT_FALSE(parse_integer("+"));
  EXPECT_FALSE(parse_integer("+-7"));
}

TEST(ToText, RoundTripsAndStaysShort) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(3.0), "3");
  EXPECT_EQ(to_text(kInfinity), "inf");
  EXPECT_EQ(parse_number(to_text(1.0 / 3)), 1.0 / 3);
}

TEST(Counted, SaysOneOrMany) {
  EXPECT_EQ(counted(1, "spell"), "1 spell");
  EXPECT_EQ(counted(0, "spell"), "0 spells");
  EXPECT_EQ(counted(1, "class", "classes"), "1 class");
  EXPECT_EQ(counted(2, "class", "classes"), "2 classes");
}

TEST(Suggestion, ProposesTheNearestWordOrNone) {
  EXPECT_EQ(suggestion("workrs", {"work", "workers", "risk"}), " (did you mean \"workers\"?)");
  EXPECT_EQ(suggestion("zebra", {"work", "workers"}), "");
}

TEST(Suggestion, GuessesOnlyWhereMostLettersAreRight) {
  EXPECT_EQ(suggestion("foo", {"col", "fta"}), "");
  EXPECT_EQ(suggestion("tcsh", {"bash", "zsh", "fish"}), "");
  EXPECT_EQ(suggestion("ab", {"ac"}), "");
  EXPECT_EQ(suggestion("hlp", {"help"}), " (did you mean \"help\"?)");
  EXPECT_EQ(suggestion("rnu", {"run"}), " (did you mean \"run\"?)");
  EXPECT_EQ(suggestion("gird", {"grid"}), " (did you mean \"grid\"?)");
  EXPECT_EQ(suggestion("strategys", {"strategies"}), " (did you mean \"strategies\"?)");
}

}  // namespace
}  // namespace coterie
