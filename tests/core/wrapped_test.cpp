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

TEST(Hanging, AllLinesBeginBehindTheLabel) {
  EXPECT_EQ(hanging("  run", 8, "runs it", 20), "  run   runs it");
  EXPECT_EQ(hanging("  run", 8, "runs a campaign twice", 20), "  run   runs a\n        campaign\n        twice");
  EXPECT_EQ(hanging("a-long-label", 8, "runs it", 20), "a-long-label\n        runs it");
  EXPECT_EQ(hanging("-label-", 7, "x", 20), "-label-\n       x");
}

}  // namespace
}  // namespace coterie
