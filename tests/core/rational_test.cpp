#include "core/rational.hpp"

#include <gtest/gtest.h>

#include <limits>

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

TEST(WholeNumbers, AreReadExactlyAlsoWithAnExponent) {
  EXPECT_EQ(parse_whole("-7"), -7);
  EXPECT_EQ(parse_whole("1e9"), 1'000'000'000);
  EXPECT_EQ(parse_whole("2.5e3"), 2500);
  EXPECT_EQ(parse_whole("2000e-3"), 2);
  EXPECT_EQ(parse_whole("9007199254740993"), 9007199254740993);
  EXPECT_EQ(parse_whole("9.223372036854775807e18"), std::numeric_limits<std::int64_t>::max());
}

TEST(WholeNumbers, RefuseWhatIsNotWholeOrOverflows) {
  for (const char* text : {"", "e3", "1e", "2.5", "1e-3", "1.0000000000000000000001", "4/2", "9.223372036854775808e18",
                           "1e19", "-1e19", "1e999", "99999999999999999999", "1 ", "inf"})
    EXPECT_FALSE(parse_whole(text)) << text;
}

TEST(Rational, ConvertsHugeFractionsWithoutOverflow) {
  const Integer huge = boost::multiprecision::pow(Integer(10), 400);

  EXPECT_DOUBLE_EQ(to_double(Rational(huge * 3, huge * 7)), 3.0 / 7);
}

}  // namespace
}  // namespace coterie
