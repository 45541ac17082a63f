#include "sim/sampling/capacity_laws.hpp"

#include <algorithm>

namespace coterie::sim {
namespace {

constexpr std::size_t kMostKept = 1 << 23;  // numbers of all sums together: 64 MiB

}  // namespace

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
    if (kept_ > kMostKept) {
      laws_.clear();  // those in use stay with their users
      kept_ = 0;
    }
    const Key key{risks, workers, startup, limit};
    std::shared_ptr<Law>& entry = laws_[key];
    if (!entry) {
      entry = std::make_shared<Law>(key);
      kept_ += 64 + 2 * risks.size();
    }
    law = entry;
  }
  const std::lock_guard lock(law->mutex);
  const std::size_t before = law->sum.kept_points();
  const BoundedNumber limited = law->sum.limited_mean(work);
  {
    const std::lock_guard of_all(mutex_);
    kept_ += law->sum.kept_points() - before;
  }
  return {law->sum.greatest_part(), law->sum.positive(), law->sum.mean(), law->sum.variance(), limited};
}

std::size_t CapacityLaws::kept() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

}  // namespace coterie::sim
