#include "core/processing_law.hpp"

#include <algorithm>
#include <cmath>

namespace coterie {
namespace {

constexpr double kMostSumOperations = 3e8;
constexpr std::size_t kMostJumps = 200;
constexpr std::size_t kMostJobs = 200;

/// Probabilities of one uniformised jump.
struct Jump {
  double up, down, stay;
};

Jump jump_of(const BackgroundLaw& law, double pace, std::size_t jobs) {
  const auto n = static_cast<double>(jobs);
  const double shared = law.departures == BackgroundLaw::Departures::kShared ? n / (n + 1) : 1;
  const double down = jobs > 0 ? law.service * shared : 0;
  return {law.arrival / pace, down / pace, std::max(0.0, pace - law.arrival - down) / pace};
}

/// Fewest jumps that a Poisson number of this mean exceeds with probability at most `lost`.
std::optional<std::size_t> jumps_for(double mean, double lost) {
  double weight = std::exp(-mean);
  double sum = weight;
  for (std::size_t k = 1; k <= kMostJumps; ++k) {
    if (static_cast<double>(k) > mean && 1 - sum < lost) return k;
    weight *= mean / static_cast<double>(k);
    sum += weight;
  }
  return std::nullopt;
}

/// Fewest jobs that the chain exceeds within so many jumps with probability at most `lost`.
std::optional<std::size_t> jobs_for(const BackgroundLaw& law, double pace, std::size_t jumps, double lost) {
  const auto initial = static_cast<std::size_t>(law.initial);
  for (std::size_t most = initial + 1; most <= kMostJobs; ++most) {
    std::vector<double> now(most + 1, 0);
    now[initial] = 1;
    double gone = 0;
    for (std::size_t k = 0; k < jumps; ++k) {
      std::vector<double> next(most + 1, 0);
      for (std::size_t n = 0; n <= most; ++n) {
        const Jump jump = jump_of(law, pace, n);
        next[n] += jump.stay * now[n];
        if (n > 0) next[n - 1] += jump.down * now[n];
        if (n < most) {
          next[n + 1] += jump.up * now[n];
        } else {
          gone += jump.up * now[n];
        }
      }
      now = std::move(next);
    }
    if (gone <= lost) return most;
    if (most >= initial + jumps) return most;
  }
  return std::nullopt;
}

}  // namespace

std::optional<ProcessingLaw> ProcessingLaw::make(const BackgroundLaw& law, double longest) {
  if (law.initial > static_cast<std::int64_t>(kMostJobs) || !std::isfinite(longest)) return std::nullopt;
  ProcessingLaw made;
  made.pace_ = law.arrival + law.service;
  made.initial_speed_ = 1 / static_cast<double>(law.initial + 1);
  made.leave_ = 1 / law.change(law.initial).mean_time;
  const auto jumps = jumps_for(made.pace_ * longest, kLost / 4);
  if (!jumps) return std::nullopt;
  const auto most = jobs_for(law, made.pace_, *jumps, kLost / 4);
  if (!most) return std::nullopt;
  made.jumps_ = *jumps;
  made.levels_ = *most + 1;
  const std::size_t size = made.levels_;  // states; state i has i jobs
  const std::size_t width = *jumps + 1;
  if (static_cast<double>(width * width) * static_cast<double>(size * size) * 3 > kMostSumOperations)
    return std::nullopt;
  made.table_.assign(size * width * width, 0);

  const auto speed = [](std::size_t jobs) { return 1 / static_cast<double>(jobs + 1); };
  // now[level][k][state], the level's speeds lying between those of `jobs` and jobs - 1, jobs = size - 1 - level.
  const auto index = [&](std::size_t level, std::size_t k, std::size_t state) {
    return (level * width + k) * size + state;
  };
  std::vector<double> before(size * width * size, 0);
  std::vector<double> now(size * width * size, 0);
  const std::size_t levels = size - 1;  // intervals between neighbouring speeds
  const auto initial = static_cast<std::size_t>(law.initial);
  for (std::size_t n = 0; n <= *jumps; ++n) {
    // States fast enough for an interval, from the lowest interval up; the slower ones, from the highest down.
    for (const bool fast : {true, false})
      for (std::size_t turn = 0; turn < levels; ++turn) {
        const std::size_t level = fast ? turn : levels - 1 - turn;
        const std::size_t slow_jobs = size - 1 - level;  // r_{h-1}: speed of so many jobs; r_h: of one less
        const double low = speed(slow_jobs);
        const double high = speed(slow_jobs - 1);
        for (std::size_t i = fast ? 0 : slow_jobs; i < (fast ? slow_jobs : size); ++i) {
          const Jump jump = jump_of(law, made.pace_, i);
          const auto passed = [&](std::size_t k) {
            double sum = jump.stay * before[index(level, k, i)];
            if (i > 0) sum += jump.down * before[index(level, k, i - 1)];
            if (i + 1 < size) sum += jump.up * before[index(level, k, i + 1)];
            return sum;
          };
          const double own = speed(i);
          if (fast) {
            now[index(level, 0, i)] = level > 0 ? now[index(level - 1, n, i)] : 1;
            const double part = (own - high) / (own - low);
            for (std::size_t k = 1; k <= n; ++k)
              now[index(level, k, i)] = part * now[index(level, k - 1, i)] + (1 - part) * passed(k - 1);
          } else {
            now[index(level, n, i)] = level + 1 < levels ? now[index(level + 1, 0, i)] : 0;
            const double part = (low - own) / (high - own);
            for (std::size_t k = n; k-- > 0;)
              now[index(level, k, i)] = part * now[index(level, k + 1, i)] + (1 - part) * passed(k);
          }
        }
      }
    for (std::size_t level = 0; level < levels; ++level)
      for (std::size_t k = 0; k <= n; ++k) made.table_[(level * width + n) * width + k] = now[index(level, k, initial)];
    std::swap(before, now);
  }
  return made;
}

double ProcessingLaw::done_by(double time, double work) const {
  constexpr double kSame = 4e-16;  // rounding
  if (!(work > 0)) return 1;
  const double speed = work / time;
  if (speed > 1 + kSame) return 0;
  // All the time with the jobs of the beginning is an atom of the law; the sum below is P(V > work), without one at
  // work.
  const bool at_atom = speed >= initial_speed_ && speed - initial_speed_ <= kSame;
  const double atom = at_atom ? std::exp(-leave_ * time) : 0;
  if (speed >= 1) return atom;
  // Jobs at the fastest speed that is no greater.
  const double at_least = at_atom ? 1 / initial_speed_ - 1 : std::ceil(1 / speed) - 1;
  if (!(at_least < static_cast<double>(levels_))) return 1;
  const auto slower = static_cast<std::size_t>(std::max(1.0, std::round(at_least)));
  const std::size_t level = levels_ - 1 - slower;
  const double low = 1 / static_cast<double>(slower + 1);
  const double high = 1 / static_cast<double>(slower);
  const double x = std::clamp((speed - low) / (high - low), 0.0, 1.0);
  const double mean = pace_ * time;
  std::vector<double> binomial(jumps_ + 1, 0);
  binomial[0] = 1;
  double weight = std::exp(-mean);
  double sum = 0;
  for (std::size_t n = 0; n <= jumps_; ++n) {
    double inner = 0;
    for (std::size_t k = 0; k <= n; ++k) inner += binomial[k] * at(level, n, k);
    sum += weight * inner;
    weight *= mean / static_cast<double>(n + 1);
    if (n == jumps_) break;
    for (std::size_t k = n + 1; k > 0; --k) binomial[k] = (1 - x) * binomial[k] + x * binomial[k - 1];
    binomial[0] *= 1 - x;
  }
  return std::min(1.0, sum + atom);
}

}  // namespace coterie
