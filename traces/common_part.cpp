#include "traces/common_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/contract.hpp"
#include "core/infinity.hpp"
#include "core/length.hpp"
#include "traces/survival_curve.hpp"

namespace coterie::traces {
namespace {

/// What is needed of a spell, in seconds.
struct Stay {
  double start = 0;
  double end = 0;
  bool observed = true;
  std::string_view host;
};

using Stays = std::map<std::string_view, std::vector<Stay>>;  // by zone

/// Drops by the number of hosts that were up.
struct Drops {
  struct Count {
    double all = 0;
    double whole = 0;
  };
  std::map<std::size_t, Count> by_hosts;
  std::size_t partial = 0;

  void add(std::size_t up, std::size_t down) {
    if (down == up) {
      by_hosts[up].all += 1;
      by_hosts[up].whole += 1;
      return;
    }
    if (down > 1) ++partial;
    for (std::size_t i = 0; i < down; ++i) by_hosts[up - i].all += 1;
  }
};

/// When interruptions count as together.
struct Together {
  double within = 0;   ///< interruptions whose times differ by no more are together
  double exposed = 0;  ///< time in which another may follow by chance: the rounding of the recording, or `within`
  bool rounded = true;
};

/// Times that differ by no more are the same up to rounding.
double rounding_of(const AvailabilityTrace& trace) {
  double greatest = 0;
  for (const AvailabilityRecord& record : trace.records)
    greatest = std::max({greatest, std::abs(*record.start), std::abs(*record.start + record.duration)});
  return 8 * std::numeric_limits<double>::epsilon() * greatest;
}

/// The least difference between two distinct times of the recording; 0 if there are none.
double least_difference(const AvailabilityTrace& trace, double rounding) {
  std::vector<double> times;
  for (const AvailabilityRecord& record : trace.records) {
    times.push_back(*record.start);
    times.push_back(*record.start + record.duration);
  }
  std::sort(times.begin(), times.end());
  double least = kInfinity;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] - times[i - 1] > rounding) least = std::min(least, times[i] - times[i - 1]);
  return std::isfinite(least) ? least : 0;
}

Together together_of(const AvailabilityTrace& trace, std::optional<double> window, double rounding) {
  if (window) return {std::max(*window, rounding), *window, false};
  const double step = trace.resolution.value_or(least_difference(trace, rounding));
  return {std::max(rounding, step - 2 * rounding), step, true};
}

/// A host that is up twice at the same time has several histories, like the components of a node.
bool is_up_twice(std::vector<Stay> stays, double rounding) {
  std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) {
    return std::tie(a.host, a.start, a.end) < std::tie(b.host, b.start, b.end);
  });
  for (std::size_t i = 1; i < stays.size(); ++i)
    if (stays[i].host == stays[i - 1].host && stays[i].start < stays[i - 1].end - rounding) return true;
  return false;
}

/// The drops of one zone.
void count_drops(std::vector<Stay>& stays, double within, double rounding, Drops& drops) {
  std::sort(stays.begin(), stays.end(), [](const Stay& a, const Stay& b) { return a.end < b.end; });
  std::vector<double> starts;
  for (const Stay& stay : stays) starts.push_back(stay.start);
  std::sort(starts.begin(), starts.end());
  std::size_t counted = 0;
  for (std::size_t i = 0; i < stays.size();) {
    if (!stays[i].observed) {
      ++i;
      continue;
    }
    const double time = stays[i].end;
    const auto begun =
        static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), time - rounding) - starts.begin());
    std::size_t ended = i;  // spells ended before this time: all behind i except those of length zero
    while (ended > counted && stays[ended - 1].end >= time - rounding) --ended;
    std::size_t gone = ended;  // of those begun, which spells of length zero at this time are not among
    for (std::size_t j = ended; j > 0 && stays[j - 1].end >= time - rounding; --j)
      if (!(stays[j - 1].start < time - rounding)) --gone;
    std::size_t up = begun - gone;
    std::size_t down = 0;
    std::size_t last = ended;
    for (; last < stays.size() && stays[last].end <= time + within; ++last) {
      if (!(stays[last].start < time - rounding)) continue;  // came up only now
      if (stays[last].observed) {
        ++down;
      } else {
        --up;  // its further course was not observed
      }
    }
    if (up >= 2 && down >= 1) drops.add(up, down);
    i = counted = std::max(last, i + 1);
  }
}

/// Compares the number of whole drops with its mean and variance under a given rho.
class WholeDrops {
 public:
  /// `chance`: the probability that one host is interrupted by itself so soon after another that both are together.
  WholeDrops(const Drops& drops, double chance, bool rounded) : drops_(drops), chance_(chance), rounded_(rounded) {
    for (const auto& [hosts, count] : drops.by_hosts) whole_ += count.whole;
  }

  /// (whole drops - mean) / standard deviation; infinite if the deviation is 0 and they differ.
  double distance(double rho) const {
    const auto [mean, variance] = moments(rho);
    const double difference = whole_ - mean;
    if (variance > 0) return difference / std::sqrt(variance);
    return std::abs(difference) < 1e-9 * std::max(1.0, whole_) ? 0 : std::copysign(kInfinity, difference);
  }

  /// The rho at which the distance, which decreases, is `z`; an end of [0, 1] if there is none.
  double solve(double z) const {
    double low = 0;
    double high = 1;
    if (distance(low) <= z) return low;
    if (distance(high) >= z) return high;
    for (int i = 0; i < 100; ++i) (distance((low + high) / 2) > z ? low : high) = (low + high) / 2;
    return (low + high) / 2;
  }

 private:
  /// Rates of drops in units of h: of all drops, and of those of single hosts that all others follow by chance.
  static double rate(double hosts, double rho) { return rho + hosts * (1 - rho); }
  double coincidence(double hosts, double rho) const {
    const double one = -std::expm1((1 - rho) * std::log1p(-chance_));
    return hosts * (1 - rho) * std::pow(one, hosts - 1) / (rounded_ ? hosts : 1);
  }

  std::pair<double, double> moments(double rho) const {
    double mean = 0;
    double variance = 0;
    for (const auto& [hosts, count] : drops_.by_hosts) {
      const auto n = static_cast<double>(hosts);
      const double p = std::min(1.0, (rho + coincidence(n, rho)) / rate(n, rho));
      mean += count.all * p;
      variance += count.all * p * (1 - p);
    }
    return {mean, variance};
  }

  const Drops& drops_;
  double chance_;
  bool rounded_;
  double whole_ = 0;
};

/// By zone; empty if a spell has no host or no start. Spells of hosts without a zone are left out if others have
/// one.
Stays stays_of(const AvailabilityTrace& trace, bool zones_named) {
  Stays stays;
  for (const AvailabilityRecord& record : trace.records) {
    if (!record.host || !record.start) return {};
    if (zones_named && !record.zone) continue;
    stays[zones_named ? std::string_view(*record.zone) : std::string_view()].push_back(
        {*record.start, *record.start + record.duration, record.observed, *record.host});
  }
  return stays;
}

/// The probability that a host is interrupted within `time`, at the mean rate of all hosts.
double chance_within(double time, const Stays& stays) {
  double up = 0;
  double ends = 0;
  for (const auto& [zone, list] : stays)
    for (const Stay& stay : list) {
      up += stay.end - stay.start;
      ends += stay.observed ? 1 : 0;
    }
  return up > 0 ? -std::expm1(-ends / up * time) : 1;
}

}  // namespace

CommonPart common_part(const AvailabilityTrace& trace, std::optional<double> window) {
  COTERIE_REQUIRE(!window || *window >= 0);
  constexpr std::size_t kLeastDrops = 10;
  constexpr double kMostChance = 0.1;
  CommonPart part;
  part.zones_named = std::any_of(trace.records.begin(), trace.records.end(),
                                 [](const AvailabilityRecord& record) { return record.zone.has_value(); });
  Stays stays = stays_of(trace, part.zones_named);
  if (stays.empty()) {
    part.problem = "the format does not say when each host was up";
    return part;
  }
  const double rounding = rounding_of(trace);
  const Together together = together_of(trace, window, rounding);
  part.window = together.exposed;
  part.less = together.rounded;
  Drops drops;
  for (auto& [zone, list] : stays) {
    if (is_up_twice(list, rounding)) {
      part.problem = "a host is up twice at the same time; choose one component per host";
      return part;
    }
    Drops here;
    count_drops(list, together.within, rounding, here);
    part.zones += here.by_hosts.empty() ? 0 : 1;
    for (const auto& [hosts, count] : here.by_hosts) {
      drops.by_hosts[hosts].all += count.all;
      drops.by_hosts[hosts].whole += count.whole;
    }
    drops.partial += here.partial;
  }
  double all = 0;
  double whole = 0;
  for (const auto& [hosts, count] : drops.by_hosts) {
    all += count.all;
    whole += count.whole;
  }
  part.drops = static_cast<std::size_t>(all);
  part.whole = static_cast<std::size_t>(whole);
  part.partial = drops.partial;
  if (part.drops < kLeastDrops) {
    part.problem = fmt::format("only {} interruptions while another host of the zone was up; {} are needed", part.drops,
                               kLeastDrops);
    return part;
  }
  const double chance = chance_within(together.exposed, stays);
  if (chance > kMostChance) {
    part.problem = fmt::format(
        "the window of {} within which interruptions count as together is too long: a host alone is interrupted in one "
        "of {:.3g} such windows",
        seconds_text(together.exposed), 1 / chance);
    return part;
  }
  const WholeDrops model(drops, chance, together.rounded);
  part.value = model.solve(0);
  part.low = model.solve(kNormalQuantile);
  part.high = model.solve(-kNormalQuantile);
  return part;
}

}  // namespace coterie::traces
