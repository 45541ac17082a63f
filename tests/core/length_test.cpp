#include "core/length.hpp"

#include <gmock/gmock.h>

#include "core/errors.hpp"

namespace coterie {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Lengths, ReadEveryUnit) {
  EXPECT_EQ(parse_length("2d", "--work").value, 172800);
  EXPECT_EQ(parse_length("40h", "--work").value, 144000);
  EXPECT_EQ(parse_length(" 1.5 min ", "--work").value, 90);
  EXPECT_EQ(parse_length("5m", "--work").value, 300);
  EXPECT_EQ(parse_length("90s", "--work").value, 90);
  EXPECT_EQ(parse_length("250ms", "--work").value, 0.25);
  EXPECT_EQ(parse_length("61000 ms", "--work").value, 61);
  EXPECT_EQ(parse_length("1e-9s", "--work").value, 1e-9);
  EXPECT_TRUE(parse_length("0h", "--work").has_unit);
}

TEST(Lengths, AddUpParts) {
  EXPECT_EQ(parse_length("1h30m", "--work").value, 5400);
  EXPECT_EQ(parse_length("1 h 30 min", "--work").value, 5400);
  EXPECT_EQ(parse_length("2d5h", "--work").value, 190800);
  EXPECT_EQ(parse_length("1.5h .5min 2e1s", "--work").value, 5450);
  EXPECT_EQ(parse_seconds("2d", "--time-limit"), 172800);
}

TEST(Lengths, BareNumbersHaveNoUnit) {
  const Length length = parse_length("2.5", "--work");
  EXPECT_EQ(length.value, 2.5);
  EXPECT_FALSE(length.has_unit);
}

TEST(Lengths, RefuseWhatIsNoLength) {
  for (const char* text :
       {"",    " ",      "h",      "-1h", "1 week", "1h30", "30m1h",  "1h1h", "1m1min", "1h-1m", "nan",
        "inf", "1e400h", "1e300d", "5 H", "0x10s",  "1es",  "1.5.2h", "s1",   "1 s 2",  "1e12d", "h30m"}) {
    EXPECT_THROW(parse_length(text, "--work"), InputError) << text;
    EXPECT_THROW(parse_seconds(text, "--work"), InputError) << text;
  }
  EXPECT_THROW(parse_length("-2", "--work"), InputError);
}

TEST(Lengths, OfTimeAreAboveZeroAndHaveAUnit) {
  for (const char* text : {"0s", "90", "0h0m"}) EXPECT_THROW(parse_seconds(text, "--time-limit"), InputError) << text;
  for (const char* text : {"0s", "0", "0h0m"})
    EXPECT_EQ(parse_seconds(text, "--age", {}, ZeroLength::kAllowed), 0) << text;
}

TEST(Lengths, AreRefusedInOneKindOfMessage) {
  EXPECT_THAT([] { parse_length("5 H", "--work"); },
              ThrowsMessage<InputError>("--work must be a time not below 0, bare or with its unit d, h, min, s, ms or "
                                        "us, such as 40h, 1h30m or \"1.5 min\", not \"5 H\""));
  EXPECT_THAT([] { parse_length("0", "--work", {}, ZeroLength::kRefused); },
              ThrowsMessage<InputError>("--work must be a time above 0, bare or with its unit d, h, min, s, ms or us, "
                                        "such as 40h, 1h30m or \"1.5 min\", not \"0\""));
  EXPECT_THAT(
      [] { parse_seconds("40", "--age", {}, ZeroLength::kAllowed); },
      ThrowsMessage<InputError>("--age must be a time not below 0 with its unit d, h, min, s, ms or us, such as "
                                "40h, 1h30m or \"1.5 min\", not \"40\""));
  EXPECT_THAT([] { parse_seconds("90", "--time-limit"); },
              ThrowsMessage<InputError>("--time-limit must be a time above 0 with its unit d, h, min, s, ms or us, "
                                        "such as 40h, 1h30m or \"1.5 min\", not \"90\""));
}

TEST(Lengths, ShowAsTheyWereWritten) {
  EXPECT_EQ(LengthFormat::as_written("300h", 300 * 3600)(2 * 3600), "2 h");
  EXPECT_EQ(LengthFormat::as_written(" 90 m ", 5400)(5400), "90 min");
  EXPECT_EQ(LengthFormat::as_written("12d12h", 300 * 3600)(300 * 3600), "12.5 d");
  EXPECT_EQ(LengthFormat::as_written("0.0001d", 8.64)(8.64), "8.64 s");
  EXPECT_EQ(LengthFormat::as_written("36000s", 36000)(36000), "10 h");
}

TEST(Lengths, AreNotGeological) {
  for (const auto parse : {+[] { parse_length("1e20h", "--work"); }, +[] { parse_seconds("1e20h", "--work"); }})
    EXPECT_THAT(parse, ThrowsMessage<InputError>("--work must be less than 1e15 s (32 million years), not \"1e20h\""));
  EXPECT_NO_THROW(parse_length("9.99e14s", "--work"));
}

TEST(Lengths, ShowInOneUnit) {
  const LengthFormat hours = LengthFormat::best_for(40 * 3600);
  EXPECT_EQ(hours(40 * 3600), "40 h");
  EXPECT_EQ(hours(600), "0.1667 h");
  EXPECT_EQ(hours(12346 * 3600.0), "12350 h");
  EXPECT_EQ(LengthFormat()(1.25), "1.25");
}

TEST(Lengths, ShowAloneInTheUnitThatSuitsThem) {
  EXPECT_EQ(length_text(0), "0 s");
  EXPECT_EQ(length_text(0.0312, 2), "31 ms");
  EXPECT_EQ(length_text(0.99999999), "1 s");
  EXPECT_EQ(length_text(1.5), "1.5 s");
  EXPECT_EQ(length_text(119, 3), "119 s");
  EXPECT_EQ(length_text(300), "5 min");
  EXPECT_EQ(length_text(3.5 * 3600, 2), "3.5 h");
  EXPECT_EQ(length_text(100 * 3600), "100 h");
  EXPECT_EQ(length_text(114 * 3600, 2), "110 h");
  EXPECT_EQ(length_text(20 * 86400), "20 d");
  EXPECT_EQ(length_text(1e300), "1.157e+295 d");
  EXPECT_EQ(seconds_text(90), "90 s");
  EXPECT_EQ(seconds_text(6408000), "6.408e+06 s (74.17 d)");
  EXPECT_EQ(seconds_text(6300), "6300 s (105 min)");
}

TEST(Lengths, ReadWhatTheyShow) {
  for (const double seconds : {0.25, 90.0, 300.0, 5400.0, 144000.0, 1728000.0})
    EXPECT_EQ(parse_length(length_text(seconds), "").value, seconds);
}

}  // namespace
}  // namespace coterie
