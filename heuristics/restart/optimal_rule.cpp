#include "heuristics/restart/optimal_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/lambert_w.hpp>
#include <cmath>
#include <optional>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"

namespace coterie::heuristics {
namespace {

/// Work in steps, ages in units of which a step is a multiple.
struct AgeGrid {
  double unit;
  std::size_t per_step;
  std::size_t levels;  ///< work left of 1 to `levels` steps has rows of its own
  bool all_ages;       ///< the last row also stands for more work: then any age may come
  bool exact;

  double step() const { return unit * static_cast<double>(per_step); }
};

bool is_multiple(double value, double unit) {
  const double count = value / unit;
  return std::abs(count - std::round(count)) <= 1e-9 * std::max(1.0, count);
}

bool saves_fit(const RestartJob& job, double unit) {
  return is_multiple(job.checkpoint, unit) && is_multiple(job.restart, unit);
}

/// Whether all recorded lives are multiples of `unit`, too.
bool lives_fit(const RestartJob& job, double unit) {
  const std::vector<double>& jumps = job.life->steps()->jumps();
  return std::all_of(jumps.begin(), jumps.end(), [&](double jump) { return is_multiple(jump, unit); });
}

/// Chunks of whole steps.
AgeGrid stepped_grid(const RestartJob& job, std::size_t steps) {
  constexpr double kMostStates = 2e7;
  constexpr std::size_t kFinest = 100'000;
  const auto levels = static_cast<double>(steps);
  const double step = job.work / levels;
  for (std::size_t m = 1; m <= kFinest; ++m) {
    const double unit = step / static_cast<double>(m);
    if (levels * (job.work * (1 + job.checkpoint / step) + job.restart) / unit > kMostStates) break;
    if (saves_fit(job, unit)) return {unit, m, steps, false, true};
  }
  constexpr std::size_t kMostRows = 1000;
  return {step, 1, std::min(steps, kMostRows), steps > kMostRows, false};
}

AgeGrid free_grid(const RestartJob& job) {
  constexpr std::size_t kMostRows = 1000, kLastRows = 512, kMostSteps = 20'000;
  // Chunks are to end when recorded lives do.
  for (std::size_t n = 1; job.life->steps() != nullptr && n <= kMostSteps; ++n)
    if (const double unit = job.work / static_cast<double>(n); saves_fit(job, unit) && lives_fit(job, unit))
      return {unit, 1, std::min(n, kMostRows), n > kMostRows, n <= kMostRows};
  // Young's interval is to have some steps; where that makes too many, the end of the job has rows of its own.
  constexpr double kPerInterval = 32, kLeast = 128;
  const std::optional<double> mean = mean_life(*job.life);
  double count = kMostRows;
  if (mean && job.checkpoint > 0)
    count = std::clamp(std::ceil(kPerInterval * job.work / young_interval(job.checkpoint, *mean)), kLeast,
                       double{kMostSteps});
  if (count <= kMostRows) return {job.work / count, 1, static_cast<std::size_t>(count), false, false};
  return {job.work / count, 1, kLastRows, true, false};
}

/// The dynamic programme. Values of states are stored by w' and s = (age) + (steps left), in units, which is the same
/// for all chunks that may follow a state.
class AgeProgramme {
 public:
  AgeProgramme(const RestartJob& job, const AgeGrid& grid)
      : job_(job),
        grid_(grid),
        life_(job.life, grid.unit),
        save_(static_cast<std::size_t>(job.checkpoint / grid.unit * (1 + 1e-12) + 1e-9)),
        part_(std::max(0.0, job.checkpoint / grid.unit - static_cast<double>(save_))),
        restart_(static_cast<std::size_t>(job.restart / grid.unit * (1 + 1e-12) + 1e-9)),
        oldest_(oldest()),
        sums_(oldest_ + save_ + 2 + grid.levels * grid.per_step),
        next_(sums_ * grid.levels, kInfinity),
        alive_(sums_ + 1),
        until_(sums_ + 1) {
    if (part_ < 1e-6) part_ = 0;
    for (std::size_t i = 0; i <= sums_; ++i) {
      const double age = (static_cast<double>(i) + part_) * grid_.unit;
      alive_[sums_ - i] = life_.survival(age);
      until_[i] = life_.until(age);
    }
    for (std::size_t s = 0; s < sums_; ++s) next_[s * grid_.levels] = until_[s];
  }

  std::shared_ptr<const ChunkRule> solve() {
    const std::size_t last = grid_.levels;
    chunks_.resize(last);
    for (std::size_t w = 1; w <= last; ++w) {
      cancellation_point();
      const auto [renewed, chunk] = from(w, job_.restart, job_.down);
      if (!std::isfinite(renewed)) return nullptr;
      if (w < last || grid_.all_ages) {
        row(w, renewed);
      } else {
        chunks_[w - 1].assign(restart_ + 2, static_cast<std::uint32_t>(chunk));
      }
      if (w == last) chunks_[w - 1][0] = static_cast<std::uint32_t>(from(w, 0, 0, renewed).second);
    }
    return std::make_shared<ChunkTable>(grid_.step(), grid_.unit, std::move(chunks_));
  }

  /// Whether no age was left out that a rule may reach.
  bool complete() const {
    return oldest_ >= reached() || !(life_.survival(grid_.unit * static_cast<double>(oldest_)) > 1e-12);
  }

 private:
  /// The oldest age of the grid that any rule reaches, as far as there is memory for it.
  std::size_t reached() const { return restart_ + 2 + grid_.levels * (grid_.per_step + save_ + 1); }
  std::size_t oldest() const {
    constexpr std::size_t kMostStates = 10'000'000, kAllAges = 3000;
    constexpr double kNever = 1e-12;
    std::size_t most = grid_.all_ages ? kAllAges : std::min(reached(), kMostStates / grid_.levels);
    if (life_.survival(grid_.unit * static_cast<double>(most)) > kNever) return most;
    std::size_t low = 0;
    while (most - low > 1) {
      const std::size_t middle = (low + most) / 2;
      (life_.survival(grid_.unit * static_cast<double>(middle)) > kNever ? low : most) = middle;
    }
    return most;
  }

  double& next(std::size_t sum, std::size_t left) { return next_[sum * grid_.levels + left]; }

  /// The least time with w steps left from any age on, which need not be one of the grid, and the chunk. Without
  /// `renewed`, from the interruption before.
  std::pair<double, std::size_t> from(std::size_t w, double age, double down, double renewed = kInfinity) {
    std::pair<double, std::size_t> best = {kInfinity, w};
    for (std::size_t x = w; x >= 1; --x) {
      const double end = age + static_cast<double>(x) * grid_.step() + job_.checkpoint;
      const double alive = life_.survival(end);
      if (!(alive > 0)) continue;
      const double units = end / grid_.unit - part_;  // of the arrays, whose ages are shifted by part_
      const double floor = std::floor(units + 1e-6);
      const double share = units - floor < 1e-6 ? 0 : units - floor;
      const std::size_t sum = static_cast<std::size_t>(std::max(0.0, floor)) + (w - x) * grid_.per_step;
      const auto later = [&](std::size_t s) {
        return s < sums_ ? next(s, w - x) - until_[s - (w - x) * grid_.per_step] : kInfinity;
      };
      double value = down + life_.until(end);
      if (x < w) value += share == 0 ? later(sum) : (1 - share) * later(sum) + share * later(sum + 1);
      value = std::isinf(renewed) ? value / alive : value + (1 - alive) * renewed;
      if (value < best.first) best = {value, x};
    }
    return best;
  }

  /// All ages with w steps left.
  void row(std::size_t w, double renewed) {
    const std::size_t m = grid_.per_step;
    const std::size_t done = grid_.all_ages ? oldest_ : grid_.levels - w;
    const std::size_t first = grid_.all_ages ? 0 : std::min(restart_, done * m);
    const std::size_t last = grid_.all_ages ? oldest_ : std::min(oldest_, restart_ + 2 + done * (m + save_ + 1));
    std::vector<double> least(last + 1, kInfinity);
    chunks_[w - 1].assign(last + 1, 1);
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t sum = j + m * w + save_;
      const double* const later = &next_[sum * grid_.levels];
      const double* const alive = &alive_[sums_ - sum];
      const std::size_t left = m == 1 ? least_of(later, alive, w, 1, renewed) : least_of(later, alive, w, m, renewed);
      least[j] = later[left] - alive[left * m] * renewed;
      chunks_[w - 1][j] = static_cast<std::uint32_t>(w - left);
    }
    for (std::size_t j = 0; j < first; ++j) chunks_[w - 1][j] = chunks_[w - 1][first];
    if (w == grid_.levels) return;
    // U = least - I(a) + S(a) z at ages of the grid, then between them.
    const auto at = [&](std::size_t j) {
      const double age = static_cast<double>(j) * grid_.unit;
      return least[j] - life_.until(age) + life_.survival(age) * renewed;
    };
    double here = at(first);
    for (std::size_t j = first; j <= last; ++j) {
      const double after = j < last ? at(j + 1) : kInfinity;
      next(j + m * w, w) = (part_ == 0 ? here : (1 - part_) * here + part_ * after) + until_[j];
      here = after;
    }
  }

  /// The work left, in steps, after the best chunk: the least one of several.
  static std::size_t least_of(const double* later, const double* alive, std::size_t w, std::size_t m, double renewed) {
    constexpr std::size_t kLanes = 4;
    double best[kLanes] = {kInfinity, kInfinity, kInfinity, kInfinity};
    std::size_t i = 0;
    for (; i + kLanes <= w; i += kLanes)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        best[lane] = std::min(best[lane], later[i + lane] - alive[(i + lane) * m] * renewed);
    for (; i < w; ++i) best[0] = std::min(best[0], later[i] - alive[i * m] * renewed);
    const double least = std::min(std::min(best[0], best[1]), std::min(best[2], best[3]));
    for (i = 0; i + 1 < w && later[i] - alive[i * m] * renewed > least; ++i) {
    }
    return i;
  }

  const RestartJob& job_;
  const AgeGrid& grid_;
  LifeIntegral life_;
  std::size_t save_;  // the checkpoint in whole units, and the part of one above
  double part_;
  std::size_t restart_;  // in whole units
  std::size_t oldest_;
  std::size_t sums_;
  std::vector<double> next_;   // U + I by s and w'
  std::vector<double> alive_;  // S at sums_ - i (+ part_) units: backwards, as chunks get shorter
  std::vector<double> until_;  // I at i (+ part_) units
  std::vector<std::vector<std::uint32_t>> chunks_;
};

[[noreturn]] void refuse_chunks(const RestartJob& job, double chunk) {
  throw InputError(
      fmt::format("no chunk of {} is ever done: with its checkpoint and the restart it takes {}, and no "
                  "machine stays up so long",
                  to_text(chunk), to_text(chunk + job.checkpoint + job.restart)));
}

RestartPlan planned(const RestartJob& job, std::shared_ptr<const ChunkRule> rule, std::string method, bool exact) {
  RestartPlan plan{std::move(rule), 0, 0, std::move(method), exact};
  plan.interval = plan.rule->chunk(job.work, 0);
  plan.expected_time = expected_time(job, *plan.rule);
  return plan;
}

void check_number_of_chunks(double count, double chunk) {
  constexpr double kMostChunks = 1e7;
  if (!(count <= kMostChunks))
    throw InputError(fmt::format("an interval of {} makes more than ten million chunks", to_text(chunk)));
}

RestartPlan exponential_restarts(const RestartJob& job, double rate) {
  const double best = (1 + boost::math::lambert_w0(-std::exp(-rate * job.checkpoint - 1))) / rate;
  double chunks = std::max(1.0, std::floor(job.work / best));
  check_number_of_chunks(chunks, job.work / chunks);
  const auto time = [&](double count) { return count * exponential_chunk_time(job, rate, job.work / count); };
  if (time(chunks + 1) < time(chunks)) ++chunks;
  return {std::make_shared<EqualChunks>(job.work / chunks), job.work / chunks, time(chunks),
          "closed form: equal chunks for exponential lives", true};
}

}  // namespace

RestartPlan restart_intervals(const RestartJob& job, double interval, std::string method) {
  const double chunk = std::min(interval, job.work);
  const std::vector<Risk::Exponential> parts = job.life->exponentials();
  const double count = job.work / chunk;
  check_number_of_chunks(count, chunk);
  if (parts.size() == 1 && parts.front().probability == 1) {
    const double whole = std::floor(count * (1 + 1e-9));
    const double rest = std::max(0.0, job.work - whole * chunk);
    const double rate = parts.front().rate;
    double time = whole * exponential_chunk_time(job, rate, chunk);
    if (rest > 1e-9 * job.work) time += exponential_chunk_time(job, rate, rest);
    return {std::make_shared<EqualChunks>(chunk), chunk, time, std::move(method), true};
  }
  RestartPlan plan = planned(job, std::make_shared<EqualChunks>(chunk), std::move(method), true);
  if (!std::isfinite(plan.expected_time)) refuse_chunks(job, chunk);
  return plan;
}

RestartPlan optimal_restarts(const RestartJob& job, std::size_t steps) {
  COTERIE_REQUIRE(job.work > 0 && job.checkpoint >= 0 && job.restart >= 0 && job.down >= 0);
  const std::vector<Risk::Exponential> parts = job.life->exponentials();
  if (steps == 0 && parts.size() == 1 && parts.front().probability == 1 && job.checkpoint > 0)
    return exponential_restarts(job, parts.front().rate);
  const AgeGrid grid = steps > 0 ? stepped_grid(job, steps) : free_grid(job);
  AgeProgramme programme(job, grid);
  auto rule = programme.solve();
  if (rule == nullptr) refuse_chunks(job, grid.step());
  RestartPlan plan =
      planned(job, std::move(rule),
              fmt::format("dynamic programming over work left and age, steps of {}", to_text(grid.step())),
              grid.exact && programme.complete());
  // On a grid, equal intervals may be better by a little.
  const std::optional<double> mean = mean_life(*job.life);
  if (plan.exact || steps > 0 || !mean || !(job.checkpoint > 0)) return plan;
  for (const double interval : {young_interval(job.checkpoint, *mean), daly_interval(job.checkpoint, *mean)}) {
    if (job.life->survival(job.restart + std::min(interval, job.work) + job.checkpoint) <= 0) continue;
    RestartPlan equal = restart_intervals(job, interval, plan.method);
    equal.exact = false;
    if (equal.expected_time < plan.expected_time) plan = std::move(equal);
  }
  return plan;
}

std::vector<double> undisturbed_chunks(const RestartJob& job, const ChunkRule& rule) {
  std::vector<double> chunks;
  double age = 0;
  for (double left = job.work; left > 1e-9 * job.work;) {
    chunks.push_back(rule.chunk(left, age));
    left -= chunks.back();
    age += chunks.back() + job.checkpoint;
  }
  return chunks;
}

}  // namespace coterie::heuristics
