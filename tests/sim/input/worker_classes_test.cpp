#include "sim/input/worker_classes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace coterie::sim {
namespace {

using Counts = std::vector<std::size_t>;

TEST(WorkerClasses, ReadWeightsAndRisks) {
  const auto classes =
      WorkerClasses::parse("mix( 1/2 : trace(file=\"a:b,c\", age=each(1, 2)), .25:linear , 3 : exponential(rate=2) )");
  EXPECT_EQ(classes.weights, (std::vector<double>{0.5, 0.25, 3}));
  EXPECT_EQ(classes.risks,
            (std::vector<std::string>{"trace(file=\"a:b,c\", age=each(1, 2))", "linear", "exponential(rate=2)"}));
  EXPECT_EQ(WorkerClasses::text(classes.weights, {"a", "b", "c"}), "mix(0.5 : a, 0.25 : b, 3 : c)");
}

TEST(WorkerClasses, RefuseWhatIsNoClass) {
  for (const char* text : {"mix", "mix()", "mix(linear)", "mix(1 : )", "mix(0 : linear)", "mix(-1 : linear)",
                           "mix(x : linear)", "mix(1 : linear,)", "mix(1 : 2 : linear)", "mix(1/0 : linear)",
                           "mix(1 : mix(1 : linear))", "mix(1 : linear", "mix(1 : linear) x", "mix(1e999 : linear)"})
    EXPECT_THROW(WorkerClasses::parse(text), InputError) << text;
}

TEST(WorkerClasses, CountsAreTheSharesWhereTheseAreWhole) {
  EXPECT_EQ(class_counts({3, 2}, 5), (Counts{3, 2}));
  EXPECT_EQ(class_counts({3, 2}, 100), (Counts{60, 40}));
  EXPECT_EQ(class_counts({1.2e308, 0.8e308}, 10), (Counts{6, 4}));
  EXPECT_EQ(class_counts({0.1, 0.2, 0.7}, 10), (Counts{1, 2, 7}));
  EXPECT_EQ(class_counts({1.0 / 3, 1.0 / 3, 1.0 / 3}, 3), (Counts{1, 1, 1}));
}

TEST(WorkerClasses, CountsAreNeverAWorkerOffTheShares) {
  for (std::size_t workers = 1; workers <= 60; ++workers)
    for (double a = 0.5; a < 9; a += 1.25)
      for (double b = 0.25; b < 5; b += 0.7) {
        const std::vector<double> weights = {a, b, 2};
        const Counts counts = class_counts(weights, workers);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), workers);
        for (std::size_t k = 0; k < 3; ++k)
          EXPECT_LT(std::abs(static_cast<double>(counts[k]) - weights[k] * static_cast<double>(workers) / (a + b + 2)),
                    1);
      }
}

TEST(WorkerClasses, StandSpreadEvenly) {
  EXPECT_EQ(class_of_workers({3, 2}), (Counts{0, 1, 0, 1, 0}));
  EXPECT_EQ(class_of_workers({1, 0, 4}), (Counts{2, 2, 0, 2, 2}));
  // Every run of neighbours holds each class in its share, to within two workers.
  const Counts counts = {12, 30, 18};
  const Counts classes = class_of_workers(counts);
  ASSERT_EQ(classes.size(), 60u);
  for (std::size_t begin = 0; begin < 60; ++begin)
    for (std::size_t end = begin; end <= 60; ++end)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto there = static_cast<double>(std::count(classes.begin() + static_cast<std::ptrdiff_t>(begin),
                                                          classes.begin() + static_cast<std::ptrdiff_t>(end), k));
        EXPECT_LE(std::abs(there - static_cast<double>((end - begin) * counts[k]) / 60), 2);
      }
}

}  // namespace
}  // namespace coterie::sim
