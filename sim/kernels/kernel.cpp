#include "sim/kernels/kernel.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sim/kernels/chain_kernel.hpp"
#include "sim/kernels/set_kernel.hpp"

namespace coterie::sim {
namespace {

bool has_single_pieces(const Schedule& schedule) {
  for (std::size_t list = 0; list < schedule.lists().size(); ++list)
    for (const Task& task : schedule.lists()[list].tasks)
      if (task.pieces != 1) return false;
  return true;
}

/// Visits that cost about as much as the sets: one takes some cycles for all lanes, joining a word of a set some for
/// each lane. Components are not known yet: workers are taken to share their pieces evenly.
std::size_t affordable_visits(const Schedule& schedule) {
  std::size_t words = 0;
  for (std::size_t w = 0; w < schedule.workers(); ++w) words += 8 + schedule.tasks(w).tasks.size() / 16;
  return words;
}

}  // namespace

double Kernel::completed_work(std::span<const double> capacities, std::uint64_t instance,
                              KernelScratch& scratch) const {
  std::vector<double> lanes(capacities.size() * kLanes, 0.0);
  for (std::size_t w = 0; w < capacities.size(); ++w) lanes[w * kLanes] = capacities[w];
  double work[kLanes];
  completed_work({lanes.data(), instance, 1}, scratch, work);
  return work[0];
}

FinishTimes longest_list(const Schedule& schedule) {
  FinishTimes longest;
  for (std::size_t list = 0; list < schedule.lists().size(); ++list)
    if (const FinishTimes& finish = schedule.lists()[list].finish; finish.size() > longest.size()) longest = finish;
  for (std::size_t list = 0; list < schedule.lists().size(); ++list)
    if (!schedule.lists()[list].finish.are_first_of(longest)) return {};
  return longest;
}

FinishTimes common_list(std::span<const FinishTimes> lists) {
  FinishTimes common;
  std::ptrdiff_t most = 1;
  for (const FinishTimes& list : lists) {
    if (list.empty()) continue;
    const auto beginnings = std::count_if(lists.begin(), lists.end(), [&](const FinishTimes& other) {
      return !other.empty() && other.are_first_of(list);
    });
    if (beginnings > most) {
      most = beginnings;
      common = list;
    }
  }
  return common;
}

std::unique_ptr<Kernel> compile(const Schedule& schedule, const CompileOptions& options) {
  const LaneLoops& loops = options.loops != nullptr ? *options.loops : best_lane_loops();
  const PieceSizes sizes(schedule);
  const bool single_pieces = has_single_pieces(schedule);
  switch (options.evaluation) {
    case Evaluation::kChains:
      if (!single_pieces) throw std::invalid_argument("chains are made of tasks of one piece");
      return make_chain_kernel(schedule, sizes, options, loops, std::numeric_limits<std::size_t>::max());
    case Evaluation::kMarks:
      return make_mark_kernel(schedule, sizes, loops);
    default:
      break;
  }
  if (options.evaluation == Evaluation::kCheapest && single_pieces)
    if (auto kernel = make_chain_kernel(schedule, sizes, options, loops, affordable_visits(schedule))) return kernel;
  if (auto kernel = make_set_kernel(schedule, sizes, options, loops)) return kernel;
  return make_mark_kernel(schedule, sizes, loops);
}

}  // namespace coterie::sim
