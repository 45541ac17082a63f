// The capacity that background jobs leave, against computations that draw nothing.
#include "sim/sampling/background.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

std::shared_ptr<const Background> background(const std::string& text) {
  return make_background(Expression::parse(text));
}

Stream stream_of(std::uint64_t instance, std::string_view test) {
  return Stream(StreamKey::derive(2019, identity_hash(test), Use::kArrival), instance, 0);
}

double capacity(const Background& law, double interruption, std::uint64_t instance, double enough = kInfinity) {
  Stream stream = stream_of(instance, "capacity");
  return law.capacity(interruption, enough, stream);
}

/// E of the integral of 1/(n+1) over [0, T]: Kolmogorov's forward equations of the queue cut off at 60 jobs, by
/// Runge-Kutta of order 4 with 20000 steps.
double expected_capacity(double arrival, double service, std::size_t initial, double horizon, bool shared = false) {
  constexpr std::size_t kStates = 61;
  constexpr int kSteps = 20000;
  using Law = std::array<double, kStates>;
  const auto slope = [&](const Law& p) {
    Law d{};
    for (std::size_t n = 0; n < kStates; ++n) {
      const double up = n + 1 < kStates ? arrival * p[n] : 0;
      const auto jobs = static_cast<double>(n);
      const double down = n > 0 ? service * p[n] * (shared ? jobs / (jobs + 1) : 1) : 0;
      d[n] -= up + down;
      if (n + 1 < kStates) d[n + 1] += up;
      if (n > 0) d[n - 1] += down;
    }
    return d;
  };
  const auto speed = [](const Law& p) {
    double sum = 0;
    for (std::size_t n = 0; n < kStates; ++n) sum += p[n] / static_cast<double>(n + 1);
    return sum;
  };
  const auto moved = [](const Law& p, const Law& d, double by) {
    Law q = p;
    for (std::size_t n = 0; n < kStates; ++n) q[n] += by * d[n];
    return q;
  };
  Law p{};
  p[initial] = 1;
  const double h = horizon / kSteps;
  double work = 0;
  for (int i = 0; i < kSteps; ++i) {
    const Law k1 = slope(p);
    const Law middle = moved(p, k1, h / 2);
    const Law k2 = slope(middle);
    const Law k3 = slope(moved(p, k2, h / 2));
    const Law end = moved(p, k3, h);
    const Law k4 = slope(end);
    const double before = speed(p);
    Law total{};
    for (std::size_t n = 0; n < kStates; ++n) total[n] = (k1[n] + 2 * k2[n] + 2 * k3[n] + k4[n]) / 6;
    p = moved(p, total, h);
    work += h * (before + 4 * speed(middle) + speed(p)) / 6;
  }
  return work;
}

struct Sample {
  double mean = 0;
  double half_width = 0;  // of Hoeffding's bound at false alarm 1e-10; capacities lie in [0, T]
};

Sample sampled_capacity(const Background& law, double horizon, int paths) {
  double sum = 0;
  for (int path = 0; path < paths; ++path) sum += capacity(law, horizon, static_cast<std::uint64_t>(path));
  return {sum / paths, horizon * std::sqrt(std::log(2e10) / (2.0 * paths))};
}

TEST(Mm1, LeavesTheExpectedCapacityOfTheQueue) {
  struct Case {
    double arrival, service;
    std::size_t initial;
    double horizon;
  };
  // 6 means, false alarm 1e-10 each.
  for (const Case& c : {Case{1, 2, 0, 3}, Case{1, 2, 4, 3}, Case{3, 1, 0, 2}, Case{0.1, 0.125, 0, 10}, Case{0, 1, 5, 4},
                        Case{2, 0, 1, 2}}) {
    const auto law = background("mm1(arrival=" + std::to_string(c.arrival) + ", service=" + std::to_string(c.service) +
                                ", initial=" + std::to_string(c.initial) + ")");
    const Sample sample = sampled_capacity(*law, c.horizon, 125'000);
    const double expected = expected_capacity(c.arrival, c.service, c.initial, c.horizon);

    EXPECT_NEAR(sample.mean, expected, sample.half_width) << law->text();
    // Planted: one job more at the start.
    EXPECT_GT(std::abs(sample.mean - expected_capacity(c.arrival, c.service, c.initial + 1, c.horizon)),
              sample.half_width)
        << law->text();
  }
}

// Without service n(t) is Poisson: E 1/(n+1) = (1 - exp(-a t)) / (a t). The check of the checker, too.
TEST(Mm1, WithoutServiceLeavesTheCapacityOfAPoissonProcess) {
  const double a = 2;
  const double horizon = 3;
  double expected = 0;
  for (int i = 0; i < 100'000; ++i) {
    const double t = (i + 0.5) * horizon / 100'000;
    expected += -std::expm1(-a * t) / (a * t) * horizon / 100'000;
  }
  const Sample sample = sampled_capacity(*background("mm1(arrival=2, service=0)"), horizon, 125'000);

  EXPECT_NEAR(expected_capacity(a, 0, 0, horizon), expected, 1e-8);
  EXPECT_NEAR(sample.mean, expected, sample.half_width);
}

// In equilibrium E 1/(n+1) = (1 - rho) ln(1/(1 - rho)) / rho. One path of 10^6 mean service times; autocorrelation time
// of this queue is below 12 service times, so the average of 8e4 independent values in [0, 1]: 1e-8 at 0.011.
TEST(Mm1, LeavesTheEquilibriumSpeedInTheLongRun) {
  const double rho = 0.5;
  const double horizon = 1e6;
  const double speed = capacity(*background("mm1(arrival=0.5, service=1)"), horizon, 0) / horizon;

  EXPECT_NEAR(speed, (1 - rho) * -std::log(1 - rho) / rho, 0.011);
}

TEST(Mm1, WithoutJobsLeavesFullSpeed) {
  for (const double interruption : {0.0, 0.3, 7.5, 1e300, kInfinity})
    EXPECT_EQ(capacity(*background("mm1(arrival=0, service=1)"), interruption, 3), interruption);
}

TEST(Mm1, WithoutArrivalsAndServiceNothingChanges) {
  const auto law = background("mm1(arrival=0, service=0, initial=3)");

  EXPECT_EQ(capacity(*law, 8, 0), 2);
  EXPECT_EQ(capacity(*law, kInfinity, 0), kInfinity);
}

TEST(Mm1, GrowsWithTheInterruptionTimeAlongOnePath) {
  const auto law = background("mm1(arrival=3, service=4)");
  for (std::uint64_t path = 0; path < 200; ++path) {
    double before = 0;
    for (double time = 0; time < 5; time += 0.01) {
      const double now = capacity(*law, time, path);
      ASSERT_GE(now, before - 1e-15);
      ASSERT_LE(now - before, 0.01 + 1e-12);
      before = now;
    }
  }
}

TEST(Mm1, LooksNoFurtherThanEnough) {
  const auto law = background("mm1(arrival=3, service=4)");
  int cut = 0;
  for (std::uint64_t path = 0; path < 2000; ++path) {
    const double interruption = 0.01 * static_cast<double>(path % 700);
    const double enough = 0.01 * static_cast<double>(path % 130);
    const double whole = capacity(*law, interruption, path);
    const double part = capacity(*law, interruption, path, enough);
    if (whole < enough) {
      ASSERT_EQ(part, whole);
    } else {
      ASSERT_GE(part, enough);
      ASSERT_LE(part, whole);
      cut += part < whole;
    }
  }
  EXPECT_GT(cut, 100);
}

TEST(Mm1, PathHoldsTheCapacityAtAllTimesUpToItsEnd) {
  for (const char* text : {"mm1(arrival=3, service=4)", "mm1(arrival=3, service=4, initial=2, departures=shared)",
                           "mm1(arrival=0, service=0, initial=3)"}) {
    const auto law = background(text);
    for (std::uint64_t path = 0; path < 300; ++path) {
      Stream stream = stream_of(path, "capacity");
      const SpeedProfile whole = law->path(4, kInfinity, stream);
      Stream again = stream_of(path, "capacity");
      const SpeedProfile part = law->path(kInfinity, 1, again);
      for (double time = 0; time <= 4; time += 0.37) {
        ASSERT_NEAR(whole.work(time), capacity(*law, time, path), 1e-13);
        if (whole.work(time) <= 1) {
          ASSERT_EQ(part.work(time), whole.work(time));
        }
      }
    }
  }
}

// 3 means, false alarm 1e-10 each. Planted: departures at full speed.
TEST(Mm1, SharedDeparturesLeaveTheExpectedCapacityOfTheirQueue) {
  for (const auto& [arrival, service, initial, horizon] :
       {std::tuple(1.0, 2.0, 1, 3.0), std::tuple(0.0, 2.0, 3, 3.0), std::tuple(2.0, 3.0, 0, 4.0)}) {
    const auto law = background("mm1(arrival=" + std::to_string(arrival) + ", service=" + std::to_string(service) +
                                ", initial=" + std::to_string(initial) + ", departures=shared)");
    const Sample sample = sampled_capacity(*law, horizon, 125'000);
    const auto jobs = static_cast<std::size_t>(initial);

    EXPECT_NEAR(sample.mean, expected_capacity(arrival, service, jobs, horizon, true), sample.half_width);
    EXPECT_GT(std::abs(sample.mean - expected_capacity(arrival, service, jobs, horizon)), sample.half_width);
  }
}

/// With an equal share for our work, jobs leave more slowly: E9b.
TEST(Mm1, SharedDeparturesLeaveLess) {
  const auto full = background("mm1(arrival=3, service=4)");
  const auto shared = background("mm1(arrival=3, service=4, departures=shared)");
  const Sample more = sampled_capacity(*full, 5, 25000);
  const Sample less = sampled_capacity(*shared, 5, 25000);
  EXPECT_GT(more.mean - less.mean, more.half_width + less.half_width);
}

TEST(Mm1, GivesUpOnJobsThatChangeForEver) {
  EXPECT_THROW(capacity(*background("mm1(arrival=1e300, service=1)"), 1, 0), RuntimeError);
  EXPECT_THROW(capacity(*background("mm1(arrival=1e12, service=1e12)"), 1, 0), RuntimeError);
}

TEST(Backgrounds, AreWrittenWithEveryParameter) {
  const std::string text = "mm1(arrival=0.1, service=0.125, initial=2)";

  EXPECT_EQ(background("mm1(initial=2, service=1/8, arrival=1e-1)")->text(), text);
  EXPECT_EQ(background(text)->text(), text);
  EXPECT_EQ(background("none"), nullptr);
  const std::string all = "mm1(arrival=0.1, service=0.125, initial=2, departures=shared, common=yes, startup=wall)";
  EXPECT_EQ(background(all)->text(), all);
  EXPECT_TRUE(background(all)->is_common());
  EXPECT_TRUE(background(all)->has_wall_clock_startup());
  EXPECT_EQ(background("mm1(arrival=0.1, service=0.125, initial=2, common=no, startup=work, departures=full)")->text(),
            text);
  EXPECT_FALSE(background(text)->is_common());
  EXPECT_FALSE(background(text)->has_wall_clock_startup());
}

TEST(Backgrounds, RefuseWhatIsNone) {
  for (const char* text : {"mm1(arrival=-1, service=1)", "mm1(arrival=1, service=-1)", "mm1(arrival=1)", "mm1",
                           "mm1(arrival=nan, service=1)", "mm1(arrival=inf, service=1)", "mm2", "none(1)", "",
                           "mm1(arrival=1, service=1, initial=0.5)", "mm1(arrival=1, service=1, initial=-1)",
                           "mm1(arrival=1, service=1, initial=1e7)", "mm1(arrival=1, service=1, extra=1)",
                           "mm1(arrival=1, service=1, common=maybe)", "mm1(arrival=1, service=1, startup=clock)",
                           "mm1(arrival=1, service=1, departures=half)"})
    EXPECT_THROW(background(text), InputError) << text;
}

// All lanes at once, on every instruction set, against the readable walk: bit for bit, also where a queue outgrows the
// tables of the loops or starts beyond them.
TEST(Mm1, LanesEqualTheReadableWalk) {
  const StreamKey key = StreamKey::derive(2019, identity_hash("lanes"), Use::kArrival);
  Stream dice(key, ~std::uint64_t{0}, 0);
  struct Case {
    const char* text;
    double longest;  // time after which 0.4 units of work are done
  };
  for (const auto& [text, longest] : {Case{"mm1(arrival=3, service=4)", kInfinity},
                                      {"mm1(arrival=3, service=4, initial=2, departures=shared)", kInfinity},
                                      {"mm1(arrival=2, service=5, common=yes)", kInfinity},
                                      {"mm1(arrival=0, service=1, initial=3)", kInfinity},
                                      {"mm1(arrival=0, service=0, initial=3)", kInfinity},
                                      {"mm1(arrival=200, service=1)", 4},
                                      {"mm1(arrival=1, service=3, initial=300)", 4},
                                      {"mm1(arrival=1, service=0)", 4},
                                      {"mm1(arrival=40, service=100, initial=255, departures=shared)", 4}}) {
    const auto law = background(text);
    for (const LaneLoops* loops : usable_lane_loops())
      for (const std::size_t workers : {1, 2, 7})
        for (const std::size_t lanes : {std::size_t{1}, std::size_t{26}, kLanes})
          for (const double enough : {0.4, 1e6}) {
            const std::uint64_t first = loops == usable_lane_loops().front() ? 0xfffffff5 : 11;
            std::vector<double> times(workers * kLanes);
            for (double& time : times) time = 4 * to_uniform(dice());
            times[0] = 0;
            if (enough < 1) times[(workers - 1) * kLanes] = longest;
            std::vector<double> capacities = times;
            law->capacities(key, first, workers, lanes, enough, *loops, capacities);
            for (std::size_t i = 0; i < times.size(); ++i) {
              const auto worker = law->is_common() ? 0 : static_cast<std::uint32_t>(i / kLanes);
              Stream stream(key, first + i % kLanes, worker);
              const bool wanted = i % kLanes < lanes;
              ASSERT_EQ(capacities[i], wanted ? law->capacity(times[i], enough, stream) : times[i])
                  << text << " on " << loops->name << " at " << i;
            }
          }
  }
}

}  // namespace
}  // namespace coterie::sim
