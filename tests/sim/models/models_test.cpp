#include <gtest/gtest.h>

#include <set>

#include "sim/campaign/catalogue.hpp"

namespace coterie::sim {
namespace {

TEST(Models, NoAxisTakesTheNameOfADataset) {
  const std::set<std::string> datasets = {
      "ratio", "reference", "strategy",       "instance", "configuration", "chunks", "chunk_size", "expected_work",
      "mean",  "stddev",    "standard_error", "min",      "max",           "q05",    "q25",        "q50",
      "q75",   "q95",       "identity"};
  for (const Model* model : Catalogue::own().models())
    for (const Axis& axis : model->axes())
      EXPECT_TRUE(!datasets.contains(axis.name) || axis.name == "chunks") << model->name() << ' ' << axis.name;
}

TEST(Models, NamesAreUnique) {
  std::set<std::string> names;
  for (const Model* model : Catalogue::own().models()) {
    EXPECT_TRUE(names.insert(model->name()).second);
    std::set<std::string> strategies;
    for (const StrategyText& strategy : model->strategies())
      EXPECT_TRUE(strategies.insert(strategy.name).second) << model->name() << ' ' << strategy.name;
  }
}

}  // namespace
}  // namespace coterie::sim
