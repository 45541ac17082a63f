#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/length.hpp"
#include "core/printable.hpp"
#include "sim/backtest/backtest_text.hpp"
#include "sim/drawing/svg.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kTop = 66, kSide = 260, kBottom = kTop + kSide;
constexpr double kCurveLeft = 56, kWindowsLeft = 400, kWindowsWidth = 560;
constexpr const char* kPromised = "#0072b2";
constexpr const char* kCame = "#d55e00";

std::string frame(double left, double width) {
  return fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"black\"/>\n", left, kTop, kBottom,
                     left + width);
}

/// How often promised quantiles held: on the diagonal if promises are right.
std::string calibration(const Json& found) {
  const auto x = [](double share) { return kCurveLeft + share * kSide; };
  const auto y = [](double share) { return kBottom - share * kSide; };
  std::string curve, above, below;
  for (const Json& point : found["calibration"]) {
    const double promised = point["promised"], came = point["came"], low = point["low"], high = point["high"];
    curve += fmt::format("{}{:.1f} {:.1f}", curve.empty() ? "M" : "L", x(promised), y(came));
    above += fmt::format("{}{:.1f} {:.1f}", above.empty() ? "M" : "L", x(promised), y(high));
    below.insert(0, fmt::format("L{:.1f} {:.1f}", x(promised), y(low)));
  }
  std::string svg = svg_text(kCurveLeft, kTop - 12, Anchor::kStart, "share of the windows that were done by then");
  svg += svg_axis_numbers(kCurveLeft, kBottom + 16, kSide, 1);
  svg += svg_text(kCurveLeft + kSide / 2, kBottom + 34, Anchor::kMiddle, "promised share");
  for (int fifth = 0; fifth <= 5; ++fifth)
    svg += svg_text(kCurveLeft - 6, y(fifth / 5.0) + 4, Anchor::kEnd, fmt::format("{:.1f}", fifth / 5.0));
  svg +=
      fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"#999999\" stroke-dasharray=\"4 3\"/>\n", x(0), y(0), x(1), y(1));
  svg += fmt::format("<path class=\"band\" d=\"{}{}Z\" fill=\"{}\" fill-opacity=\"0.18\"/>\n", above, below, kCame);
  svg += fmt::format("<path class=\"calibration\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", curve,
                     kCame);
  return svg + frame(kCurveLeft, kSide);
}

/// The promised range of each window, and a mark where it was done.
std::string windows(const Json& found) {
  const Json& promises = found["promises"];
  double longest = 0;
  for (const Json& one : promises)
    for (const Json& time : {one["range_80"][0], one["range_80"][1], one["came"]["finish"]})
      if (!time.is_null()) longest = std::max(longest, time.get<double>());
  if (longest == 0) longest = 1;
  const LengthFormat unit = LengthFormat::best_for(longest);
  const double step = kWindowsWidth / static_cast<double>(promises.size());
  const auto y = [&](const Json& time) {
    return time.is_null() ? kTop - 4 : kBottom - time.get<double>() / longest * (kSide - 10);
  };
  std::string svg = svg_text(kWindowsLeft, kTop - 12, Anchor::kStart,
                             "all done after: promised with 80 % (bar; half by the line), came (mark; above: never)");
  double x = kWindowsLeft;
  for (const Json& one : promises) {
    const double top = y(one["range_80"][1]), bottom = y(one["range_80"][0]);
    svg += svg_box(x, top, step, std::max(1.0, bottom - top),
                   fmt::format("class=\"promise\" fill=\"{}\" fill-opacity=\"0.3\"", kPromised),
                   fmt::format("plan {}, {}", one["plan"].get<std::size_t>() + 1, one["option"].get<std::string>()));
    svg +=
        fmt::format("<path d=\"M{:.2f} {:.1f}h{:.2f}\" stroke=\"{}\"/>\n", x, y(one["finish"]["q50"]), step, kPromised);
    svg += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", x + step / 2,
                       y(one["came"]["finish"]), kCame);
    x += step;
  }
  for (int tick = 0; tick <= 4; ++tick)
    svg += svg_text(kWindowsLeft - 6, y(longest * tick / 4) + 4, Anchor::kEnd, unit(longest * tick / 4, 2));
  svg += svg_text(kWindowsLeft + kWindowsWidth / 2, kBottom + 34, Anchor::kMiddle, "windows, in time order");
  return svg + frame(kWindowsLeft, kWindowsWidth);
}

}  // namespace

std::string backtest_picture(const Json& found) {
  return svg_begin(kWindowsLeft + kWindowsWidth + 24, kBottom + 50, kCurveLeft,
                   fmt::format("{}: of what was promised with 80 %, {:.1f} % came true",
                               printable(found["log"].get<std::string>()), 100 * found["coverage_80"].get<double>())) +
         svg_text(kCurveLeft, 36, Anchor::kStart, found["setting"].get<std::string>()) + calibration(found) +
         windows(found) + svg_end();
}

}  // namespace coterie::sim
