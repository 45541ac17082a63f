#include "heuristics/chunks/chunk_ends.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "core/empirical_risk.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

class Ends {
 public:
  Ends(const ChargedPair& problem, EndLists lists) : of(std::move(lists)), problem_(problem) {}

  EndLists of;

  double value() const {
    const Steps other = seen_by(0);
    double lost = 0;
    double begin = 0;
    for (std::size_t k = 0; k < of[0].size(); ++k) {
      lost += risk_at(of[0], k) * (other.to(of[0][k]) - other.to(begin));
      begin = of[0][k];
    }
    return problem_.work - lost - (other.to(problem_.work) - other.to(begin));
  }

  enum class Moves { kSingle, kCommonToo };

  /// Moves ends back and forth until that gains nothing; at most this many times.
  void settle(int rounds, Moves moves = Moves::kSingle) {
    double before = value();
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t worker = 0; worker < 2; ++worker) {
        move_ends(worker);
        drop_empty(of[worker]);
      }
      if (moves == Moves::kCommonToo && of[0].size() + of[1].size() <= kMostJoint) move_common_ends();
      const double now = value();
      if (!(now > before * (1 + 1e-11))) break;
      before = now;
    }
  }

  /// The best list of a worker, given the other's, with ends on a grid of relevant places: a dynamic programme over
  /// ends and numbers of chunks. False if that would take too long.
  bool respond(std::size_t worker) {
    const Steps other = seen_by(worker);
    const std::vector<double> places = places_for(worker, other);
    const auto most = static_cast<std::size_t>(problem_.most);
    if (most * places.size() * places.size() > kMostTried) return false;
    std::vector<double> before(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) before[i] = other.to(places[i]);
    std::vector<std::vector<std::size_t>> parents;
    std::vector<double> lost(places.size(), kInfinity);
    lost[0] = 0;
    double least = kInfinity;
    std::array<std::size_t, 2> last = {0, 0};  // number of chunks, and where they end
    for (std::size_t count = 1; count <= most; ++count) {
      std::vector<double> next(places.size(), kInfinity);
      parents.emplace_back(places.size(), 0);
      for (std::size_t i = 1; i < places.size(); ++i) {
        const double risk = problem_.risk_after(places[i], static_cast<double>(count));
        for (std::size_t j = 0; j < i; ++j)
          if (const double value = lost[j] + risk * (before[i] - before[j]); value < next[i]) {
            next[i] = value;
            parents.back()[i] = j;
          }
        if (const double all = next[i] + (before.back() - before[i]); all < least) {
          least = all;
          last = {count, i};
        }
      }
      lost = std::move(next);
    }
    std::vector<double>& ends = of[worker];
    ends.assign(last[0], 0);
    for (auto [count, i] = last; count > 0; i = parents[--count][i]) ends[count - 1] = places[i];
    return true;
  }

  /// Cuts the greatest chunk in two.
  bool add_chunk(std::size_t worker) {
    std::vector<double>& ends = of[worker];
    if (ends.empty() || std::ssize(ends) >= problem_.most) return false;
    std::size_t widest = 0;
    for (std::size_t k = 1; k < ends.size(); ++k)
      if (size_of(ends, k) > size_of(ends, widest)) widest = k;
    ends.insert(ends.begin() + static_cast<std::ptrdiff_t>(widest), ends[widest] - size_of(ends, widest) / 2);
    return true;
  }

  /// Joins the smallest chunk to the one behind it, or leaves it out if it is the last.
  bool remove_chunk(std::size_t worker) {
    std::vector<double>& ends = of[worker];
    if (ends.empty()) return false;
    std::size_t least = 0;
    for (std::size_t k = 1; k < ends.size(); ++k)
      if (size_of(ends, k) < size_of(ends, least)) least = k;
    ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(least));
    return true;
  }

 private:
  /// The other worker's risks over the work, seen from a worker's own end: constant between cuts.
  struct Steps {
    std::vector<double> cuts = {0};
    std::vector<double> levels;
    std::vector<double> integrals = {0};

    void add(double end, double level) {
      if (!(end > cuts.back())) return;
      integrals.push_back(integrals.back() + (end - cuts.back()) * level);
      cuts.push_back(end);
      levels.push_back(level);
    }
    /// Integral over [0, position].
    double to(double position) const {
      const auto next = static_cast<std::size_t>(std::upper_bound(cuts.begin(), cuts.end(), position) - cuts.begin());
      const std::size_t k = std::min(next, cuts.size() - 1) - 1;
      return integrals[k] + (position - cuts[k]) * levels[k];
    }
  };

  /// From 0 to all of the work: a grid, the ends of both, and what ends a chunk at a jump.
  std::vector<double> places_for(std::size_t worker, const Steps& other) const {
    constexpr int kCells = 24;
    std::vector<double> places = other.cuts;
    for (int cell = 0; cell <= kCells; ++cell) places.push_back(problem_.work * cell / kCells);
    places.insert(places.end(), of[worker].begin(), of[worker].end());
    if (problem_.risk.steps() != nullptr)
      for (const double time : problem_.risk.breaks())
        for (std::int64_t k = 1; k <= problem_.most && places.size() < kMostPlaces; ++k)
          if (const double end = time - static_cast<double>(k) * problem_.startup; end > 0 && end < problem_.work)
            places.push_back(end);
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
  }

  static double size_of(const std::vector<double>& ends, std::size_t k) { return ends[k] - (k > 0 ? ends[k - 1] : 0); }
  double risk_at(const std::vector<double>& ends, std::size_t k) const {
    return problem_.risk_after(ends[k], static_cast<double>(k + 1));
  }

  Steps seen_by(std::size_t worker) const {
    const std::vector<double>& ends = of[1 - worker];
    Steps steps;
    if (ends.empty()) {
      steps.add(problem_.work, 1);
      return steps;
    }
    steps.add(problem_.work - ends.back(), 1);
    for (std::size_t k = ends.size(); k-- > 0;)
      steps.add(k > 0 ? problem_.work - ends[k - 1] : problem_.work, risk_at(ends, k));
    return steps;
  }

  /// Moves each end in turn to where least is lost between its neighbours, with all else fixed.
  void move_ends(std::size_t worker) {
    const Steps other = seen_by(worker);
    std::vector<double>& ends = of[worker];
    const double only_jumps = problem_.risk.only_jumps_until();
    const std::vector<double> breaks = problem_.risk.breaks();
    for (std::size_t k = 0; k < ends.size(); ++k) {
      const double low = k > 0 ? ends[k - 1] : 0;
      const double high = k + 1 < ends.size() ? ends[k + 1] : problem_.work;
      if (!(high > low)) continue;
      const double after = k + 1 < ends.size() ? risk_at(ends, k + 1) : 1;
      const double from = other.to(low);
      const auto count = static_cast<double>(k + 1);
      const auto lost = [&](double end) {
        const double here = other.to(end) - from;
        return problem_.risk_after(end, count) * here - after * here;  // and `after` times all
      };
      std::vector<double> cuts = {low, high};
      for (auto cut = std::upper_bound(other.cuts.begin(), other.cuts.end(), low);
           cut != other.cuts.end() && *cut < high; ++cut)
        cuts.push_back(*cut);
      const double begin = low + count * problem_.startup;
      for (auto time = std::upper_bound(breaks.begin(), breaks.end(), begin); time != breaks.end(); ++time) {
        const double end = *time - count * problem_.startup;
        if (end >= high) break;
        if (end > low) cuts.push_back(end);
      }
      std::sort(cuts.begin(), cuts.end());
      double best = lost(ends[k]);
      const auto keep = [&](double end) {
        const double value = lost(end);
        if (value < best) {
          best = value;
          ends[k] = end;
        }
      };
      for (const double cut : cuts) keep(cut);
      // Where the risk is constant, and `after` no smaller, a longer chunk loses less: a cut is best.
      for (std::size_t i = 0; i + 1 < cuts.size(); ++i)
        if (cuts[i + 1] > cuts[i] && cuts[i + 1] + count * problem_.startup > only_jumps)
          keep(boost::math::tools::brent_find_minima(lost, cuts[i], cuts[i + 1], 26).first);
    }
  }

  /// The same for ends that both workers have in common, which neither can leave alone without loss.
  void move_common_ends() {
    for (std::size_t k = 0; k < of[0].size(); ++k)
      for (std::size_t j = 0; j < of[1].size(); ++j) {
        double& one = of[0][k];
        double& two = of[1][j];
        if (std::abs(one + two - problem_.work) > kLeast * problem_.work) continue;
        const auto at = [](const std::vector<double>& ends, std::size_t i, double last) {
          return i < ends.size() ? ends[i] : last;
        };
        const double low = std::max(k > 0 ? of[0][k - 1] : 0, problem_.work - at(of[1], j + 1, problem_.work));
        const double high = std::min(at(of[0], k + 1, problem_.work), problem_.work - (j > 0 ? of[1][j - 1] : 0));
        if (!(high > low)) continue;
        const std::array<double, 2> before = {one, two};
        const double worth = value();
        const auto lost = [&](double end) {
          one = end;
          two = problem_.work - end;
          return -value();
        };
        const double found = boost::math::tools::brent_find_minima(lost, low, high, 22).first;
        if (-lost(found) > worth) continue;
        one = before[0];
        two = before[1];
      }
  }

  void drop_empty(std::vector<double>& ends) const {
    double before = 0;
    std::erase_if(ends, [&](double end) {
      const bool empty = !(end - before > kLeast * problem_.work);
      if (!empty) before = end;
      return empty;
    });
  }

  static constexpr std::size_t kMostPlaces = 400;
  static constexpr std::size_t kMostTried = 200'000;  // chunks x places x places, of a dynamic programme
  static constexpr std::size_t kMostJoint = 120;      // ends: each move of a common end looks at all
  static constexpr double kLeast = 1e-10;             // smaller chunks (as a part of the work) count as none

  const ChargedPair& problem_;
};

}  // namespace

EndLists improved_ends(const ChargedPair& pair, const EndLists& start) {
  constexpr int kRounds = 12;
  constexpr int kLastRounds = 400;
  constexpr std::size_t kMostEnds = 200;  // in longer lists only the ends are moved,
  constexpr std::size_t kLongList = 600;  // and in these only once
  Ends best(pair, start);
  if (best.of[0].size() + best.of[1].size() > kLongList) {
    best.settle(1);
    return best.of;
  }
  best.settle(kRounds);
  for (bool gained = true; gained && best.of[0].size() + best.of[1].size() <= kMostEnds;) {
    gained = false;
    for (const bool add : {true, false})
      for (const std::size_t who : {2u, 0u, 1u}) {  // 2: both
        Ends other(pair, best.of);
        bool changed = false;
        for (std::size_t worker = 0; worker < 2; ++worker)
          if (who == 2 || who == worker) changed |= add ? other.add_chunk(worker) : other.remove_chunk(worker);
        if (!changed) continue;
        other.settle(kRounds);
        if (!(other.value() > best.value() * (1 + 1e-9))) continue;
        best.of = other.of;
        gained = true;
      }
    for (std::size_t worker = 0; worker < 2; ++worker) {
      Ends other(pair, best.of);
      if (!other.respond(worker)) continue;
      other.settle(kRounds);
      if (!(other.value() > best.value() * (1 + 1e-9))) continue;
      best.of = other.of;
      gained = true;
    }
  }
  best.settle(best.of[0].size() + best.of[1].size() <= kMostEnds ? kLastRounds : 2, Ends::Moves::kCommonToo);
  return best.of;
}

EndLists with_response(const ChargedPair& pair, const EndLists& lists, std::size_t worker) {
  Ends ends(pair, lists);
  ends.respond(worker);
  return ends.of;
}

}  // namespace coterie::heuristics
