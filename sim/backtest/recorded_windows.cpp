#include "sim/backtest/recorded_windows.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"
#include "traces/recording.hpp"

namespace coterie::sim {
namespace {

StreamKey windows_key(std::uint64_t seed, const char* what) {
  return StreamKey::derive(seed, identity_hash(what), Use::kPlan);
}

}  // namespace

/// When spells end.
class RecordedFleets::Ends {
 public:
  Ends(const RecordedFleets& fleets, CutOff cut_off, double law_from)
      : cut_off_(cut_off), key_(windows_key(fleets.asked_.seed, "coterie backtest: cut-off spells")) {
    if (cut_off != CutOff::kGoesOn) return;
    std::vector<traces::Duration> later;
    for (const auto& spells : fleets.hosts_)
      for (const HostSpell& spell : spells)
        if (spell.begin >= law_from) later.push_back(fleets.durations_[spell.number]);
    const traces::Durations durations(std::move(later));
    if (durations.observed() == 0) return;
    law_ = traces::completed(traces::kaplan_meier_law(durations), traces::OpenTail::kGone, durations.longest());
  }

  double operator()(const HostSpell& spell) const {
    if (!spell.cut || cut_off_ == CutOff::kLeaves) return spell.end;
    if (cut_off_ == CutOff::kStays) return kInfinity;
    StepLaw rest = law_.at_age(spell.end - spell.begin);
    if (rest.times.empty()) return spell.end;
    Stream stream(key_, spell.number, 0);
    return spell.end + EmpiricalRisk(std::move(rest), "").quantile(to_uniform(stream()));
  }

 private:
  CutOff cut_off_;
  StreamKey key_;
  StepLaw law_;  // empty: nothing is known of how spells go on
};

RecordedFleets::RecordedFleets(const traces::AvailabilityTrace& trace, WindowsAsked asked) : asked_(std::move(asked)) {
  if (trace.records.empty()) throw InputError("there are no spells");
  if (asked_.joining == Joining::kTogether)
    read_together(trace);
  else
    read(trace);
  begin_ = kInfinity;
  end_ = -kInfinity;
  for (const auto& spells : hosts_)
    for (const HostSpell& spell : spells) {
      begin_ = std::min(begin_, spell.begin);
      end_ = std::max(end_, spell.end);
    }
  joins_ = joins_at_age(asked_.age);
  if (asked_.after == AfterSpell::kReplaced) new_ones_ = joins_at_age(0);
}

void RecordedFleets::read(const traces::AvailabilityTrace& trace) {
  std::unordered_map<std::string, std::size_t> numbers;
  for (const traces::AvailabilityRecord& record : trace.records) {
    if (!record.start) throw InputError("the format does not say when each machine was up");
    std::size_t host = hosts_.size();
    if (record.host) host = numbers.emplace(*record.host, host).first->second;
    if (host == hosts_.size()) hosts_.emplace_back();
    hosts_[host].push_back({*record.start, *record.start + record.duration, !record.observed && !asked_.all_ends,
                            !record.left_truncated, durations_.size()});
    durations_.push_back({record.duration, record.observed || asked_.all_ends, record.entry});
  }
  for (auto& spells : hosts_)
    std::stable_sort(spells.begin(), spells.end(),
                     [](const HostSpell& a, const HostSpell& b) { return a.begin < b.begin; });
}

void RecordedFleets::read_together(const traces::AvailabilityTrace& trace) {
  traces::Recording recording = traces::Recording::of_hosts(trace);
  if (asked_.slots) recording = recording.in_slots();
  for (const auto& times : recording.machines) {
    auto& spells = hosts_.emplace_back();
    for (const auto& [begin, end] : times) {
      spells.push_back({begin, end, false, true, durations_.size()});
      durations_.push_back({end - begin});
    }
  }
}

std::vector<RecordedFleets::Join> RecordedFleets::joins_at_age(double age) const {
  std::vector<Join> joins;
  for (std::size_t h = 0; h < hosts_.size(); ++h)
    for (std::size_t i = 0; i < hosts_[h].size(); ++i)
      if (const HostSpell& spell = hosts_[h][i]; spell.is_new && spell.end - spell.begin >= age)
        joins.push_back({spell.begin + age, h, i});
  std::stable_sort(joins.begin(), joins.end(), [](const Join& a, const Join& b) { return a.time < b.time; });
  return joins;
}

double RecordedFleets::after_share(double share) const {
  if (asked_.joining != Joining::kOfAge) return begin_ + share * (end_ - begin_);
  if (joins_.empty()) return end_;
  return joins_[std::min(joins_.size() - 1, static_cast<std::size_t>(share * static_cast<double>(joins_.size())))].time;
}

std::vector<double> RecordedFleets::plan_times(double first, std::size_t plans) const {
  const double last = end_ - asked_.span;
  if (!(first <= last)) return {};
  std::vector<double> times;
  if (asked_.joining != Joining::kOfAge) {
    for (std::size_t k = 0; k < plans; ++k)
      times.push_back(first + (last - first) * static_cast<double>(k) / static_cast<double>(plans));
    return times;
  }
  const auto low =
      std::partition_point(joins_.begin(), joins_.end(), [&](const Join& one) { return one.time < first; });
  const auto high = std::partition_point(low, joins_.end(), [&](const Join& one) { return one.time <= last; });
  const auto count = static_cast<std::size_t>(high - low);
  for (std::size_t k = 0; k < plans && count > 0; ++k)
    if (const double time = low[static_cast<std::ptrdiff_t>(k * count / plans)].time;
        times.empty() || time > times.back())
      times.push_back(time);
  return times;
}

std::vector<std::vector<RecordedFleets::Join>> RecordedFleets::fleets_of_age(double from, double until,
                                                                             std::size_t machines) const {
  struct Open {
    std::vector<Join> joins;
    std::set<std::size_t> hosts;
  };
  std::vector<Open> open;
  std::vector<std::vector<Join>> fleets;
  for (const Join& join : joins_) {
    if (join.time < from || join.time >= until || join.time > end_ - asked_.span) continue;
    auto at = std::find_if(open.begin(), open.end(), [&](const Open& one) { return !one.hosts.contains(join.host); });
    if (at == open.end()) at = open.emplace(open.end());
    at->joins.push_back(join);
    at->hosts.insert(join.host);
    if (at->joins.size() < machines) continue;
    fleets.push_back(std::move(at->joins));
    open.erase(at);
  }
  return fleets;
}

bool Likeness::is_certain() const {
  constexpr double kNormal = 3.72;  // quantile
  return correlation * std::sqrt(static_cast<double>(pairs)) > kNormal;
}

std::optional<Likeness> RecordedFleets::likeness(double known_at) const {
  if (asked_.joining != Joining::kOfAge) return std::nullopt;
  struct Stay {
    double begin;
    double length;
    bool known;  // to its end
  };
  std::vector<Stay> stays;
  std::vector<double> lengths;
  for (const Join& join : joins_) {
    if (join.time >= known_at) break;
    const HostSpell& spell = hosts_[join.host][join.spell];
    stays.push_back({join.time, std::min(spell.end, known_at) - join.time, !spell.cut && spell.end <= known_at});
    if (stays.back().known) lengths.push_back(stays.back().length);
  }
  if (lengths.empty()) return std::nullopt;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  std::erase_if(
      stays, [&](const Stay& one) { return one.begin + *middle > known_at || (!one.known && one.length <= *middle); });
  double longer = 0, both = 0;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const bool is_longer = stays[i].length > *middle;
    longer += is_longer ? 1 : 0;
    both += is_longer && i > 0 && stays[i - 1].length > *middle ? 1 : 0;
  }
  const double share = longer / static_cast<double>(stays.size());
  if (stays.size() < 2 || share == 0 || share == 1) return std::nullopt;
  const std::size_t pairs = stays.size() - 1;
  return Likeness{(both / static_cast<double>(pairs) - share * share) / (share * (1 - share)), pairs};
}

std::vector<double> RecordedFleets::moments(double from, double until) const {
  std::vector<double> found;
  if (!asked_.starts.empty()) {
    for (const double start : asked_.starts)
      if (start >= from && start < until && start + asked_.span <= end_) found.push_back(start);
    return found;
  }
  // a window ends before the next one begins
  for (double time = from; time < until && time + asked_.span <= end_; time += asked_.span) found.push_back(time);
  return found;
}

std::vector<RecordedFleets::Join> RecordedFleets::present(double moment, double known_at) const {
  std::vector<Join> there;
  for (std::size_t h = 0; h < hosts_.size(); ++h) {
    const auto& spells = hosts_[h];
    const auto at =
        std::find_if(spells.begin(), spells.end(), [&](const HostSpell& spell) { return spell.end > moment; });
    const bool up = at != spells.end() && at->begin <= moment;
    const bool known = spells.front().begin < known_at;
    if (asked_.joining == Joining::kUp ? up : known)
      there.push_back({moment, h, static_cast<std::size_t>(at - spells.begin())});
  }
  return there;
}

std::vector<std::vector<RecordedFleets::Join>> RecordedFleets::fleets_at_moments(double from, double until,
                                                                                 std::size_t machines,
                                                                                 std::size_t most) const {
  std::vector<double> times = moments(from, until);
  const std::size_t each = std::max<std::size_t>(1, most / std::max<std::size_t>(1, times.size()));
  const StreamKey key = windows_key(asked_.seed, "coterie backtest: machines");
  std::vector<std::vector<Join>> fleets;
  for (const double time : times) {
    std::vector<Join> there = present(time, from);
    Stream stream(key, static_cast<std::uint64_t>(std::llround(time)), 0);
    for (std::size_t k = 0; k < std::min(each, there.size() / machines); ++k) {
      std::vector<Join>& fleet = fleets.emplace_back();
      for (std::size_t m = 0; m < machines; ++m) {
        const auto at = static_cast<std::size_t>(to_uniform(stream()) * static_cast<double>(there.size()));
        fleet.push_back(there[at]);
        std::swap(there[at], there.back());
        there.pop_back();
      }
    }
  }
  return fleets;
}

RecordedWindow RecordedFleets::window(const std::vector<Join>& fleet, const Ends& ends) const {
  RecordedWindow window{fleet.front().time, {}};
  const StreamKey key = windows_key(asked_.seed, "coterie backtest: down times");
  auto next = std::partition_point(new_ones_.begin(), new_ones_.end(),
                                   [&](const Join& one) { return one.time <= fleet.back().time; });
  for (const Join& join : fleet) {
    std::vector<heuristics::Spell>& life = window.machines.emplace_back();
    const auto& spells = hosts_[join.host];
    for (std::size_t i = join.spell; i < spells.size(); ++i) {
      const double begin = std::max(0.0, spells[i].begin - join.time);
      double end = ends(spells[i]) - join.time;
      if (asked_.joining == Joining::kTogether) end = std::min(end, asked_.span);
      if (!life.empty() && begin < life.back().end) break;  // a spell that was cut off goes on
      if (asked_.joining == Joining::kTogether && begin >= asked_.span) break;
      life.push_back({begin, end});
      if (asked_.after == AfterSpell::kGone && asked_.joining != Joining::kTogether) break;
      if (asked_.after == AfterSpell::kReplaced) break;
    }
    if (asked_.after != AfterSpell::kReplaced) continue;
    Stream stream(key, spells[join.spell].number, 0);
    while (life.back().end < asked_.span && next != new_ones_.end()) {
      const HostSpell& fresh = hosts_[next->host][next->spell];
      const double begin = life.back().end + asked_.down->quantile(to_uniform(stream()));
      if (!(begin < kInfinity)) break;
      life.push_back({begin, begin + ends(fresh) - fresh.begin});
      ++next;
    }
  }
  return window;
}

std::vector<RecordedWindow> RecordedFleets::windows(double from, double until, std::size_t machines, std::size_t most,
                                                    CutOff cut_off, double law_from) const {
  std::vector<std::vector<Join>> fleets = asked_.joining == Joining::kOfAge
                                              ? fleets_of_age(from, until, machines)
                                              : fleets_at_moments(from, until, machines, most);
  const std::size_t count = std::min(most, fleets.size());
  const Ends ends(*this, cut_off, law_from);
  std::vector<RecordedWindow> windows;
  for (std::size_t k = 0; k < count; ++k) windows.push_back(window(fleets[k * fleets.size() / count], ends));
  return windows;
}

void WindowsInTurn::draw(const StreamKey&, std::uint64_t instance, std::span<const double>,
                         heuristics::Spells& spells) const {
  const RecordedWindow& window = windows_[instance];
  spells.clear();
  std::size_t next = 0;
  for (const bool is_recorded : recorded_) {
    if (!is_recorded) spells.add({0, kInfinity});
    if (is_recorded)
      for (const auto& [begin, end] : window.machines[next]) spells.add({begin / unit_, end / unit_});
    next += is_recorded ? 1 : 0;
    spells.close_worker();
  }
}

}  // namespace coterie::sim
