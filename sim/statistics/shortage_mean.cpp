#include "sim/statistics/shortage_mean.hpp"

#include <algorithm>
#include <cmath>

#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

namespace {

constexpr double kSeen = 8;  // effective instances from which the level that was seen is hardly biased

}  // namespace

ShortageMean::ShortageMean(BoundedNumber known, BoundedNumber weight, double least, double greatest)
    : known_(known), weight_(weight), least_(least), greatest_(greatest) {
  weight_.value = std::max(0.0, weight_.value);
}

void ShortageMean::add(double value, double shortage) {
  constexpr double kRounding = 1e-12;
  if (shortage < kRounding) return;
  seen_least_ = shortages_ > 0 ? std::min(seen_least_, value) : value;
  seen_greatest_ = shortages_ > 0 ? std::max(seen_greatest_, value) : value;
  shortages_ += shortage;
  squares_ += shortage * shortage;
  values_ += shortage * value;
  square_values_ += shortage * shortage * value;
  squared_values_ += std::pow(shortage * value, 2);
  double cube = shortage * shortage * shortage;
  for (double& sum : cubes_) {
    sum += cube;
    cube *= value;
  }
  for (std::size_t k = 0; k < kLevels; ++k) {
    const double level = least_ + (greatest_ - least_) * static_cast<double>(k) / (kLevels - 1);
    above_[k] = std::max(above_[k], shortage * (value - level));
    below_[k] = std::max(below_[k], shortage * (level - value));
  }
}

double ShortageMean::effective() const { return squares_ > 0 ? shortages_ * shortages_ / squares_ : 0; }

bool ShortageMean::alike() const { return are_alike(seen_least_, seen_greatest_); }

double ShortageMean::level(double otherwise) const {
  return std::clamp(shortages_ > 0 ? values_ / shortages_ : otherwise, least_, greatest_);
}

/// An upper bound of the greatest |v (y - level)|, a convex function of the level, from its values beside it.
double ShortageMean::farthest(double level) const {
  const double at = (level - least_) / (greatest_ - least_) * (kLevels - 1);
  const std::size_t k = std::min(static_cast<std::size_t>(at), kLevels - 2);
  const double part = at - static_cast<double>(k);
  const auto between = [&](const auto& values) { return (1 - part) * values[k] + part * values[k + 1]; };
  return std::max(between(above_), between(below_));
}

double ShortageMean::instances_of_skewness(double level, double spread) const {
  const auto& [none, one, two, three] = cubes_;
  const double cubed = three - level * (3 * two - level * (3 * one - level * none));
  const double count = effective();
  if (!(spread > 0)) return 0;
  // At least 1, but for rounding: sums of cubes of nearly equal values have no digits left.
  return std::min(count / kPerFreedom, std::max(1.0, spread * spread * spread / (cubed * cubed)));
}

MeanEstimate ShortageMean::estimate(double otherwise, double freedom) const {
  const double level = this->level(otherwise);
  const double range = std::max(greatest_ - level, level - least_);
  const double count = effective();
  double doubt = range;  // half the width of the interval of the level: a bound, unless it is by Student's t
  bool random = count >= kSeen;
  if (count >= kFewest) {
    const double spread = std::max(0.0, squared_values_ - 2 * level * square_values_ + level * level * squares_);
    const double k = alike() ? 0 : instances_of_skewness(level, spread);
    const double variance = spread / (shortages_ * shortages_) * count / (count - 1);
    const double unseen = farthest(level) / shortages_;
    const double beyond = range / (1 + k) / count;
    const double own = k > 0 ? student_quantile(k) * std::sqrt(variance + kUnseen * unseen * unseen) : 0;
    const double half_width = std::hypot(own, student_quantile(count - 1) * std::sqrt(kUnseen) * beyond);
    doubt = std::min(range, half_width);
  }
  MeanEstimate estimate;
  estimate.mean = known_.value + weight_.value * level;
  estimate.freedom = freedom;
  if (random) estimate.standard_error = weight_.value * doubt / student_quantile(freedom);
  estimate.bound =
      (random ? 0 : weight_.value * doubt) + known_.error + weight_.error * std::max(std::abs(level), range);
  return estimate;
}

}  // namespace coterie::sim
