#include "sim/input/user_risk.hpp"

#include <algorithm>
#include <cstdint>

#include "core/mixture_risk.hpp"
#include "sim/input/worker_classes.hpp"

namespace coterie::sim {
namespace {

bool has_ages(const UserRisk::Class& one) { return one.trace && (one.trace->fresh || !one.trace->of_ages.empty()); }

std::vector<double> weights_of(const std::vector<UserRisk::Class>& classes) {
  std::vector<double> weights;
  for (const UserRisk::Class& one : classes) weights.push_back(one.weight);
  return weights;
}

}  // namespace

UserRisk::UserRisk(Class only) : classes_{only}, planned_(only.risk), canonical_(only.canonical) {}

UserRisk UserRisk::mixed(std::vector<Class> classes) {
  UserRisk mix;
  mix.mixed_ = true;
  std::vector<RiskPtr> risks;
  std::vector<std::string> texts, canonical;
  for (const Class& one : classes) {
    risks.push_back(one.risk);
    texts.push_back(one.risk->text());
    canonical.push_back(one.canonical);
  }
  const std::vector<double> weights = weights_of(classes);
  mix.planned_ = std::make_shared<MixtureRisk>(std::move(risks), weights, WorkerClasses::text(weights, texts));
  mix.canonical_ = WorkerClasses::text(weights, canonical);
  mix.classes_ = std::move(classes);
  return mix;
}

bool UserRisk::are_new() const {
  return std::all_of(classes_.begin(), classes_.end(),
                     [](const Class& one) { return one.trace == nullptr || one.trace->is_new; });
}

bool UserRisk::alike() const { return !mixed_ && !has_ages(classes_.front()); }

bool UserRisk::draws_ages() const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [](const Class& one) { return one.trace != nullptr && one.trace->fresh; });
}

std::vector<RiskPtr> UserRisk::of_workers(std::size_t workers, const StreamKey& ages) const {
  if (classes_.size() == 1 && !has_ages(classes_.front())) return {classes_.front().risk};
  const std::vector<std::size_t> kinds = class_of_workers(class_counts(weights_of(classes_), workers));
  std::vector<RiskPtr> risks;
  std::vector<std::size_t> met(classes_.size(), 0);
  for (std::size_t w = 0; w < workers; ++w) {
    const Class& one = classes_[kinds[w]];
    const std::size_t number = met[kinds[w]]++;
    if (!has_ages(one)) {
      risks.push_back(one.risk);
    } else if (one.trace->fresh) {
      Stream stream(ages, 0, static_cast<std::uint32_t>(w));
      risks.push_back(one.trace->drawn(to_uniform(stream())));
    } else {
      risks.push_back(one.trace->of_ages[number % one.trace->of_ages.size()]);
    }
  }
  return risks;
}

std::shared_ptr<const UserRisk> UserRisk::if_gone() const {
  bool open = false;
  std::vector<Class> gone = classes_;
  for (Class& one : gone)
    if (one.trace && one.trace->if_gone) {
      open = true;
      one.trace = one.trace->if_gone;
      one.risk = one.trace->risk;
      one.canonical = one.trace->canonical;
    }
  if (!open) return nullptr;
  return std::make_shared<const UserRisk>(mixed_ ? mixed(std::move(gone)) : UserRisk(gone.front()));
}

}  // namespace coterie::sim
