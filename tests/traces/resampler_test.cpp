#include "traces/resampler.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>

#include "core/empirical_risk.hpp"

namespace coterie::traces {
namespace {

using ::testing::ElementsAre;

Stream stream_of(std::uint64_t number) { return {StreamKey::derive(7, 8, Use::kPlan), number, 0}; }

/// Any mixture of ties, zeros and censoring.
Durations random_durations(std::uint64_t number) {
  Stream stream = stream_of(number);
  std::vector<Duration> values;
  for (std::size_t i = 0; i < 2 + number % 40; ++i)
    values.push_back({static_cast<double>(stream() % 30) / 7, stream() % 3 != 0});
  values.push_back({2, true});
  return Durations(std::move(values));
}

std::size_t spells_of(std::span<const SpellCount> counts) {
  std::size_t spells = 0;
  for (const SpellCount& count : counts) spells += count.interrupted + count.censored;
  return spells;
}

double probability_at(const StepLaw& law, double time) {
  return EmpiricalRisk(StepLaw{law.times, law.weights}, "").probability(time);
}

MATCHER_P3(Counts, value, interrupted, censored, "") {
  return arg.value == value && arg.interrupted == static_cast<std::size_t>(interrupted) &&
         arg.censored == static_cast<std::size_t>(censored);
}

TEST(Durations, AreCountedByLengthAndEnd) {
  const Durations durations({{2, true}, {1, false}, {2, false}, {2, true}, {0, true}});
  EXPECT_THAT(durations.counts(), ElementsAre(Counts(0, 1, 0), Counts(1, 0, 1), Counts(2, 2, 1)));
}

TEST(CountsBetween, PutTogetherWhatNobodyAsksApart) {
  const auto counts = Durations({{1, true}, {2, true}, {3, false}, {4, true}, {5, true}, {6, true}}).counts();
  EXPECT_THAT(counts_between(counts, {4.5}, Censoring::kCounts),
              ElementsAre(Counts(3, 2, 1), Counts(4, 1, 0), Counts(6, 2, 0)));
  EXPECT_THAT(counts_between(counts, {4.5}, Censoring::kIgnored), ElementsAre(Counts(4, 3, 1), Counts(6, 2, 0)));
  // A time that may count as the end of a spell is apart on both sides.
  EXPECT_THAT(counts_between(counts, {5 * (1 + 1e-12)}, Censoring::kIgnored),
              ElementsAre(Counts(4, 3, 1), Counts(5, 1, 0), Counts(6, 1, 0)));
}

TEST(CountsBetween, KeepBothEstimatesAtTheTimesAsked) {
  for (std::uint64_t number = 0; number < 300; ++number) {
    const auto counts = random_durations(number).counts();
    Stream stream = stream_of(1000 + number);
    std::vector<double> asked;
    for (int i = 0; i < 6; ++i) asked.push_back(static_cast<double>(stream() % 35) / (i % 2 == 0 ? 7 : 6.9));
    const auto fewer = counts_between(counts, asked, Censoring::kCounts);
    const auto fewest = counts_between(counts, asked, Censoring::kIgnored);
    EXPECT_EQ(spells_of(fewer), spells_of(counts));
    EXPECT_EQ(spells_of(fewest), spells_of(counts));
    for (const double time : asked) {
      EXPECT_NEAR(probability_at(naive_law(fewest), time), probability_at(naive_law(counts), time), 1e-13);
      EXPECT_NEAR(probability_at(kaplan_meier_law(fewer), time), probability_at(kaplan_meier_law(counts), time), 1e-13);
      const auto gone = [&](const std::vector<SpellCount>& of) {
        return completed(kaplan_meier_law(of), OpenTail::kGone, of.back().value);
      };
      EXPECT_NEAR(probability_at(gone(fewer), time), probability_at(gone(counts), time), 1e-13);
    }
  }
}

TEST(Resampler, DrawsAsManySpellsAndDependsOnTheStreamAlone) {
  for (std::uint64_t number = 0; number < 50; ++number) {
    const auto counts = random_durations(number).counts();
    const Resampler trace{counts};
    const auto drawn = trace.draw(stream_of(number));
    EXPECT_EQ(spells_of(drawn), spells_of(counts));
    for (std::size_t i = 0; i + 1 < drawn.size(); ++i) EXPECT_LT(drawn[i].value, drawn[i + 1].value);
    const auto again = trace.draw(stream_of(number));
    ASSERT_EQ(drawn.size(), again.size());
    for (std::size_t i = 0; i < drawn.size(); ++i)
      EXPECT_THAT(again[i], Counts(drawn[i].value, drawn[i].interrupted, drawn[i].censored));
  }
}

TEST(Resampler, OfOneKindIsThatKind) {
  EXPECT_THAT(Resampler({{3, 0, 7}}).draw(stream_of(0)), ElementsAre(Counts(3, 0, 7)));
}

TEST(Resampler, FollowsTheMultinomialLaw) {
  // Kinds in one block, kinds that fill blocks of their own, and kinds in between.
  const std::vector<SpellCount> counts = {{1, 3, 1}, {2, 0, 5}, {3, 5000, 0}, {4, 700, 600}, {5, 1, 0}, {6, 0, 2000}};
  const std::array<double, 12> sizes = {3, 1, 0, 5, 5000, 0, 700, 600, 1, 0, 0, 2000};
  const double spells = static_cast<double>(spells_of(counts));
  constexpr std::size_t kDraws = 4000;
  const Resampler trace{counts};
  std::array<double, 12> sum{};
  std::array<std::array<double, 12>, 12> products{};
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    std::array<double, 12> drawn{};
    for (const SpellCount& count : trace.draw(stream_of(draw))) {
      const auto kind = static_cast<std::size_t>(2 * (count.value - 1));
      drawn[kind] = static_cast<double>(count.interrupted);
      drawn[kind + 1] = static_cast<double>(count.censored);
    }
    for (std::size_t a = 0; a < 12; ++a) sum[a] += drawn[a];
    for (std::size_t a = 0; a < 12; ++a)
      for (std::size_t b = 0; b < 12; ++b) products[a][b] += (drawn[a] - sizes[a]) * (drawn[b] - sizes[b]);
  }
  // Means within 6 standard errors: false alarms in 12 times 2e-9. Covariances C_ab = s_a (1{a = b} - s_b / N) within
  // 8: the standard error of one is at most sqrt((C_aa C_bb + C_ab^2 + C_aa + C_bb) / draws) for such counts.
  for (std::size_t a = 0; a < 12; ++a) {
    const auto covariance = [&](std::size_t b, std::size_t c) {
      return sizes[b] * ((b == c ? 1.0 : 0.0) - sizes[c] / spells);
    };
    EXPECT_NEAR(sum[a] / kDraws, sizes[a], 6 * std::sqrt(covariance(a, a) / kDraws)) << a;
    for (std::size_t b = 0; b < 12; ++b) {
      const double error = std::sqrt(
          (covariance(a, a) * covariance(b, b) + std::pow(covariance(a, b), 2) + covariance(a, a) + covariance(b, b)) /
          kDraws);
      EXPECT_NEAR(products[a][b] / kDraws, covariance(a, b), 8 * error) << a << ' ' << b;
    }
  }
}

TEST(Resampler, KeepsTheAgesOfEntry) {
  const Durations durations({{13, true, 7}, {6, true}, {9, false}, {8, true}});
  const auto counts = durations.counts();
  EXPECT_EQ(counts_between(counts, {1}, Censoring::kCounts).size(), counts.size());
  for (std::uint32_t number = 0; number < 50; ++number)
    for (const SpellCount& count : Resampler(counts).draw(stream_of(number)))
      EXPECT_EQ(count.entry, count.value == 13 ? 7 : 0);
}

}  // namespace
}  // namespace coterie::traces
