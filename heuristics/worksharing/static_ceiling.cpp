#include "heuristics/worksharing/static_ceiling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

constexpr std::size_t kPoints = 3000;  // of each kind on the grid
constexpr int kHalvings = 16;          // in search of the best mu
constexpr double kRounding = 1e-12;    // of all that is computed here, relative
constexpr double kShortest = 0x1p-40;  // first point of the geometric kind, as a part of the last

/// Ends of chunks in increasing order; the risk between the point before and each.
struct Grid {
  std::vector<double> ends;
  std::vector<double> risks;  // just behind the point before: no end in between has less
  double risk_beyond = 0;     // just behind the last point
};

double just_behind(double time) { return std::nextafter(time, std::numeric_limits<double>::infinity()); }

/// Points that suit the risk: where it jumps or bends, and evenly spread in time, in the order of magnitude of time,
/// and in probability.
std::vector<double> points_of(const WorksharingProblem& problem) {
  const Risk& risk = *problem.risk;
  const double last = std::min(risk.horizon(), std::max(risk.effective_horizon(), problem.work));
  const double near = std::min(last, 2 * (problem.work + problem.startup_cost));
  std::vector<double> points = risk.breaks();
  for (std::size_t k = 1; k <= kPoints; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(kPoints);
    points.push_back(near * share);
    points.push_back(last * std::pow(kShortest, 1 - share));
    if (share < 1) points.push_back(risk.quantile(share));
  }
  std::erase_if(points, [&](double point) { return !(point > 0 && point <= last); });
  // A risk without a density jumps: the last ends that have the risk before it.
  if (std::isnan(risk.density(1)))
    for (double& point : points) point = just_after(point);
  return points;
}

Grid grid_of(const WorksharingProblem& problem) {
  Grid grid;
  grid.ends = points_of(problem);
  std::erase_if(grid.ends, [](double end) { return !(end > 0 && std::isfinite(end)); });
  std::sort(grid.ends.begin(), grid.ends.end());
  grid.ends.erase(std::unique(grid.ends.begin(), grid.ends.end()), grid.ends.end());
  std::vector<double> behind = {just_behind(0)};
  for (const double end : grid.ends) behind.push_back(just_behind(end));
  problem.risk->probabilities(behind, behind);
  grid.risk_beyond = behind.back();
  behind.pop_back();
  grid.risks = std::move(behind);
  return grid;
}

/// The most that chunks ending on the grid can be worth, each its size times `worth` at its end, which does not
/// increase; and how much work they are.
struct BestList {
  double worth = 0;
  double work = 0;
};

/// F(j) = worth_j (end_j - eps) + max over i < j of (F(i) - worth_j end_i): the greatest of lines in worth_j, whose
/// slopes fall with i, asked for at falling places.
BestList best_list(std::span<const double> ends, std::span<const double> worth, double startup_cost) {
  struct Line {
    double end;    // minus the slope
    double value;  // F
    double work;
  };
  std::vector<Line> lines = {{0, 0, 0}};
  std::size_t best_line = 0;
  BestList best;
  for (std::size_t j = 0; j < ends.size() && worth[j] > 0; ++j) {
    const auto at = [&](const Line& line) { return line.value - worth[j] * line.end; };
    best_line = std::min(best_line, lines.size() - 1);
    while (best_line + 1 < lines.size() && at(lines[best_line + 1]) >= at(lines[best_line])) ++best_line;
    const Line& from = lines[best_line];
    const Line line{ends[j], worth[j] * (ends[j] - startup_cost) + at(from),
                    from.work + (ends[j] - from.end - startup_cost)};
    if (line.value > best.worth) best = {line.value, line.work};
    if (line.value <= lines.back().value) continue;  // ends later and is worth no more
    // Where the line before the last one is overtaken.
    const auto overtakes = [](const Line& a, const Line& b) { return (b.value - a.value) / (b.end - a.end); };
    while (lines.size() > 1 &&
           overtakes(lines[lines.size() - 2], line) >= overtakes(lines[lines.size() - 2], lines.back()))
      lines.pop_back();
    lines.push_back(line);
  }
  return best;
}

class Ceiling {
 public:
  explicit Ceiling(const WorksharingProblem& problem)
      : problem_(problem), grid_(grid_of(problem)), worth_(grid_.ends.size()), reduced_(grid_.ends.size()) {}

  /// With c(f) = 1 - Pr(f): each worker as if it were alone.
  double alone() {
    for (std::size_t i = 0; i < worth_.size(); ++i) worth_[i] = 1 - grid_.risks[i];
    return workers() * one_worker(1 - grid_.risk_beyond);
  }

  /// With the tangent at `s`.
  double tangent(double s) {
    const double scale = std::exp(-s);
    const auto c = [&](double risk) { return scale * std::min(-std::log(risk), 1 + s); };
    for (std::size_t i = 0; i < worth_.size(); ++i) worth_[i] = c(grid_.risks[i]);
    return (1 - (1 + s) * scale) * problem_.work + workers() * one_worker(c(grid_.risk_beyond));
  }

 private:
  double workers() const { return static_cast<double>(problem_.workers); }

  /// mu W + max of sum w_k (c - mu), for a mu of at least `beyond`, what c is where the grid ends.
  double bound(double mu, double& work) {
    for (std::size_t i = 0; i < worth_.size(); ++i) reduced_[i] = worth_[i] - mu;
    const BestList list = best_list(grid_.ends, reduced_, problem_.startup_cost);
    work = list.work;
    return mu * problem_.work + list.worth;
  }

  /// Convex in mu: it falls while the list takes more than W.
  double one_worker(double beyond) {
    double low = std::max(0.0, beyond);
    double high = worth_.empty() ? low : worth_.front();
    double work = 0;
    double least = bound(low, work);
    if (work <= problem_.work) return least;
    for (int i = 0; i < kHalvings; ++i) {
      const double mu = (low + high) / 2;
      least = std::min(least, bound(mu, work));
      (work > problem_.work ? low : high) = mu;
    }
    return least;
  }

  const WorksharingProblem& problem_;
  Grid grid_;
  std::vector<double> worth_;    // c, on the grid
  std::vector<double> reduced_;  // c - mu
};

}  // namespace

double static_ceiling(const WorksharingProblem& problem) {
  problem.validate();
  Ceiling ceiling(problem);
  double least = std::min(problem.work, ceiling.alone());
  // s is about how much risk the best schedules leave: -ln Pr of losing a piece. Each s gives a ceiling; look closely
  // where it is least.
  constexpr double kFirst = 0.01, kFactor = 1.4;
  constexpr int kTangents = 26;
  double best = kFirst;
  const auto look = [&](double s) {
    const double value = ceiling.tangent(s);
    if (value >= least) return;
    least = value;
    best = s;
  };
  for (int i = 0; i < kTangents; ++i) look(kFirst * std::pow(kFactor, i));
  for (double step = std::sqrt(kFactor); step > 1.01; step = std::sqrt(step)) {
    const double from = best;
    look(from * step);
    look(from / step);
  }
  return std::min(problem.work, least * (1 + kRounding));
}

}  // namespace coterie::heuristics
