#include "heuristics/chosen_counts.hpp"

namespace coterie::heuristics {

GranularityChoice ChosenCounts::of(const Slice& slice, const std::function<GranularityChoice()>& choose) {
  constexpr std::size_t kMost = 100'000;  // some 10 MB, beside the risks
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = known_.find(slice); known != known_.end()) return known->second;
  }
  const GranularityChoice choice = choose();  // two threads may search for the same
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMost) known_.clear();
  known_.emplace(slice, choice);
  return choice;
}

}  // namespace coterie::heuristics
