#include "core/wrapped.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

TEST(Wrapped, BreaksLongLinesBetweenWords) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 8), "one two\nthree");
  EXPECT_EQ(wrapped("one two three", 13), "one two three");
  EXPECT_EQ(wrapped("one two three", 3), "one\ntwo\nthree");
}

TEST(Wrapped, KeepsShortLinesAndTheirBlanks) {
  EXPECT_EQ(wrapped("a   b\n\n  c", 5), "a   b\n\n  c");
  EXPECT_EQ(wrapped("", 5), "");
  EXPECT_EQ(wrapped("a\n", 5), "a\n");
}

TEST(Wrapped, FurtherLinesStandUnderTheFirst) { EXPECT_EQ(wrapped("  ab cd ef", 7), "  ab cd\n  ef"); }

TEST(Wrapped, WordsThatAreTooLongStayWhole) { EXPECT_EQ(wrapped("a abcdefgh b", 4), "a\nabcdefgh\nb"); }

}  // namespace
}  // namespace coterie
