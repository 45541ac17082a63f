#include "sim/plan_verb/plan_availability.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/expression.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"
#include "sim/planning/listening_view.hpp"
#include "sim/sampling/availability.hpp"

namespace coterie::sim {
namespace {

/// What is not available for machines that come back.
void refuse_what_is_not_known(const Options& options, const std::string& name) {
  const auto refuse = [&](const char* option, const char* reason) {
    if (options.has(option))
      throw InputError(fmt::format("--availability {}(...): {}; leave out --{}", name, reason, option));
  };
  refuse("jobs-every", "not available with background jobs");
  refuse("price", "the cost of machines that come back is not known");
  refuse("zones", "how machines of a zone come back together is not known");
  if (options.has("machines") && !parse_whole(trimmed(options.text("machines"))))
    throw InputError(
        fmt::format("--availability {}(...): there is no search for the number of such machines; give one number, not "
                    "--machines {}",
                    name, options.text("machines")));
  if (options.has("resamples") && options.text("resamples") != "0")
    throw InputError(
        fmt::format("--availability {}(...): the trace is not resampled for this; leave out --resamples", name));
  if (name != "renewal") return;
  if (options.has("age") && options.text("age") != "0")
    throw InputError(fmt::format("--age {}: a machine that comes back is new; leave out --age", options.text("age")));
}

/// The text of renewal(...) or replay(...) with the risk's unit of time as its scale, where it needs one.
std::string in_unit_of_risk(const std::string& text, const Expression& asked, std::optional<double> seconds) {
  const bool replays = asked.name() == "replay";
  if (asked.has("scale"))
    throw InputError(
        fmt::format("--availability {}(...): times are in the unit of the risk; leave out scale", asked.name()));
  if (!replays && seconds && has_trace_of_its_own_unit(asked.word("down", "")))
    throw InputError(fmt::format(
        "--availability renewal(...): the longest duration of trace(...) would become one unit of time, {}; write {}",
        length_text(*seconds),
        *seconds == 1 ? "normalise=none into it for its own times, in seconds"
                      : fmt::format("normalise=horizon({}) into it for its own times", to_text(*seconds))));
  if (!replays && parse_rational(asked.word("resume", "0"))) return text;
  if (!seconds)
    throw InputError(
        fmt::format("--availability {}(...): say how long one unit of time of --risk is, such as "
                    "--risk-unit 1h: {}",
                    asked.name(),
                    replays ? "recordings are read in seconds"
                            : fmt::format("resume = {} is not a number", echoed(asked.word("resume")))));
  return text.find('=') == text.npos ? text
                                     : fmt::format("{}, scale={})", text.substr(0, text.rfind(')')), to_text(*seconds));
}

}  // namespace

PlanAvailability::PlanAvailability(const Options& options, const Scale& scale, std::shared_ptr<RiskLibrary> library,
                                   const std::string& risk, double unit, std::optional<double> seconds,
                                   std::size_t workers)
    : library_(std::move(library)), unit_(unit) {
  const Place place{"--availability"};
  std::string text = options.text("availability", "once");
  const Expression asked = Expression::parse(text, place);
  comes_back_ = asked.name() == "renewal" || asked.name() == "replay";
  if (comes_back_) refuse_what_is_not_known(options, asked.name());
  if (options.has("horizon") && asked.name() != "renewal")
    throw InputError(asked.name() == "replay" ? "--horizon: the window of --availability replay(...) is the horizon"
                                              : "--horizon goes with --availability renewal(...)");
  if (asked.name() == "renewal" && !options.has("horizon"))
    throw InputError(
        "--availability renewal(...) needs --horizon, such as 24h: machines that come back finish some day; until when "
        "does their work count?");
  if (comes_back_) text = in_unit_of_risk(text, asked, seconds);
  if (options.has("horizon")) horizon_ = scale.share("horizon");
  const double horizon = horizon_ ? *horizon_ * unit : scale.never();
  const auto add = [&](const char* axis, const std::string& value, double number, const char* option) {
    configuration_.values.set(AxisValue{axis, value, value, number, Place{option}});
  };
  add("availability", text, 0, "--availability");
  add("horizon", to_text(horizon), horizon, "--horizon");
  add("risk", risk, 0, "--risk");
  add("workers", std::to_string(workers), static_cast<double>(workers), "--machines");
  check_availability(configuration_, *library_);
  if (comes_back_ && options.has("deadline") && scale.share("deadline") > just_after(this->horizon()))
    throw InputError(fmt::format("--deadline {} is beyond {}", options.text("deadline"),
                                 asked.name() == "replay" ? "the window of --availability replay(...)" : "--horizon"));
}

double PlanAvailability::horizon() const { return horizon_.value_or(horizon_of(configuration_) / unit_); }

void PlanAvailability::ask(ListeningQuestion& question) const {
  if (!comes_back_) return;
  question.horizon = horizon();
  question.availability = [*this](const std::vector<RiskPtr>& risks) {
    return availability_of(configuration_, *library_, risks, unit_);
  };
}

void PlanAvailability::tell(const Options& options, PlanView& view) const {
  if (!comes_back_) return;
  view.availability = printable(std::string(trimmed(options.text("availability"))));
  const Expression asked = Expression::parse(configuration_.text("availability"));
  if (asked.name() != "renewal") {
    view.coming_back =
        fmt::format("machines leave and come back as recorded in {}, in windows of {} that begin at random",
                    printable(asked.word("trace")), view.alone(horizon()));
    return;
  }
  const double median = median_absence(configuration_, *library_) / unit_;
  view.coming_back = fmt::format(
      "machines leave independently of each other and come back as new, {}",
      std::isfinite(median) ? "half of them within about " + view.alone(median) : "fewer than half of them ever");
  constexpr double kNegligible = 1e-9;  // of a law with a heavy tail that ends
  if (const double never = share_never_back(configuration_, *library_); never > kNegligible)
    view.coming_back += fmt::format("; {} of absences are assumed never to end", share_in_words(never));
}

}  // namespace coterie::sim
