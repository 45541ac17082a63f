#include "heuristics/return_messages/star_strategies.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "heuristics/return_messages/closed_forms.hpp"
#include "heuristics/return_messages/scenario_program.hpp"
#include "tests/heuristics/return_messages/random_stars.hpp"

namespace coterie::heuristics {
namespace {

const StarStrategy& strategy(const std::string& name) {
  for (const StarStrategy& row : star_strategies())
    if (row.name == name) return row;
  throw std::logic_error(name);
}

nlohmann::json cases() {
  std::ifstream file(COTERIE_TEST_DATA "/return_messages.json");
  return nlohmann::json::parse(file);
}

Rational fraction(const nlohmann::json& text) { return *parse_rational(text.get<std::string>()); }

StarPlatform<Rational> platform_of(const nlohmann::json& item) {
  StarPlatform<Rational> platform;
  for (std::size_t i = 0; i < item["send"].size(); ++i)
    platform.push_back({fraction(item["send"][i]), fraction(item["compute"][i]), fraction(item["return"][i])});
  return platform;
}

TEST(StarStrategies, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const StarStrategy& row : star_strategies()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  EXPECT_THAT(names, testing::UnorderedElementsAre("opt-fifo", "opt-lifo", "fifo-inc-c", "fifo-inc-w", "best-pair"));
}

TEST(StarStrategies, ReproduceTheReferenceCases) {
  const nlohmann::json all = cases();
  ASSERT_EQ(all.size(), 26U);
  for (const auto& item : all) {
    const auto platform = platform_of(item);
    for (const auto& [key, ports] : {std::pair{"two_port", Ports::kTwo}, std::pair{"one_port", Ports::kOne}}) {
      const auto& expected = item[key];
      for (const auto& [name, value] : {std::pair{"opt-fifo", "fifo"}, {"opt-lifo", "lifo"}, {"best-pair", "best"}}) {
        const auto answer = strategy(name).exact(platform, ports);
        ASSERT_TRUE(answer);
        EXPECT_EQ(answer->sharing.throughput, fraction(expected[value])) << item["name"] << key << name;
        EXPECT_TRUE(answer->proven);
        const double rounded = strategy(name).rounded(to_doubles(platform), ports).sharing.throughput;
        EXPECT_NEAR(rounded, to_double(answer->sharing.throughput), 1e-11 * rounded) << item["name"] << key << name;
      }
    }
  }
}

TEST(StarStrategies, ReproduceTheSharesOfTheReferenceCases) {
  int checked = 0;
  for (const auto& item : cases()) {
    const auto platform = platform_of(item);
    for (const auto& [key, name] : {std::pair{"fifo_closed", "opt-fifo"}, {"lifo_closed", "opt-lifo"}}) {
      if (!item.contains(key)) continue;
      ++checked;
      const auto answer = strategy(name).exact(platform, Ports::kTwo);
      std::vector<Rational> shares;
      for (const auto& share : item[key]["shares"]) shares.push_back(fraction(share));
      std::vector<std::size_t> sent;
      for (const auto& number : item[key]["send"]) sent.push_back(number.get<std::size_t>() - 1);

      EXPECT_EQ(answer->sharing.shares, shares) << item["name"];
      EXPECT_EQ(answer->sharing.scenario.send_order, sent) << item["name"];
    }
  }
  EXPECT_EQ(checked, 45);
}

TEST(StarStrategies, AreNeverBetterThanTheBestPair) {
  RandomStars random(31);
  for (int trial = 0; trial < 20; ++trial) {
    const auto platform = random.free(random.whole(2, 4));
    for (const Ports ports : {Ports::kTwo, Ports::kOne}) {
      const Rational best = strategy("best-pair").exact(platform, ports)->sharing.throughput;
      for (const StarStrategy& row : star_strategies())
        EXPECT_LE(row.exact(platform, ports)->sharing.throughput, best) << row.name;
      EXPECT_LE(strategy("fifo-inc-c").exact(platform, ports)->sharing.throughput,
                strategy("opt-fifo").exact(platform, ports)->sharing.throughput);
    }
  }
}

TEST(StarStrategies, SayWhetherTheyAreProven) {
  RandomStars random(32);

  EXPECT_TRUE(strategy("opt-fifo").exact(random.free(5), Ports::kTwo)->proven);
  EXPECT_FALSE(strategy("opt-fifo").exact(random.free(10), Ports::kTwo)->proven);
  EXPECT_TRUE(strategy("opt-fifo").rounded(to_doubles(random.proportional(500, Rational(4, 5))), Ports::kOne).proven);
  EXPECT_FALSE(strategy("best-pair").rounded(to_doubles(random.free(500)), Ports::kTwo).proven);
  EXPECT_FALSE(strategy("opt-fifo").exact(random.proportional(500, 1), Ports::kTwo));
}

/// Means over random platforms as in Section 5 (100 workers, times 50 % around their average), relative to opt-fifo.
struct Section5 {
  double lifo = 0;
  double inc_c = 0;
  double inc_w = 0;
  double enrolled = 0;  // workers in opt-fifo
};

Section5 section_5(RandomStars& random, double z, double ratio) {
  constexpr int kPlatforms = 30;
  const auto around_one = [&] { return random.whole(500000, 1500000) / 1e6; };
  Section5 mean;
  for (int trial = 0; trial < kPlatforms; ++trial) {
    StarPlatform<double> platform;
    for (int i = 0; i < 100; ++i) {
      const double send = around_one();
      const double compute = ratio * around_one();
      platform.push_back({send, compute, z * send});
    }
    const auto best = strategy("opt-fifo").rounded(platform, Ports::kTwo).sharing;
    const auto relative = [&](const char* name) {
      return strategy(name).rounded(platform, Ports::kTwo).sharing.throughput / best.throughput / kPlatforms;
    };
    mean.lifo += relative("opt-lifo");
    mean.inc_c += relative("fifo-inc-c");
    mean.inc_w += relative("fifo-inc-w");
    mean.enrolled += static_cast<double>(best.scenario.send_order.size()) / kPlatforms;
  }
  return mean;
}

/// The claims of Section 5 on Figures 7, 8 and 9. The bounds are ten and more standard errors (0.006 at most) away from
/// what is measured, except where a claim is an identity. One remark the paper does not make: opt-fifo is not above
/// opt-lifo for w/c = 100 (measured: 1.006 of it for z = 1).
TEST(StarStrategies, BearOutTheClaimsOfSection5) {
  RandomStars random(34);
  double enrolled_before = 0;
  for (const double ratio : {0.1, 1.0, 10.0, 100.0}) {
    const Section5 short_returns = section_5(random, 0.8, ratio);
    const Section5 equal_returns = section_5(random, 1, ratio);
    for (const auto& [z, mean] : {std::pair{"z=0.8", short_returns}, {"z=1", equal_returns}})
      std::printf("%s w/c=%g: opt-lifo %.3f, fifo-inc-c %.3f, fifo-inc-w %.3f of opt-fifo; %.1f of 100 enrolled\n", z,
                  ratio, mean.lifo, mean.inc_c, mean.inc_w, mean.enrolled);

    EXPECT_GT(short_returns.inc_c, 0.9);  // Figure 7: OPT-FIFO and FIFO-INC-C are good at any ratio,
    if (ratio <= 10) {                    // the others only where communication hardly counts,
      EXPECT_LT(short_returns.inc_w, 0.9);
      EXPECT_LT(short_returns.lifo, 0.9);
      EXPECT_LT(equal_returns.inc_c, 0.95);  // Figure 9: and with z = 1 FIFO-INC-C as little as they
      EXPECT_LT(equal_returns.lifo, 0.9);
    } else {
      for (const double value : {short_returns.inc_c, short_returns.inc_w, short_returns.lifo, equal_returns.inc_c})
        EXPECT_GT(value, 0.95);
    }
    EXPECT_NEAR(equal_returns.inc_c, equal_returns.inc_w, 1e-12);  // z = 1: the order has no importance
    EXPECT_GT(short_returns.enrolled, enrolled_before);  // Figure 8: few workers at low ratios, all at high ones
    enrolled_before = short_returns.enrolled;
    if (ratio < 1) {
      EXPECT_LT(short_returns.enrolled, 30);
    }
  }
  EXPECT_GT(enrolled_before, 99);
}

/// d = 0.8 c rounded to doubles is not proportional to the last bit, and must still be solved by the theorem.
TEST(StarStrategies, TakeRoundedReturnTimesForProportional) {
  RandomStars random(33);
  StarPlatform<Rational> platform = random.proportional(15, Rational(4, 5));
  for (auto& worker : platform) {
    worker.send_time = Rational(to_double(worker.send_time) / 3);
    worker.return_time = Rational(0.8 * to_double(worker.send_time));
  }
  ASSERT_EQ(return_ratio(platform), ReturnRatio::kNone);

  EXPECT_FALSE(strategy("opt-fifo").exact(platform, Ports::kTwo));
  EXPECT_TRUE(strategy("opt-fifo").rounded(to_doubles(platform), Ports::kTwo).proven);
}

TEST(StarStrategies, LeaveOutWhoCannotBeBusyInAFifo) {
  StarPlatform<double> platform(100, {1, 1, 1});
  platform.push_back({0, 0, 1});
  for (const char* name : {"opt-fifo", "best-pair"}) {
    const auto answer = strategy(name).rounded(platform, Ports::kTwo);
    EXPECT_GT(answer.sharing.throughput, 0.5) << name;
    EXPECT_FALSE(answer.proven) << name;
  }
  platform.back().return_time = 0.001;
  EXPECT_DOUBLE_EQ(strategy("opt-fifo").rounded(platform, Ports::kTwo).sharing.throughput, 1000);
}

}  // namespace
}  // namespace coterie::heuristics
