#include "core/least_risk.hpp"

#include <fmt/format.h>

#include "core/contract.hpp"
#include "core/empirical_risk.hpp"

namespace coterie {
namespace {

class LeastRisk final : public Risk {
 public:
  LeastRisk(RiskPtr risk, double count) : risk_(std::move(risk)), count_(count) {}
  double probability(double t) const override { return -std::expm1(count_ * std::log1p(-risk_->probability(t))); }
  double survival(double t) const override { return std::pow(risk_->survival(t), count_); }
  double density(double t) const override {
    return count_ * std::pow(risk_->survival(t), count_ - 1) * risk_->density(t);
  }
  std::vector<double> breaks() const override { return risk_->breaks(); }
  double quantile(double u) const override { return risk_->quantile(u < 1 ? -std::expm1(std::log1p(-u) / count_) : 1); }
  std::string text() const override { return fmt::format("least of {} x {}", count_, risk_->text()); }

 private:
  RiskPtr risk_;
  double count_;
};

}  // namespace

RiskPtr least_of(const RiskPtr& risk, std::size_t count) {
  COTERIE_REQUIRE(count >= 1);
  const auto n = static_cast<double>(count);
  if (count == 1) return risk;
  if (risk->exponentials().size() == 1 && risk->exponentials().front().probability == 1) return hastened(risk, n);
  const EmpiricalRisk* const steps = risk->steps();
  if (steps == nullptr) return std::make_shared<LeastRisk>(risk, n);
  StepLaw law = steps->law();
  double before = 1;  // survival up to a jump, of the least
  double dead = 0;
  for (std::size_t i = 0; i < law.times.size(); ++i) {
    dead += law.weights[i];
    const double after = i + 1 == law.times.size() && dead > kWholeLaw ? 0 : std::pow(std::max(0.0, 1 - dead), n);
    law.weights[i] = before - after;
    before = after;
  }
  while (!law.weights.empty() && !(law.weights.back() > 0)) {  // long lives of very many machines
    law.weights.pop_back();
    law.times.pop_back();
  }
  return std::make_shared<EmpiricalRisk>(std::move(law), fmt::format("least of {} x {}", count, risk->text()));
}

}  // namespace coterie
