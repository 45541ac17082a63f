#include "heuristics/return_messages/interrupted_returns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {

std::vector<double> return_times(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                 double lifespan) {
  std::vector<double> times(platform.size(), 0.0);
  double end = 1;
  for (auto i = sharing.scenario.return_order.rbegin(); i != sharing.scenario.return_order.rend(); ++i) {
    times[*i] = end * lifespan;
    end -= platform[*i].return_time * sharing.shares[*i];
  }
  return times;
}

double ReturnPlan::whole() const { return std::accumulate(work.begin(), work.end(), 0.0); }

double ReturnPlan::expected(std::span<const RiskPtr> risks) const {
  if (risks.size() != work.size())
    throw InputError(fmt::format("there are {} workers, but {} risks", work.size(), risks.size()));
  double sum = 0;
  for (std::size_t i = 0; i < work.size(); ++i)
    if (work[i] > 0) sum += work[i] * risks[i]->survival(times[i]);
  return sum;
}

double ReturnPlan::returned(std::span<const double> interruptions) const {
  double sum = 0;
  for (std::size_t i = 0; i < work.size(); ++i)
    if (times[i] <= just_after(interruptions[i])) sum += work[i];
  return sum;
}

ReturnPlan return_plan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan) {
  if (!std::isfinite(lifespan) || lifespan < 0) throw InputError("the lifespan must be finite and zero or more");
  ReturnPlan plan{sharing.shares, return_times(platform, sharing, lifespan)};
  for (double& load : plan.work) load *= lifespan;
  return plan;
}

ReturnPlan return_plan(const Now<double>& now, const NowOrders& orders, const NowProtocol<double>& protocol,
                       double lifespan) {
  ReturnPlan plan{protocol.shares(lifespan), std::vector<double>(now.workers.size())};
  double end = lifespan;
  for (auto i = orders.finish.rbegin(); i != orders.finish.rend(); ++i) {
    plan.times[*i] = end;
    end -= now.workers[*i].setup_from + now.latency - now.transit + now.transit * now.delta * plan.work[*i];
  }
  return plan;
}

double expected_returned_work(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double lifespan,
                              std::span<const RiskPtr> risks) {
  return return_plan(platform, sharing, lifespan).expected(risks);
}

namespace {

/// Lifespans up to `longest` in which a worker's results are back at a break of its risk: under a law that jumps,
/// every one but these can be made longer. At most kMostBreaks, evenly chosen.
std::vector<double> lifespans_at_breaks(const StarPlatform<double>& platform, const StarSharing<double>& sharing,
                                        double longest, std::span<const RiskPtr> risks) {
  constexpr std::size_t kMostBreaks = 20'000;
  const std::vector<double> times = return_times(platform, sharing, 1);
  const auto each = [&](const auto& use) {
    for (std::size_t i = 0; i < platform.size(); ++i) {
      if (!(sharing.shares[i] > 0)) continue;
      cancellation_point();
      for (const double time : risks[i]->breaks())
        if (const double lifespan = time / times[i]; lifespan > 0 && lifespan <= longest) use(lifespan);
    }
  };
  std::size_t count = 0;  // workers times durations: too many to hold
  each([&](double) { ++count; });
  const std::size_t step = (count + kMostBreaks - 1) / kMostBreaks;
  std::vector<double> chosen;
  std::size_t k = 0;
  each([&](double lifespan) {
    if (k++ % step == 0) chosen.push_back(lifespan);
  });
  return chosen;
}

/// A lifespan, and what is expected to come back in it.
struct Tried {
  double lifespan = 0;
  double expected = 0;
};

/// Those that are no worse than both neighbours: the best kMostHills of them, of equals the longer ones first.
std::vector<std::size_t> hills(const std::vector<Tried>& by_lifespan) {
  constexpr std::size_t kMostHills = 64;
  const auto at = [&](std::size_t k) { return by_lifespan[k].expected; };
  std::vector<std::size_t> found;
  for (std::size_t k = by_lifespan.size(); k-- > 0;)
    if (at(k) > 0 && (k == 0 || at(k) >= at(k - 1)) && (k + 1 == by_lifespan.size() || at(k) >= at(k + 1)))
      found.push_back(k);
  std::stable_sort(found.begin(), found.end(), [&](std::size_t a, std::size_t b) { return at(a) > at(b); });
  found.resize(std::min(found.size(), kMostHills));
  return found;
}

/// The best between the neighbours of one that is no worse than they, itself included.
template <class Expected>
Tried refined(const std::vector<Tried>& by_lifespan, std::size_t k, const Expected& expected) {
  const Tried& best = by_lifespan[k];
  const double shortest = k > 0 ? by_lifespan[k - 1].lifespan : 0;
  const double longest = k + 1 < by_lifespan.size() ? by_lifespan[k + 1].lifespan : best.lifespan;
  // In parts of the best, so that nothing overflows when it is squared.
  constexpr int kBits = 26;  // half of a double's: a minimum is no sharper than that
  std::uintmax_t most_steps = 1000;
  const auto lifespan_of = [&](double part) { return std::min(longest, part * best.lifespan); };
  const double part =
      boost::math::tools::brent_find_minima([&](double of) { return -expected(lifespan_of(of)) / best.expected; },
                                            shortest / best.lifespan, longest / best.lifespan, kBits, most_steps)
          .first;
  const Tried found{lifespan_of(part), expected(lifespan_of(part))};
  return found.expected > best.expected ? found : best;
}

}  // namespace

double best_lifespan(const StarPlatform<double>& platform, const StarSharing<double>& sharing, double longest,
                     int steps, std::span<const RiskPtr> risks) {
  if (steps < 1) throw InputError("the number of steps must be at least 1");
  const auto expected = [&](double lifespan) { return expected_returned_work(platform, sharing, lifespan, risks); };
  std::vector<Tried> tried;
  double most = 0;
  const auto look_at = [&](double lifespan) {
    tried.push_back({lifespan, expected(lifespan)});
    most = std::max(most, tried.back().expected);
  };
  look_at(longest);
  for (int k = steps - 1; k > 0; --k) look_at(k * (longest / steps));
  // Steps of no more than a tenth of a lifespan, down to where not even without interruptions as much would come back.
  constexpr double kShorter = 0.9;
  for (double lifespan = kShorter * std::min(longest, 10 * (longest / steps));
       lifespan >= std::numeric_limits<double>::min() && lifespan * sharing.throughput > most; lifespan *= kShorter)
    look_at(lifespan);
  for (const double lifespan : lifespans_at_breaks(platform, sharing, longest, risks)) look_at(lifespan);
  std::sort(tried.begin(), tried.end(), [](const Tried& a, const Tried& b) { return a.lifespan < b.lifespan; });
  Tried best{longest, 0};
  for (const std::size_t hill : hills(tried))
    if (const Tried found = refined(tried, hill, expected); found.expected > best.expected) best = found;
  return best.lifespan;
}

}  // namespace coterie::heuristics
