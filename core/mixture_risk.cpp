#include "core/mixture_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"

namespace coterie {
namespace {

/// The non-negative doubles in their order.
std::uint64_t rank_of(double value) { return std::bit_cast<std::uint64_t>(value + 0.0); }
double of_rank(std::uint64_t rank) { return std::bit_cast<double>(rank); }

}  // namespace

MixtureRisk::MixtureRisk(std::vector<RiskPtr> classes, std::vector<double> weights, std::string text)
    : classes_(std::move(classes)), shares_(std::move(weights)), text_(std::move(text)) {
  if (classes_.empty() || classes_.size() != shares_.size())
    throw InputError(fmt::format("{}: a mixture needs one weight for each of its risks", echoed(text_)));
  for (const double weight : shares_)
    if (!(weight > 0) || !std::isfinite(weight))
      throw InputError(fmt::format("{}: the weight {} must be above 0 and finite", echoed(text_), to_text(weight)));
  // Divided by the greatest first, so that no sum overflows.
  const double greatest = *std::max_element(shares_.begin(), shares_.end());
  for (double& share : shares_) share /= greatest;
  const double sum = std::accumulate(shares_.begin(), shares_.end(), 0.0);
  for (double& share : shares_) share /= sum;
}

double MixtureRisk::probability(double t) const {
  double sum = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) sum += shares_[k] * classes_[k]->probability(t);
  return std::min(sum, 1.0);
}

double MixtureRisk::survival(double t) const {
  double sum = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) sum += shares_[k] * classes_[k]->survival(t);
  return std::min(sum, 1.0);
}

double MixtureRisk::density(double t) const {
  double sum = 0;
  for (std::size_t k = 0; k < classes_.size(); ++k) sum += shares_[k] * classes_[k]->density(t);
  return sum;
}

std::vector<double> MixtureRisk::breaks() const {
  std::vector<double> all;
  for (const RiskPtr& risk : classes_) {
    const std::vector<double> some = risk->breaks();
    all.insert(all.end(), some.begin(), some.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

double MixtureRisk::quantile(double u) const {
  double low = kInfinity;
  double high = 0;
  for (const RiskPtr& risk : classes_) {
    const double t = risk->quantile(u);
    low = std::min(low, t);
    high = std::max(high, t);
  }
  if (u >= 1 || low == high) return high;
  // Between the classes' quantiles lies the mixture's: the least double t with P(T <= t) >= u, where P(T <= t) is the
  // probability at the next double. Bisection over the doubles themselves ends after 64 steps, with or without jumps;
  // survival is used because it keeps its digits where little is left.
  const auto reached = [&](double t) { return survival(std::nextafter(t, kInfinity)) <= 1 - u; };
  if (!std::isfinite(high)) {
    high = std::numeric_limits<double>::max();
    if (!reached(std::nextafter(high, 0.0))) return kInfinity;
  }
  std::uint64_t below = rank_of(low);
  std::uint64_t above = rank_of(high);
  if (reached(low)) return low;
  while (above - below > 1) {
    const std::uint64_t middle = below + (above - below) / 2;
    (reached(of_rank(middle)) ? above : below) = middle;
  }
  return recorded(of_rank(above));
}

double MixtureRisk::recorded(double time) const {
  const double behind = std::nextafter(time, kInfinity);
  for (const RiskPtr& risk : classes_)
    if (const double jump = risk->quantile(risk->probability(behind)); just_after(jump) == time) return jump;
  return time;
}

}  // namespace coterie
