#include "sim/drawing/survival_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/contract.hpp"
#include "core/length.hpp"
#include "core/risk.hpp"
#include "core/text.hpp"
#include "sim/drawing/svg.hpp"
#include "traces/lifetime_estimates.hpp"
#include "traces/survival_curve.hpp"

namespace coterie::sim {
namespace {

constexpr double kPlotLeft = 84;
constexpr double kPlotTop = 68;
constexpr double kPlotWidth = 690;
constexpr double kPlotHeight = 320;
constexpr double kPlotBottom = kPlotTop + kPlotHeight;
constexpr double kSeen = 0.3;  // pixels: jumps closer together are drawn as one
constexpr double kLegendRow = 18;
constexpr std::size_t kLegendColumns = 3;
constexpr const char* kCurveColour = "#0072b2";
constexpr const char* kTickColour = "#00324d";

/// In the order in which laws are fitted; distinct for the colour-blind, and in grey. [Okabe and Ito 2008]
struct LawLook {
  const char* colour;
  const char* dashes;
};
constexpr std::array<LawLook, 4> kLawLooks = {
    {{"#d55e00", "7 3"}, {"#009e73", "9 3 2 3"}, {"#000000", "2 3"}, {"#cc79a7", "14 4"}}};

/// 1, 2 or 5 times a power of ten: at most seven steps up to `end`.
double nice_step(double end) {
  const double least = end / 7;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least) return factor * power;
  return 10 * power;
}

std::string unit_in_words(const std::string& unit) {
  constexpr std::array<std::array<const char*, 2>, 6> kWords = {{{"d", "days"},
                                                                 {"h", "hours"},
                                                                 {"min", "minutes"},
                                                                 {"s", "seconds"},
                                                                 {"ms", "milliseconds"},
                                                                 {"us", "microseconds"}}};
  for (const auto& [name, words] : kWords)
    if (unit == name) return words;
  return unit;
}

class SurvivalPicture {
 public:
  SurvivalPicture(const traces::Durations& durations, const std::vector<traces::FittedLaw>& laws, double end)
      : durations_(durations),
        end_(end),
        until_(std::min(end, durations.longest())),
        unit_(LengthFormat::best_for(end)),
        jumps_(traces::survival_curve(durations)) {
    for (std::size_t l = 0; l < laws.size(); ++l)
      if (laws[l].problem.empty()) drawn_.push_back({&laws[l], kLawLooks[l % kLawLooks.size()]});
  }

  std::string text(const std::string& title) const {
    const std::string shade = band();
    const std::string ended = ticks();
    const std::vector<Entry> entries = legend_entries(!shade.empty(), !ended.empty());
    const std::size_t rows = (entries.size() + kLegendColumns - 1) / kLegendColumns;
    std::string svg = svg_begin(kPlotLeft + kPlotWidth + 24,
                                kPlotBottom + 68 + kLegendRow * static_cast<double>(rows) + 8, kPlotLeft, title);
    svg += svg_text(kPlotLeft, 36, Anchor::kStart, summary());
    svg += axes() + shade;
    for (const Law& law : drawn_) svg += law_path(law);
    return svg + curve() + ended + legend(entries, kPlotBottom + 68) + svg_end();
  }

 private:
  struct Law {
    const traces::FittedLaw* law;
    LawLook look;
  };
  struct Entry {
    std::string mark;
    std::string words;
  };

  double x(double time) const { return kPlotLeft + time / end_ * kPlotWidth; }
  static double y(double share) { return kPlotBottom - share * kPlotHeight; }

  std::string summary() const {
    const traces::LifetimeEstimate median = traces::lifetime_estimates(durations_).median;
    const std::size_t censored = durations_.size() - durations_.observed();
    std::string text = fmt::format("{}, {} censored; ", counted(durations_.size(), "spell"), censored);
    if (!std::isfinite(median.value)) return text + "median not seen: most stay longer";
    text += fmt::format("median {}, 95 %: {} ", length_text(median.value), length_text(median.low));
    return text + (std::isfinite(median.high) ? "to " + length_text(median.high) : "or more");
  }

  std::string axes() const {
    std::string svg = svg_text(kPlotLeft - 26, kPlotTop - 10, Anchor::kStart, "share that stays longer");
    for (int fifth = 0; fifth <= 5; ++fifth) {
      svg += fmt::format("<path d=\"M{} {:.1f}h{}\" stroke=\"#e4e4e4\"/>\n", kPlotLeft, y(fifth / 5.0), kPlotWidth);
      svg += svg_text(kPlotLeft - 8, y(fifth / 5.0) + 4, Anchor::kEnd, fmt::format("{:.1f}", fifth / 5.0));
    }
    svg += svg_text(8, kPlotBottom + 34, Anchor::kStart, "at risk");
    const double end = end_ / unit_.unit_length();
    const double step = nice_step(end);
    constexpr double kRounding = 1e-12;  // 3 times 0.2 is more than 0.6
    for (int tick = 0; tick * step <= end * (1 + kRounding); ++tick) {
      const double time = tick * step * unit_.unit_length();
      svg += fmt::format("<path d=\"M{:.2f} {}v5\" stroke=\"black\"/>\n", x(time), kPlotBottom);
      svg += svg_text(x(time), kPlotBottom + 18, Anchor::kMiddle, fmt::format("{:.6g}", tick * step));
      svg += svg_text(x(time), kPlotBottom + 34, Anchor::kMiddle, std::to_string(at_risk(time * (1 - kRounding))));
    }
    svg += svg_text(kPlotLeft + kPlotWidth / 2, kPlotBottom + 52, Anchor::kMiddle,
                    fmt::format("time since a machine came, in {}", unit_in_words(unit_.unit_name())));
    return svg + fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"black\"/>\n", kPlotLeft, kPlotTop,
                             kPlotBottom, kPlotLeft + kPlotWidth);
  }

  std::size_t at_risk(double time) const {
    const auto& values = durations_.values();
    return static_cast<std::size_t>(std::count_if(values.begin(), values.end(), [&](const traces::Duration& duration) {
      return duration.value >= time && (duration.entry == 0 || duration.entry < time);
    }));
  }

  /// Jumps far enough from the one drawn before to be seen, including the last.
  std::vector<traces::SurvivalJump> seen() const {
    std::vector<traces::SurvivalJump> kept;
    traces::SurvivalJump before;
    for (const traces::SurvivalJump& jump : jumps_) {
      if (jump.time > end_) break;
      const bool last = &jump == &jumps_.back();
      const auto close = [](double one, double other) { return std::abs(one - other) < kSeen; };
      const bool near = close(x(jump.time), x(before.time)) && close(y(jump.survival), y(before.survival)) &&
                        close(y(jump.low), y(before.low)) && close(y(jump.high), y(before.high));
      if (near && !last) continue;
      kept.push_back(jump);
      before = jump;
    }
    return kept;
  }

  std::string curve() const {
    std::string path = fmt::format("M{:.2f} {:.2f}", x(0), y(1));
    double end = 0;
    for (const traces::SurvivalJump& jump : seen()) {
      path += fmt::format("H{:.2f}V{:.2f}", x(jump.time), y(jump.survival));
      end = jump.time;
    }
    if (end < until_) path += fmt::format("H{:.2f}", x(until_));
    return fmt::format(
        "<path class=\"curve\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"><title>share that stays "
        "longer (Kaplan-Meier)</title></path>\n",
        path, kCurveColour);
  }

  /// Up to where no spell is left, or to the longest spell.
  std::string band() const {
    const auto jumps = seen();
    if (jumps.empty() || std::isnan(jumps.front().low)) return "";
    std::string above = fmt::format("M{:.2f} {:.2f}", x(0), y(1));
    std::string below;
    double end = until_;
    double low = 1;
    for (const traces::SurvivalJump& jump : jumps) {
      if (std::isnan(jump.low)) {
        end = jump.time;
        break;
      }
      above += fmt::format("H{:.2f}V{:.2f}", x(jump.time), y(jump.high));
      below.insert(0, fmt::format("H{:.2f}V{:.2f}", x(jump.time), y(low)));
      low = jump.low;
    }
    return fmt::format(
        "<path class=\"band\" d=\"{}H{:.2f}V{:.2f}{}Z\" fill=\"{}\" fill-opacity=\"0.18\"><title>pointwise 95 % "
        "band</title></path>\n",
        above, x(end), y(low), below, kCurveColour);
  }

  std::string ticks() const {
    std::string path;
    double before = -1;
    std::size_t passed = 0;
    double survival = 1;
    for (const traces::Duration& duration : durations_.values()) {
      while (passed < jumps_.size() && jumps_[passed].time <= duration.value) survival = jumps_[passed++].survival;
      if (duration.value > end_) break;
      if (duration.observed || x(duration.value) - before < kSeen) continue;
      before = x(duration.value);
      path += fmt::format("M{:.2f} {:.2f}v10", before, y(survival) - 5);
    }
    if (path.empty()) return "";
    return fmt::format(
        "<path class=\"censored\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1\"><title>censored "
        "here</title></path>\n",
        path, kTickColour);
  }

  /// Laws are fitted to the spells of positive length, so their curves begin at the share of these.
  std::string law_path(const Law& law) const {
    constexpr int kPoints = 345;  // every second pixel
    const double share = !jumps_.empty() && jumps_.front().time == 0 ? jumps_.front().survival : 1;
    const RiskPtr risk = make_parametric_risk(Expression::parse(law.law->risk));
    std::string path = fmt::format("M{:.2f} {:.2f}", x(0), y(share));
    for (int k = 1; k <= kPoints; ++k) {
      const double time = end_ * k / kPoints;
      path += fmt::format("L{:.2f} {:.2f}", x(time), y(share * risk->survival(time)));
    }
    return fmt::format(
        "<path class=\"law\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\" stroke-dasharray=\"{}\">"
        "<title>{}</title></path>\n",
        path, law.look.colour, law.look.dashes, svg_escaped(law.law->risk));
  }

  /// The legend of what is drawn.
  std::vector<Entry> legend_entries(bool band, bool ticks) const {
    std::string shade;
    if (band)
      shade =
          fmt::format("<rect y=\"-6\" width=\"32\" height=\"12\" fill=\"{}\" fill-opacity=\"0.18\"/>", kCurveColour);
    std::vector<Entry> entries = {
        {shade + fmt::format("<path d=\"M0 0h32\" stroke=\"{}\" stroke-width=\"1.8\"/>", kCurveColour),
         band ? "Kaplan-Meier, 95 % band" : "Kaplan-Meier"}};
    if (ticks)
      entries.push_back(
          {fmt::format("<path d=\"M16 -5v10\" stroke=\"{}\"/>", kTickColour), "censored (not interrupted)"});
    for (const Law& law : drawn_)
      entries.push_back({fmt::format("<path d=\"M0 0h32\" stroke=\"{}\" stroke-width=\"1.3\" stroke-dasharray=\"{}\"/>",
                                     law.look.colour, law.look.dashes),
                         fmt::format("{} (KS {:.3f})", law.law->name, law.law->ks)});
    return entries;
  }

  static std::string legend(const std::vector<Entry>& entries, double top) {
    std::string svg;
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const double left = kPlotLeft + static_cast<double>(e % kLegendColumns) * kPlotWidth / kLegendColumns;
      const double middle = top + static_cast<double>(e / kLegendColumns) * kLegendRow + 8;
      svg += fmt::format("<g transform=\"translate({:.2f} {:.2f})\">{}</g>\n", left, middle, entries[e].mark);
      svg += svg_text(left + 38, middle + 4, Anchor::kStart, entries[e].words);
    }
    return svg;
  }

  const traces::Durations& durations_;
  double end_;    // of the axis
  double until_;  // where the curve ends
  LengthFormat unit_;
  std::vector<traces::SurvivalJump> jumps_;
  std::vector<Law> drawn_;
};

}  // namespace

std::string survival_diagram_svg(const std::string& title, const traces::Durations& durations,
                                 const std::vector<traces::FittedLaw>& laws, double end) {
  COTERIE_REQUIRE(!durations.empty() && durations.longest() > 0 && end > 0);
  return SurvivalPicture(durations, laws, end).text(title);
}

}  // namespace coterie::sim
