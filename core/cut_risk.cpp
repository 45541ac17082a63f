#include "core/cut_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/contract.hpp"
#include "core/empirical_risk.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"

namespace coterie {
namespace {

class CutRisk final : public Risk {
 public:
  CutRisk(RiskPtr risk, double horizon) : risk_(std::move(risk)), horizon_(horizon) {}

  double probability(double t) const override { return is_behind(t) ? 1 : risk_->probability(std::min(t, horizon_)); }
  double survival(double t) const override { return is_behind(t) ? 0 : risk_->survival(std::min(t, horizon_)); }
  std::vector<double> breaks() const override {
    std::vector<double> times = risk_->breaks();
    std::erase_if(times, [&](double t) { return !(t < horizon_); });
    times.push_back(horizon_);
    return times;
  }
  double quantile(double u) const override { return std::min(risk_->quantile(u), horizon_); }
  void sample(std::span<const double> uniforms, std::span<double> times) const override {
    risk_->sample(uniforms, times);
    for (double& time : times) time = std::min(time, horizon_);
  }
  std::string text() const override { return cut_text(*risk_, horizon_); }

  static std::string cut_text(const Risk& risk, double horizon) {
    return fmt::format("{} up to {}", risk.text(), to_text(horizon));
  }

 private:
  /// What is the same time as the horizon is not.
  bool is_behind(double t) const { return t > just_after(horizon_); }

  RiskPtr risk_;
  double horizon_;
};

}  // namespace

RiskPtr cut_at(const RiskPtr& risk, double horizon) {
  COTERIE_REQUIRE(horizon > 0);
  if (risk->horizon() <= horizon) return risk;
  if (const EmpiricalRisk* steps = risk->steps())
    return std::make_shared<EmpiricalRisk>(steps->law().cut_at(horizon), CutRisk::cut_text(*risk, horizon));
  return std::make_shared<CutRisk>(risk, horizon);
}

RiskPtr CutRisks::operator()(const RiskPtr& risk, double horizon) {
  if (!std::isfinite(horizon)) return risk;
  const std::lock_guard lock(mutex_);
  RiskPtr& known = known_[{risk, horizon}];
  if (!known) known = cut_at(risk, horizon);
  return known;
}

}  // namespace coterie
