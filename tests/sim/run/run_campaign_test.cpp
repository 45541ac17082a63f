#include "sim/run/run_campaign.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "sim/results/result_file.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;
using End = RunOutcome::End;

constexpr const char* kText = R"toml(
title = "from a program"
seed = 11
instances = 6000
strategies = ["greedy", "no-replication"]
[grid]
workers = [3, 5]
work = 2
chunks = 4
startup = 0.01
)toml";

class RunCampaign : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + name; }
  Campaign campaign(const std::string& text = kText) const { return parse_campaign(text, path("c.toml")); }
  static RunSettings with(Existing existing) {
    RunSettings settings;
    settings.existing = existing;
    return settings;
  }

  std::string folder_ = own_path("/");
};

std::vector<double> ratios_of(const std::string& path) { return ResultFile(path).file().read_doubles("ratio"); }

TEST_F(RunCampaign, WritesAResultAndTellsHowFarItGoes) {
  EXPECT_EQ(run_campaign(campaign(), path("a.h5")).end, End::kComplete);

  const ResultFile result(path("a.h5"));
  EXPECT_TRUE(result.complete());
  EXPECT_EQ(result.instances_done(), (std::vector<std::uint64_t>{6000, 6000}));
  EXPECT_EQ(result.file().text_attribute("command_line"), "");
  const RunOutcome again = run_campaign(campaign(), path("a.h5"), with(Existing::kResume));
  EXPECT_EQ(again.end, End::kUpToDate);
  EXPECT_EQ(again.extent.done, result.instances_done());
  EXPECT_FALSE(fs::exists(path("a.h5.lock")) || fs::exists(path("a.h5.parts")));
}

TEST_F(RunCampaign, TellsItsProgressUpToTheEnd) {
  std::vector<ProgressState> states;
  RunSettings settings;
  settings.threads = 2;
  settings.progress = [&](const ProgressState& state) { states.push_back(state); };

  run_campaign(campaign(), path("a.h5"), settings);

  ASSERT_EQ(states.size(), 49u);  // 24 blocks of each configuration, and the end
  for (std::size_t i = 0; i + 1 < states.size(); ++i) {
    EXPECT_EQ(states[i].done, 250 * (i + 1));
    EXPECT_EQ(states[i].instances, 12'000u);
    EXPECT_FALSE(states[i].over);
  }
  EXPECT_TRUE(states.back().over);
}

TEST_F(RunCampaign, StopsWhereItIsAskedToAndGoesOn) {
  RunSettings settings;
  settings.threads = 1;
  StopRule stop(std::nullopt);
  settings.stop = &stop;
  settings.progress = [&](const ProgressState& state) {
    if (state.done >= 3000) stop.request();
  };
  const RunOutcome stopped = run_campaign(campaign(), path("a.h5"), settings);
  EXPECT_EQ(stopped.end, End::kStopped);
  EXPECT_EQ(stopped.stopped_at, "at 25.0 %");
  EXPECT_EQ(stop.reason(), "request");
  EXPECT_FALSE(fs::exists(path("a.h5")));

  EXPECT_THROW(run_campaign(campaign(), path("a.h5")), InputError);  // there are results
  std::optional<std::uint64_t> done_before;
  RunSettings rest = with(Existing::kResume);
  rest.progress = [&](const ProgressState& state) { done_before = state.done_before; };
  EXPECT_EQ(run_campaign(campaign(), path("a.h5"), rest).end, End::kComplete);
  EXPECT_EQ(done_before, 3000u);
  run_campaign(campaign(), path("b.h5"));
  EXPECT_EQ(ratios_of(path("a.h5")), ratios_of(path("b.h5")));
}

TEST_F(RunCampaign, ThatIsStoppedBeforeItBeginsWritesNothing) {
  StopRule stop(std::nullopt);
  stop.request();
  while (!stop.cancels()) std::this_thread::yield();
  RunSettings settings;
  settings.stop = &stop;
  const Campaign asked = campaign();
  const auto read = [&]() -> const Campaign& {
    cancellation_point();
    return asked;
  };

  const RunOutcome outcome = run_campaign(read, path("a.h5"), settings);

  EXPECT_EQ(outcome.end, End::kStopped);
  EXPECT_EQ(outcome.stopped_at, "before the first block");
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(RunCampaign, RefusesWhatItCannotDo) {
  const auto refused = [&](const std::function<void(RunSettings&)>& change) {
    RunSettings settings;
    change(settings);
    EXPECT_THROW(run_campaign(campaign(), path("a.h5"), settings), InputError);
  };
  for (const int threads : {-1, 4097}) refused([&](RunSettings& settings) { settings.threads = threads; });
  for (const double seconds : {0.0, -1.0, 1e9, std::nan(""), kInfinity})
    refused([&](RunSettings& settings) { settings.save_seconds = seconds; });
  for (const Shard& shard : {Shard{0, 1}, Shard{3, 2}, Shard{0, 0}})
    refused([&](RunSettings& settings) { settings.shard = shard; });
  refused([](RunSettings& settings) { settings.give_up = [](const auto&) {}; });
  EXPECT_TRUE(fs::is_empty(folder_));
  EXPECT_THROW(run_campaign(campaign(), path("no/a.h5")), RuntimeError);
}

TEST_F(RunCampaign, ReplacesNoFileThatItReads) {
  std::ofstream(path("c.toml")) << kText;
  const Campaign asked = read_campaign(path("c.toml"));

  EXPECT_THROW(run_campaign(asked, path("c.toml"), with(Existing::kReplace)), InputError);

  EXPECT_EQ(read_campaign(path("c.toml")).text, kText);
}

TEST_F(RunCampaign, TellsWhatItWillTakeOnlyWhereThatIsMuch) {
  std::vector<std::string> lines;
  RunSettings settings;
  settings.tell = [&](const std::string& line) { lines.push_back(line); };
  run_campaign(campaign(), path("a.h5"), settings);
  EXPECT_TRUE(lines.empty());

  std::string text = kText;
  text.replace(text.find("workers = [3, 5]"), std::string("workers = [3, 5]").size(),
               "workers = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]");
  text.replace(text.find("work = 2"), std::string("work = 2").size(), "work = [2, 3]");
  run_campaign(campaign(text), path("b.h5"), settings);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find("of computing with"), std::string::npos);
}

}  // namespace
}  // namespace coterie::sim
