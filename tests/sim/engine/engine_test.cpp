// The engine with a model of its own whose numbers are known: blocks, slices, threads, failures.
#include "sim/engine/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "core/cancellation.hpp"
#include "core/stream.hpp"
#include "sim/files/lock.hpp"
#include "sim/files/output_path.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/results/result_file.hpp"
#include "sim/run/campaign_results.hpp"
#include "tests/own_path.hpp"
#include "tests/sim/run_testing.hpp"

namespace coterie::sim {
namespace {

/// Ratio and reference are a hash of (identity, strategy, instance); it can be told to fail.
class KnownModel final : public Model {
 public:
  enum class Failure { kNone, kPrepare, kRun };

  KnownModel()
      : Model({.name = "known",
               .summary = "",
               .source = "",
               .metric = "metric",
               .metric_unit = "1",
               .reference = "reference"}) {}
  const std::vector<Axis>& axes() const override {
    static const std::vector<Axis> table = {{"a", Axis::Kind::kWhole, "1", "a number", "", ""}};
    return table;
  }
  std::vector<StrategyText> strategies() const override { return {}; }
  void validate(Configuration&, RiskLibrary&) const override {}
  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override;

  static double value(std::uint64_t identity, std::uint64_t strategy, std::uint64_t instance) {
    return static_cast<double>(identity_hash(std::to_string(identity) + "/" + std::to_string(strategy) + "/" +
                                             std::to_string(instance)) >>
                               11) *
           0x1p-53;
  }

  std::size_t blocks_run() const {
    const std::lock_guard lock(mutex);
    return blocks.size();
  }

  Failure failure = Failure::kNone;
  std::function<void(std::uint64_t first_instance)> before_block = [](std::uint64_t) {};
  bool quick = false;  ///< all numbers are 0.5
  mutable std::atomic<int> prepared = 0;
  mutable std::mutex mutex;
  mutable std::set<std::pair<std::uint64_t, std::uint64_t>> blocks;  // (identity, first instance)
};

class KnownTrial final : public Trial {
 public:
  KnownTrial(const KnownModel& model, std::uint64_t identity, std::size_t strategies)
      : model_(model), identity_(identity), strategies_(strategies) {}
  std::vector<StrategyFacts> facts() const override {
    std::vector<StrategyFacts> list;
    for (std::size_t s = 0; s < strategies_; ++s) list.push_back({static_cast<double>(s), 0.5, std::nan("")});
    return list;
  }
  void run(const Block& block) const override {
    model_.before_block(block.first_instance);
    if (model_.failure == KnownModel::Failure::kRun)
      throw RuntimeError("block " + std::to_string(identity_) + "/" + std::to_string(block.first_instance));
    for (std::size_t i = 0; i < block.instances; ++i) {
      if (model_.quick) {
        block.reference[i] = 0.5;
        for (std::size_t s = 0; s < strategies_; ++s) block.ratio[s * block.stride + i] = 0.5;
        continue;
      }
      block.reference[i] = KnownModel::value(identity_, 99, block.first_instance + i);
      for (std::size_t s = 0; s < strategies_; ++s)
        block.ratio[s * block.stride + i] = KnownModel::value(identity_, s, block.first_instance + i);
    }
    const std::lock_guard lock(model_.mutex);
    if (!model_.blocks.emplace(identity_, block.first_instance).second) throw RuntimeError("a block ran twice");
  }
  nlohmann::ordered_json replay(std::uint64_t) const override { return {}; }

 private:
  const KnownModel& model_;
  std::uint64_t identity_;
  std::size_t strategies_;
};

std::unique_ptr<Trial> KnownModel::prepare(const TrialRequest& request) const {
  if (failure == Failure::kPrepare) throw InputError("configuration " + std::to_string(request.configuration.identity));
  ++prepared;
  return std::make_unique<KnownTrial>(*this, request.configuration.identity, request.strategies.size());
}

class Engine : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path("");
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Campaign campaign(std::size_t configurations, std::size_t strategies, std::uint64_t instances) {
    Campaign campaign;
    campaign.model = &model_;
    campaign.instances = instances;
    campaign.path = "known.toml";
    campaign.risks = std::make_shared<RiskLibrary>("");
    campaign.schedules = std::make_shared<ScheduleLibrary>("");
    for (std::size_t s = 0; s < strategies; ++s) campaign.strategies.push_back("s" + std::to_string(s));
    for (std::size_t c = 0; c < configurations; ++c) {
      Configuration configuration;
      const std::string text = std::to_string(c);
      configuration.values.set({"a", text, text, static_cast<double>(c), {}});
      configuration.identity = c + 1;
      configuration.key = text;
      campaign.configurations.push_back(configuration);
    }
    return campaign;
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  void run(const Campaign& campaign, const std::string& name, int threads) {
    model_.blocks.clear();
    run_whole(campaign, path(name), threads);
  }

  void expect_known(const Campaign& campaign, const std::string& name) {
    const ResultFile file(path(name));
    ASSERT_TRUE(file.complete());
    for (std::size_t c = 0; c < campaign.configurations.size(); ++c) {
      const std::uint64_t identity = campaign.configurations[c].identity;
      for (std::size_t s = 0; s < campaign.strategies.size(); ++s) {
        const std::vector<double> row = file.ratios(c, s);
        ASSERT_EQ(row.size(), campaign.instances);
        for (std::size_t i = 0; i < row.size(); ++i) ASSERT_EQ(row[i], KnownModel::value(identity, s, i));
        const Summary summary = summarise(row);
        const auto stored = [&](const char* column) { return file.file().read_doubles(column, {c, s}, {1, 1})[0]; };
        ASSERT_EQ(stored("mean"), summary.mean);
        ASSERT_EQ(stored("min"), summary.min);
        ASSERT_EQ(stored("max"), summary.max);
        ASSERT_EQ(stored("q05"), summary.quantiles[0]);
        ASSERT_EQ(stored("q95"), summary.quantiles[4]);
        ASSERT_EQ(stored("chunks"), static_cast<double>(s));
        if (row.size() > 1) {
          ASSERT_EQ(stored("standard_error"), summary.standard_error);
        }
      }
      const auto reference = file.file().read_doubles("reference", {c, 0}, {1, campaign.instances});
      for (std::size_t i = 0; i < reference.size(); ++i) ASSERT_EQ(reference[i], KnownModel::value(identity, 99, i));
    }
  }

  KnownModel model_;
  std::filesystem::path folder_;
};

TEST_F(Engine, FillsEveryCellForAnyNumberOfThreads) {
  for (const auto& [configurations, strategies, instances] :
       {std::tuple<std::size_t, std::size_t, std::uint64_t>{1, 1, 1},
        {3, 2, 249},
        {3, 2, 250},
        {2, 3, 251},
        {40, 1, 7}})
    for (const int threads : {1, 2, 3}) {
      const Campaign known = campaign(configurations, strategies, instances);
      run(known, "known.h5", threads);
      expect_known(known, "known.h5");
      if (HasFatalFailure()) FAIL() << configurations << " x " << strategies << " x " << instances;
    }
}

// Several slices, whose memory goes from one to the next but one: nothing of a slice is left in another.
TEST_F(Engine, AShardHasItsCellsAndNaNElsewhere) {
  const Campaign known = campaign(100, 2, 5000);
  for (const Shard& shard : {Shard{2, 3}, Shard{7, 50}}) {
    model_.blocks.clear();
    run_whole(known, path("shard.h5"), 2, shard);
    const ResultFile file(path("shard.h5"));
    std::size_t cells = 0;
    std::size_t wrong = 0;
    for (std::size_t c = 0; c < known.configurations.size(); ++c) {
      const InstanceRange own = shard.share(known, c);
      const auto compare = [&](const std::vector<double>& row, std::size_t column) {
        for (std::size_t i = 0; i < row.size(); ++i) {
          const bool computed = own.first <= i && i < own.last;
          const double expected = KnownModel::value(known.configurations[c].identity, column, i);
          cells += computed ? 1 : 0;
          wrong += computed ? row[i] != expected : !std::isnan(row[i]);
        }
      };
      for (std::size_t s = 0; s < 2; ++s) compare(file.ratios(c, s), s);
      compare(file.file().read_doubles("reference", {c, 0}, {1, 5000}), 99);
    }
    EXPECT_EQ(wrong, 0u) << shard.text();
    EXPECT_GT(cells, 0u);
    EXPECT_LT(cells, 100u * 3 * 5000);
  }
}

// Several slices; everything lies at the same place. Only the times of begin and end may differ, and their checksums.
TEST_F(Engine, MakesTheSameFileWithAnyNumberOfThreads) {
  for (const int deflate : {0, 1}) {
    Campaign known = campaign(deflate == 0 ? 90 : 300, 2, 5000);
    known.deflate = deflate;
    run(known, "one.h5", 1);
    const std::string one = read_text_file(path("one.h5"));
    for (const int threads : {2, 3, 5}) {
      run(known, "several.h5", threads);
      const std::string several = read_text_file(path("several.h5"));
      ASSERT_EQ(several.size(), one.size());
      std::size_t differ = 0;
      for (std::size_t i = 0; i < one.size(); ++i) differ += one[i] == several[i] ? 0 : 1;
      EXPECT_LE(differ, 100u);
    }
  }
}

// Memory holds four million values; more instances than fit make several slices of one configuration.
TEST_F(Engine, TakesMoreInstancesThanFitInMemory) {
  const Campaign known = campaign(2, 9, 900'100);
  run(known, "large.h5", 2);

  EXPECT_EQ(model_.prepared, 2);
  EXPECT_EQ(model_.blocks.size(), 2u * 3601u);
  const ResultFile file(path("large.h5"));
  for (std::size_t c = 0; c < 2; ++c)
    for (const std::size_t s : {0, 8}) {
      const std::vector<double> row = file.ratios(c, s);
      for (std::size_t i = 0; i < row.size(); i += 37) ASSERT_EQ(row[i], KnownModel::value(c + 1, s, i));
      ASSERT_EQ(row.back(), KnownModel::value(c + 1, s, row.size() - 1));
      ASSERT_EQ(file.file().read_doubles("mean", {c, s}, {1, 1})[0], summarise(row).mean);
    }
}

TEST_F(Engine, TakesMoreConfigurationsThanFitInMemory) {
  const Campaign known = campaign(3000, 1, 750);
  run(known, "many.h5", 2);
  expect_known(known, "many.h5");
}

// Keeping may mean writing to disk: the other threads go on with the next batch meanwhile.
TEST_F(Engine, KeepsABatchWhileTheNextIsComputedAndLosesNothingWhereThatIsStopped) {
  model_.quick = true;
  const Campaign known = campaign(4, 1, 1'000'000);
  constexpr std::size_t kBlocksOfBatch = 8000;  // of two configurations: 4,000,000 values with the reference
  for (const int threads : {1, 2, 3}) {
    model_.blocks.clear();
    std::uint64_t kept = 0;
    std::size_t computed_meanwhile = 0;
    RunControl control;
    control.threads = threads;
    control.keep_seconds = 3600;
    control.stop = [&] { return model_.blocks_run() >= kBlocksOfBatch + 50; };
    control.keep = [&](const std::vector<ResultRow>& rows) {
      const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (kept == 0 && threads > 1 && model_.blocks_run() == kBlocksOfBatch &&
             std::chrono::steady_clock::now() < deadline)
        std::this_thread::yield();
      if (kept == 0) computed_meanwhile = model_.blocks_run() - kBlocksOfBatch;
      for (const ResultRow& row : rows) kept += row.span.instances;
    };
    Progress progress(4, known.total_instances(), 0);
    EXPECT_FALSE(compute_rows(known, missing_rows(known, {}, {}), control, progress));
    EXPECT_EQ(kept, 2 * kBlockInstances * model_.blocks_run()) << threads;  // the reference, too
    EXPECT_EQ(computed_meanwhile > 0, threads > 1);
  }
}

TEST_F(Engine, TheCallingThreadWaitsForNoOtherThatKeeps) {
  model_.quick = true;
  const Campaign known = campaign(2, 1, 1'000'000);
  const auto caller = std::this_thread::get_id();
  std::optional<std::size_t> meanwhile;  // where another thread has its turn at all
  RunControl control;
  control.threads = 2;
  control.keep_seconds = 0;
  control.keep = [&](const std::vector<ResultRow>&) {
    if (meanwhile || std::this_thread::get_id() == caller) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    const std::size_t before = model_.blocks_run();
    while (model_.blocks_run() < std::min<std::size_t>(before + 10, 8000) &&
           std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
    meanwhile = model_.blocks_run() - before;
    if (before + 10 > 8000) meanwhile.reset();
  };
  Progress progress(2, known.total_instances(), 0);
  EXPECT_TRUE(compute_rows(known, missing_rows(known, {}, {}), control, progress));
  EXPECT_GE(meanwhile.value_or(10), 10u);
}

TEST_F(Engine, EndsWhereWhatABatchComputedCannotBeKept) {
  model_.quick = true;
  const Campaign known = campaign(4, 1, 1'000'000);
  for (const int threads : {1, 3}) {
    model_.blocks.clear();
    RunControl control;
    control.threads = threads;
    control.keep_seconds = 3600;
    control.keep = [](const std::vector<ResultRow>&) { throw RuntimeError("disk full"); };
    Progress progress(4, known.total_instances(), 0);
    EXPECT_THROW(compute_rows(known, missing_rows(known, {}, {}), control, progress), RuntimeError);
    if (threads > 1) continue;              // others may have gone on a little
    EXPECT_EQ(model_.blocks_run(), 8000u);  // the first batch of two
  }
}

/// Computes a campaign of 40 blocks whose block at instance 5000 never ends, with a time limit that is over by then;
/// returns the instances that were kept.
std::vector<std::uint64_t> kept_of_endless(const Campaign& known, KnownModel& model, int threads, RunControl control,
                                           bool cancellable) {
  std::atomic<bool> over = false;
  model.before_block = [&over, cancellable](std::uint64_t first_instance) {
    if (first_instance != 5000) return;
    for (over = true;;) {
      if (cancellable) cancellation_point();
      std::this_thread::yield();
    }
  };
  std::vector<std::uint64_t> kept;
  control.threads = threads;
  control.keep_seconds = 3600;
  control.stop = [&over] { return over.load(); };
  control.keep = [&kept](const std::vector<ResultRow>& rows) {
    for (const ResultRow& row : rows) {
      EXPECT_EQ(row.first[0], row.span.column == kReferenceColumn ? KnownModel::value(1, 99, row.span.first_instance)
                                                                  : KnownModel::value(1, 0, row.span.first_instance));
      if (row.span.column == kReferenceColumn) continue;
      for (std::uint64_t i = 0; i < row.span.instances; ++i) kept.push_back(row.span.first_instance + i);
    }
  };
  Progress progress(1, known.total_instances(), 0);
  const CancellationScope scope(over);
  EXPECT_FALSE(compute_rows(known, missing_rows(known, {}, {}), control, progress));
  return kept;
}

TEST_F(Engine, KeepsWhatIsFinishedOfABlockThatIsCancelledNothing) {
  const Campaign known = campaign(1, 1, 10'000);
  for (const int threads : {1, 2, 3}) {
    model_.blocks.clear();

    const std::vector<std::uint64_t> kept = kept_of_endless(known, model_, threads, {}, true);

    EXPECT_EQ(kept.size(), kBlockInstances * model_.blocks_run());
    EXPECT_GE(kept.size(), threads == 1 ? 5000 : 5000 - kBlockInstances * static_cast<std::size_t>(threads));
    EXPECT_EQ(std::count(kept.begin(), kept.end(), 5000u), 0);
    model_.blocks.clear();
    model_.before_block = [](std::uint64_t) {};
    run(known, "again.h5", threads);  // and nothing hinders another run
    expect_known(known, "again.h5");
  }
}

using EngineDeathTest = Engine;

TEST_F(EngineDeathTest, GivesUpThreadsThatAreDeafButNotWhatIsFinished) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const Campaign known = campaign(1, 1, 10'000);
  EXPECT_EXIT(
      {
        StopRule rule(1e-9);
        std::uint64_t kept = 0;
        RunControl control;
        control.threads = 1;
        control.keep_seconds = 3600;
        control.keep = [&](const std::vector<ResultRow>& rows) {
          for (const ResultRow& row : rows) kept += row.span.column == kReferenceColumn ? 0 : row.span.instances;
        };
        control.rule = &rule;
        control.give_up = [&](const std::function<void()>& keep_finished) {
          keep_finished();
          std::_Exit(kept == 5000 ? 3 : 4);
        };
        model_.before_block = [](std::uint64_t first) {
          while (first == 5000) std::this_thread::sleep_for(std::chrono::seconds(1));
        };
        Progress progress(1, known.total_instances(), 0);
        compute_rows(known, missing_rows(known, {}, {}), control, progress);
      },
      testing::ExitedWithCode(3), "");
}

TEST_F(Engine, HandsOneExceptionToTheCallerAndLeavesNothingBehind) {
  const Campaign known = campaign(5, 2, 1000);
  for (const int threads : {1, 2, 3}) {
    model_.failure = KnownModel::Failure::kRun;
    try {
      run(known, "failed.h5", threads);
      FAIL() << "no exception";
    } catch (const RuntimeError& error) {
      EXPECT_STREQ(error.what(), "block 1/0");  // of those thrown, the one of the lowest block
    }
    model_.failure = KnownModel::Failure::kPrepare;
    try {
      run(known, "failed.h5", threads);
      FAIL() << "no exception";
    } catch (const InputError& error) {
      EXPECT_STREQ(error.what(), "configuration 1");
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
  }
}

TEST_F(Engine, AFailedRunLeavesAnExistingResultAsItWas) {
  const Campaign known = campaign(2, 1, 10);
  run(known, "kept.h5", 1);
  model_.failure = KnownModel::Failure::kRun;

  EXPECT_THROW(run(known, "kept.h5", 1), RuntimeError);

  expect_known(known, "kept.h5");
}

// ---- the store's own doors ----

TEST_F(Engine, RefusesToReplaceWithoutBeingTold) {
  std::ofstream(path("mine.h5")) << "mine";
  const Campaign known = campaign(1, 1, 1);

  EXPECT_THROW(CampaignResults(path("mine.h5"), known, {}, Existing::kRefuse, 1), InputError);

  std::string content;
  std::ifstream(path("mine.h5")) >> content;
  EXPECT_EQ(content, "mine");
}

TEST_F(Engine, RefusesPathsThatCannotHoldAResult) {
  for (const std::string& wrong : {folder_.string(), std::string(), std::string("/dev/null")})
    EXPECT_THROW(output_target(wrong), InputError) << wrong;
  const Campaign known = campaign(1, 1, 1);
  for (const std::string& closed : {path("no/such/folder.h5"), std::string("/proc/coterie.h5")}) {
    EXPECT_THROW(OutputLock{closed}, RuntimeError) << closed;
    EXPECT_THROW(ResultStore(closed, known, {}, ResultExtent::fixed(known, {}), {""}), RuntimeError) << closed;
  }
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST_F(Engine, ResultsThatAreNoneAreRefused) {
  std::ofstream(path("text.h5")) << "no HDF5";
  std::ofstream(path("empty.h5"));
  const Campaign known = campaign(1, 1, 100);
  run(known, "whole.h5", 1);
  std::filesystem::copy_file(path("whole.h5"), path("cut.h5"));
  std::filesystem::resize_file(path("cut.h5"), std::filesystem::file_size(path("cut.h5")) / 2);
  TemporaryFile other(path("other.h5"));
  Hdf5File(other).close();
  other.publish();

  for (const char* name : {"text.h5", "empty.h5", "gone.h5", "cut.h5", "other.h5"})
    EXPECT_THROW(ResultFile{path(name)}, RuntimeError) << name;
}

}  // namespace
}  // namespace coterie::sim
