#include "heuristics/chunks/worker_ceiling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "core/ties.hpp"
#include "heuristics/chunks/power_of_two.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kFirstTangent = 0.02, kLastTangent = 25;
constexpr std::size_t kPoints = 5000;  // at most, of each kind on the grid
constexpr double kShortest = 0x1p-34;  // first point of the geometric kind, as a part of the last
constexpr std::size_t kDeepest = 200;  // spans in each other
constexpr double kSharp = 5e-5;        // how far cuts may lie above what lists reach, relative

double just_behind(double time) { return std::nextafter(time, kInfinity); }

void sort_positive(std::vector<double>& times) {
  std::erase_if(times, [](double time) { return !(time > 0 && std::isfinite(time)); });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

/// The last ends of chunks that have the risk before a jump; where a risk only bends, it has a density.
std::vector<double> ends_at_breaks(const Risk& risk) {
  std::vector<double> ends = risk.breaks();
  if (!risk.has_density())
    for (double& end : ends) end = just_after(end);
  sort_positive(ends);
  return ends;
}

/// Whether the risk is constant between the breaks.
bool only_jumps(const Risk& risk, std::span<const double> ends) {
  double before = just_behind(0);
  for (const double end : ends) {
    if (risk.probability(before) != risk.probability(end)) return false;
    before = just_behind(end);
  }
  return risk.probability(before) == risk.probability(std::numeric_limits<double>::max());
}

/// Points that suit the risk: where it jumps or bends, and evenly spread in time, in the logarithm of time and in
/// probability; then on to where hardly any worker is alive.
std::vector<double> fine_grid(const Risk& risk, std::size_t points) {
  std::vector<double> ends = ends_at_breaks(risk);
  if (only_jumps(risk, ends)) return ends;
  const double last = risk.effective_horizon();
  const double near = std::min(last, 2 * risk.quantile(0.5));
  for (std::size_t k = 1; k <= points; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(points);
    ends.push_back(last * std::pow(kShortest, 1 - share));
    if (!risk.linear_rate()) ends.push_back(near * share);
    ends.push_back(risk.quantile(share));
  }
  constexpr double kHardlyAnyone = 1e-18;
  double beyond = last;
  for (std::size_t k = 0; k < points && std::isfinite(beyond) && risk.survival(beyond) > kHardlyAnyone; ++k)
    ends.push_back(beyond *= 1.05);
  sort_positive(ends);
  return ends;
}

/// A part of the points, the last one among them, is a grid, too.
std::vector<double> grid_of(const Risk& risk, std::size_t most_points) {
  std::vector<double> ends = fine_grid(risk, std::min(kPoints, most_points / 3 + 1));
  const std::size_t stride = (ends.size() + most_points - 1) / std::max<std::size_t>(1, most_points);
  if (stride <= 1) return ends;
  std::vector<double> kept;
  for (std::size_t i = (ends.size() - 1) % stride; i < ends.size(); i += stride) kept.push_back(ends[i]);
  return kept;
}

/// The most that chunks ending on the grid can be worth, each its size times `weight` at its end, which does not
/// increase; and how much work they are.
struct BestList {
  double worth = 0;
  double work = 0;
};

/// F(j) = weight_j (end_j - eps) + max over i < j of (F(i) - weight_j end_i): the greatest of lines in weight_j, whose
/// slopes fall with i, asked for at falling places.
class ListSearch {
 public:
  BestList best(std::span<const double> ends, std::span<const double> weight, double price, double startup_cost) {
    lines_.assign(1, {0, 0, 0, kNone});
    scale_ = ends.empty() ? 1 : scale_for(ends.back());
    previous_.resize(ends.size());
    last_ = kNone;
    ends_ = ends;
    std::size_t best_line = 0;
    BestList best;
    for (std::size_t j = 0; j < ends.size() && weight[j] > price; ++j) {
      const double reduced = weight[j] - price;
      const auto at = [&](const Line& line) { return line.value - reduced * line.end; };
      best_line = std::min(best_line, lines_.size() - 1);
      while (best_line + 1 < lines_.size() && at(lines_[best_line + 1]) >= at(lines_[best_line])) ++best_line;
      const Line& from = lines_[best_line];
      const Line line{ends[j], reduced * (ends[j] - startup_cost) + at(from),
                      from.work + (ends[j] - from.end - startup_cost), j};
      previous_[j] = from.point;
      if (line.value > best.worth) {
        best = {line.value, line.work};
        last_ = j;
      }
      if (line.value <= lines_.back().value) continue;  // ends later and is worth no more
      while (lines_.size() > 1 && is_overtaken(lines_[lines_.size() - 2], lines_.back(), line)) lines_.pop_back();
      lines_.push_back(line);
    }
    return best;
  }

  /// When the chunks of the list found last end.
  std::vector<double> ends() const {
    std::vector<double> times;
    for (std::size_t j = last_; j != kNone; j = previous_[j]) times.push_back(ends_[j]);
    std::reverse(times.begin(), times.end());
    return times;
  }

 private:
  struct Line {
    double end;    // minus the slope
    double value;  // F
    double work;
    std::size_t point;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  /// Whether `late` is above `middle` from where `middle` is above `early` on.
  bool is_overtaken(const Line& early, const Line& middle, const Line& late) const {
    return (late.value - early.value) * scale_ * ((middle.end - early.end) * scale_) >=
           (middle.value - early.value) * scale_ * ((late.end - early.end) * scale_);
  }

  double scale_ = 1;  // products of times neither underflow nor overflow
  std::vector<Line> lines_;
  std::vector<std::size_t> previous_;  // by end of a chunk: that of the chunk before
  std::span<const double> ends_;       // that were searched last
  std::size_t last_ = kNone;           // of the best list
};

/// -ln Pr, computed from 1 - Pr if that is small.
double minus_log(double lost, double kept) { return lost < 0.5 ? -std::log(lost) : -std::log1p(-kept); }

}  // namespace

double WorkerCeiling::tangent(std::size_t index) {
  if (index == 0) return 0;
  const double share = static_cast<double>(index - 1) / static_cast<double>(kTangents - 2);
  return kFirstTangent * std::pow(kLastTangent / kFirstTangent, share);
}

double WorkerCeiling::intercept(std::size_t index) {
  if (index == 0) return 0;
  const double s = tangent(index);
  return 1 - (1 + s) * std::exp(-s);
}

/// Of s, which is needed for all points of a grid.
struct WorkerCeiling::Weighing {
  explicit Weighing(std::size_t index)
      : s(tangent(index)), slope(std::exp(-s)), least(slope * s), offset(intercept(index)) {}
  double of(double minus_log, double kept) const {
    return minus_log < s ? slope * minus_log : std::max(least, kept - offset);
  }

  double s, slope, least, offset;
};

WorkerCeiling::WorkerCeiling(const RiskPtr& risk, double startup_cost, std::size_t most_points)
    : startup_cost_(startup_cost), ends_(grid_of(*risk, most_points)) {
  std::vector<double> times = {just_behind(0)};
  for (const double end : ends_) times.push_back(just_behind(end));
  for (const double time : times) kept_.push_back(risk->survival(time));
  risk->probabilities(times, times);
  for (std::size_t i = 0; i < times.size(); ++i) log_.push_back(minus_log(times[i], kept_[i]));
}

double WorkerCeiling::weight(std::size_t index, double lost, double kept) {
  return Weighing(index).of(minus_log(lost, kept), kept);
}

std::span<const double> WorkerCeiling::weights(std::size_t index) const {
  static thread_local std::vector<double> weights;  // reused from list to list
  const Weighing weighing(index);
  weights.resize(kept_.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weighing.of(log_[i], kept_[i]);
  for (std::size_t i = 1; i < weights.size(); ++i)
    weights[i] = std::min(weights[i], weights[i - 1]);  // but for rounding
  return weights;
}

WorkerCeiling::Cut WorkerCeiling::cut(std::size_t tangent, double price) const {
  cancellation_point();
  static thread_local ListSearch search;
  const BestList list = search.best(ends_, weights(tangent).first(ends_.size()), price, startup_cost_);
  return {price, list.worth, list.work};
}

WorkerCeiling::Span WorkerCeiling::span_of(Spans& spans, std::size_t tangent, double work) const {
  if (spans.list.empty()) {
    // From the price at which everything on the grid is worth running, as what ends beyond it is worth no more than the
    // last weight, to that at which nothing is.
    const std::span<const double> weight = weights(tangent);
    const double most = weight.front();
    spans.list.push_back({cut(tangent, std::max(0.0, weight.back())), {most, 0, 0}});
  }
  std::size_t at = 0;
  for (std::size_t depth = 0; depth < kDeepest; ++depth) {
    const auto [low, high, below, above] = spans.list[at];
    const double bound = std::min(low.price * work + low.rest, high.price * work + high.rest);
    if (!(low.list > high.list) || work >= low.list) break;
    const double slope =
        (low.rest + low.price * low.list - high.rest - high.price * high.list) / (low.list - high.list);
    const double reached = high.rest + high.price * high.list + slope * (work - high.list);
    if (!(slope > low.price && slope < high.price) || bound - reached <= kSharp * bound) break;
    if (below == 0) {
      const Cut middle = cut(tangent, slope);
      spans.list[at].below = spans.list.size();
      spans.list[at].above = spans.list.size() + 1;
      spans.list.push_back({low, middle});
      spans.list.push_back({middle, high});
    }
    at = work >= spans.list[spans.list[at].below].high.list ? spans.list[at].below : spans.list[at].above;
  }
  return spans.list[at];
}

double WorkerCeiling::worth(std::size_t tangent, double work) const {
  Spans& spans = spans_[tangent];
  const std::lock_guard lock(spans.mutex);
  const Span span = span_of(spans, tangent, work);
  // A sum over the list, each term with some roundings.
  const double rounding = (16 * static_cast<double>(ends_.size()) + 1000) * std::numeric_limits<double>::epsilon();
  return std::min(span.low.price * work + span.low.rest, span.high.price * work + span.high.rest) * (1 + rounding);
}

std::vector<double> WorkerCeiling::list(std::size_t tangent, double work) const {
  Spans& spans = spans_[tangent];
  const std::lock_guard lock(spans.mutex);
  const Span span = span_of(spans, tangent, work);
  const double price = (span.low.list <= work ? span.low : span.high).price;
  ListSearch search;
  search.best(ends_, weights(tangent).first(ends_.size()), price, startup_cost_);
  std::vector<double> sizes;
  double before = 0;
  for (const double end : search.ends()) {
    const double kept = end * (1 - kSameTime / 2);  // before a jump, whatever the sum of the sizes is rounded to
    sizes.push_back(kept - before - startup_cost_);
    before = kept;
  }
  return sizes;
}

}  // namespace coterie::heuristics
