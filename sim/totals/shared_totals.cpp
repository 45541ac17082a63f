#include "sim/totals/shared_totals.hpp"

#include <utility>

namespace coterie::sim {

void SharedTotals::add(std::uint64_t block, std::span<const double> reference, const double* ratios,
                       std::size_t stride) {
  BlockTree::Moments moments = moments_of_block(reference, ratios, stride, strategies_, loops_);
  const std::shared_lock adding(taking_);
  CellTables* tables = nullptr;
  {
    const std::lock_guard lock(mutex_);
    tables = &tables_.try_emplace(std::this_thread::get_id(), strategies_, loops_).first->second;
    tree_.add(block, 1, std::move(moments));  // what comes now does not throw: both have the block, or none has
    if (!tables->has_room()) tables->move_to(histograms_);
  }
  tables->add(ratios, stride, reference.size());
}

RatioTotals SharedTotals::take() {
  const std::unique_lock taking(taking_);
  if (tree_.blocks() == 0) return {};
  move_all();
  std::vector<RatioHistogram> histograms(strategies_);
  histograms.swap(histograms_);
  return {std::exchange(tree_, {}), std::move(histograms)};
}

void SharedTotals::settle() {
  const std::unique_lock taking(taking_);
  move_all();
}

void SharedTotals::move_all() {
  for (auto& [thread, tables] : tables_) tables.move_to(histograms_);
  tables_.clear();
}

}  // namespace coterie::sim
