#include "sim/results/measured.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace coterie::sim {
namespace {

constexpr double Measured::*kAll[] = {&Measured::all_done, &Measured::half_done_by, &Measured::most_done_by,
                                      &Measured::machine_time, &Measured::wasted};

std::vector<double> known(std::span<const double> values) {
  std::vector<double> list(values.begin(), values.end());
  std::erase_if(list, [](double value) { return std::isnan(value); });
  return list;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The least of ascending values that `share` of them do not exceed.
double reached_by(const std::vector<double>& ascending, double share) {
  const double place = std::ceil(share * static_cast<double>(ascending.size()) - 1e-9) - 1;
  return ascending[static_cast<std::size_t>(std::max(0.0, place))];
}

}  // namespace

Measured Measured::of(std::span<const double> makespan, std::span<const double> machine_time,
                      std::span<const double> wasted) {
  std::vector<double> ends = known(makespan);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (ends.empty()) return {nan, nan, nan, nan, nan};
  std::sort(ends.begin(), ends.end());
  const auto done = std::count_if(ends.begin(), ends.end(), [](double end) { return std::isfinite(end); });
  return {static_cast<double>(done) / static_cast<double>(ends.size()), reached_by(ends, 0.5), reached_by(ends, 0.95),
          mean(known(machine_time)), mean(known(wasted))};
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
