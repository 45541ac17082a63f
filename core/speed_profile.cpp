#include "core/speed_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/text.hpp"

namespace coterie {
namespace {

constexpr std::int64_t kMostCounted = 1'000'000'000'000;  // any count up to it has an exact double

void require_increasing(const std::vector<double>& times) {
  if (times.front() != 0) throw InputError(fmt::format("times must start at 0, not at {}", to_text(times.front())));
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k])) throw InputError(fmt::format("times must be finite, not {}", to_text(times[k])));
    if (k > 0 && times[k] <= times[k - 1])
      throw InputError(fmt::format("times must increase: {} comes after {}", to_text(times[k]), to_text(times[k - 1])));
  }
}

bool is_positive(double value) { return value > 0 && std::isfinite(value); }

/// The last of the increasing values that is at most `value`, and not before `first`, which is rarely far from it.
std::size_t last_up_to(const std::vector<double>& values, double value, std::size_t first) {
  std::size_t step = 1;
  while (first + step < values.size() && values[first + step] <= value) {
    first += step;
    step *= 2;
  }
  const auto begin = values.begin();
  const auto after =
      std::upper_bound(begin + static_cast<std::ptrdiff_t>(first + 1),
                       begin + static_cast<std::ptrdiff_t>(std::min(first + step, values.size())), value);
  return static_cast<std::size_t>(after - begin) - 1;
}

}  // namespace

void JobSequence::validate() const {
  if (times.size() != counts.size())
    throw InputError(
        fmt::format("{} times but {} counts; each time needs the count from there on", times.size(), counts.size()));
  if (times.empty()) return;
  require_increasing(times);
  for (const std::int64_t count : counts)
    if (count < 0 || count > kMostCounted)
      throw InputError(fmt::format("counts must be from 0 to {}, not {}", kMostCounted, count));
}

SharingRule::SharingRule(double inverse_speed) : levels_{inverse_speed}, equal_(true) {
  if (!is_positive(inverse_speed))
    throw InputError(fmt::format("must be a positive, finite inverse speed, not {}", to_text(inverse_speed)));
}

SharingRule::SharingRule(std::vector<double> levels, Beyond beyond) : levels_(std::move(levels)), beyond_(beyond) {
  if (levels_.empty()) throw InputError("must list at least the inverse speed without background jobs");
  for (const double level : levels_) {
    if (!is_positive(level))
      throw InputError(fmt::format("must list positive, finite inverse speeds, not {}", to_text(level)));
    if (level < levels_.front())
      throw InputError(fmt::format("must not make our job faster than alone: {} is less than the first level {}",
                                   to_text(level), to_text(levels_.front())));
  }
}

double SharingRule::inverse_speed(std::int64_t jobs) const {
  if (equal_) return static_cast<double>(jobs) * levels_.front();
  const auto level = static_cast<std::size_t>(jobs) - 1;
  if (level < levels_.size()) return levels_[level];
  if (beyond_ == Beyond::kRefused)
    throw InputError(fmt::format("lists {} level{}, but {} jobs (ours included) run at once; list {} or more levels",
                                 levels_.size(), levels_.size() == 1 ? "" : "s", jobs, jobs));
  return levels_.back();
}

SpeedProfile::SpeedProfile(double speed) : SpeedProfile(std::vector<double>{0.0}, std::vector<double>{speed}) {}

SpeedProfile::SpeedProfile(std::vector<double> times, std::vector<double> speeds)
    : times_(std::move(times)), speeds_(std::move(speeds)) {
  if (times_.empty() || times_.size() != speeds_.size())
    throw InputError(
        fmt::format("{} times but {} speeds; each time needs the speed from there on", times_.size(), speeds_.size()));
  require_increasing(times_);
  for (const double speed : speeds_)
    if (!is_positive(speed))
      throw InputError(fmt::format("speeds must be positive and finite, not {}", to_text(speed)));
  accumulate();
}

SpeedProfile::SpeedProfile(const JobSequence& jobs, const SharingRule& rule, double unit) {
  jobs.validate();
  const auto append = [&](double time, std::int64_t count) {
    const double speed = 1 / (rule.inverse_speed(count + 1) * unit);
    if (!is_positive(speed)) throw InputError(fmt::format("the speed at time {} is out of range", to_text(time)));
    if (!speeds_.empty() && speeds_.back() == speed) return;
    times_.push_back(time);
    speeds_.push_back(speed);
  };
  times_.reserve(jobs.times.size());
  speeds_.reserve(jobs.times.size());
  if (jobs.times.empty()) append(0, 0);
  for (std::size_t k = 0; k < jobs.times.size(); ++k) append(jobs.times[k], jobs.counts[k]);
  if (times_.size() < times_.capacity() / 2) {  // changes may leave the speed as it is
    times_.shrink_to_fit();
    speeds_.shrink_to_fit();
  }
  accumulate();
}

void SpeedProfile::accumulate() {
  work_.assign(times_.size(), 0.0);
  for (std::size_t k = 1; k < times_.size(); ++k)
    work_[k] = work_[k - 1] + (times_[k] - times_[k - 1]) * speeds_[k - 1];
}

std::size_t SpeedProfile::piece(double time) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end(), time);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

double SpeedProfile::begin(std::size_t piece) const { return piece < times_.size() ? times_[piece] : kInfinity; }

double SpeedProfile::work(double time) const {
  const std::size_t k = piece(time);
  return work_[k] + (time - times_[k]) * speeds_[k];
}

double SpeedProfile::work(double from, double to) const {
  const std::size_t first = piece(from);
  if (to <= begin(first + 1)) return (to - from) * speeds_[first];
  const std::size_t last = piece(to);
  return (times_[first + 1] - from) * speeds_[first] + (work_[last] - work_[first + 1]) +
         (to - times_[last]) * speeds_[last];
}

double SpeedProfile::time_of(double work) const {
  const auto after = std::upper_bound(work_.begin() + 1, work_.end(), work);
  const auto k = static_cast<std::size_t>(after - work_.begin()) - 1;
  return times_[k] + (work - work_[k]) / speeds_[k];
}

SpeedProfile::Advance SpeedProfile::advance(double from, double work) const {
  const std::size_t k = piece(from);
  if (k + 1 == times_.size()) return {from + work / speeds_[k], k, k};
  const double left = work - (times_[k + 1] - from) * speeds_[k];
  Advance result{from + work / speeds_[k], k, k};
  if (left >= 0) {
    const double done = work_[k + 1] + left;
    result.last = last_up_to(work_, done, k + 1);
    result.time = times_[result.last] + (done - work_[result.last]) / speeds_[result.last];
  }
  while (result.last + 1 < times_.size() && times_[result.last + 1] <= result.time) ++result.last;  // by rounding
  return result;
}

double SpeedProfile::mean_speed(double from, double to) const {
  return to > from ? work(from, to) / (to - from) : speed(from);
}

bool SpeedProfile::dominates(const SpeedProfile& other) const {
  std::size_t mine = 0;
  std::size_t theirs = 0;
  for (double time = 0; std::isfinite(time);) {
    if (speeds_[mine] < other.speeds_[theirs]) return false;
    time = std::min(begin(mine + 1), other.begin(theirs + 1));
    if (begin(mine + 1) <= time) ++mine;
    if (other.begin(theirs + 1) <= time) ++theirs;
  }
  return true;
}

}  // namespace coterie
