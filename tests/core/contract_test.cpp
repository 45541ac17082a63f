#include "core/contract.hpp"

#include <gtest/gtest.h>

#include "core/aged_risk.hpp"
#include "core/risk.hpp"
#include "core/schedule.hpp"

namespace coterie {
namespace {

double root(double value) {
  COTERIE_REQUIRE(value >= 0);
  return value;
}

TEST(Contract, ABrokenOneNamesItsPlaceAndCondition) {
  EXPECT_EQ(root(0), 0);
  try {
    root(-1);
    FAIL();
  } catch (const BrokenContract& broken) {
    const std::string what = broken.what();
    EXPECT_TRUE(what.find("contract_test.cpp:") != std::string::npos) << what;
    EXPECT_TRUE(what.ends_with(": requires value >= 0")) << what;
  }
}

TEST(Contract, OfRisksAndSchedules) {
  EXPECT_THROW(make_linear_risk(0), BrokenContract);
  EXPECT_THROW(AgedRisk(make_linear_risk(), -1, ""), BrokenContract);
  EXPECT_THROW(back_to_back({}, {}, -0.1), BrokenContract);
}

}  // namespace
}  // namespace coterie
