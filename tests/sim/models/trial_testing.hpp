#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/results/result_file.hpp"
#include "tests/own_path.hpp"
#include "tests/sim/run_testing.hpp"

namespace coterie::sim {

/// What a trial computed: by instance, and by strategy and instance.
struct Rows {
  std::vector<double> reference;
  std::vector<std::vector<double>> ratio;
};

inline std::unique_ptr<Trial> prepared(const Campaign& campaign, std::size_t configuration = 0) {
  return campaign.model->prepare(
      {campaign.configurations[configuration], campaign.seed, campaign.strategies, *campaign.risks});
}

inline Rows run_rows(const Trial& trial, const Campaign& campaign) {
  const auto instances = static_cast<std::size_t>(campaign.instances);
  Rows rows{std::vector<double>(instances), {}};
  std::vector<double> ratio(campaign.strategies.size() * instances);
  trial.run({0, instances, rows.reference.data(), ratio.data(), instances});
  for (std::size_t s = 0; s < campaign.strategies.size(); ++s)
    rows.ratio.emplace_back(ratio.begin() + static_cast<std::ptrdiff_t>(s * instances),
                            ratio.begin() + static_cast<std::ptrdiff_t>((s + 1) * instances));
  return rows;
}

inline Rows run_rows(const std::string& text) {
  const Campaign campaign = parse_campaign(text, "campaign.toml");
  return run_rows(*prepared(campaign), campaign);
}

/// All ratios of a campaign, by configuration, strategy and instance, run by the engine into a file and read again.
inline std::vector<double> stored_ratios(const std::string& text, int threads) {
  const Campaign campaign = parse_campaign(text, "campaign.toml");
  const std::string path = own_path("-" + std::to_string(threads) + ".h5");
  run_whole(campaign, path, threads);
  const ResultFile file(path);
  std::vector<double> all;
  for (std::size_t c = 0; c < file.configurations(); ++c)
    for (std::size_t s = 0; s < file.strategies().size(); ++s)
      for (const double value : file.ratios(c, s)) all.push_back(value);
  std::filesystem::remove(path);
  return all;
}

/// The message of the InputError that reading or preparing a campaign throws; "" where it does not.
inline std::string refusal(const std::string& text) {
  try {
    const Campaign campaign = parse_campaign(text, "campaign.toml");
    for (std::size_t c = 0; c < campaign.configurations.size(); ++c) prepared(campaign, c);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

/// What every model promises: the same bytes for any number of threads, from any block, and one instance alone.
inline void expect_instances_have_identity(const std::string& text) {
  const Campaign campaign = parse_campaign(text, "campaign.toml");
  ASSERT_GT(campaign.instances, 250U) << "more than one block";
  const std::vector<double> one = stored_ratios(text, 1);
  EXPECT_EQ(one, stored_ratios(text, 2));
  EXPECT_EQ(one, stored_ratios(text, 3));

  const auto trial = prepared(campaign);
  const Rows rows = run_rows(*trial, campaign);
  for (std::size_t s = 0; s < rows.ratio.size(); ++s)
    for (std::size_t i = 0; i < rows.ratio[s].size(); ++i)
      ASSERT_EQ(rows.ratio[s][i], one[s * rows.ratio[s].size() + i]);
  for (const std::uint64_t instance : {std::uint64_t{0}, std::uint64_t{7}, campaign.instances - 1}) {
    const nlohmann::ordered_json replay = prepared(campaign)->replay(instance);
    EXPECT_EQ(replay["reference"].get<double>(), rows.reference[instance]);
    for (std::size_t s = 0; s < rows.ratio.size(); ++s) {
      EXPECT_EQ(replay["strategies"][s]["name"], campaign.strategies[s]);
      EXPECT_EQ(replay["strategies"][s]["ratio"].get<double>(), rows.ratio[s][instance]);
    }
  }
}

}  // namespace coterie::sim
