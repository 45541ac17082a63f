#include "core/ties.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include "core/aged_risk.hpp"
#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"
#include "core/mixture_risk.hpp"
#include "core/schedule.hpp"

namespace coterie {
namespace {

/// Times in whole hundredths, of which most are no doubles.
using Hundredths = std::int64_t;
double to_time(Hundredths time) { return static_cast<double>(time) / 100; }

/// A worker's interruption time, of equally probable ones that were recorded, in hundredths and as a risk.
struct Recorded {
  std::vector<Hundredths> times;
  RiskPtr risk;
};

/// P(T >= time), counted.
double survival(const Recorded& recorded, Hundredths time) {
  const auto lives = [&](Hundredths end) { return end >= time; };
  return static_cast<double>(std::count_if(recorded.times.begin(), recorded.times.end(), lives)) /
         static_cast<double>(recorded.times.size());
}

class Cases {
 public:
  Hundredths number(Hundredths low, Hundredths high) {
    return std::uniform_int_distribution<Hundredths>(low, high)(engine_);
  }
  std::vector<Hundredths> numbers(std::size_t count, Hundredths low, Hundredths high) {
    std::vector<Hundredths> result(count);
    for (Hundredths& value : result) value = number(low, high);
    return result;
  }

  /// A trace, a mixture of two, or what is left after an age.
  Recorded recorded() {
    constexpr std::size_t kTimes = 12;
    Recorded made{numbers(kTimes, 1, 60), nullptr};
    switch (number(0, 2)) {
      case 0:
        made.risk = trace(made.times);
        break;
      case 1: {
        const Recorded other{numbers(kTimes, 1, 60), nullptr};
        made.risk = std::make_shared<MixtureRisk>(std::vector<RiskPtr>{trace(made.times), trace(other.times)},
                                                  std::vector<double>{1, 1}, "mix");
        made.times.insert(made.times.end(), other.times.begin(), other.times.end());
        break;
      }
      default: {
        const Hundredths age = number(1, 40);
        std::vector<Hundredths> whole = made.times;
        for (Hundredths& time : whole) time += age;
        whole.push_back(age - 1);  // does not live to that age
        made.risk = std::make_shared<AgedRisk>(trace(whole), to_time(age), "aged");
      }
    }
    return made;
  }

 private:
  static RiskPtr trace(const std::vector<Hundredths>& times) {
    std::vector<double> durations;
    for (const Hundredths time : times) durations.push_back(to_time(time));
    return std::make_shared<EmpiricalRisk>(std::move(durations), "trace");
  }

  std::mt19937_64 engine_{1};
};

/// One schedule whose pieces are written in decimals: workers run random pieces back to back.
struct DecimalSchedule {
  std::vector<Hundredths> sizes;
  std::vector<std::vector<std::uint32_t>> lists;
  Hundredths startup;

  Schedule made() const {
    std::vector<double> boundaries = {0};
    Hundredths end = 0;
    for (const Hundredths size : sizes) boundaries.push_back(to_time(end += size));
    std::vector<double> lengths;
    for (std::size_t i = 0; i < sizes.size(); ++i) lengths.push_back(boundaries[i + 1] - boundaries[i]);
    TaskLists tasks;
    for (const auto& list : lists) {
      for (const std::uint32_t piece : list) tasks.add({piece, 1});
      tasks.close(back_to_back(tasks.open(), lengths, to_time(startup)));
    }
    return Schedule(std::move(boundaries), std::move(tasks));
  }

  /// Expected work, where `survives(worker, end)` is the probability to live at least so long, in whole hundredths.
  template <typename Survives>
  double work(const Survives& survives) const {
    std::vector<double> lost(sizes.size(), 1);
    for (std::size_t worker = 0; worker < lists.size(); ++worker) {
      Hundredths end = 0;
      for (const std::uint32_t piece : lists[worker]) {
        end += sizes[piece] + startup;
        lost[piece] *= 1 - survives(worker, end);
      }
    }
    double sum = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) sum += to_time(sizes[i]) * (1 - lost[i]);
    return sum;
  }
};

DecimalSchedule random_schedule(Cases& cases, std::size_t workers) {
  DecimalSchedule schedule{cases.numbers(5, 1, 15), {}, cases.number(0, 5)};
  std::vector<std::uint32_t> order = {0, 1, 2, 3, 4};
  for (std::size_t worker = 0; worker < workers; ++worker) {
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(cases.number(0, static_cast<Hundredths>(i) - 1))]);
    schedule.lists.push_back(order);
  }
  return schedule;
}

TEST(Ties, ChunkThatEndsAtARecordedTimeIsDoneHoweverItsEndWasAddedUp) {
  Cases cases;
  for (int trial = 0; trial < 3000; ++trial) {
    const std::vector<Recorded> workers = {cases.recorded(), cases.recorded()};
    const DecimalSchedule decimals = random_schedule(cases, workers.size());
    const std::vector<RiskPtr> risks = {workers[0].risk, workers[1].risk};
    const double exact =
        decimals.work([&](std::size_t worker, Hundredths end) { return survival(workers[worker], end); });

    EXPECT_NEAR(expected_work(decimals.made(), risks), exact, 1e-12) << "trial " << trial;
  }
}

TEST(Ties, CapacityOfARecordedTimeCompletesWhatEndsThen) {
  Cases cases;
  for (int trial = 0; trial < 3000; ++trial) {
    const DecimalSchedule decimals = random_schedule(cases, 2);
    const std::vector<Hundredths> times = cases.numbers(2, 1, 60);
    const std::vector<double> capacities = {just_after(to_time(times[0])), just_after(to_time(times[1]))};
    const double exact =
        decimals.work([&](std::size_t worker, Hundredths end) { return end <= times[worker] ? 1.0 : 0.0; });

    EXPECT_NEAR(completed_work(decimals.made(), capacities), exact, 1e-12) << "trial " << trial;
  }
}

TEST(Ties, TimesThatClocksTellApartStayApart) {
  const EmpiricalRisk risk({1e6 - 1e-3, 1e6, 1e6 + 1e-3}, "milliseconds in eleven days");

  EXPECT_DOUBLE_EQ(risk.probability(1e6), 1.0 / 3);
  EXPECT_DOUBLE_EQ(risk.probability(1e6 + 1e-4), 2.0 / 3);
  EXPECT_EQ(risk.quantile(0.5), 1e6);
  EXPECT_EQ(risk.breaks(), (std::vector{1e6 - 1e-3, 1e6, 1e6 + 1e-3}));
}

TEST(Ties, HoldFromTheLeastToTheGreatestDouble) {
  EXPECT_EQ(just_after(0), 0);
  EXPECT_GT(just_after(0.3), 0.1 + 0.2);
  EXPECT_EQ(just_after(kInfinity), std::numeric_limits<double>::max());
  EXPECT_EQ(just_after(std::numeric_limits<double>::max()), std::numeric_limits<double>::max());
}

}  // namespace
}  // namespace coterie
