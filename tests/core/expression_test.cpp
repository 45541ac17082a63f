#include "core/expression.hpp"

#include <gtest/gtest.h>

namespace coterie {
namespace {

TEST(Expression, ReadsANameAlone) {
  const Expression expression = Expression::parse(" linear ");

  EXPECT_EQ(expression.name(), "linear");
  EXPECT_NO_THROW(expression.allow_only({}));
}

TEST(Expression, ReadsNamedArgumentsAndNestedCalls) {
  const Expression expression = Expression::parse("trace(file=\"a, (b).txt\", normalise=quantile(0.9), age = 3)");

  EXPECT_EQ(expression.word("file"), "a, (b).txt");
  EXPECT_EQ(Expression::parse(expression.word("normalise")).argument(), "0.9");
  EXPECT_EQ(expression.number("age"), 3.0);
  EXPECT_EQ(expression.number("shape", 2.0), 2.0);
}

TEST(Expression, RefusesMalformedText) {
  for (const char* text : {"", "(a=1)", "a(b=1", "a(b=1))", "a(b=1)c", "a(b=)", "a(=1)", "a(b=1,b=2)", "a(b=\"1)",
                           "a(b=1,)", "a(1,2)", "a(b=1=2)"})
    EXPECT_THROW(Expression::parse(text), InputError) << text;
}

TEST(Expression, NamesThePlaceAndTheNearestArgument) {
  const Expression expression = Expression::parse("weibull(shap=1)", {"campaign.toml", 12, 3});

  try {
    expression.allow_only({"shape", "scale"});
    FAIL() << "an unknown argument was let through";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "campaign.toml:12:3: weibull: unknown argument \"shap\" (did you mean \"shape\"?); "
                 "it takes \"shape\" or \"scale\"");
  }
}

TEST(Expression, TakesFractionsAsNumbers) {
  EXPECT_EQ(Expression::parse("linear(kappa=1/3)").number("kappa"), 1.0 / 3);
  EXPECT_THROW(Expression::parse("linear(kappa=1/0)").number("kappa"), InputError);
  EXPECT_THROW(Expression::parse("linear(kappa=a/3)").number("kappa"), InputError);
}

}  // namespace
}  // namespace coterie
