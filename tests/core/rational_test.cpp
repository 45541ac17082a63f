#include "core/rational.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

TEST(Rational, TakesDecimalsAtTheirWrittenValue) {
  EXPECT_EQ(*parse_rational("0.1"), Rational(1, 10));
  EXPECT_EQ(*parse_rational("-12.5e-1"), Rational(-5, 4));
  EXPECT_EQ(*parse_rational("2/6"), Rational(1, 3));
  EXPECT_EQ(to_text(*parse_rational("61/135")), "61/135");
  EXPECT_EQ(to_text(*parse_rational("4/2")), "2");
}

TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "1/0", "a", "1/2/3", "inf", "1e9999", "1e-9999", "/2", "1/"})
    EXPECT_FALSE(parse_rational(text)) << text;
}

TEST(Rational, ConvertsHugeFractionsWithoutOverflow) {
  const Integer huge = boost::multiprecision::pow(Integer(10), 400);

  EXPECT_DOUBLE_EQ(to_double(Rational(huge * 3, huge * 7)), 3.0 / 7);
}

}  // namespace
}  // namespace coterie
