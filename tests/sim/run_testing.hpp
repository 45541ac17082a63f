#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sim/run/run_campaign.hpp"

namespace coterie::sim {

/// Runs all of a campaign, or of a shard of it, into a result file, which it replaces.
inline void run_whole(const Campaign& campaign, const std::string& path, int threads, const Shard& shard = {}) {
  RunSettings settings;
  settings.shard = shard;
  settings.existing = Existing::kReplace;
  settings.threads = threads;
  ASSERT_EQ(run_campaign(campaign, path, settings).end, RunOutcome::End::kComplete);
}

}  // namespace coterie::sim
