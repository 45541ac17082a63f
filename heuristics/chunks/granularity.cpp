#include "heuristics/chunks/granularity.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/cancellation.hpp"
#include "core/text.hpp"

namespace coterie::heuristics {
namespace {

using Shape = GranularityObjective::Shape;

constexpr double kFinest = 1e12;        // greatest load in start-up costs
constexpr double kNothingLeft = 1e-13;  // of the work: no count can gain more than what is lost
constexpr double kRounding = 1e-13;
constexpr std::size_t kMostNeighbours = 12;         // on each side where there is one hump,
constexpr std::size_t kMostNeighboursOfHumps = 32;  // and where there may be several; then
constexpr std::size_t kAllSmall = 40;               // counts below are all tried,
constexpr double kCoarse = 250;                     // from here on, promising ranges are tried in steps of 1/250,
constexpr std::size_t kFew = 8;                     // and of the best so many counts all that lie between those steps

constexpr double kHighest = 0.04;          // ripples of rough objectives; beside multiples of the stride, so
constexpr std::size_t kCheap = 400'000;    // steps
constexpr std::size_t kNearMultiples = 2;  // on each side

/// What is known, by count: a few hundred that are asked for many times, in one block of memory (std::unordered_map
/// asks for memory for each).
class Tried {
 public:
  struct Entry {
    std::size_t count = 0;  // 0: none
    WorkEstimate expected = -1;
  };

  Tried() : entries_(1 << kFirstBits) {}
  /// The entry of a count, or the one where it belongs.
  Entry& operator[](std::size_t count) {
    std::size_t at = count * kSpread >> (64 - bits_);
    while (entries_[at].count != 0 && entries_[at].count != count) at = (at + 1) % entries_.size();
    return entries_[at];
  }
  /// In a free entry.
  void add(Entry& free, const Entry& entry) {
    free = entry;
    if (2 * ++size_ > entries_.size()) grow();
  }
  bool contains(std::size_t count) { return (*this)[count].count != 0; }
  std::size_t size() const { return size_; }
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  static constexpr int kFirstBits = 8;
  static constexpr std::size_t kSpread = 0x9E3779B97F4A7C15;

  void grow() {
    const std::vector<Entry> old = std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
    ++bits_;
    for (const Entry& entry : old)
      if (entry.count != 0) (*this)[entry.count] = entry;
  }

  std::vector<Entry> entries_;
  int bits_ = kFirstBits;
  std::size_t size_ = 0;
};

class Search {
 public:
  Search(std::size_t limit, const GranularityObjective& objective) : limit_(limit), objective_(objective) {
    surveyed_.reserve(50);
  }

  GranularityChoice run() {
    if (objective_.first <= limit_) survey();
    if (best_ == 0) evaluate(1);
    if (one_hump()) {
      if (objective_.rough) {
        try_all_promising();
        try_beside_multiples();
      }
      for (const std::size_t summit : summits()) climb(summit);
    } else {
      try_all_promising();
      fill_gaps();
      if (objective_.rough) try_beside_multiples();
    }
    for (std::size_t from = 0; from != best_ && !finished();) {
      from = best_;
      try_all_near(from);
    }
    return {best_, most_, tried_.size()};
  }

 private:
  double work_of(std::size_t tried) { return tried_[tried].expected.work; }
  bool one_hump() const { return objective_.shape == Shape::kOneHump; }
  bool finished() const { return steps_ > kMostSteps || (best_ > 0 && most_ >= objective_.whole * (1 - kNothingLeft)); }

  WorkEstimate evaluate(std::size_t n) { return evaluate(n, best_ == 0 ? -1 : most_ * (1 - 2 * kRounding)); }

  /// Expected work of n, or a bound up to `enough`; below that of any other where n is out of range.
  WorkEstimate evaluate(std::size_t n, double enough) {
    if (n < 1 || n > limit_) return -1;
    Tried::Entry& entry = tried_[n];
    if (entry.count == n && (entry.expected.exact || entry.expected.work <= enough)) return entry.expected;
    const std::size_t steps = objective_.steps(n);
    if (steps > kMostStepsAtOnce) return -1;
    steps_ += steps;
    const WorkEstimate expected = objective_.expected(n, enough);
    if (entry.count == n)
      entry.expected = expected;
    else
      tried_.add(entry, {n, expected});
    if (!expected.exact) return expected;
    // Of counts that are equal up to rounding, the smallest.
    if (best_ == 0 || expected.work > most_ * (1 + rounding(n)) ||
        (expected.work >= most_ * (1 - rounding(best_)) && n < best_)) {
      best_ = n;
      most_ = expected.work;
    }
    return expected;
  }

  /// Rounding error of a sum over this many chunks.
  static double rounding(std::size_t n) { return kRounding + static_cast<double>(n) * 0x1p-53; }

  /// In even steps of log n, until no hump can follow: a proof of that is looked for at doublings of n.
  void survey() {
    const double factor = !one_hump() ? 1.06 : objective_.rough ? 1.08 : 1.4;
    double previous = -1;
    std::size_t falls = 0;
    std::size_t behind = 0;
    std::size_t bounded = 500;
    for (std::size_t n = objective_.first; !finished(); n = next_in_survey(n, factor)) {
      const auto [expected, exact] = evaluate(n);
      if (!tried_.contains(n)) break;  // too many steps
      surveyed_.push_back(n);
      falls = !exact || expected < previous ? falls + 1 : 0;
      behind = expected + gain_of_finer(n) < most_ ? behind + 1 : 0;
      previous = expected;
      if (n >= 2 * bounded) {
        bounded = n;
        if (objective_.at_most_from(n) <= most_) break;
      }
      if (n == limit_ ||
          (one_hump() ? falls >= 3 && !few_steps(n) && expected < (1 - std::max(0.005, 3 * height(n))) * most_
                      : behind >= objective_.patience))
        break;
    }
  }

  /// The most that finer chunks could save: an interrupted worker loses no more than its current chunk.
  double gain_of_finer(std::size_t n) const { return objective_.in_progress / static_cast<double>(n); }

  /// Whether so few chunks fit into a life that each further one makes a hump.
  bool few_steps(std::size_t n) const {
    return objective_.rough && objective_.scale > 1 && static_cast<double>(n) < 10 * objective_.scale;
  }

  /// The same, relative to the best, of rough objectives.
  double height(std::size_t n) const {
    const double chunks = static_cast<double>(n) / objective_.scale;
    return objective_.rough ? std::min(kHighest, 5.5 / (chunks * chunks * chunks)) : 0;
  }

  /// By how much counts near n differ by chance: finer chunks follow the jumps of a risk more smoothly, and if little
  /// is lost, little can differ.
  double ripples(std::size_t n) const {
    const double chunks = static_cast<double>(n) / objective_.scale;
    const double part = one_hump() ? height(n) : objective_.ripples * std::clamp(100 / chunks, 0.1, 1.0);
    return part * std::min(most_, 20 * (objective_.whole - most_));
  }

  std::size_t next_in_survey(std::size_t n, double factor) const {
    std::size_t next = std::max(n + 1, static_cast<std::size_t>(static_cast<double>(n) * factor));
    if (!one_hump() && n < (objective_.rough ? 3 * kAllSmall : kAllSmall)) next = n + 1;
    if (objective_.steps(next) > kMostStepsAtOnce) next += objective_.stride - next % objective_.stride;
    return std::min(limit_, next);
  }

  /// The best few counts of the survey that are above their neighbours there.
  std::vector<std::size_t> summits() {
    const auto at = [&](std::size_t i) { return work_of(surveyed_[i]); };
    std::vector<std::size_t> list;
    for (std::size_t i = 0; i < surveyed_.size(); ++i)
      if (tried_[surveyed_[i]].expected.exact && (i == 0 || at(i) >= at(i - 1)) &&
          (i + 1 == surveyed_.size() || at(i) >= at(i + 1)) && at(i) >= 0.97 * most_)
        list.push_back(surveyed_[i]);
    std::stable_sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) { return work_of(a) > work_of(b); });
    list.resize(std::min<std::size_t>(list.size(), 3));
    return list;
  }

  void try_all_promising() {
    for (std::size_t i = 0; i + 1 < surveyed_.size(); ++i) {
      const double ends = std::max(work_of(surveyed_[i]), work_of(surveyed_[i + 1]));
      if (ends < most_ - ripples(surveyed_[i])) continue;
      // In steps that need not be whole: even and odd counts both have their turn.
      const double step = std::max(1.0, static_cast<double>(surveyed_[i]) / kCoarse);
      const auto end = static_cast<double>(surveyed_[i + 1]);
      for (auto n = static_cast<double>(surveyed_[i]); n < end && !finished(); n += step)
        evaluate(static_cast<std::size_t>(n));
    }
  }

  /// Multiples of the stride near the best count, and the counts beside them.
  void try_beside_multiples() {
    const std::size_t stride = objective_.stride;
    const std::size_t centre = std::max(best_ / stride, kNearMultiples);
    const std::size_t near = one_hump() || centre > 10 ? kNearMultiples : centre;
    for (std::size_t k = centre - near; k <= centre + near && !finished(); ++k)
      for (const std::size_t n : {k * stride, k * stride + 1, k * stride + 2}) evaluate(n - 1);
  }

  /// The counts that those steps skipped near the best few.
  void fill_gaps() {
    std::vector<std::pair<double, std::size_t>> best;
    for (const auto& [n, expected] : tried_.entries())
      if (n != 0 && expected.exact) best.emplace_back(-expected.work, n);
    const std::size_t few = std::min(kFew, best.size());
    const std::size_t most = objective_.scale > 2 ? std::max(3 * steps_ / 2, kCheap) : kMostSteps;
    std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(few), best.end());
    for (std::size_t i = 0; i < few; ++i) {
      const std::size_t centre = best[i].second;
      const auto reach = static_cast<std::size_t>(static_cast<double>(centre) / kCoarse);
      for (std::size_t n = centre - std::min(centre - 1, reach); n <= centre + reach && !finished() && steps_ < most;
           ++n)
        evaluate(n);
    }
  }

  /// By halving steps, and over the multiples of the stride on the way.
  void climb(std::size_t at) {
    for (std::size_t step = std::max<std::size_t>(1, at / 8); step > 0 && !finished(); step /= 2)
      for (std::size_t from = 0; from != at;) {
        from = at;
        const auto better = [&](std::size_t n) {
          if (evaluate(n, work_of(at)).work > work_of(at)) at = n;
        };
        if (from > step) better(from - step);
        better(from + step);
        if (objective_.stride == 1) continue;
        better(from / objective_.stride * objective_.stride);
        better((from / objective_.stride + 1) * objective_.stride);
      }
  }

  void try_all_near(std::size_t centre) {
    const double within = objective_.ripples * std::max(600.0, 10 * static_cast<double>(centre));
    const std::size_t most = one_hump() ? kMostNeighbours : kMostNeighboursOfHumps;
    const std::size_t reach = std::min(static_cast<std::size_t>(within), most);
    for (std::size_t n = centre - std::min(centre - 1, reach); n <= std::min(limit_, centre + reach) && !finished();
         ++n)
      evaluate(n);
  }

  std::size_t limit_;
  const GranularityObjective& objective_;
  Tried tried_;
  std::vector<std::size_t> surveyed_;
  std::size_t best_ = 0;
  double most_ = 0;  // what the best gives
  std::size_t steps_ = 0;
};

}  // namespace

GranularityObjective::Shape shape_under(const Risk& risk, double load) {
  return risk.has_density() && load <= 2 * risk.horizon() ? Shape::kOneHump : Shape::kSeveralHumps;
}

std::size_t first_count_of_use(const Risk& risk, double work, double startup_cost, std::size_t limit) {
  double end = risk.horizon();
  if (!std::isfinite(end)) {
    end = risk.effective_horizon();
    for (int doubling = 0; doubling < 64 && risk.probability(end) < 1; ++doubling) end *= 2;
    if (risk.probability(end) < 1) return 1;
  }
  const double longest = end - startup_cost;
  if (!(longest > 0)) return limit + 1;
  const double least = std::floor(work / longest * (1 - 1e-12));
  return static_cast<std::size_t>(std::clamp(least, 1.0, static_cast<double>(limit) + 1));
}

GranularityChoice best_granularity(std::size_t limit, const GranularityObjective& objective) {
  return Search(limit, objective).run();
}

GranularityChoice binary_search_granularity(std::size_t limit, const std::function<double(std::size_t)>& expected) {
  std::map<std::size_t, double> known;
  const auto at = [&](std::size_t count) {
    const auto [entry, is_new] = known.try_emplace(count);
    if (is_new) entry->second = expected(count);
    return entry->second;
  };
  std::size_t low = 1;
  std::size_t high = limit;
  while (low < high) {
    cancellation_point();
    const std::size_t middle = low + (high - low) / 2;
    if (at(middle) < at(middle + 1)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  GranularityChoice choice;
  choice.chunks = low;
  choice.expected = at(low);
  choice.evaluated = known.size();
  return choice;
}

bool counts_can_be_searched(double local_load, double startup_cost) {
  return startup_cost > 0 && local_load / startup_cost <= kFinest;
}

std::size_t granularity_limit(double local_load, double startup_cost) {
  if (startup_cost <= 0)
    throw InputError(
        "chunks = \"auto\" needs a start-up cost above 0 (without one there is in general no best number); "
        "give a whole number of chunks");
  constexpr double kMost = 1e6;
  if (!counts_can_be_searched(local_load, startup_cost))
    throw InputError(
        fmt::format("chunks = \"auto\" with a start-up cost of {} and a load of {} work units needs more chunks than "
                    "can be searched; give a whole number of chunks",
                    to_text(startup_cost), to_text(local_load)));
  return static_cast<std::size_t>(std::clamp(std::floor(local_load / startup_cost), 1.0, kMost));
}

}  // namespace coterie::heuristics
