#include "sim/results/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace coterie::sim {
namespace {

constexpr double Measured::*kAll[] = {&Measured::all_done, &Measured::half_done_by, &Measured::most_done_by,
                                      &Measured::machine_time, &Measured::wasted};

/// Of ascending values, that of the least which `share` of them do not exceed.
std::uint64_t place_of(double share, std::uint64_t count) {
  const double place = std::ceil(share * static_cast<double>(count) - 1e-9) - 1;
  return static_cast<std::uint64_t>(std::max(0.0, place));
}

constexpr double kHalf = 0.5;
constexpr double kMost = 0.95;

}  // namespace

void MeasuredRow::Sum::add(std::span<const double> values) {
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    ++count;
  }
}

void MeasuredRow::take(std::span<const double> makespan, std::span<const double> machine_time,
                       std::span<const double> wasted) {
  order_.take(makespan);
  for (const double end : makespan) {
    if (std::isnan(end)) continue;
    ++count_;
    done_ += std::isfinite(end) ? 1 : 0;
  }
  machine_time_.add(machine_time);
  wasted_.add(wasted);
}

void MeasuredRow::end_pass() {
  if (!std::exchange(first_, false)) return order_.end_pass();
  if (count_ > 0) order_.seek({place_of(kHalf, count_), place_of(kMost, count_)});
}

Measured MeasuredRow::measured() const {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (count_ == 0) return {nan, nan, nan, nan, nan};
  return {static_cast<double>(done_) / static_cast<double>(count_), order_.at(place_of(kHalf, count_)),
          order_.at(place_of(kMost, count_)), machine_time_.mean(), wasted_.mean()};
}

Measured& Measured::operator+=(const Measured& other) {
  for (const auto member : kAll) this->*member += other.*member;
  return *this;
}

Measured& Measured::operator/=(double count) {
  for (const auto member : kAll) this->*member /= count;
  return *this;
}

}  // namespace coterie::sim
