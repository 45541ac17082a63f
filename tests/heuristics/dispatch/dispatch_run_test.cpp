#include "heuristics/dispatch/dispatch_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"
#include "core/ties.hpp"
#include "heuristics/dispatch/central.hpp"
#include "heuristics/dispatch/help.hpp"
#include "heuristics/dispatch/planned_then_central.hpp"
#include "heuristics/worksharing/registry.hpp"
#include "tests/heuristics/dispatch/plain_dispatch.hpp"
#include "tests/sim/dice.hpp"

namespace coterie::heuristics {
namespace {

using Kind = DispatchEvent::Kind;

/// Hands out, and copies, by chance.
class Whim final : public ListeningPolicy {
 public:
  explicit Whim(double grid) : grid_(grid) {}
  void begin(const Heard&) override { calls_ = 0; }
  Order next(const Heard& heard, std::uint32_t worker) override {
    ++calls_;
    if (heard.pool() > 0 && (heard.pieces() == 0 || draw(3) > 0))
      return Order::fresh(grid_ * static_cast<double>(1 + draw(4)));
    for (std::size_t tries = 0; tries < 5 && heard.pieces() > 0; ++tries) {
      const auto piece = static_cast<std::uint32_t>(draw(heard.pieces()));
      if (!heard.is_known(piece) && !heard.is_gone(piece) && !heard.has_had(worker, piece)) return Order::piece(piece);
    }
    return Order::nothing();
  }

 private:
  std::size_t draw(std::size_t below) { return (calls_ * 2654435761u >> 7) % below; }
  double grid_;
  std::size_t calls_ = 0;
};

RiskPtr some_risk(sim::Dice& dice) {
  return dice.coin() ? make_linear_risk(dice.real(0.5, 2))
                     : make_parametric_risk(Expression::parse("weibull(shape=0.7, scale=0.8)"));
}

/// Up to three spells, on the grid where there is one; some workers are never up, or not at the start.
std::vector<Spell> some_spells(sim::Dice& dice, double grid, double horizon) {
  std::vector<Spell> spells;
  double time = dice.whole(0, 3) == 0 ? 0.25 * horizon : 0;
  for (std::size_t k = dice.whole(0, 5); k > 0 && time < horizon; k /= 2) {
    const auto length = [&] {
      return grid > 0 ? grid * static_cast<double>(dice.whole(0, 15)) : dice.real(0, 0.4 * horizon);
    };
    const double end = std::min(horizon, time + length());
    if (end > time) spells.push_back({time, end});
    time = end + (dice.whole(0, 4) == 0 ? 0 : length());
  }
  return spells;
}

Spells joined(const std::vector<std::vector<Spell>>& workers) {
  Spells spells;
  for (const auto& one : workers) {
    for (const Spell& spell : one) spells.add(spell);
    spells.close_worker();
  }
  return spells;
}

/// Of the whole model: all policies, all ways to listen, and times on a grid, so that ties are the rule.
class PlainDispatchTest : public testing::TestWithParam<bool> {};

TEST_P(PlainDispatchTest, ReadsTheWholeHistoryAnewAtEveryStep) {
  const bool come_back = GetParam();
  sim::Dice dice(come_back ? "plain dispatch of workers that come back" : "plain dispatch");
  std::size_t heard_something = 0;
  for (int round = 0; round < 1500; ++round) {
    const std::size_t workers = dice.whole(1, 7);
    const bool gridded = dice.coin();
    const double grid = dice.coin() ? 1.0 / 32 : 0.1 / 3;  // sums of the second are rounded
    const double startup = gridded ? grid * static_cast<double>(dice.whole(1, 2)) : dice.real(0.01, 0.1);
    const double work = gridded ? grid * static_cast<double>(dice.whole(2, 60)) : dice.real(0.1, 2);
    const double horizon = come_back ? gridded ? 40 * grid : 1.5 : kInfinity;
    const auto some_time = [&] { return gridded ? grid * static_cast<double>(dice.whole(0, 6)) : dice.real(0, 0.2); };
    const Listening listening{dice.whole(0, 4) == 0 ? kInfinity : some_time(),
                              dice.whole(0, 2) == 0 ? kInfinity : some_time(), dice.whole(0, 3) == 0 ? 0u : 1u,
                              dice.coin(), horizon};
    const RiskPtr risk = some_risk(dice);
    const WorksharingProblem problem{workers, work, startup, risk, 1, 0};
    const Granularity granularity{Granularity::Kind::kPerSlice, dice.whole(1, 12)};
    const auto plan = [&](const char* name) {
      return *worksharing_strategy(name).build(problem, granularity).schedule;
    };
    std::vector<std::unique_ptr<ListeningPolicy>> policies;
    const Central central(std::make_shared<const ChunksByAge>(std::span(&risk, 1), startup),
                          {dice.real(0.5, 3), gridded ? grid : dice.real(0.01, 0.2)});
    policies.push_back(std::make_unique<Whim>(grid));
    policies.push_back(std::make_unique<Central>(central));
    policies.push_back(std::make_unique<PlannedLists>(plan(dice.coin() ? "greedy" : "cyclic-replication")));
    policies.push_back(std::make_unique<Help>(plan("no-replication")));
    policies.push_back(std::make_unique<PlannedThenCentral>(plan("greedy"), central));
    for (std::size_t k = 0; k < policies.size(); ++k) {
      DispatchRun run("tested", workers, work, startup, std::span(&risk, 1), listening);
      for (int instance = 0; instance < 2; ++instance) {
        std::vector<double> lives(workers);
        for (double& life : lives) life = gridded ? grid * static_cast<double>(dice.whole(0, 40)) : dice.real(0, 1.5);
        std::vector<std::vector<Spell>> spells(workers);
        if (come_back)
          for (auto& one : spells) one = some_spells(dice, gridded ? grid : 0, horizon);
        PlainDispatch plain_run(workers, work, startup, std::span(&risk, 1), listening);

        const DispatchOutcome fast = come_back ? run(*policies[k], joined(spells)) : run(*policies[k], lives);
        const DispatchOutcome plain = come_back ? plain_run(*policies[k], spells) : plain_run(*policies[k], lives);

        const std::string where = "round " + std::to_string(round) + ", policy " + std::to_string(k);
        ASSERT_NEAR(fast.completed, plain.completed, 1e-9) << where;
        ASSERT_NEAR(fast.machine_time, plain.machine_time, 1e-9) << where;
        ASSERT_NEAR(fast.wasted, plain.wasted, 1e-9) << where;
        ASSERT_EQ(std::isinf(fast.makespan), std::isinf(plain.makespan)) << where;
        if (std::isfinite(plain.makespan)) {
          ASSERT_NEAR(fast.makespan, plain.makespan, 1e-9) << where;
          ++heard_something;
        }
      }
    }
  }
  EXPECT_GT(heard_something, 1000u) << "cases that are worth comparing";
}

INSTANTIATE_TEST_SUITE_P(DispatchRun, PlainDispatchTest, testing::Bool(),
                         [](const auto& one) { return one.param ? "OfWorkersThatComeBack" : "OfOneLife"; });

/// Whatever a worker's one spell is called.
TEST(DispatchRun, OneSpellEachIsOneLife) {
  sim::Dice dice("one spell each");
  const RiskPtr risk = make_linear_risk(1);
  const WorksharingProblem problem{6, 2, 0.03, risk, 1, 0};
  const Schedule greedy = *worksharing_strategy("greedy").build(problem, {Granularity::Kind::kPerSlice, 9}).schedule;
  const Schedule shares =
      *worksharing_strategy("no-replication").build(problem, {Granularity::Kind::kPerSlice, 9}).schedule;
  const Central central(std::make_shared<const ChunksByAge>(std::span(&risk, 1), 0.03), {2, 0.06});
  std::vector<std::unique_ptr<ListeningPolicy>> policies;
  policies.push_back(std::make_unique<Central>(central));
  policies.push_back(std::make_unique<PlannedLists>(greedy));
  policies.push_back(std::make_unique<Help>(shares));
  policies.push_back(std::make_unique<PlannedThenCentral>(greedy, central));
  DispatchRun run("tested", 6, 2, 0.03, std::span(&risk, 1), {0.02, 0.05, 1, true, 1.5});
  for (int instance = 0; instance < 200; ++instance) {
    std::vector<double> lives(6);
    std::vector<std::vector<Spell>> spells(6);
    for (std::size_t w = 0; w < 6; ++w) {
      lives[w] = dice.real(1e-6, 1);
      spells[w] = {{0, lives[w]}};
    }
    for (const auto& policy : policies) {
      const DispatchOutcome once = run(*policy, lives);
      const DispatchOutcome one = run(*policy, joined(spells));
      EXPECT_EQ(one.completed, once.completed);
      EXPECT_EQ(one.makespan, once.makespan);
      EXPECT_EQ(one.machine_time, once.machine_time);
      EXPECT_EQ(one.wasted, once.wasted);
    }
  }
}

/// What is done by a deadline, and what each worker computed, are what the log says.
TEST(DispatchRun, TellsWhatIsInTimeAndWhoComputed) {
  sim::Dice dice("in time");
  for (int round = 0; round < 200; ++round) {
    const auto workers = dice.whole(1, 6);
    std::vector<RiskPtr> risks = {some_risk(dice)};
    DispatchRun run("whim", workers, dice.real(0.3, 2), 0.05, risks, {dice.real(0, 0.2), 0.1, 1, dice.coin()});
    const double deadline = dice.real(0, 1.5);
    run.count_until(deadline);
    std::vector<double> lives(workers);
    for (double& life : lives) life = dice.real(0, 2);
    std::vector<DispatchEvent> log;
    Whim whim(0.07);
    const DispatchOutcome outcome = run(whim, lives, &log);
    double in_time = 0;
    std::vector<double> computed(workers), begin(workers, -1);
    for (const DispatchEvent& event : log) {
      if (event.kind == Kind::kBegins) begin[event.worker] = event.time;
      if (event.kind == Kind::kEnds && event.time <= deadline) in_time += event.work;
      if (event.kind == Kind::kEnds || event.kind == Kind::kDrops || event.kind == Kind::kInterrupted) {
        computed[event.worker] += begin[event.worker] < 0 ? 0 : event.time - begin[event.worker];
        begin[event.worker] = -1;
      }
    }
    EXPECT_NEAR(outcome.completed_in_time, in_time, 1e-12) << "round " << round;
    EXPECT_LE(outcome.completed_in_time, outcome.completed + 1e-12);
    double sum = 0;
    for (std::size_t w = 0; w < workers; ++w) {
      EXPECT_NEAR(run.machine_times()[w], computed[w], 1e-12) << "round " << round << " worker " << w;
      sum += run.machine_times()[w];
    }
    EXPECT_NEAR(sum, outcome.machine_time, 1e-12);
  }
}

/// Six equal chunks, five workers in step: the four that live end both of their chunks together, to the last bit or
/// not, and hear of one another at once.
TEST(DispatchRun, EndsThatDifferByRoundingAreTheSameTime) {
  const RiskPtr risk = make_linear_risk(1);
  const WorksharingProblem problem{5, 0.8, 0.05, risk, 1, 0};
  const Granularity granularity{Granularity::Kind::kPerSlice, 6};
  PlannedLists lists(*worksharing_strategy("cyclic-replication").build(problem, granularity).schedule);
  DispatchRun run("tested", 5, 0.8, 0.05, std::span(&risk, 1), {0, kInfinity, 1, false});
  const double lost = 0.053383;

  const DispatchOutcome outcome = run(lists, std::vector<double>{0.990219, 0.452039, lost, 0.627167, 0.611194});

  const double step = 0.8 / 6 + 0.05;
  EXPECT_NEAR(outcome.makespan, 2 * step, 1e-12);
  EXPECT_NEAR(outcome.machine_time, 8 * step + lost, 1e-12);
  EXPECT_NEAR(outcome.wasted, 2 * step + lost, 1e-12);
}

/// Hands out the planned pieces, those first that fewest have.
class EqualQueue final : public ListeningPolicy {
 public:
  EqualQueue(double work, std::size_t chunks) : sizes_(chunks, work / static_cast<double>(chunks)) {}
  std::span<const double> pieces() const override { return sizes_; }
  Order next(const Heard& heard, std::uint32_t) override {
    std::uint32_t best = Heard::kNone;
    for (std::uint32_t piece = 0; piece < heard.pieces(); ++piece)
      if (!heard.is_known(piece) && (best == Heard::kNone || heard.living_holders(piece) < heard.living_holders(best)))
        best = piece;
    return best == Heard::kNone ? Order::no_more() : Order::piece(best);
  }

 private:
  std::vector<double> sizes_;
};

double binomial(std::size_t n, std::size_t k) {
  double ways = 1;
  for (std::size_t i = 0; i < k; ++i) ways = ways * static_cast<double>(n - i) / static_cast<double>(i + 1);
  return ways;
}

/// Expected work of equal chunks where all news is immediate: all workers are in step, so that the number of workers
/// alive and that of chunks left are a Markov chain. Chunks are copied evenly. Linear risk.
double in_step(std::size_t workers, double work, double startup, std::size_t chunks) {
  using Law = std::vector<std::vector<double>>;  // by workers alive, by chunks left
  const double step = work / static_cast<double>(chunks) + startup;
  Law law(workers + 1, std::vector<double>(chunks + 1, 0));
  law[workers][chunks] = 1;
  double expected = 0;
  for (double t = 0; t < 1; t += step) {
    const double q = std::max(0.0, 1 - t - step) / (1 - t);
    Law next(workers + 1, std::vector<double>(chunks + 1, 0));
    for (std::size_t alive = 1; alive <= workers; ++alive)
      for (std::size_t left = 1; left <= chunks; ++left) {
        if (law[alive][left] == 0) continue;
        const std::size_t groups = std::min(alive, left);
        Law now(alive + 1, std::vector<double>(groups + 1, 0));  // by survivors, by chunks completed
        now[0][0] = law[alive][left];
        for (std::size_t group = 0; group < groups; ++group) {
          const std::size_t copies = alive / groups + (group < alive % groups ? 1 : 0);
          Law then(alive + 1, std::vector<double>(groups + 1, 0));
          for (std::size_t s = 0; s <= alive; ++s)
            for (std::size_t done = 0; done <= group; ++done)
              for (std::size_t k = 0; k <= copies && s + k <= alive; ++k) {
                const double ways = binomial(copies, k);
                then[s + k][done + (k > 0 ? 1 : 0)] += now[s][done] * ways * std::pow(q, static_cast<double>(k)) *
                                                       std::pow(1 - q, static_cast<double>(copies - k));
              }
          now = then;
        }
        for (std::size_t s = 0; s <= alive; ++s)
          for (std::size_t done = 0; done <= groups; ++done) {
            next[s][left - done] += now[s][done];
            expected += now[s][done] * static_cast<double>(done) * work / static_cast<double>(chunks);
          }
      }
    law = next;
  }
  return expected;
}

TEST(DispatchRun, WorkersInStepAreAMarkovChain) {
  const std::size_t chunks = 25;
  const double exact = in_step(5, 2, 0.01, chunks);
  EXPECT_NEAR(exact, 1.78117, 5e-6);
  const RiskPtr risk = make_linear_risk(1);
  const std::size_t instances = std::getenv("COTERIE_FULL") != nullptr ? 1'500'000 : 150'000;
  const StreamKey key = StreamKey::derive(2013, 25, Use::kInterruption);
  EqualQueue queue(2, chunks);
  DispatchRun run("equal", 5, 2, 0.01, std::span(&risk, 1), {0, kInfinity, 1, true});
  std::vector<double> lives(5);
  double sum = 0;
  double squares = 0;
  for (std::size_t i = 0; i < instances; ++i) {
    worker_uniforms(key, i, lives);
    const double completed = run(queue, lives).completed;
    sum += completed;
    squares += completed * completed;
  }
  const auto n = static_cast<double>(instances);
  const double error = std::sqrt((squares / n - sum * sum / n / n) / n);
  EXPECT_LT(std::abs(sum / n - exact), 6 * error) << "false alarm: 2e-9";
}

/// Where the life was recorded, and is lengthened so that the chunk is done, the interruption is heard with its end.
TEST(DispatchRun, WhoIsInterruptedJustWhenItsChunkEndsIsGivenNoOther) {
  const RiskPtr risk = make_linear_risk(1);
  for (const double life : {0.1 + 0.2, std::nextafter(0.1 + 0.2, 1.0)}) {
    EqualQueue queue(0.6, 3);
    DispatchRun run("equal", 2, 0.6, 0.1, std::span(&risk, 1), {0, 0, 1, true});
    std::vector<DispatchEvent> log;
    const DispatchOutcome outcome = run(queue, std::vector<double>{just_after(life), 5}, &log);
    EXPECT_DOUBLE_EQ(outcome.completed, 0.6);
    EXPECT_EQ(std::count_if(log.begin(), log.end(),
                            [](const DispatchEvent& event) {
                              return event.kind == DispatchEvent::Kind::kBegins && event.worker == 0;
                            }),
              1)
        << life;
  }
}

struct OneOrder final : ListeningPolicy {
  explicit OneOrder(Order always) : order(always) {}
  Order next(const Heard&, std::uint32_t) override { return order; }
  Order order;
};

/// Chunks of one size, each handed out once at a time.
struct Equal final : ListeningPolicy {
  explicit Equal(double chunk) : size(chunk) {}
  Order next(const Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 ? Order::fresh(size) : Order::nothing();
  }
  double size;
};

std::string refusal(Order order, double work = 1) {
  const RiskPtr risk = make_linear_risk(1);
  OneOrder policy(order);
  DispatchRun run("mine", 2, work, 0.1, std::span(&risk, 1), {});
  try {
    run(policy, std::vector<double>{kInfinity, kInfinity});
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(DispatchRun, RefusesPoliciesThatMakeNoSense) {
  using testing::HasSubstr;
  EXPECT_THAT(refusal(Order::fresh(0)), HasSubstr("the policy mine hands out a chunk of size 0,"));
  EXPECT_THAT(refusal(Order::fresh(-1)), HasSubstr("size -1"));
  EXPECT_THAT(refusal(Order::fresh(std::nan(""))), HasSubstr("size nan"));
  EXPECT_THAT(refusal(Order::fresh(0.5)), HasSubstr("new work when none is left"));
  EXPECT_THAT(refusal(Order::piece(7)), HasSubstr("a piece that does not exist"));
}

TEST(DispatchRun, RefusesToGiveAWorkerThePieceThatItHas) {
  struct Again final : ListeningPolicy {
    Order next(const Heard& heard, std::uint32_t worker) override {
      return heard.pieces() <= worker ? Order::fresh(0.5) : Order::piece(worker);
    }
  } policy;
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("again", 2, 1, 0.1, std::span(&risk, 1), {1, kInfinity, 1, true});
  EXPECT_THROW(run(policy, std::vector<double>{kInfinity, kInfinity}), InputError);
}

TEST(DispatchRun, RefusesAPolicyThatNeverEnds) {
  EXPECT_THAT(refusal(Order::fresh(1e-300)), testing::HasSubstr("less than 1e-07 of what can be done"));
  struct Known final : ListeningPolicy {
    std::span<const double> pieces() const override { return {sizes}; }
    Order next(const Heard&, std::uint32_t) override { return Order::piece(0); }
    double sizes[2] = {0.25, 0.75};
  } policy;
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("known", 1, 1, 0.25, std::span(&risk, 1), {});
  EXPECT_THROW(run(policy, std::vector<double>{kInfinity}), InputError);
}

/// The same by orders that say they are a plan's.
TEST(DispatchRun, RefusesAPlanThatNeverEnds) {
  struct Known final : ListeningPolicy {
    std::span<const double> pieces() const override { return {sizes}; }
    Order next(const Heard&, std::uint32_t) override {
      return {.kind = Order::Kind::kPieces,
              .first_piece = 0,
              .pieces = 1,
              .size = 0,
              .planned_begin = 0,
              .planned_finish = finish};
    }
    double sizes[2] = {0.25, 0.75};
    double finish = 0.5;
  } policy;
  const RiskPtr risk = make_linear_risk(1);
  DispatchRun run("known", 1, 1, 0.25, std::span(&risk, 1), {});
  try {
    run(policy, std::vector<double>{kInfinity});
    FAIL() << "it came to an end";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("the policy known keeps giving worker 0 what is known to be complete"));
  }
  for (const double never : {-1.0, std::nan("")}) {
    policy.finish = never;
    EXPECT_THROW(run(policy, std::vector<double>{kInfinity}), InputError) << "it ends before it begins";
  }
}

TEST(DispatchRun, ARoundTripForEachChunkWithoutPrefetch) {
  const RiskPtr risk = make_linear_risk(1);
  Equal policy(0.25);
  DispatchRun run("quarters", 1, 1, 0, std::span(&risk, 1), {0.5, kInfinity, 0, true});
  const DispatchOutcome outcome = run(policy, std::vector<double>{kInfinity});
  EXPECT_EQ(outcome.makespan, 4 * 0.25 + 3 * 2 * 0.5);
  EXPECT_EQ(outcome.completed, 1);
}

using Told = std::tuple<double, Kind, std::uint32_t>;

std::vector<Told> told(const std::vector<DispatchEvent>& log) {
  std::vector<Told> list;
  for (const DispatchEvent& event : log) list.emplace_back(event.time, event.kind, event.worker);
  return list;
}

/// A chunk that waits for its way begins later than it is given; one whose worker is interrupted meanwhile, never.
TEST(DispatchRun, TellsWhatIsOnItsWay) {
  const RiskPtr risk = make_linear_risk(1);
  Equal policy(0.25);
  DispatchRun run("quarters", 2, 1, 0, std::span(&risk, 1), {0.25, kInfinity, 0, true});
  std::vector<DispatchEvent> log;

  run(policy, std::vector<double>{5, 0.625}, &log);

  const std::vector<Told> expected = {
      {0, Kind::kGiven, 0},
      {0, Kind::kGiven, 1},
      {0, Kind::kBegins, 0},
      {0, Kind::kBegins, 1},
      {0.25, Kind::kEnds, 0},
      {0.25, Kind::kEnds, 1},
      {0.5, Kind::kHeardComplete, 0},
      {0.5, Kind::kHeardComplete, 1},
      {0.5, Kind::kGiven, 0},
      {0.5, Kind::kGiven, 1},
      {0.625, Kind::kInterrupted, 1},
      {0.75, Kind::kBegins, 0},
      {1, Kind::kEnds, 0},
      {1.25, Kind::kHeardComplete, 0},
      {1.25, Kind::kHeardLost, 1},
      {1.25, Kind::kGiven, 0},
      {1.5, Kind::kBegins, 0},
      {1.75, Kind::kEnds, 0},
      {2, Kind::kHeardComplete, 0},
  };
  EXPECT_EQ(told(log), expected);
}

/// What is computed yet when everything is known goes on where nothing is dropped, and is told, too.
TEST(DispatchRun, TellsWhatWorkersDoWhenEverythingIsKnown) {
  const RiskPtr risk = make_linear_risk(1);
  struct Both final : ListeningPolicy {
    std::span<const double> pieces() const override { return {sizes}; }
    Order next(const Heard&, std::uint32_t worker) override {
      if (given[worker]++ > 0) return Order::no_more();
      return worker == 0 ? Order::piece(0) : Order{.kind = Order::Kind::kPieces, .first_piece = 0, .pieces = 2};
    }
    void begin(const Heard&) override { given[0] = given[1] = given[2] = 0; }
    double sizes[2] = {0.5, 0.5};
    int given[3] = {};
  } policy;
  DispatchRun run("both", 3, 1, 0, std::span(&risk, 1), {0.125, kInfinity, 1, false});
  std::vector<DispatchEvent> log;

  const DispatchOutcome outcome = run(policy, std::vector<double>{5, 1.0, 0.75}, &log);

  const std::vector<Told> expected = {
      {0, Kind::kGiven, 0},          {0, Kind::kGiven, 1},
      {0, Kind::kGiven, 2},          {0, Kind::kBegins, 0},
      {0, Kind::kBegins, 1},         {0, Kind::kBegins, 2},
      {0.5, Kind::kEnds, 0},         {0.625, Kind::kHeardComplete, 0},
      {0.75, Kind::kInterrupted, 2}, {1, Kind::kEnds, 1},
      {1, Kind::kInterrupted, 1},    {1.125, Kind::kHeardComplete, 1},
      {1.125, Kind::kHeardLost, 2},
  };
  EXPECT_EQ(told(log), expected);
  EXPECT_EQ(outcome.machine_time, 0.5 + 1 + 0.75);
}

TEST(DispatchRun, TellsWhatHappened) {
  const RiskPtr risk = make_linear_risk(1);
  Equal policy(0.5);
  DispatchRun run("halves", 2, 1, 0.25, std::span(&risk, 1), {0.25, kInfinity, 1, true});
  std::vector<DispatchEvent> log;

  const DispatchOutcome outcome = run(policy, std::vector<double>{5, 0.5}, &log);

  const std::vector<Told> expected = {
      {0, Kind::kGiven, 0},         {0, Kind::kGiven, 1},   {0, Kind::kBegins, 0},        {0, Kind::kBegins, 1},
      {0.5, Kind::kInterrupted, 1}, {0.75, Kind::kEnds, 0}, {1, Kind::kHeardComplete, 0}, {1, Kind::kHeardLost, 1},
      {1, Kind::kGiven, 0},         {1, Kind::kBegins, 0},  {1.75, Kind::kEnds, 0},       {2, Kind::kHeardComplete, 0},
  };
  EXPECT_EQ(told(log), expected);
  EXPECT_EQ(outcome.completed, 1);
  EXPECT_EQ(outcome.makespan, 1.75);
  EXPECT_EQ(outcome.machine_time, 2 * 0.75 + 0.5);
  EXPECT_EQ(outcome.wasted, 0.5);
}

/// A list of two halves: the first is lost, and begun anew on return; nobody knew that it was.
TEST(DispatchRun, AWorkerThatComesBackGoesOnInItsList) {
  const RiskPtr risk = make_linear_risk(1);
  const WorksharingProblem problem{1, 1, 0.125, risk, 1, 0};
  PlannedLists lists(
      *worksharing_strategy("no-replication").build(problem, {Granularity::Kind::kPerSlice, 2}).schedule);
  DispatchRun run("list", 1, 1, 0.125, std::span(&risk, 1), {kInfinity, kInfinity, 1, false});
  std::vector<DispatchEvent> log;

  const DispatchOutcome outcome = run(lists, joined({{{0, 0.5}, {1, 1.75}, {2, 4}}}), &log);

  const std::vector<Told> expected = {
      {0, Kind::kBegins, 0},    {0.5, Kind::kInterrupted, 0}, {1, Kind::kHeardLost, 0},  {1, Kind::kReturns, 0},
      {1, Kind::kBegins, 0},    {1.625, Kind::kEnds, 0},      {1.625, Kind::kBegins, 0}, {1.75, Kind::kInterrupted, 0},
      {2, Kind::kHeardLost, 0}, {2, Kind::kReturns, 0},       {2, Kind::kBegins, 0},     {2.625, Kind::kEnds, 0},
  };
  EXPECT_EQ(told(log), expected);
  EXPECT_EQ(outcome.completed, 1);
  EXPECT_EQ(outcome.makespan, 2.625);
  EXPECT_EQ(outcome.machine_time, 0.5 + 0.75 + 0.625);
  EXPECT_EQ(outcome.wasted, 0.5 + 0.125);
}

/// Chunks of the queue that it had go to whoever asks first; one that is not up at the start asks when it is.
TEST(DispatchRun, AWorkerThatComesBackAsksForWork) {
  const RiskPtr risk = make_linear_risk(1);
  Equal policy(0.5);
  DispatchRun run("halves", 2, 1, 0, std::span(&risk, 1), {0.25, kInfinity, 0, true});
  std::vector<DispatchEvent> log;

  const DispatchOutcome outcome = run(policy, joined({{{0, 0.25}, {2, 4}}, {{0.125, 0.75}}}), &log);

  const std::vector<Told> expected = {
      {0, Kind::kHeardLost, 1},
      {0, Kind::kGiven, 0},
      {0, Kind::kBegins, 0},
      {0.125, Kind::kReturns, 1},
      {0.125, Kind::kGiven, 1},
      {0.125, Kind::kBegins, 1},
      {0.25, Kind::kInterrupted, 0},
      {0.625, Kind::kEnds, 1},
      {0.75, Kind::kInterrupted, 1},
      {0.75, Kind::kHeardLost, 0},
      {0.875, Kind::kHeardComplete, 1},
      {0.875, Kind::kGiven, 1},
      {1.875, Kind::kHeardLost, 1},
      {2, Kind::kReturns, 0},
      {2, Kind::kGiven, 0},
      {2, Kind::kBegins, 0},
      {2.5, Kind::kEnds, 0},
      {2.75, Kind::kHeardComplete, 0},
  };
  EXPECT_EQ(told(log), expected);
  EXPECT_EQ(outcome.makespan, 2.5);
  EXPECT_EQ(outcome.machine_time, 0.25 + 0.5 + 0.5);
  EXPECT_EQ(outcome.wasted, 0.25);
}

}  // namespace
}  // namespace coterie::heuristics
