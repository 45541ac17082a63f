#include "core/capacity_law.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "core/empirical_risk.hpp"
#include "core/killed_queue.hpp"
#include "core/processing_law.hpp"
#include "tests/parametric.hpp"

namespace coterie {
namespace {

constexpr auto kFull = BackgroundLaw::Departures::kFull;
constexpr auto kShared = BackgroundLaw::Departures::kShared;

/// One capacity, change by change.
double walked(const BackgroundLaw& law, double interruption, std::mt19937_64& random) {
  std::int64_t jobs = law.initial;
  double time = 0;
  double work = 0;
  while (true) {
    const auto n = static_cast<double>(jobs);
    const double down = jobs > 0 ? law.service * (law.departures == kShared ? n / (n + 1) : 1) : 0;
    const double all = law.arrival + down;
    const double stay = all > 0 ? std::exponential_distribution<double>(all)(random) : interruption;
    const double end = std::min(interruption, time + stay);
    work += (end - time) / (n + 1);
    if (end == interruption) return work;
    time = end;
    jobs += std::uniform_real_distribution<double>()(random) * all < law.arrival ? 1 : -1;
  }
}

const std::vector<BackgroundLaw>& laws() {
  static const std::vector<BackgroundLaw> table = {
      {1, 5, 0, kFull}, {4, 5, 2, kFull}, {2.5, 5, 1, kShared}, {3, 1, 0, kFull}, {0, 2, 3, kFull}};
  return table;
}

// With 17 works, 5 laws and 5 risks, each within Hoeffding's bound for 27,000 paths: fails by chance below 1e-9.
TEST(CapacityLaw, IsWhatPathsOfTheJobsSay) {
  constexpr int kFewPaths = 27'000;
  constexpr int kWorks = 17;
  const double bound = std::sqrt(std::log(2 * kWorks * 25 / 1e-9) / (2 * kFewPaths));
  const auto trace = std::make_shared<EmpiricalRisk>(std::vector<double>{0.2, 0.3, 0.3, 0.7, 1.1}, "durations");
  for (const RiskPtr& law : {risk("exponential(rate=1.5)"), risk("hyperexponential(p=0.3, rate1=0.5, rate2=4)"),
                             risk("linear(kappa=1)"), risk("weibull(shape=2, scale=0.7)"), RiskPtr(trace)})
    for (const BackgroundLaw& jobs : laws()) {
      const RiskPtr exact = exact_capacity_risk(law, jobs, 2);
      ASSERT_NE(exact, nullptr) << law->text() << " " << jobs.arrival;
      std::mt19937_64 random(7);
      std::vector<double> capacities;
      for (int path = 0; path < kFewPaths; ++path)
        capacities.push_back(walked(jobs, law->quantile(std::uniform_real_distribution<double>()(random)), random));
      std::sort(capacities.begin(), capacities.end());
      for (int k = 1; k <= kWorks; ++k) {
        const double work = 0.061 * k;  // no multiple of a jump: rounding would decide
        const auto below = std::lower_bound(capacities.begin(), capacities.end(), work) - capacities.begin();
        ASSERT_NEAR(exact->probability(work), static_cast<double>(below) / kFewPaths, bound)
            << law->text() << " " << jobs.arrival << "/" << jobs.service << " " << work;
      }
    }
}

// Two ways that have nothing in common: a chain on the clock of the work, and processing averaged over the time.
TEST(CapacityLaw, ChainAndAverageAgree) {
  for (const BackgroundLaw& jobs : laws()) {
    constexpr double kRate = 6;
    const auto chain = KilledQueue::make(jobs, kRate, 1);
    const auto law = ProcessingLaw::make(jobs, 5);
    ASSERT_TRUE(chain && law);
    for (const double work : {0.01, 0.05, 0.1, 0.21, 0.5}) {
      // Between times at which work is what one of the speeds does, by Simpson's rule.
      double sum = 0;
      const double last = std::min(5.0, work * static_cast<double>(law->speeds()));
      for (double begin = work; begin < last; begin += work) {
        const double end = std::min(last, begin + work);
        constexpr int kCells = 200;
        const double h = (end - begin) / kCells;
        for (int cell = 0; cell <= kCells; ++cell) {
          const double time = std::clamp(begin + cell * h, begin * (1 + 1e-11), end * (1 - 1e-11));
          const double factor = cell == 0 || cell == kCells ? 1 : cell % 2 == 1 ? 4 : 2;
          sum += factor * h / 3 * kRate * std::exp(-kRate * time) * law->done_by(time, work);
        }
      }
      sum += std::exp(-kRate * last);
      ASSERT_NEAR(chain->survival(work), sum, 2e-8) << jobs.arrival << "/" << jobs.service << " " << work;
    }
  }
}

// No job ever comes: a worker with n of them has 1/(n + 1) of its time; one job that leaves has a closed law.
TEST(CapacityLaw, HasClosedForms) {
  const RiskPtr linear = make_linear_risk(1);
  EXPECT_EQ(exact_capacity_risk(linear, {0, 1, 0, kFull}, 1), linear);
  const RiskPtr slowed = exact_capacity_risk(linear, {0, 0, 3, kFull}, 1);
  EXPECT_DOUBLE_EQ(slowed->probability(0.1), 0.4);
  EXPECT_DOUBLE_EQ(slowed->probability(0.25), 1);
  EXPECT_DOUBLE_EQ(slowed->horizon(), 0.25);
  // On the clock of the work the job leaves with rate 2 mu, and interruption comes with rate 2 r, then r:
  // G = e^{-a w} + 2 mu (e^{-r w} - e^{-a w}) / (a - r), a = 2 (mu + r).
  const double mu = 3;
  const double r = 0.5;
  const double a = 2 * (mu + r);
  const RiskPtr exact = exact_capacity_risk(risk("exponential(rate=0.5)"), {0, mu, 1, kFull}, 2);
  for (const double w : {0.1, 0.5, 1.0, 2.0})
    EXPECT_NEAR(exact->survival(w), std::exp(-a * w) + 2 * mu * (std::exp(-r * w) - std::exp(-a * w)) / (a - r), 1e-11);
  // Until t the job has left by s with V = s / 2 + (t - s), or not, with V = t / 2.
  const auto law = ProcessingLaw::make({0, mu, 1, kFull}, 3);
  ASSERT_TRUE(law);
  for (const double t : {0.5, 1.0, 3.0})
    for (const double part : {0.55, 0.7, 0.93})
      EXPECT_NEAR(law->done_by(t, part * t), 1 - std::exp(-mu * 2 * (1 - part) * t), 1e-10);
  EXPECT_NEAR(law->done_by(1, 0.5), 1, 1e-10);
}

// Interrupted at one known time: the law jumps where a chunk would end without a change of the jobs.
TEST(CapacityLaw, KnowsTheAtomsOfATrace) {
  const auto trace = std::make_shared<EmpiricalRisk>(std::vector<double>{0.3}, "durations");
  const RiskPtr exact = exact_capacity_risk(trace, {2, 5, 0, kFull}, 1);
  ASSERT_NE(exact, nullptr);
  EXPECT_NEAR(exact->survival(0.3), std::exp(-0.6), 1e-10);  // nobody came
  EXPECT_NEAR(exact->survival(std::nextafter(0.3, 0)), std::exp(-0.6), 1e-10);
  EXPECT_EQ(exact->survival(0.3001), 0);
  // One job from the beginning that is still there at the end.
  const RiskPtr slow = exact_capacity_risk(trace, {2, 5, 1, kFull}, 1);
  EXPECT_NEAR(slow->survival(0.15) - slow->survival(0.15 * (1 + 1e-9)), std::exp(-7 * 0.3), 1e-7);
  EXPECT_NEAR(exact->survival(0.2999), std::exp(-0.6), 1e-2);
}

TEST(CapacityLaw, OfASteepLawIsThatOfItsOnlyTimeOrUnknown) {
  const BackgroundLaw jobs = {0.1, 0.125, 0, kFull};
  const RiskPtr five = exact_capacity_risk(std::make_shared<EmpiricalRisk>(std::vector{5.0}, "durations"), jobs, 4);
  ASSERT_NE(five, nullptr);
  EXPECT_GT(five->survival(3), std::exp(-0.5));  // nobody may come
  for (const char* sigma : {"1e-3", "1e-4", "1e-5", "1e-6", "1e-12"}) {
    const RiskPtr exact = exact_capacity_risk(risk(fmt::format("lognormal(median=5, sigma={})", sigma)), jobs, 4);
    EXPECT_TRUE(exact != nullptr || std::stod(sigma) < 1e-4) << sigma;
    if (exact == nullptr) continue;
    EXPECT_NEAR(exact->survival(3), five->survival(3), 1e-4) << sigma;
  }
}

TEST(CapacityLaw, IsUnknownWhereItWouldTakeLong) {
  EXPECT_EQ(exact_capacity_risk(make_linear_risk(1), {80, 100, 0, kFull}, 1), nullptr);
  EXPECT_EQ(exact_capacity_risk(risk("exponential(rate=1e-9)"), {5, 5, 0, kFull}, 1), nullptr);
  EXPECT_EQ(exact_capacity_risk(make_linear_risk(1), {1, 5, 1'000'000, kFull}, 1), nullptr);
  EXPECT_NE(exact_capacity_risk(risk("exponential(rate=1)"), {80, 100, 0, kFull}, 1), nullptr);
}

TEST(CapacityLaw, IsALaw) {
  for (const BackgroundLaw& jobs : laws())
    for (const RiskPtr& law : {risk("exponential(rate=1.5)"), risk("linear(kappa=1)")}) {
      const RiskPtr exact = exact_capacity_risk(law, jobs, 2);
      EXPECT_EQ(exact->probability(0), 0);
      double before = 0;
      for (double work = 0.01; work < 2.2; work += 0.037) {
        const double now = exact->probability(work);
        ASSERT_GE(now, before - 1e-10);
        ASSERT_GE(now, law->probability(work) - 1e-12);
        before = now;
        if (work < 2 && now < 1 - 1e-6) {
          ASSERT_NEAR(exact->quantile(now), work, 1e-6) << law->text() << " " << jobs.arrival;
        }
      }
    }
}

}  // namespace
}  // namespace coterie
