#include "sim/sampling/availability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/cancellation.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "sim/model_interface/axis_readers.hpp"
#include "sim/sampling/recorded_spells.hpp"
#include "sim/sampling/zone_shocks.hpp"

namespace coterie::sim {
namespace {

using heuristics::Availability;
using heuristics::Spells;

constexpr const char* kAxis = "availability";

class Renewal final : public Availability {
 public:
  Renewal(RiskPtr down, double resume, std::vector<RiskPtr> up, double horizon, const Zones& zones, Place place)
      : down_(std::move(down)),
        resume_(resume),
        up_(std::move(up)),
        horizon_(horizon),
        zones_(zones),
        place_(std::move(place)) {
    if (zones_.common > 0) shocks_.emplace(zones_.common, up_);
  }

  bool is_recorded() const override { return false; }

  void draw(const StreamKey& key, std::uint64_t instance, std::span<const double> lives,
            Spells& spells) const override {
    constexpr std::size_t kMostSpells = 1'000'000;
    const bool zones_bind = zones_.bind(lives.size());
    spells.clear();
    for (std::uint32_t w = 0; w < lives.size(); ++w) {
      Stream stream(key, instance, w);
      const std::size_t law = up_.size() == 1 ? 0 : w;
      const StreamKey zone =
          zones_bind ? ZoneShocks::key_of(key, static_cast<std::uint32_t>(zones_.of(w, lives.size()))) : key;
      const auto end_of = [&](double begin) {
        const double uniform = to_uniform(stream());
        if (zones_bind) return shocks_->end(zone, instance, law, begin, uniform, horizon_);
        return std::min(begin + up_[law]->quantile(uniform), horizon_);
      };
      double time = zones_bind ? end_of(0) : std::min(lives[w], horizon_);
      spells.add({0, time});
      for (std::size_t k = 1; time < horizon_; ++k) {
        if ((k & 0xfff) == 0) cancellation_point();
        if (k > kMostSpells)
          throw InputError(place_,
                           fmt::format("renewal: a worker is up more than {} times before the horizon", kMostSpells));
        const double begin = time + down_->quantile(to_uniform(stream())) + resume_;
        if (!(begin < horizon_)) break;
        time = end_of(begin);
        spells.add({begin, time});
      }
      spells.close_worker();
    }
  }

 private:
  RiskPtr down_;
  double resume_;
  std::vector<RiskPtr> up_;
  double horizon_;
  Zones zones_;
  std::optional<ZoneShocks> shocks_;
  Place place_;
};

class OneSpell final : public Availability {
 public:
  bool is_recorded() const override { return false; }
  void draw(const StreamKey&, std::uint64_t, std::span<const double> lives, Spells& spells) const override {
    spells.clear();
    for (const double life : lives) {
      spells.add({0, life});
      spells.close_worker();
    }
  }
};

Expression written(const Configuration& configuration) {
  const Expression expression = Expression::parse(configuration.text(kAxis), configuration.place(kAxis));
  const std::vector<std::string> names = {"once", "renewal", "replay"};
  if (std::find(names.begin(), names.end(), expression.name()) == names.end())
    throw InputError(configuration.place(kAxis),
                     fmt::format("unknown availability \"{}\": once, renewal(down=RISK, resume=TIME) or "
                                 "replay(trace=FILE, window=TIME){}",
                                 echoed(expression.name()), suggestion(expression.name(), names)));
  return expression;
}

/// The length of one unit of time, in seconds.
double scale_of(const Expression& expression) {
  return parse_length(expression.word("scale"), expression.name() + ": scale", expression.place(), ZeroLength::kRefused)
      .value;
}

/// Of a renewal, in units of time.
double resume_of(const Expression& expression) {
  const std::string text = expression.word("resume", "0");
  if (parse_rational(text)) {
    if (expression.has("scale"))
      throw InputError(expression.place(),
                       "renewal: scale goes with a resume that has a unit, such as 5min; leave it out");
    if (const double number = expression.number("resume", 0); number >= 0) return number;
  }
  const Length resume = parse_length(text, "renewal: resume", expression.place());
  if (!expression.has("scale"))
    throw InputError(expression.place(),
                     fmt::format("renewal: resume = {}: say how long one unit of time is, such as scale=1h", text));
  return resume.value / scale_of(expression);
}

std::shared_ptr<const UserRisk> down_of(const Expression& expression, RiskLibrary& risks) {
  return risks.resolve(expression.word("down"), expression.place());
}

/// Of a replay, in units of time.
struct Window {
  double length;
  double scale;  ///< seconds
};

Window window_of(const Expression& expression) {
  const Place& place = expression.place();
  const double scale = expression.has("scale") ? scale_of(expression) : 1;
  const Length window = parse_length(expression.word("window"), "replay: window", place, ZeroLength::kRefused);
  return {window.has_unit ? window.value / scale : window.value, scale};
}

std::string check_renewal(const Expression& expression, const Configuration& configuration, RiskLibrary& risks) {
  expression.allow_only({"down", "resume", "scale"});
  const double resume = resume_of(expression);
  const auto down = down_of(expression, risks);
  if (!std::isfinite(configuration.number("horizon")))
    throw InputError(configuration.place(kAxis),
                     "availability = \"renewal(...)\" needs a finite horizon, because workers that come back "
                     "eventually complete everything; write horizon = TIME");
  if (!risks.resolve(configuration.text("risk"), configuration.place("risk"))->are_new())
    throw InputError(configuration.place("risk"),
                     "a worker that comes back is new: availability = \"renewal(...)\" needs a risk with age=0");
  return fmt::format("renewal(down={}, resume={})", down->canonical(), to_text(resume));
}

std::string check_replay(const Expression& expression, const Configuration& configuration, RiskLibrary& risks) {
  std::vector<std::string> known = names_of(traces::recording_parameters());
  known.insert(known.end(), {"window", "scale"});
  expression.allow_only(known);
  const Window window = window_of(expression);
  const double horizon = configuration.number("horizon");
  require_axis(
      configuration, "horizon", std::isinf(horizon) || horizon == window.length,
      fmt::format("left out, or the window ({}), where availability = \"replay(...)\"", to_text(window.length)));
  const auto named = risks.recording(expression);
  const traces::Recording& recording = named->recording;
  if (const double length = recording.end - recording.begin; window.length * window.scale > length)
    throw InputError(expression.place(), fmt::format("replay: the window of {} is longer than the recording, {}",
                                                     length_text(window.length * window.scale), length_text(length)));
  require_axis(configuration, "workers",
               configuration.number("workers") <= static_cast<double>(recording.machines.size()),
               fmt::format("at most {}, the machines of the recording", recording.machines.size()));
  return fmt::format("replay({}, window={}, scale={})", named->canonical, to_text(window.length),
                     to_text(window.scale));
}

}  // namespace

const std::vector<Axis>& availability_axes() {
  static const std::vector<Axis> axes = {
      {"horizon", Axis::Kind::kNumber, "work", "time after which nothing counts; inf: none", "inf", "> 0, inf allowed",
       false},
      {kAxis, Axis::Kind::kText, "",
       "whether workers come back: once: never; renewal: up times of the risk, down times of a law; replay: windows of "
       "a recording",
       "once",
       "once, renewal(down=RISK, resume=TIME, scale=LENGTH) or replay(trace=FILE, window=TIME, scale=LENGTH, "
       "machines=hosts|slots)",
       false},
  };
  return axes;
}

void check_availability(Configuration& configuration, RiskLibrary& risks) {
  require_axis(configuration, "horizon", configuration.number("horizon") > 0, "above 0; inf: none");
  const Expression expression = written(configuration);
  std::string canonical = "once";
  if (expression.name() == "renewal")
    canonical = check_renewal(expression, configuration, risks);
  else if (expression.name() == "replay")
    canonical = check_replay(expression, configuration, risks);
  else
    expression.allow_only({});
  configuration.values.set_canonical(kAxis, canonical);
}

double horizon_of(const Configuration& configuration) {
  const Expression expression = written(configuration);
  return expression.name() == "replay" ? window_of(expression).length : configuration.number("horizon");
}

std::shared_ptr<const Availability> availability_of(const Configuration& configuration, RiskLibrary& library,
                                                    const std::vector<RiskPtr>& risks, double unit,
                                                    const Zones& zones) {
  const Expression expression = written(configuration);
  if (expression.name() == "renewal") {
    const RiskPtr down = down_of(expression, library)->planned();
    return std::make_shared<Renewal>(unit == 1 ? down : hastened(down, unit), resume_of(expression) / unit, risks,
                                     configuration.number("horizon") / unit, zones, configuration.place(kAxis));
  }
  if (expression.name() == "replay") {
    const Window window = window_of(expression);
    const auto named = library.recording(expression);
    return std::make_shared<RecordedSpells>(std::shared_ptr<const traces::Recording>(named, &named->recording),
                                            window.length / unit, window.scale * unit);
  }
  return nullptr;
}

std::shared_ptr<const Availability> one_spell() { return std::make_shared<OneSpell>(); }

}  // namespace coterie::sim
