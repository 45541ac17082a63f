#include "heuristics/worksharing/plan_cache.hpp"

#include <gtest/gtest.h>

namespace coterie::heuristics {
namespace {

Plan with_chunks(std::size_t chunks) {
  Plan plan;
  plan.chunks = chunks;
  return plan;
}

std::size_t built = 0;

Plan counted(PlanCache& cache) {
  ++built;
  return with_chunks(cache.problem().workers);
}

Plan from_counted(PlanCache& cache) { return with_chunks(cache.get(counted).chunks + 1); }

Plan refuses(PlanCache&) { throw InputError("no"); }

TEST(PlanCache, BuildsEachPlanOnce) {
  built = 0;
  PlanCache cache({6, 1, 0.1, make_linear_risk(), 1.0, 0}, {Granularity::Kind::kPerUnit, 5});

  EXPECT_EQ(cache.get(from_counted).chunks, 7u);
  EXPECT_EQ(cache.get(counted).chunks, 6u);
  EXPECT_EQ(cache.get(from_counted).chunks, 7u);
  EXPECT_EQ(built, 1u);
}

TEST(PlanCache, HandsOnWhatABuilderThrows) {
  PlanCache cache({6, 1, 0.1, make_linear_risk(), 1.0, 0}, {Granularity::Kind::kPerUnit, 5});

  EXPECT_THROW(cache.get(refuses), InputError);
  EXPECT_THROW(cache.get(refuses), InputError);
}

}  // namespace
}  // namespace coterie::heuristics
