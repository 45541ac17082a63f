#include "traces/durations.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

#include "core/stream.hpp"
#include "core/ties.hpp"

namespace coterie::traces {
namespace {

/// Any mixture of ties, zeros and censoring, from a stream of its own.
Durations random_durations(std::uint32_t number, std::size_t count) {
  Stream stream(StreamKey::derive(1, 2, Use::kPlatform), 0, number);
  std::vector<Duration> values;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = stream() % 12;
    const bool observed = stream() % 3 != 0;
    values.push_back({value, observed});
  }
  return Durations(values);
}

TEST(Normalisation, ReadsItsFourForms) {
  for (const char* text : {"longest", "none", "horizon(3600)", "quantile(0.9)"})
    EXPECT_EQ(Normalisation::parse(text).text(), text);
  for (const char* text : {"longest(1)", "horizon", "horizon(0)", "horizon(x)", "quantile(0)", "quantile(1.1)",
                           "quantile(-1)", "mean", "quantile(q=0.5)"})
    EXPECT_THROW(Normalisation::parse(text), InputError) << text;
}

TEST(Durations, DivideByWhatTheNormalisationSays) {
  const Durations durations({{4, true}, {2, false}, {8, true}, {6, true}, {0, true}});
  EXPECT_EQ(durations.divisor(Normalisation::parse("longest")), 8);
  EXPECT_EQ(durations.divisor(Normalisation::parse("none")), 1);
  EXPECT_EQ(durations.divisor(Normalisation::parse("horizon(3)")), 3);
  EXPECT_EQ(durations.divisor(Normalisation::parse("quantile(0.6)")), 4);              // the 3rd of 5
  EXPECT_EQ(durations.divisor(Normalisation::parse("quantile(0.61)")), 6);             // the 4th
  EXPECT_THROW(durations.divisor(Normalisation::parse("quantile(0.2)")), InputError);  // the 1st is 0
  EXPECT_EQ(durations.divided(2).longest(), 4);
  EXPECT_EQ(durations.zeros(), 1u);
  EXPECT_EQ(durations.without_zeros().size(), 4u);
  EXPECT_EQ(durations.observed(), 4u);
}

TEST(Durations, TakeTheCeilingRankForAQuantile) {
  std::vector<Duration> values;
  for (int i = 1; i <= 100; ++i) values.push_back({static_cast<double>(i), true});
  const Durations durations(values);
  for (int i = 1; i <= 100; ++i) EXPECT_EQ(durations.quantile(i / 100.0), i);
}

TEST(NaiveLaw, IsTheShareOfShorterSpells) {
  for (std::uint32_t number = 0; number < 50; ++number) {
    const Durations durations = random_durations(number, 1 + number);
    const StepLaw law = naive_law(durations);
    for (double t = -0.5; t < 13; t += 0.5) {
      double shorter = 0;
      for (const Duration& duration : durations.values()) shorter += duration.value < t ? 1 : 0;
      EXPECT_NEAR(law.probability(t), shorter / static_cast<double>(durations.size()), 1e-12);
    }
  }
}

TEST(KaplanMeier, IsTheTextbookExample) {
  // Six-mercaptopurine arm of Freireich et al. 1963 (n = 21, 9 relapses): S(6) = 0.857, S(7) = 0.807, S(10) = 0.753,
  // S(13) = 0.690, S(16) = 0.627, S(22) = 0.538, S(23) = 0.448.
  const std::vector<double> relapsed = {6, 6, 6, 7, 10, 13, 16, 22, 23};
  const std::vector<double> censored = {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35};
  std::vector<Duration> values;
  for (const double t : relapsed) values.push_back({t, true});
  for (const double t : censored) values.push_back({t, false});
  const StepLaw law = kaplan_meier_law(Durations(values));
  EXPECT_EQ(law.times, (std::vector<double>{6, 7, 10, 13, 16, 22, 23}));
  const std::vector<double> survival = {0.857, 0.807, 0.753, 0.690, 0.627, 0.538, 0.448};
  for (std::size_t i = 0; i < survival.size(); ++i)
    EXPECT_NEAR(1 - law.probability(law.times[i] + 0.5), survival[i], 5e-4);
}

TEST(KaplanMeier, RedistributesTheMassOfCensoredSpellsToTheRight) {
  // Efron 1967: hand each censored spell's mass, in the order of time, to all that lie behind it.
  for (std::uint32_t number = 0; number < 100; ++number) {
    const Durations durations = random_durations(number, 2 + number % 30);
    if (durations.observed() == 0) continue;
    const auto& values = durations.values();
    std::vector<double> mass(values.size(), 1.0 / static_cast<double>(values.size()));
    double beyond = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].observed) continue;
      const std::size_t behind = values.size() - i - 1;
      if (behind == 0) beyond += mass[i];
      for (std::size_t j = i + 1; j < values.size(); ++j) mass[j] += mass[i] / static_cast<double>(behind);
      mass[i] = 0;
    }
    const StepLaw law = kaplan_meier_law(durations);
    for (double t = 0.5; t < 13; ++t) {
      double expected = 0;
      for (std::size_t i = 0; i < values.size(); ++i) expected += values[i].value < t ? mass[i] : 0;
      EXPECT_NEAR(law.probability(t), expected, 1e-12) << "durations " << number << ", t = " << t;
    }
    EXPECT_NEAR(law.probability(100), 1 - beyond, 1e-12);
  }
}

TEST(KaplanMeier, IsTheNaiveLawWithoutCensoring) {
  std::vector<Duration> values;
  const Durations random = random_durations(7, 40);
  for (const Duration& duration : random.values()) values.push_back({duration.value, true});
  const StepLaw naive = naive_law(Durations(values));
  const StepLaw product_limit = kaplan_meier_law(Durations(values));
  ASSERT_EQ(naive.times, product_limit.times);
  for (std::size_t i = 0; i < naive.times.size(); ++i) EXPECT_NEAR(naive.weights[i], product_limit.weights[i], 1e-14);
}

TEST(KaplanMeier, NeedsAnInterruption) {
  EXPECT_THROW(kaplan_meier_law(Durations({{3, false}, {4, false}})), InputError);
}

TEST(Age, ConditionsOnHavingLastedThatLong) {
  for (std::uint32_t number = 0; number < 50; ++number) {
    const Durations durations = random_durations(number, 30);
    const StepLaw law = kaplan_meier_law(durations);
    for (const double age : {0.0, 2.0, 3.5}) {
      const StepLaw rest = conditional_on_age(law, age);
      const double before = law.probability(age);
      for (double t = 0.25; t < 13; t += 0.5)
        EXPECT_NEAR(rest.probability(t), (law.probability(age + t) - before) / (1 - before), 1e-12);
    }
  }
}

// 13 s of a spell of 13 s, in units of 85 s.
TEST(Age, IsReachedBySpellsOfJustThatLengthHoweverTheyAreRounded) {
  const double age = 13.0 / 85;
  for (const double spell : {std::nextafter(age, 0.0), age, std::nextafter(age, 1.0)}) {
    const StepLaw rest = conditional_on_age(naive_law(Durations({{0.01, true}, {spell, true}, {2, true}})), age);
    ASSERT_EQ(rest.weights.size(), 2u);
    EXPECT_NEAR(rest.weights.front(), 0.5, 1e-15);
    EXPECT_GE(rest.times.front(), 0);
    EXPECT_LE(rest.times.front(), 1e-15);
  }
}

/// 86400.2 - 86400 is 0.19999999999709: a chunk of 0.2 that ends there is complete.
TEST(Age, RoundsTheRestNoMoreThanTies) {
  for (const double rest : {0.2, 0.1, 1e-3, 17.7})
    for (const double age : {1e2, 86400.0, 1e5, 1e6}) {
      const StepLaw law = conditional_on_age(naive_law(Durations({{age + rest, true}})), age);
      EXPECT_GE(just_after(law.times.front()), rest) << age;
      EXPECT_LE(law.times.front(), rest + 1e-15 * age) << age;
    }
  EXPECT_EQ(conditional_on_age(naive_law(Durations({{3, true}})), 1).times.front(), 2);
}

TEST(Age, CountsSpellsThatRoundToTheAgeTogether) {
  const double age = 86400;
  const StepLaw law = conditional_on_age(
      naive_law(Durations({{age, true}, {std::nextafter(age, 1e9), true}, {age + 1, true}, {age + 1, true}})), age);
  EXPECT_EQ(law.times.size(), 2u);
  EXPECT_EQ(law.times.front(), 0);
  EXPECT_EQ(law.weights, (std::vector<double>{0.5, 0.5}));
}

TEST(Age, IsWithinTheRoundingOfTheTrace) {
  const auto rounding = [](std::vector<double> seconds, std::optional<double> resolution = std::nullopt) {
    AvailabilityTrace trace;
    for (const double one : seconds) trace.records.push_back({std::nullopt, std::nullopt, one});
    for (const double days : {2, 4, 5}) trace.records.push_back({std::nullopt, std::nullopt, days * 86400});
    trace.records.push_back(
        {std::nullopt, std::nullopt, 0.123, false});  // still up: says nothing of how ends are written
    trace.resolution = resolution;
    return Durations(trace).divided(2).rounding() * 2;
  };
  EXPECT_EQ(rounding({0, 86400, 3 * 86400}), 86400);
  EXPECT_EQ(rounding({3600, 7200}), 3600);
  EXPECT_EQ(rounding({1.1 * 3600, 7200}), 60);
  EXPECT_EQ(rounding({3601, 7200}), 1);
  EXPECT_EQ(rounding({3601.5, 7200}), 0);
  EXPECT_EQ(rounding({600, 1200}, 300), 300);
  EXPECT_EQ(rounding({86400, 86400, 86400}), 0);  // four lengths: perhaps all machines are taken away after whole days
}

TEST(Age, BeyondTheLastInterruptionIsRefused) {
  const StepLaw law = naive_law(Durations({{3, true}, {4, true}}));
  EXPECT_EQ(conditional_on_age(law, 4).times, std::vector<double>{0});
  EXPECT_THAT([&] { conditional_on_age(law, 360000); },
              testing::ThrowsMessage<AgeError>("age = 360000 s (100 h): the trace has no interruption at that age or "
                                               "later; its last is at 4 s"));
}

/// Product over the times of 1 - interrupted / at risk, spell by spell.
double survival_beyond(const std::vector<Duration>& spells, double t) {
  std::set<double> times;
  for (const Duration& spell : spells) times.insert(spell.value);
  double survival = 1;
  for (const double time : times) {
    if (time > t) break;
    double at_risk = 0;
    double interrupted = 0;
    for (const Duration& spell : spells) {
      if (spell.value < time || (spell.entry > 0 && spell.entry >= time)) continue;
      at_risk += 1;
      interrupted += spell.value == time && spell.observed;
    }
    if (interrupted > 0) survival *= 1 - interrupted / at_risk;
  }
  return survival;
}

TEST(KaplanMeier, TakesSpellsIntoTheRiskSetAtTheAgeOfTheirEntry) {
  const Durations reported({{13, true, 7}, {6, true}, {9, false}, {8, true}});
  const StepLaw law = kaplan_meier_law(reported);
  EXPECT_EQ(law.times, (std::vector<double>{6, 8, 13}));
  EXPECT_NEAR(1 - law.weights[0], 2.0 / 3, 1e-15);
  EXPECT_NEAR(1 - law.weights[0] - law.weights[1], 4.0 / 9, 1e-15);
  std::mt19937 random(58);
  const auto below = [&](int n) { return static_cast<double>(std::uniform_int_distribution(0, n - 1)(random)); };
  for (int i = 0; i < 200; ++i) {
    std::vector<Duration> spells = {{1, true}, {20, false}};
    for (int k = 0; k < 12; ++k) {
      const double entry = std::max(0.0, below(10) - 4);
      spells.push_back({entry + below(9), below(3) > 0, entry});
    }
    const StepLaw read = kaplan_meier_law(Durations(spells));
    for (double t = 0; t <= 20; t += 0.5)
      EXPECT_NEAR(1 - read.probability(std::nextafter(t, 99)), survival_beyond(spells, t), 1e-12) << i << " " << t;
  }
}

}  // namespace
}  // namespace coterie::traces
