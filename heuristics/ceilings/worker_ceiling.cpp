#include "heuristics/ceilings/worker_ceiling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/cancellation.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kFirstTangent = 0.02, kLastTangent = 25;
constexpr std::size_t kPoints = 5000;  // of each kind on the grid
constexpr double kShortest = 0x1p-34;  // first point of the geometric kind, as a part of the last
constexpr std::size_t kDeepest = 200;  // spans in each other
constexpr double kSharp = 5e-5;        // how far cuts may lie above what lists reach, relative

double just_behind(double time) { return std::nextafter(time, std::numeric_limits<double>::infinity()); }

void sort_positive(std::vector<double>& times) {
  std::erase_if(times, [](double time) { return !(time > 0 && std::isfinite(time)); });
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
}

/// The last ends of chunks that have the risk before a jump; where a risk only bends, it has a density.
std::vector<double> ends_at_breaks(const Risk& risk) {
  std::vector<double> ends = risk.breaks();
  if (std::isnan(risk.density(1)))
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

/// Points that suit the risk: where it jumps or bends, and evenly spread in time, in the order of magnitude of time,
/// and in probability; then on to where hardly anyone lives.
std::vector<double> grid_of(const Risk& risk) {
  std::vector<double> ends = ends_at_breaks(risk);
  if (only_jumps(risk, ends)) return ends;
  const double last = risk.effective_horizon();
  const double near = std::min(last, 2 * risk.quantile(0.5));
  for (std::size_t k = 1; k <= kPoints; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(kPoints);
    ends.push_back(last * std::pow(kShortest, 1 - share));
    if (!risk.linear_rate()) ends.push_back(near * share);
    ends.push_back(risk.quantile(share));
  }
  constexpr double kHardlyAnyone = 1e-18;
  double beyond = last;
  for (std::size_t k = 0; k < kPoints && std::isfinite(beyond) && risk.survival(beyond) > kHardlyAnyone; ++k)
    ends.push_back(beyond *= 1.05);
  sort_positive(ends);
  return ends;
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
    lines_.assign(1, {0, 0, 0});
    std::size_t best_line = 0;
    BestList best;
    for (std::size_t j = 0; j < ends.size() && weight[j] > price; ++j) {
      const double reduced = weight[j] - price;
      const auto at = [&](const Line& line) { return line.value - reduced * line.end; };
      best_line = std::min(best_line, lines_.size() - 1);
      while (best_line + 1 < lines_.size() && at(lines_[best_line + 1]) >= at(lines_[best_line])) ++best_line;
      const Line& from = lines_[best_line];
      const Line line{ends[j], reduced * (ends[j] - startup_cost) + at(from),
                      from.work + (ends[j] - from.end - startup_cost)};
      if (line.value > best.worth) best = {line.value, line.work};
      if (line.value <= lines_.back().value) continue;  // ends later and is worth no more
      while (lines_.size() > 1 && is_overtaken(lines_[lines_.size() - 2], lines_.back(), line)) lines_.pop_back();
      lines_.push_back(line);
    }
    return best;
  }

 private:
  struct Line {
    double end;    // minus the slope
    double value;  // F
    double work;
  };

  /// Whether `late` is above `middle` from where `middle` is above `early` on.
  static bool is_overtaken(const Line& early, const Line& middle, const Line& late) {
    return (late.value - early.value) * (middle.end - early.end) >=
           (middle.value - early.value) * (late.end - early.end);
  }

  std::vector<Line> lines_;
};

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

WorkerCeiling::WorkerCeiling(RiskPtr risk, double startup_cost)
    : risk_(std::move(risk)), startup_cost_(startup_cost), ends_(grid_of(*risk_)) {
  lost_.push_back(just_behind(0));
  for (const double end : ends_) lost_.push_back(just_behind(end));
  for (const double time : lost_) kept_.push_back(risk_->survival(time));
  risk_->probabilities(lost_, lost_);
}

double WorkerCeiling::weight(std::size_t index, double lost, double kept) {
  if (index == 0) return kept;
  const double s = tangent(index);
  const double l = lost < 0.5 ? -std::log(lost) : -std::log1p(-kept);
  if (l < s) return std::exp(-s) * l;
  return std::max(std::exp(-s) * s, kept - intercept(index));
}

WorkerCeiling::Cut WorkerCeiling::cut(const Spans& spans, double price) const {
  cancellation_point();
  static thread_local ListSearch search;  // the memory goes from list to list
  const BestList list = search.best(ends_, std::span(spans.weights).first(ends_.size()), price, startup_cost_);
  return {price, list.worth, list.work};
}

/// From the price at which everything on the grid is worth running to that at which nothing is.
void WorkerCeiling::begin(std::size_t tangent, Spans& spans) const {
  std::vector<double> weights(lost_.size());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = weight(tangent, lost_[i], kept_[i]);
  for (std::size_t i = 1; i < weights.size(); ++i)
    weights[i] = std::min(weights[i], weights[i - 1]);  // but for rounding
  spans.weights = std::move(weights);
  // Chunks that end beyond the grid are worth no more than its last weight.
  spans.list.push_back({cut(spans, std::max(0.0, spans.weights.back())), {spans.weights.front(), 0, 0}});
}

double WorkerCeiling::worth(std::size_t tangent, double work) const {
  Spans& spans = spans_[tangent];
  const std::lock_guard lock(spans.mutex);
  if (spans.list.empty()) begin(tangent, spans);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t at = 0, depth = 0; depth < kDeepest; ++depth) {
    const auto [low, high, below, above] = spans.list[at];
    least = std::min({least, low.price * work + low.rest, high.price * work + high.rest});
    if (!(low.list > high.list) || work >= low.list) break;
    const double slope =
        (low.rest + low.price * low.list - high.rest - high.price * high.list) / (low.list - high.list);
    const double reached = high.rest + high.price * high.list + slope * (work - high.list);
    if (!(slope > low.price && slope < high.price) || least - reached <= kSharp * least) break;
    if (below == 0) {
      const Cut middle = cut(spans, slope);
      spans.list[at].below = spans.list.size();
      spans.list[at].above = spans.list.size() + 1;
      spans.list.push_back({low, middle});
      spans.list.push_back({middle, high});
    }
    at = work >= spans.list[spans.list[at].below].high.list ? spans.list[at].below : spans.list[at].above;
  }
  // A sum over the list, each term with some roundings.
  const double rounding = (16 * static_cast<double>(ends_.size()) + 1000) * std::numeric_limits<double>::epsilon();
  return least * (1 + rounding);
}

}  // namespace coterie::heuristics
