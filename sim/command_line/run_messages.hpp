#pragma once

#include <string>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/shard.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine/rows.hpp"
#include "sim/results/result_file.hpp"
#include "sim/statistics/precision.hpp"

namespace coterie::sim {

/// The call of the verb run, as a shell reads it again.
std::string joined(const Call& call);

/// The command that goes on with a run.
std::string command_to_go_on(Call call);

std::uint64_t instances_of(const std::vector<MissingRows>& gaps);

/// What a run ends with.
std::string summary_of(const std::string& output, const Campaign& campaign, const Shard& shard,
                       const ResultExtent& extent);

/// How many instances those of a result are worth, where that is not as many as were run.
std::string worth_of(const ResultFile& result);

/// Tells what a large result takes before it is begun; throws RuntimeError where the disk has no room for it.
void check_room(const Campaign& campaign, const Shard& shard, const std::string& output, bool quiet);

/// Tells how long it will take, where that is worth a second of measuring.
void tell_time(const Campaign& campaign, const std::vector<MissingRows>& tasks, int threads);

}  // namespace coterie::sim
