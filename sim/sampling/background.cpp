#include "sim/sampling/background.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/printable.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

/// An M/M/1 queue beside the worker, which runs at speed 1/(n+1) while n background jobs are there.
/// [time-varying-2019, Algorithm 3; W^h(k) = k W]
class Mm1Background final : public Background {
 public:
  enum class Sharing { kOwn, kCommon };
  enum class Startup { kWork, kWall };

  Mm1Background(const BackgroundLaw& law, Sharing sharing, Startup startup)
      : law_(law), sharing_(sharing), startup_(startup) {
    for (std::size_t jobs = 0; jobs < kRows + 2; ++jobs) {
      const BackgroundLaw::Change change = law.change(static_cast<std::int64_t>(jobs));
      mean_time_.push_back(change.mean_time);
      arrival_.push_back(change.arrival);
      speed_.push_back(speed(static_cast<std::int64_t>(jobs)));
    }
  }

  double capacity(double interruption, double enough, Stream& stream) const override {
    cancellation_point();
    BackgroundWalk<Stream> walk(law_, stream);
    double time = 0;
    double work = 0;
    while (true) {
      const double end = std::min(walk.next_change(), interruption);
      if (end > time) work += (end - time) * speed(walk.jobs());
      if (end == interruption || work >= enough) return work;
      time = end;
      walk.advance();
    }
  }

  void capacities(const StreamKey& key, std::uint64_t first_instance, std::size_t workers, std::size_t lanes,
                  double enough, const LaneLoops& loops, std::span<double> times) const override {
    const auto initial = static_cast<std::uint64_t>(law_.initial);
    std::vector<double> work(workers * kLanes, std::nan(""));
    const std::size_t at_once = workers_at_once(times);
    for (std::size_t first = 0; initial < kRows && first < workers; first += at_once) {
      cancellation_point();
      loops.queues({.key0 = key.key[0],
                    .key1 = key.key[1],
                    .first_instance = first_instance,
                    .first_worker = first,
                    .workers = std::min(at_once, workers - first),
                    .lanes = lanes,
                    .common = is_common(),
                    .initial = initial,
                    .rows = kRows,
                    .two_rates = law_.departures == BackgroundLaw::Departures::kFull,
                    .mean_time = mean_time_.data(),
                    .arrival = arrival_.data(),
                    .speed = speed_.data(),
                    .enough = enough,
                    .blocks = BackgroundWalk<Stream>::kMostChanges / 2},
                   times.data() + first * kLanes, work.data() + first * kLanes);
    }
    for (std::size_t w = 0; w < workers; ++w)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = w * kLanes + lane;
        Stream stream(key, first_instance + lane, is_common() ? 0 : static_cast<std::uint32_t>(w));
        times[i] = std::isnan(work[i]) ? capacity(times[i], enough, stream) : work[i];
      }
  }

  SpeedProfile path(double interruption, double enough, Stream& stream) const override {
    cancellation_point();
    BackgroundWalk<Stream> walk(law_, stream);
    std::vector<double> times;
    std::vector<double> speeds;
    double time = 0;
    double work = 0;
    while (true) {
      const double now = speed(walk.jobs());
      const double end = std::min(walk.next_change(), interruption);
      const bool last = end == interruption || work + (end - time) * now >= enough;
      if (end > time || (last && times.empty())) {
        times.push_back(time);
        speeds.push_back(now);
      }
      work += (end - time) * now;
      if (last) return {std::move(times), std::move(speeds)};
      time = end;
      walk.advance();
    }
  }

  bool is_common() const override { return sharing_ == Sharing::kCommon; }
  bool has_wall_clock_startup() const override { return startup_ == Startup::kWall; }
  std::optional<BackgroundLaw> law() const override { return law_; }

  /// What has its default is left out where it came later than the first three, so that identities stay.
  std::string text() const override {
    std::string more;
    if (law_.departures == BackgroundLaw::Departures::kShared) more += ", departures=shared";
    if (is_common()) more += ", common=yes";
    if (has_wall_clock_startup()) more += ", startup=wall";
    return fmt::format("mm1(arrival={}, service={}, initial={}{})", to_text(law_.arrival), to_text(law_.service),
                       law_.initial, more);
  }

 private:
  /// As many as are followed in some 0.1 s, until these times at most.
  std::size_t workers_at_once(std::span<const double> times) const {
    constexpr double kChanges = 1e7;
    constexpr double kMostChanges = BackgroundWalk<Stream>::kMostChanges;
    const double changes = (law_.arrival + law_.service) * *std::max_element(times.begin(), times.end());
    return static_cast<std::size_t>(
        std::max(1.0, kChanges / (kLanes * std::max(1.0, std::min(kMostChanges, changes)))));
  }

  static constexpr std::size_t kRows = 256;  // longer queues are followed without tables

  static double speed(std::int64_t jobs) { return 1 / static_cast<double>(jobs + 1); }

  BackgroundLaw law_;
  Sharing sharing_;
  Startup startup_;
  std::vector<double> mean_time_;  // these three by number of jobs
  std::vector<std::uint64_t> arrival_;
  std::vector<double> speed_;
};

/// Whether the parameter `key` has its second word instead of its first, the default.
bool is_second(const Expression& expression, const std::string& key, const std::string& first,
               const std::string& second) {
  const std::string word = expression.word(key, first);
  if (word != first && word != second)
    throw InputError(expression.place(), fmt::format("{}: {} must be {} or {}, not {}", expression.name(), key, first,
                                                     second, echoed(word)));
  return word == second;
}

double not_negative(const Expression& expression, const std::string& key, double otherwise) {
  const double value = expression.number(key, otherwise);
  if (!(value >= 0))
    throw InputError(expression.place(), fmt::format("{}: {} must not be negative", expression.name(), key));
  return value;
}

std::shared_ptr<const Background> make_none(const Expression&) { return nullptr; }

std::shared_ptr<const Background> make_mm1(const Expression& expression) {
  const double initial = not_negative(expression, "initial", 0);
  if (initial != std::floor(initial) || initial > 1e6)
    throw InputError(expression.place(), "mm1: initial must be a whole number of jobs, at most 1000000");
  expression.number("arrival");
  expression.number("service");
  using enum BackgroundLaw::Departures;
  const BackgroundLaw law{not_negative(expression, "arrival", 0), not_negative(expression, "service", 0),
                          static_cast<std::int64_t>(initial),
                          is_second(expression, "departures", "full", "shared") ? kShared : kFull};
  return std::make_shared<Mm1Background>(
      law,
      is_second(expression, "common", "no", "yes") ? Mm1Background::Sharing::kCommon : Mm1Background::Sharing::kOwn,
      is_second(expression, "startup", "work", "wall") ? Mm1Background::Startup::kWall : Mm1Background::Startup::kWork);
}

}  // namespace

const std::vector<BackgroundKind>& background_kinds() {
  static const std::vector<BackgroundKind> table = {
      {"none", "workers run at full speed", "", {}, make_none},
      {"mm1",
       "background jobs as an M/M/1 queue; n of them slow a worker to 1/(n+1)",
       "time-varying-2019, Section 3",
       {{"arrival", "1/time", "", ">= 0", "jobs that arrive per unit of time"},
        {"service", "1/time", "", ">= 0", "jobs that are served per unit of time"},
        {"initial", "", "0", ">= 0", "jobs present at the start"},
        {"departures", "", "full", "full, shared", "shared: our work slows the jobs too, service n/(n+1)"},
        {"common", "", "no", "no, yes", "yes: all workers have the same jobs at the same times"},
        {"startup", "", "work", "work, wall", "a start-up cost is work, slowed as such, or wall-clock time"}},
       make_mm1},
  };
  return table;
}

std::shared_ptr<const Background> make_background(const Expression& expression) {
  const auto& kind = find_row(background_kinds(), expression.name(), "background", expression.place());
  expression.allow_only(names_of(kind.parameters));
  return kind.make(expression);
}

}  // namespace coterie::sim
