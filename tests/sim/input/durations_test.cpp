#include "sim/input/durations.hpp"

#include <gtest/gtest.h>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

TEST(Lengths, ReadEveryUnit) {
  EXPECT_EQ(parse_length("2d", "--work").value, 172800);
  EXPECT_EQ(parse_length("40h", "--work").value, 144000);
  EXPECT_EQ(parse_length(" 1.5 min ", "--work").value, 90);
  EXPECT_EQ(parse_length("90s", "--work").value, 90);
  EXPECT_EQ(parse_length("250ms", "--work").value, 0.25);
  EXPECT_TRUE(parse_length("0h", "--work").has_unit);
}

TEST(Lengths, BareNumbersHaveNoUnit) {
  const Length length = parse_length("2.5", "--work");
  EXPECT_EQ(length.value, 2.5);
  EXPECT_FALSE(length.has_unit);
}

TEST(Lengths, RefuseWhatIsNoLength) {
  for (const char* text : {"", "h", "-1h", "1 week", "1h30min", "nan", "inf", "1e400h", "1e300d", "5 H", "0x10s"})
    EXPECT_THROW(parse_length(text, "--work"), InputError) << text;
}

TEST(Lengths, ShowInOneUnit) {
  const LengthFormat hours = LengthFormat::best_for(40 * 3600);
  EXPECT_EQ(hours(40 * 3600), "40 h");
  EXPECT_EQ(hours(600), "0.1667 h");
  EXPECT_EQ(LengthFormat::best_for(300)(300), "5 min");
  EXPECT_EQ(LengthFormat::best_for(100 * 3600)(100 * 3600), "100 h");
  EXPECT_EQ(LengthFormat::best_for(20 * 86400)(20 * 86400), "20 d");
  EXPECT_EQ(LengthFormat::best_for(0)(0), "0 s");
  EXPECT_EQ(LengthFormat()(1.25), "1.25");
}

}  // namespace
}  // namespace coterie::sim
