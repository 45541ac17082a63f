#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/engine/engine.hpp"
#include "sim/run/campaign_results.hpp"

namespace coterie::sim {

/// Runs all of a campaign, or of a shard of it, into a result file, which it replaces.
inline void run_whole(const Campaign& campaign, const std::string& path, int threads, const Shard& shard = {}) {
  CampaignResults results(path, campaign, shard, Existing::kReplace, 3600);
  Progress progress(campaign.configurations.size(), campaign.total_instances(), 0, Progress::Style::kQuiet);
  RunControl control;
  control.threads = threads;
  control.keep = [&](std::vector<ResultRow> rows) { results.add(std::move(rows)); };
  ASSERT_TRUE(compute_rows(campaign, results.missing(), control, progress));
  results.publish({"test"}, threads);
}

}  // namespace coterie::sim
