#include "sim/run/campaign_results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/command_line/verbs.hpp"
#include "sim/engine/engine.hpp"
#include "sim/models/worksharing.hpp"
#include "sim/results/result_file.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

namespace fs = std::filesystem;

/// (configuration, strategy, instance)
using Cell = std::tuple<std::string, std::string, std::uint64_t>;

/// The worksharing model, which throws where a cell is computed for the second time, and counts blocks.
class OnceModel final : public Model {
 public:
  OnceModel() : Model(Catalogue::own().model("worksharing").words()) {}
  const std::vector<Axis>& axes() const override { return base_.axes(); }
  std::vector<StrategyText> strategies() const override { return base_.strategies(); }
  void validate(Configuration& configuration, RiskLibrary& risks) const override {
    base_.validate(configuration, risks);
  }
  std::unique_ptr<Trial> prepare(const TrialRequest& request) const override {
    return std::make_unique<OnceTrial>(*this, base_.prepare(request), request.configuration.key, request.strategies);
  }

  std::vector<double> ceiling_values(const TrialRequest& request) const override {
    return base_.ceiling_values(request);
  }

  void tick(const std::string& key, const std::vector<std::string>& strategies, const Block& block) const {
    ++blocks;
    const std::lock_guard lock(mutex_);
    for (const std::string& strategy : strategies)
      for (std::uint64_t i = 0; i < block.instances; ++i)
        if (!cells_.emplace(key, strategy, block.first_instance + i).second)
          throw std::logic_error("computed again: " + key + " " + strategy);
  }
  void forget() { cells_.clear(); }
  std::size_t cells() const { return cells_.size(); }

  mutable std::atomic<int> blocks = 0;

 private:
  class OnceTrial final : public Trial {
   public:
    OnceTrial(const OnceModel& model, std::unique_ptr<Trial> trial, std::string key,
              std::vector<std::string> strategies)
        : model_(model), trial_(std::move(trial)), key_(std::move(key)), strategies_(std::move(strategies)) {}
    std::vector<StrategyFacts> facts() const override { return trial_->facts(); }
    void run(const Block& block) const override {
      model_.tick(key_, strategies_, block);
      trial_->run(block);
    }
    nlohmann::ordered_json replay(std::uint64_t instance) const override { return trial_->replay(instance); }

   private:
    const OnceModel& model_;
    std::unique_ptr<Trial> trial_;
    std::string key_;
    std::vector<std::string> strategies_;
  };

  const Model& base_ = Catalogue::own().model("worksharing");
  mutable std::mutex mutex_;
  mutable std::set<Cell> cells_;
};

constexpr const char* kText = R"toml(
title = "resume"
seed = 11
instances = 1100
strategies = ["greedy", "random-replication"]
[grid]
workers = [3, 5]
work = [2, 3]
chunks = 4
startup = 0.01
background = ["none", "mm1(arrival=.5, service=1)"]
)toml";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

class CampaignResultsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path("/");
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  Campaign campaign(const std::string& text) const {
    Campaign parsed = parse_campaign(text, folder_ + "c.toml");
    parsed.model = &model_;
    return parsed;
  }

  struct Way {
    int threads = 1;
    Shard shard;
    int stop_after = 1 << 30;  ///< blocks
    double save_seconds = 1e-9;
  };

  /// Returns whether it ran to its end.
  bool run(const std::string& name, const std::string& text, Existing existing, const Way& way) {
    const Campaign asked = campaign(text);
    CampaignResults results(folder_ + name, asked, way.shard, existing, way.save_seconds);
    Progress progress(1, 1, 0);
    RunControl control;
    control.threads = way.threads;
    model_.blocks = 0;
    control.stop = [&] { return model_.blocks >= way.stop_after; };
    control.keep = [&](std::vector<ResultRow> rows) { results.add(std::move(rows)); };
    control.keep_seconds = 0;
    const bool finished = compute_rows(asked, results.missing(), control, progress);
    if (finished)
      results.publish(RunNote{"test"}, way.threads);
    else
      results.save();
    return finished;
  }

  bool run(const std::string& name, const std::string& text, Existing existing) {
    return run(name, text, existing, {});
  }

  /// The same bytes in every dataset.
  void expect_same(const std::string& a, const std::string& b) const {
    const ResultFile first(folder_ + a);
    const ResultFile second(folder_ + b);
    ASSERT_EQ(first.file().datasets(), second.file().datasets());
    int compared = 0;
    for (const std::string& name : first.file().datasets()) {
      if (name == "configuration" || name == "instance") continue;  // dimensions without values
      if (first.file().holds_doubles(name)) {
        const auto x = first.file().read_doubles(name);
        const auto y = second.file().read_doubles(name);
        ASSERT_EQ(x.size(), y.size()) << name;
        EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0) << name;
      } else {
        EXPECT_EQ(first.file().read_texts(name), second.file().read_texts(name)) << name;
      }
      ++compared;
    }
    EXPECT_GT(compared, 20);
  }

  std::string refusal(const std::string& name, const std::string& text, const Shard& shard = {}) const {
    const Campaign asked = campaign(text);
    try {
      CampaignResults(folder_ + name, asked, shard, Existing::kResume, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  OnceModel model_;
  std::string folder_;
};

TEST_F(CampaignResultsTest, StoppedAnywhereAndResumedComputesNothingTwice) {
  ASSERT_TRUE(run("whole.h5", kText, Existing::kRefuse));
  const std::size_t cells = model_.cells();
  for (const int threads : {1, 2, 3})
    for (const int stop_after : {1, 2, 7, 19}) {
      model_.forget();
      const std::string name = "resumed-" + std::to_string(threads) + "-" + std::to_string(stop_after) + ".h5";

      bool finished = run(name, kText, Existing::kRefuse, {threads, {}, stop_after});
      EXPECT_FALSE(finished);
      EXPECT_FALSE(fs::exists(folder_ + name));
      for (int times = 1; !finished; ++times) {
        ASSERT_LT(times, 50);
        finished = run(name, kText, Existing::kResume, {threads, {}, stop_after});
      }

      EXPECT_EQ(model_.cells(), cells);
      EXPECT_FALSE(fs::exists(folder_ + name + ".parts"));
      expect_same("whole.h5", name);
    }
}

TEST_F(CampaignResultsTest, ShardsStoppedAndResumedMergeIntoTheWhole) {
  ASSERT_TRUE(run("whole.h5", kText, Existing::kRefuse));
  model_.forget();
  for (std::uint64_t index = 1; index <= 4; ++index) {
    const std::string name = "shard-" + std::to_string(index) + ".h5";
    const Way way{static_cast<int>(1 + index % 3), {index, 4}, 5};
    bool finished = run(name, kText, Existing::kRefuse, way);
    while (!finished) finished = run(name, kText, Existing::kResume, way);
    EXPECT_FALSE(ResultFile(folder_ + name).complete());
  }
  EXPECT_EQ(model_.cells(), 8u * 2u * 1100u);  // no cell in two shards

  std::vector<std::string> words;
  for (const int index : {3, 1, 4, 2}) words.push_back(folder_ + "shard-" + std::to_string(index) + ".h5");
  words.insert(words.end(), {"--output", folder_ + "merged.h5"});
  EXPECT_EQ(merge_verb({Catalogue::own(), words}), 0);
  expect_same("whole.h5", "merged.h5");
}

TEST_F(CampaignResultsTest, PartsAreWrittenWhenTheyAreDueAndNotBefore) {
  const Campaign asked = campaign(kText);
  const std::vector<MissingRows> one = {missing_rows(asked, {}, {}).front()};
  for (const double save_seconds : {3600.0, 1e-9}) {
    model_.forget();
    CampaignResults results(folder_ + "a.h5", asked, {}, Existing::kRefuse, save_seconds);
    Progress progress(1, 1, 0);
    RunControl control;
    control.keep = [&](std::vector<ResultRow> rows) { results.add(std::move(rows)); };
    compute_rows(asked, one, control, progress);
    EXPECT_EQ(results.folder().exists(), save_seconds < 1);
  }
}

TEST_F(CampaignResultsTest, ACompleteResultIsExtendedByInstancesStrategiesAndConfigurations) {
  const std::string more_instances = replaced(kText, "instances = 1100", "instances = 1730");
  const std::string more_strategies =
      replaced(more_instances, R"(["greedy", )", R"(["brute", "greedy", "no-replication", )");
  const std::string more_configurations = replaced(more_strategies, "workers = [3, 5]", "workers = [2, 3, 4, 5]");
  ASSERT_TRUE(run("grown.h5", kText, Existing::kRefuse));

  for (const std::string& text : {more_instances, more_strategies, more_configurations})
    ASSERT_TRUE(run("grown.h5", text, Existing::kResume)) << text;

  EXPECT_EQ(model_.cells(), 16u * 4u * 1730u);
  model_.forget();
  ASSERT_TRUE(run("anew.h5", more_configurations, Existing::kRefuse));
  expect_same("anew.h5", "grown.h5");
}

TEST_F(CampaignResultsTest, AllGrowsAtOnceFromPartsToo) {
  const std::string more = replaced(replaced(replaced(kText, "1100", "1300"), R"(["greedy")", R"(["brute", "greedy")"),
                                    "work = [2, 3]", "work = [1, 2, 3]");
  ASSERT_FALSE(run("grown.h5", kText, Existing::kRefuse, {1, {}, 13}));
  ASSERT_FALSE(run("grown.h5", more, Existing::kResume, {2, {}, 9}));
  ASSERT_TRUE(run("grown.h5", more, Existing::kResume));

  model_.forget();
  ASSERT_TRUE(run("anew.h5", more, Existing::kRefuse));
  expect_same("anew.h5", "grown.h5");
}

TEST_F(CampaignResultsTest, WhatIsThereAlreadyIsUpToDate) {
  ASSERT_TRUE(run("a.h5", kText, Existing::kRefuse));
  const Campaign same = campaign(kText);
  EXPECT_TRUE(CampaignResults(folder_ + "a.h5", same, {}, Existing::kResume, 1).up_to_date());
  const Campaign renamed = campaign(replaced(kText, "\"resume\"", "\"another title\""));
  CampaignResults results(folder_ + "a.h5", renamed, {}, Existing::kResume, 1);
  EXPECT_FALSE(results.up_to_date());
  EXPECT_TRUE(results.missing().empty());
}

TEST_F(CampaignResultsTest, RefusesAnotherCampaignWithAListOfDifferences) {
  using testing::HasSubstr;
  ASSERT_TRUE(run("a.h5", kText, Existing::kRefuse));
  model_.forget();
  ASSERT_FALSE(run("b.h5", kText, Existing::kRefuse, {1, {}, 3}));
  for (const std::string name : {"a.h5", "b.h5"}) {
    EXPECT_EQ(refusal(name, kText), "");
    EXPECT_THAT(refusal(name, replaced(kText, "seed = 11", "seed = 12")), HasSubstr("seed: was 11, now 12"));
    EXPECT_THAT(refusal(name, replaced(kText, "1100", "1000")), HasSubstr("instances: were 1100, now 1000"));
    EXPECT_THAT(refusal(name, replaced(kText, R"("greedy", )", "")), HasSubstr("the strategy \"greedy\""));
    EXPECT_THAT(refusal(name, replaced(kText, "workers = [3, 5]", "workers = [3, 4]")),
                HasSubstr("the configuration workers = 5, work = 2"));
    EXPECT_THAT(refusal(name, replaced(kText, "seed", "common_random_numbers = true\nseed")),
                HasSubstr("common_random_numbers: was false, now true"));
    EXPECT_THAT(refusal(name, kText, Shard{1, 2}), HasSubstr("shard: was 1/1, now 1/2"));
    const std::string all = refusal(name, replaced(replaced(kText, "seed = 11", "seed = 12"), "1100", "1000"));
    EXPECT_THAT(all, testing::AllOf(HasSubstr("seed"), HasSubstr("instances"), HasSubstr("--force")));
  }
}

TEST_F(CampaignResultsTest, RefusesResultsOfAnotherProgram) {
  ASSERT_FALSE(run("b.h5", kText, Existing::kRefuse, {1, {}, 3}));
  const PartFolder folder(folder_ + "b.h5");
  PartManifest manifest = *folder.manifest();
  manifest.provenance.coterie_version = "0.0.7";
  folder.write_manifest(manifest);

  EXPECT_THAT(refusal("b.h5", kText), testing::HasSubstr("version of the program: was 0.0.7, now "));
}

TEST_F(CampaignResultsTest, WithCommonRandomNumbersANewAxisChangesEveryInstance) {
  const std::string common = replaced(kText, "seed", "common_random_numbers = true\nseed");
  ASSERT_TRUE(run("a.h5", common, Existing::kRefuse));
  EXPECT_EQ(refusal("a.h5", replaced(common, "work = [2, 3]", "work = [1, 2, 3]")), "");
  EXPECT_THAT(refusal("a.h5", replaced(common, "startup = 0.01", "startup = [0.01, 0.02]")),
              testing::HasSubstr("changes every instance"));
}

TEST_F(CampaignResultsTest, UnfinishedResultsAreNotOverwrittenUnasked) {
  ASSERT_FALSE(run("b.h5", kText, Existing::kRefuse, {1, {}, 3}));
  const Campaign same = campaign(kText);
  EXPECT_THROW(CampaignResults(folder_ + "b.h5", same, {}, Existing::kRefuse, 1), InputError);

  model_.forget();
  EXPECT_TRUE(run("b.h5", kText, Existing::kReplace));
}

// The old file stays until the end, and its rows are no part of the run that replaces it.
TEST_F(CampaignResultsTest, AReplacingRunThatWasStoppedGoesOnWithoutTheOldFile) {
  const std::string other = replaced(kText, "seed = 11", "seed = 12");
  ASSERT_TRUE(run("a.h5", kText, Existing::kRefuse));
  model_.forget();
  ASSERT_TRUE(run("anew.h5", other, Existing::kRefuse));
  model_.forget();

  ASSERT_FALSE(run("a.h5", other, Existing::kReplace, {1, {}, 3}));
  EXPECT_EQ(ResultFile(folder_ + "a.h5").provenance().seed, 11u);
  ASSERT_TRUE(run("a.h5", other, Existing::kResume));

  expect_same("anew.h5", "a.h5");
}

void flip_bit(const std::string& path, std::uintmax_t offset) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(offset));
  file.put(static_cast<char>(byte ^ 16));
}

/// The position of `value` in a file.
std::uintmax_t position_of(const std::string& path, double value) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  return bytes.find(std::string(reinterpret_cast<const char*>(&value), sizeof value));
}

TEST_F(CampaignResultsTest, AFlippedBitIsReportedWithItsPlace) {
  ASSERT_TRUE(run("a.h5", kText, Existing::kRefuse));
  const double value = ResultFile(folder_ + "a.h5").file().read_doubles("reference", {1, 700}, {1, 1})[0];
  flip_bit(folder_ + "a.h5", position_of(folder_ + "a.h5", value) + 2);
  try {
    ResultFile(folder_ + "a.h5");
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(),
                testing::AllOf(testing::HasSubstr("a.h5: is damaged: bytes "), testing::HasSubstr("differ")));
  }
}

TEST_F(CampaignResultsTest, AFlippedBitInAPartIsReported) {
  ASSERT_FALSE(run("b.h5", kText, Existing::kRefuse, {1, {}, 5}));
  const std::string part = PartFolder(folder_ + "b.h5").parts().front();
  const double value = Hdf5File(part, Hdf5File::Mode::kRead).read_doubles("value", {100}, {1})[0];
  flip_bit(part, position_of(part, value) + 1);

  try {
    run("b.h5", kText, Existing::kResume);
    FAIL();
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(testing::HasSubstr("part-000001.h5: is damaged"),
                                             testing::HasSubstr("delete this file, and its rows are computed again")));
  }
  EXPECT_FALSE(fs::exists(folder_ + "b.h5"));

  fs::remove(part);
  model_.forget();
  EXPECT_TRUE(run("b.h5", kText, Existing::kResume));
}

TEST_F(CampaignResultsTest, WhatAKillLeavesUnfinishedIsSweptAway) {
  ASSERT_FALSE(run("b.h5", kText, Existing::kRefuse, {1, {}, 3}));
  std::ofstream(temporary_name(folder_ + "b.h5.parts/part-000099.h5")) << "half";

  ASSERT_TRUE(run("b.h5", kText, Existing::kResume));

  EXPECT_FALSE(fs::exists(folder_ + "b.h5.parts"));
}

}  // namespace
}  // namespace coterie::sim
