#include "sim/sampling/capacity_laws.hpp"

#include <algorithm>

namespace coterie::sim {

struct CapacityLaws::Law {
  explicit Law(const Key& key) : sum(std::get<0>(key), std::get<1>(key), std::get<2>(key), std::get<3>(key)) {}
  std::mutex mutex;
  CapacitySum sum;
};

CapacityMeans CapacityLaws::of(const std::vector<RiskPtr>& risks, std::size_t workers, double startup, double work) {
  double longest = 0;
  for (const RiskPtr& risk : risks) longest = std::max(longest, risk->horizon() - startup);
  // A limit that no worker reaches is none.
  const double limit = std::min(longest, work);
  std::shared_ptr<Law> law;
  {
    const std::lock_guard lock(mutex_);
    const Key key{risks, workers, startup, limit};
    std::shared_ptr<Law>& entry = laws_[key];
    if (!entry) entry = std::make_shared<Law>(key);
    law = entry;
  }
  const std::lock_guard lock(law->mutex);
  return {law->sum.greatest_part(), law->sum.positive(), law->sum.mean(), law->sum.variance(),
          law->sum.limited_mean(work)};
}

}  // namespace coterie::sim
