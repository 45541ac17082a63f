#include "sim/sampling/capacity_laws.hpp"

#include <gtest/gtest.h>

namespace coterie::sim {
namespace {

TEST(CapacityLaws, ForgetSumsWithoutChangingThem) {
  constexpr std::size_t kWorkers = 3000;
  constexpr std::size_t kSums = 40;
  const std::vector<RiskPtr> risks = {make_linear_risk()};
  const double work = 0.4 * static_cast<double>(kWorkers);
  CapacityLaws laws;
  std::vector<CapacityMeans> first;
  std::size_t points = 0;
  for (std::size_t i = 0; i < kSums; ++i) {
    const std::size_t before = laws.kept();
    first.push_back(laws.of(risks, kWorkers, 0.001 * static_cast<double>(i), work));
    points += laws.kept() > before ? laws.kept() - before : laws.kept();
    EXPECT_LT(laws.kept(), std::size_t{9} << 20U);  // 72 MiB
  }
  EXPECT_LT(laws.kept(), points) << "some had to go";

  for (std::size_t i = 0; i < kSums; ++i) {
    const CapacityMeans again = laws.of(risks, kWorkers, 0.001 * static_cast<double>(i), work);
    EXPECT_EQ(again.limited.value, first[i].limited.value);
    EXPECT_EQ(again.variance.value, first[i].variance.value);
  }
}

}  // namespace
}  // namespace coterie::sim
