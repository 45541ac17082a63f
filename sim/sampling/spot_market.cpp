#include "sim/sampling/spot_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>

#include "core/least_risk.hpp"
#include "core/length.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/checkpoint_intervals.hpp"
#include "sim/input/recorded_down.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/interruptions.hpp"

namespace coterie::sim {
namespace {

using heuristics::SpotTimes;
using heuristics::UpTime;

constexpr double kMostMachines = 100'000;

class RenewalTimes final : public SpotTimes {
 public:
  RenewalTimes(const Risk& life, const Risk* down, double mean_down, std::size_t spares, const StreamKey& lives,
               const StreamKey& absences, std::uint64_t instance)
      : life_(life),
        down_(down),
        mean_down_(mean_down),
        spares_(spares),
        lives_(lives, instance, 0),
        absences_(absences, instance, 0) {}

 private:
  bool draw(UpTime& next) override {
    double begin = 0;
    if (started_) {
      returns_.push(end_ + (down_ != nullptr ? down_->quantile(to_uniform(absences_())) : mean_down_));
      begin = end_;
      for (; !returns_.empty() && returns_.top() <= end_; returns_.pop()) ++spares_;
      if (spares_ > 0) {
        --spares_;
      } else {
        begin = returns_.top();
        returns_.pop();
      }
    }
    started_ = true;
    if (!std::isfinite(begin)) return false;
    end_ = begin + life_.quantile(to_uniform(lives_()));
    next = {begin, end_};
    return true;
  }

  const Risk& life_;
  const Risk* down_;
  double mean_down_;
  std::size_t spares_;
  Stream lives_, absences_;
  bool started_ = false;
  double end_ = 0;
  std::priority_queue<double, std::vector<double>, std::greater<>> returns_;
};

class RenewalMarket final : public SpotMarket {
 public:
  RenewalMarket(double absence, std::size_t spares, std::uint64_t seed, std::uint64_t identity)
      : absence_(absence),
        spares_(spares),
        lives_(StreamKey::derive(seed, identity, Use::kInterruption)),
        absences_(StreamKey::derive(seed, identity, Use::kReturn)) {}
  std::unique_ptr<SpotTimes> draw(std::uint64_t instance) const override {
    return renewal_times(*life, down.get(), absence_, spares_, lives_, absences_, instance);
  }

 private:
  double absence_;
  std::size_t spares_;
  StreamKey lives_, absences_;
};

class RecordedTimes final : public SpotTimes {
 public:
  RecordedTimes(const std::vector<UpTime>& all, double begin, double length, double scale)
      : all_(all), begin_(begin), length_(length), scale_(scale) {
    next_ = std::partition_point(all.begin(), all.end(), [&](const UpTime& one) { return one.end <= begin; });
  }

 private:
  bool draw(UpTime& next) override {
    if (next_ == all_.end() || !(next_->begin < begin_ + length_)) return false;
    next = {std::max(0.0, (next_->begin - begin_) / scale_), std::min(length_, next_->end - begin_) / scale_};
    ++next_;
    return true;
  }

  const std::vector<UpTime>& all_;
  double begin_, length_, scale_;
  std::vector<UpTime>::const_iterator next_;
};

/// When at least `count` machines are up.
std::vector<UpTime> common_times(const traces::Recording& recording, std::size_t count) {
  std::vector<std::pair<double, int>> changes;
  for (const auto& machine : recording.machines)
    for (const auto& [begin, end] : machine) {
      if (!(end > begin)) continue;
      changes.emplace_back(begin, 1);
      changes.emplace_back(end, -1);
    }
  std::sort(changes.begin(),
            changes.end());  // of one time, ends first: a machine in place of another is an interruption
  std::vector<UpTime> times;
  std::size_t up = 0;
  for (const auto& [time, change] : changes) {
    const bool was = up >= count;
    up += static_cast<std::size_t>(change);
    if (!was && up >= count) times.push_back({time, time});
    if (was && up < count) times.back().end = time;
  }
  return times;
}

/// The seconds that all times are multiples of, to which windows are aligned; 0 if they are not of whole seconds.
double step_of(const std::vector<UpTime>& times, double begin) {
  std::int64_t step = 0;
  for (const UpTime& one : times)
    for (const double time : {one.begin - begin, one.end - begin}) {
      if (time != std::floor(time) || time > 1e15) return 0;
      step = std::gcd(step, static_cast<std::int64_t>(time));
    }
  return static_cast<double>(step);
}

class RecordedMarket final : public SpotMarket {
 public:
  RecordedMarket(const traces::Recording& recording, std::size_t gang, double window, double scale, std::uint64_t seed,
                 std::uint64_t identity)
      : times_(common_times(recording, gang)),
        begin_(recording.begin),
        room_(recording.end - recording.begin - window * scale),
        window_(window * scale),
        scale_(scale),
        step_(step_of(times_, begin_)),
        key_(StreamKey::derive(seed, identity, Use::kInterruption)) {}
  std::unique_ptr<SpotTimes> draw(std::uint64_t instance) const override {
    Stream stream(key_, instance, 0);
    const double u = to_uniform(stream());
    const double start = step_ > 1 ? step_ * std::floor(u * (std::floor(room_ / step_ + 1e-9) + 1)) : u * room_;
    return std::make_unique<RecordedTimes>(times_, begin_ + start, window_, scale_);
  }

 private:
  std::vector<UpTime> times_;
  double begin_, room_, window_, scale_, step_;
  StreamKey key_;
};

Expression written_spot(const Configuration& configuration) {
  const Expression expression = Expression::parse(configuration.text("spot"), configuration.place("spot"));
  require_axis(configuration, "spot", expression.name() == "renewal" || expression.name() == "recording",
               "renewal or recording(trace=FILE)");
  return expression;
}

double scale_of_spot(const Expression& expression) {
  return parse_length(expression.word("scale", "1s"), "recording: scale", expression.place(), ZeroLength::kRefused)
      .value;
}

RiskPtr down_law(const Configuration& configuration, RiskLibrary& risks) {
  const std::string& text = configuration.text("down");
  if (parse_rational(text)) return nullptr;
  if (text == "recorded") return recorded_down(configuration.text("risk"), risks, configuration.place("down"));
  const auto law = risks.resolve(text, configuration.place("down"));
  require_axis(configuration, "down", law->alike(), "a length, one law, or recorded");
  return law->planned();
}

}  // namespace

std::unique_ptr<SpotTimes> renewal_times(const Risk& life, const Risk* down, double absence, std::size_t spares,
                                         const StreamKey& lives, const StreamKey& absences, std::uint64_t instance) {
  return std::make_unique<RenewalTimes>(life, down, absence, spares, lives, absences, instance);
}

const std::vector<Axis>& spot_axes() {
  static const std::vector<Axis> axes = {
      {"risk", Axis::Kind::kText, "", "risk function of a new machine on spot", "none",
       "none, or see coterie list risks"},
      {"down", Axis::Kind::kText, "", "how long spot is away after an interruption: a length, a law, or recorded", "0",
       "a length, a law of coterie list risks, or recorded"},
      {"gang", Axis::Kind::kWhole, "1", "machines that must all be up", "1", "1 to 100000"},
      {"spares", Axis::Kind::kWhole, "1", "machines that take a lost one's place at once", "0", "0 to 100000"},
      {"spot", Axis::Kind::kText, "", "when spot is there: by risk and down (renewal), or as recorded", "renewal",
       "renewal or recording(trace=FILE, scale=LENGTH)"},
  };
  return axes;
}

void check_spot(Configuration& configuration, RiskLibrary& risks) {
  const std::size_t gang = count_axis(configuration, "gang", 1, kMostMachines);
  const std::size_t spares = count_axis(configuration, "spares", 0, kMostMachines);
  risk_axis(configuration, risks);
  if (configuration.text("risk") != "none") {
    require_axis(configuration, "risk", risks.resolve(configuration.text("risk"))->are_new(),
                 "one with age=0: a machine that comes up is new");
    make_risk_canonical(configuration, risks);
  }
  if (const auto length = parse_rational(configuration.text("down"))) {
    require_axis(configuration, "down", *length >= 0, "0 or more");
  } else if (down_law(configuration, risks) && configuration.text("down") != "recorded") {
    configuration.values.set_canonical("down", risks.resolve(configuration.text("down"))->canonical());
  }
  const Expression spot = written_spot(configuration);
  if (spot.name() == "renewal") {
    spot.allow_only({});
    require_axis(configuration, "risk", configuration.text("risk") != "none",
                 "a law of lives where spot = \"renewal\"");
    return;
  }
  std::vector<std::string> known = names_of(traces::recording_parameters());
  known.push_back("scale");
  spot.allow_only(known);
  const double scale = scale_of_spot(spot);
  const auto named = risks.recording(spot);
  const traces::Recording& recording = named->recording;
  const double window = configuration.number("deadline");
  require_axis(
      configuration, "deadline", window > 0 && window * scale <= recording.end - recording.begin,
      fmt::format("at most the length of the recording, {}", to_text((recording.end - recording.begin) / scale)));
  require_axis(configuration, "gang", gang <= recording.machines.size(),
               fmt::format("at most {}, the machines of the recording", recording.machines.size()));
  require_axis(configuration, "spares", spares == 0, "0 where spot is recorded");
  configuration.values.set_canonical("spot", fmt::format("recording({}, scale={})", named->canonical, to_text(scale)));
}

std::shared_ptr<const SpotMarket> spot_market(const Configuration& configuration, RiskLibrary& risks,
                                              std::uint64_t seed) {
  const std::size_t gang = count_axis(configuration, "gang", 1, kMostMachines);
  const std::size_t spares = count_axis(configuration, "spares", 0, kMostMachines);
  const RiskPtr risk = risk_axis(configuration, risks);
  const RiskPtr down = down_law(configuration, risks);
  const double absence = down ? 0 : to_double(*parse_rational(configuration.text("down")));
  const Expression spot = written_spot(configuration);
  std::shared_ptr<SpotMarket> market;
  if (spot.name() == "renewal") {
    market = std::make_shared<RenewalMarket>(absence, spares, seed, configuration.identity);
  } else {
    market = std::make_shared<RecordedMarket>(risks.recording(spot)->recording, gang, configuration.number("deadline"),
                                              scale_of_spot(spot), seed, configuration.identity);
  }
  if (risk) market->life = least_of(risk, gang);
  market->down = down;
  market->mean_down = down ? heuristics::mean_life(*down).value_or(kInfinity) : absence;
  if (spares > 0) market->mean_down = 0;  // mostly one takes a lost one's place at once
  return market;
}

}  // namespace coterie::sim
