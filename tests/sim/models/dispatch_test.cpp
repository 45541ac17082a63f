#include "sim/models/dispatch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "sim/campaign/catalogue.hpp"
#include "sim/results/part_files.hpp"
#include "tests/sim/models/trial_testing.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;

std::string campaign(const std::string& model, const std::string& strategies, const std::string& axes,
                     std::size_t instances = 300) {
  return "model = \"" + model + "\"\nseed = 5\ninstances = " + std::to_string(instances) + "\nstrategies = [" +
         strategies + "]\n[[case]]\n" + axes;
}

const std::string kFive = "workers = 5\nwork = 2\nstartup = 0.05\n";
const std::string kTrace =
    "workers = 12\nwork = 3\nstartup = 0.01\n"
    "risk = \"trace(file=" COTERIE_TEST_DATA "/../../traces/bundled/condor-synthetic.durations)\"\n";

TEST(Dispatch, InstancesHaveIdentity) {
  expect_instances_have_identity(campaign(
      "dispatch", "\"greedy\", \"skip(greedy)\", \"help\", \"central\", \"adaptive\", \"random-replication\"", kFive));
}

TEST(Dispatch, StaticSchedulesAndDeafOnesAreThoseOfWorksharing) {
  const auto zones = [](const char* placement) {
    return kFive + "zones = 2\ncommon = 0.6\nplacement = \"" + placement + "\"\n";
  };
  for (const std::string& axes :
       {kFive, kFive + "risk = \"weibull(shape=0.6, scale=0.8)\"\n", kTrace, zones("known"), zones("packed"),
        zones("spread"), zones("blind"), kTrace + "zones = 3\ncommon = 1\n"}) {
    const std::string all = "\"best\", \"greedy\", \"cyclic-replication\", \"random-replication\"";
    const Rows plain = run_rows(campaign("worksharing", all, axes));
    const Rows heard = run_rows(campaign("dispatch", all, axes + "latency = 0.1\nnotice = inf\ndrop = \"no\"\n"));
    const Rows deaf = run_rows(campaign("dispatch", "\"skip(best)\", \"skip(greedy)\", \"skip(cyclic-replication)\"",
                                        axes + "latency = inf\n"));

    EXPECT_EQ(plain.reference, heard.reference);
    EXPECT_EQ(plain.ratio, heard.ratio);
    for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(plain.ratio[s], deaf.ratio[s]);
  }
}

TEST(Dispatch, ZonesThatBindNobodyGiveTheBitsOfNone) {
  const std::string all = "\"best\", \"skip(best)\", \"help\", \"central\", \"adaptive\"";
  const Rows none = run_rows(campaign("dispatch", all, kFive + "latency = 0.02\n", 64));
  for (const char* zones : {"zones = 2\ncommon = 0\nplacement = \"blind\"\n", "zones = 5\ncommon = 1\n"}) {
    const Rows rows = run_rows(campaign("dispatch", all, kFive + "latency = 0.02\n" + zones, 64));
    EXPECT_EQ(rows.reference, none.reference) << zones;
    EXPECT_EQ(rows.ratio, none.ratio) << zones;
  }
  const Rows bound = run_rows(campaign("dispatch", all, kFive + "latency = 0.02\nzones = 2\ncommon = 0.5\n", 64));
  for (std::size_t s = 0; s < 5; ++s) EXPECT_NE(bound.ratio[s], none.ratio[s]) << s;
}

/// Zones are those of worksharing, and what policies hear is of such lives.
TEST(Dispatch, WorkersOfAZoneAreInterruptedTogether) {
  const std::string axes = "workers = 6\nwork = 12\nstartup = 0.05\nzones = 3\ncommon = 1\n";
  const Campaign one = parse_campaign(campaign("dispatch", "\"central\", \"help\"", axes), "campaign.toml");
  const auto trial = prepared(one);
  for (std::uint64_t instance = 0; instance < 20; ++instance) {
    const auto replay = trial->replay(instance);
    for (const auto& strategy : replay["strategies"]) {
      std::vector<double> interrupted(6, -1);
      for (const auto& event : strategy["log"])
        if (event["event"] == "is interrupted") interrupted[event["worker"]] = event["time"];
      for (std::size_t w = 0; w < 6; ++w) {
        EXPECT_EQ(replay["workers"][w]["zone"], w / 2);
        EXPECT_EQ(interrupted[w], replay["workers"][w]["interruption"]) << strategy["name"];
        EXPECT_EQ(interrupted[w], interrupted[w / 2 * 2]) << strategy["name"];
      }
      EXPECT_NE(interrupted[0], interrupted[2]);
    }
  }
}

/// skip(...) runs the list that is placed: never less than it in any instance, so that a list placed elsewhere is told
/// from it.
TEST(Dispatch, ListsAreSkippedFromWhereTheyArePlaced) {
  const auto completed = [](const char* placement) {
    const Rows rows = run_rows(campaign("dispatch", "\"skip(greedy)\", \"greedy\"",
                                        "workers = 6\nwork = 1\nstartup = 0.01\nchunks = 8\nzones = 2\ncommon = 1\n"
                                        "latency = 0.01\nplacement = \"" +
                                            std::string(placement) + "\"\n"));
    for (std::size_t i = 0; i < 300; ++i) EXPECT_GE(rows.ratio[0][i], rows.ratio[1][i] - 1e-12) << placement;
    return rows.ratio;
  };
  EXPECT_NE(completed("packed")[0], completed("spread")[0]);
}

/// What is measured beside the ratio is of the same instances.
TEST(Dispatch, MeasuresWhatBecameOfTheWork) {
  const Campaign one =
      parse_campaign(campaign("dispatch", "\"greedy\", \"skip(greedy)\", \"central\", \"random-replication\"", kFive),
                     "campaign.toml");
  const auto trial = prepared(one);
  const Rows rows = run_rows(*trial, one);
  std::vector<double> reference(300), ratio(4 * 300), makespan(4 * 300), machine_time(4 * 300), wasted(4 * 300);
  trial->run({0, 300, reference.data(), ratio.data(), 300, {makespan.data(), machine_time.data(), wasted.data()}});

  for (std::size_t s = 0; s < 4; ++s)
    EXPECT_TRUE(std::equal(rows.ratio[s].begin(), rows.ratio[s].end(), ratio.begin() + static_cast<long>(s * 300)));
  for (std::size_t s = 0; s < 3; ++s)
    for (std::size_t i = 0; i < 300; ++i) {
      const double completed = rows.ratio[s][i] * rows.reference[i];
      EXPECT_EQ(std::isfinite(makespan[s * 300 + i]), completed >= 2 - 1e-9);
      EXPECT_GE(machine_time[s * 300 + i], completed - 1e-9);
      EXPECT_GE(machine_time[s * 300 + i] - wasted[s * 300 + i], completed - 1e-9);
    }
  for (std::size_t i = 0; i < 300; ++i) EXPECT_TRUE(std::isnan(makespan[3 * 300 + i])) << "nobody measured it";
}

TEST(Dispatch, MoreNewsNeverHurtsAList) {
  double last = 0;
  for (const char* latency : {"inf", "0.5", "0.1", "0"}) {
    const Rows rows = run_rows(campaign("dispatch", "\"skip(greedy)\"", kFive + "latency = " + latency + "\n"));
    double sum = 0;
    for (const double ratio : rows.ratio[0]) sum += ratio;
    EXPECT_GT(sum, last) << latency;
    last = sum;
  }
}

TEST(Dispatch, RefusesWhatMakesNoSenseWhereItIsWritten) {
  const auto refused = [](const std::string& strategies, const std::string& axes) {
    return refusal(campaign("dispatch", strategies, kFive + axes));
  };
  EXPECT_THAT(refused("\"help\"", "latency = -1\n"), HasSubstr("campaign.toml:9:1: latency must be 0 or more"));
  EXPECT_THAT(refused("\"help\"", "notice = -1\n"), HasSubstr("campaign.toml:9:1: notice must be 0 or more"));
  EXPECT_THAT(refused("\"help\"", "prefetch = 2\n"), HasSubstr("prefetch must be a whole number from 0 to 1, not 2"));
  EXPECT_THAT(refused("\"help\"", "prefetch = 0\nlatency = inf\n"), HasSubstr("campaign.toml:9:1: prefetch must be 1"));
  EXPECT_THAT(refused("\"help\"", "latency = inf\nnotice = \"2 latency\"\n"),
              HasSubstr("campaign.toml:10:1: \"notice\" is a multiple of \"latency\", which is inf: write \"latency\" "
                        "alone, inf or a number"));
  EXPECT_THAT(refused("\"help\"", "drop = \"maybe\"\n"), HasSubstr("drop must be \"yes\" or \"no\""));
  EXPECT_THAT(refused("\"help\"", "latency = nan\n"), HasSubstr("campaign.toml:9:1: \"latency\" must be a number"));
  EXPECT_THAT(refused("\"help\"", "prefetch = 0.5\n"), HasSubstr("campaign.toml:9:1: \"prefetch\" must be a whole"));
  for (const char* listens : {"skip(best)", "help", "central", "adaptive"})
    EXPECT_THAT(
        refused(fmt::format("\"skip({})\"", listens), ""),
        HasSubstr(fmt::format("campaign.toml:4:1: \"strategies\" names \"skip({0})\", but \"{0}\" already skips what "
                              "is known to be complete; use that instead",
                              listens)));
  EXPECT_THAT(refused("\"skip(random-replication)\"", ""), HasSubstr("differ from instance to instance"));
  EXPECT_THAT(refused("\"skip(nobody)\"", ""), HasSubstr("unknown strategy \"skip(nobody)\""));
  EXPECT_THAT(refused("\"skip(two-workers)\"", ""), HasSubstr("campaign.toml:6:1"));
  EXPECT_THAT(refusal(campaign("dispatch", "\"central\"", "workers = 200000\nwork = 2\nstartup = 0.05\n")),
              HasSubstr("workers must be at most 100000 for central"));
}

/// Hands out one chunk for ever.
struct Stubborn final : heuristics::ListeningPolicy {
  heuristics::Order next(const heuristics::Heard&, std::uint32_t) override { return heuristics::Order::fresh(0.5); }
};

Extension with_a_policy() {
  Extension mine;
  mine.program = "mine";
  mine.version = "1";
  mine.policies.push_back({.name = "stubborn",
                           .summary = "asks for more than there is",
                           .source = "mine",
                           .prepare = [](const heuristics::DispatchQuestion&) -> heuristics::PolicyMaker {
                             return [] { return std::make_unique<Stubborn>(); };
                           }});
  return mine;
}

TEST(Dispatch, RunsAPolicyOfTheUserAndBlamesIt) {
  const Catalogue catalogue(with_a_policy());
  const Campaign one = parse_campaign(campaign("dispatch", "\"stubborn\"", kFive), "campaign.toml", {}, catalogue);
  const auto trial = prepared(one);
  try {
    run_rows(*trial, one);
    FAIL() << "more was handed out than there is";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("campaign.toml:6:1: the policy stubborn hands out new work when none is left"));
  }
}

/// The same, but only where there is much to do.
struct SometimesStubborn final : heuristics::ListeningPolicy {
  heuristics::Order next(const heuristics::Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 || heard.work() > 1 ? heuristics::Order::fresh(0.5) : heuristics::Order::no_more();
  }
};

/// What was done before a policy is found out is kept, and the message says where.
TEST(Dispatch, LosesNothingWhereAPolicyIsRefusedMidway) {
  Extension mine = with_a_policy();
  mine.policies.front().prepare = [](const heuristics::DispatchQuestion&) -> heuristics::PolicyMaker {
    return [] { return std::make_unique<SometimesStubborn>(); };
  };
  const Catalogue catalogue(mine);
  const std::string good = "workers = 2\nwork = 0.5\nstartup = 0.05\n";
  const Campaign two =
      parse_campaign(campaign("dispatch", "\"stubborn\"", good + "[[case]]\n" + kFive), "campaign.toml", {}, catalogue);
  RunSettings settings;
  settings.threads = 1;
  settings.save_seconds = 1e-9;
  settings.existing = Existing::kReplace;
  try {
    run_campaign(two, own_path(".h5"), settings);
    FAIL() << "more was handed out than there is";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the policy stubborn hands out new work when none is left"));
    EXPECT_THAT(error.what(), HasSubstr("results so far are kept in " + own_path(".h5.parts")));
  }
  EXPECT_FALSE(PartFolder(own_path(".h5")).parts().empty());
  PartFolder(own_path(".h5")).remove();
}

TEST(Dispatch, APolicyThatGivesNothingIsBlamed) {
  Extension mine = with_a_policy();
  mine.policies.front().prepare = [](const heuristics::DispatchQuestion&) -> heuristics::PolicyMaker {
    return nullptr;
  };
  const Catalogue catalogue(mine);
  const Campaign one = parse_campaign(campaign("dispatch", "\"stubborn\"", kFive), "campaign.toml", {}, catalogue);
  try {
    run_rows(*prepared(one), one);
    FAIL() << "there is no policy to run";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("campaign.toml:6:1: the policy stubborn hands out nothing"));
  }
}

std::size_t prepared_times = 0;
std::size_t run_times = 0;

/// Hands out the work in one chunk, and counts the instances.
struct Counting final : heuristics::ListeningPolicy {
  void begin(const heuristics::Heard&) override { ++run_times; }
  heuristics::Order next(const heuristics::Heard& heard, std::uint32_t) override {
    return heard.pool() > 0 ? heuristics::Order::fresh(1) : heuristics::Order::no_more();
  }
};

/// Nothing is run or planned again to write the result: a run that is stopped and resumed comes to its end.
TEST(Dispatch, EveryInstanceIsRunOnceHoweverOftenTheRunIsResumed) {
  Extension mine;
  mine.program = "mine";
  mine.version = "1";
  mine.policies.push_back({.name = "counting",
                           .summary = "",
                           .source = "mine",
                           .prepare = [](const heuristics::DispatchQuestion&) -> heuristics::PolicyMaker {
                             ++prepared_times;
                             return [] { return std::make_unique<Counting>(); };
                           }});
  const Catalogue catalogue(mine);
  const Campaign one =
      parse_campaign(campaign("dispatch", "\"counting\", \"greedy\"", kFive, 1000), "campaign.toml", {}, catalogue);
  prepared_times = run_times = 0;
  run_whole(one, own_path("-whole.h5"), 1);
  EXPECT_EQ(prepared_times, 1u);
  EXPECT_EQ(run_times, 1000u);

  prepared_times = run_times = 0;
  std::size_t runs = 0;
  RunOutcome outcome{RunOutcome::End::kStopped};
  for (; outcome.end == RunOutcome::End::kStopped && runs < 10; ++runs) {
    StopRule stop(std::nullopt);
    RunSettings settings;
    settings.threads = 1;
    settings.existing = runs == 0 ? Existing::kReplace : Existing::kResume;
    settings.stop = &stop;
    settings.progress = [&](const ProgressState&) { stop.request(); };  // after each block of 250
    outcome = run_campaign(one, own_path(".h5"), settings);
  }
  EXPECT_EQ(outcome.end, RunOutcome::End::kComplete);
  EXPECT_EQ(run_times, 1000u);
  EXPECT_EQ(prepared_times, 4u);

  const ResultFile whole(own_path("-whole.h5"), catalogue);
  const ResultFile resumed(own_path(".h5"), catalogue);
  for (const char* name : {"ratio", "makespan", "machine_time", "wasted"}) {
    EXPECT_EQ(whole.file().read_doubles(name), resumed.file().read_doubles(name)) << name;
    for (const double value : whole.file().read_doubles(name)) ASSERT_FALSE(std::isnan(value)) << name;
  }
  for (const char* ending : {"-whole.h5", ".h5"}) std::filesystem::remove(own_path(ending));
}

TEST(Dispatch, APolicyNeedsANameOfItsOwn) {
  Extension mine = with_a_policy();
  mine.policies.front().name = "greedy";
  EXPECT_THROW(Catalogue{mine}, InputError);
  mine.policies.front().name = "file";
  EXPECT_THROW(Catalogue{mine}, InputError);
  mine.policies.front().name = "central";
  EXPECT_THROW(Catalogue{mine}, InputError);
}

}  // namespace
}  // namespace coterie::sim
