#pragma once

#include "sim/campaign/campaign.hpp"
#include "sim/terminal/options.hpp"

namespace coterie::sim {

/// The options that replace what a campaign says: --seed, --instances, --precision, --max-instances, --set.
void add_overrides(Options& options, const Catalogue& catalogue);
CampaignOverrides overrides_of(const Options& options);

}  // namespace coterie::sim
