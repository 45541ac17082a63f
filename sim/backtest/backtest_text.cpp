#include "sim/backtest/backtest_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/planning/words.hpp"
#include "traces/readers/times.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRows = 8;
constexpr double kRange = 0.8;

std::string share(const Json& value) { return value.is_null() ? "-" : share_text(value.get<double>()); }

std::string length(const Json& seconds) { return seconds.is_null() ? "-" : length_text(seconds.get<double>(), 3); }

/// "78.4 % (70.1 to 85.6 %)"
std::string coverage(const Json& found, const std::string& name) {
  return fmt::format("{} ({:.1f} to {:.1f} %)", share(found[name]), 100 * found[name + "_low"].get<double>(),
                     100 * found[name + "_high"].get<double>());
}

std::string moment(const Json& found, double time) {
  return found["clock"] ? traces::utc_text(time) : length_text(time - found["begin"].get<double>(), 3);
}

const Json& half_of(const Json& found) {
  const Json& curve = found["calibration"];
  return *std::find_if(curve.begin(), curve.end(), [](const Json& point) { return point["promised"] == 0.5; });
}

std::string verdict(const Json& found) {
  if (found["held"]) return "Promises held.";
  const Json& half = half_of(found);
  if (!half["agrees"])
    return fmt::format("Promises did not hold: {} were done by the time promised for half of them.",
                       share(half["came"]));
  const Json& in_time = found["means"]["done_by_deadline"];
  if (!in_time.is_null() && !in_time["agrees"])
    return fmt::format("Promises did not hold: {} were done by the deadline, promised was {}.", share(in_time["came"]),
                       share(in_time["promised"]));
  return found["coverage_80"] < kRange ? "Promises did not hold: ranges were too narrow."
                                       : "Promises did not hold: ranges were wider than they need be.";
}

std::string beside(const std::string& name, const Json& mean, const auto& text) {
  return fmt::format("{:25} {:>10} {:>10}  ({} to {})\n", name, text(mean["promised"]), text(mean["came"]),
                     text(mean["low"]), text(mean["high"]));
}

std::string means(const Json& found) {
  const Json& all = found["means"];
  std::string text = fmt::format("{:25} {:>10} {:>10}\n", "", "promised", "came");
  if (!all["done_by_deadline"].is_null())
    text += beside("all done by " + length(found["question"]["deadline"]), all["done_by_deadline"], share);
  text += beside("machine-hours", all["machine_time"],
                 [](const Json& seconds) { return fmt::format("{:.4g}", seconds.get<double>() / 3600); });
  if (all["cost"]["promised"] > 0)
    text += beside("cost", all["cost"], [](const Json& cost) { return fmt::format("{:.4g}", cost.get<double>()); });
  return text;
}

std::string plans(const Json& found) {
  constexpr const char* kRow = "{:20} {:>7} {:16} {:>9} {:>8} {:>9} {:>9} {:>7}\n";
  const bool deadline = !found["question"]["deadline"].is_null();
  std::string text = fmt::format(kRow, "plan of", "windows", "policy", deadline ? "in time" : "",
                                 deadline ? "came" : "", "50 % by", "came", "in 80 %");
  const Json& all = found["plans"];
  const std::size_t rows = std::min(all.size(), kMostRows);
  for (std::size_t row = 0; row < rows; ++row) {
    const Json& plan = all[row * all.size() / rows];
    text +=
        fmt::format(kRow, plan["at_text"].get<std::string>(), plan["windows"].get<std::size_t>(),
                    plan["option"].get<std::string>().substr(0, 16), deadline ? share(plan["done_by_deadline"]) : "",
                    deadline ? share(plan["came_by_deadline"]) : "", length(plan["promised_finish"]["q50"]),
                    length(plan["came_q50"]), fmt::format("{:.0f} %", 100 * plan["held_80"].get<double>()));
  }
  return text;
}

std::string regret(const Json& found) {
  const Json& regret = found["regret"];
  if (regret["best"] == "as planned") return "In hindsight no single policy would have been better.";
  const auto outcome = [&](const Json& one) {
    return fmt::format("{}{:.4g} machine-hours",
                       one["done_by_deadline"].is_null()
                           ? "half by " + length(one["q50"]) + ", 95 % by " + length(one["q95"]) + ", "
                           : share(one["done_by_deadline"]) + " in time, ",
                       one["machine_time"].get<double>() / 3600);
  };
  return fmt::format("In hindsight {} would have been best: {} (as planned: {}).", regret["best"].get<std::string>(),
                     outcome(regret["best_outcome"]), outcome(regret["planned"]));
}

/// What the log said about promises made from it.
std::string signs(const Json& found) {
  const Json& signs = found["signs"];
  const Json& all = signs["change_of_all"];
  const bool has_failed = !found["held"];
  const auto change = [](const Json& one) {
    return fmt::format(
        "at equal age {:.3g} times as many interruptions in its second half as in its first (p = {:.2g})",
        one["factor"].get<double>(), one["p"].get<double>());
  };
  std::string text;
  if (!signs["first_warning"].is_null())
    text = fmt::format("The log warned, from the plan of {} on: {}.", moment(found, signs["first_warning"]["at"]),
                       change(signs["first_warning"]));
  else if (!all["p"].is_null() && all["p"] < 0.01)
    text = fmt::format("No plan could be warned; the log as a whole shows a change: {}.", change(all));
  else if (all["p"].is_null())
    text = fmt::format("The log does not tell whether machines changed: {}.", all["problem"].get<std::string>());
  else
    text = fmt::format("The log shows no clear change{}.", has_failed ? ": " + change(all) : "");
  if (!signs["alike"].is_null())
    text += fmt::format(
        " Machines that come one after another stay alike (correlation {:.2f}); the plan takes them for "
        "independent.",
        signs["alike"].get<double>());
  if (!signs["day_cycle"].is_null())
    text += fmt::format(" Interruptions follow the clock (day cycle {:.2f}){}.", signs["day_cycle"].get<double>(),
                        found["question"]["replay"].is_null() ? ", the plan does not" : "");
  if (has_failed && signs["all_ended"])
    text +=
        " All spells of the log ended; if it leaves out those that were running at its end, late windows look worse "
        "than they were.";
  return text;
}

}  // namespace

std::string backtest_text(const Json& found) {
  const auto count = found["windows"].get<std::size_t>();
  const auto plans_made = found["plans"].size();
  std::string text =
      paragraph(fmt::format("Of what was promised with 80 %, {} came true: {}, {}. {}", coverage(found, "coverage_80"),
                            counted(count, "window"), counted(plans_made, "plan"), verdict(found)));
  text +=
      paragraph(fmt::format("With 50 %: {}; with 95 %: {}. In brackets: 95 % intervals; windows of one plan count "
                            "together.",
                            coverage(found, "coverage_50"), coverage(found, "coverage_95")));
  text += '\n' + means(found) + '\n' + plans(found) + '\n';
  text +=
      paragraph("Windows: " + found["setting"].get<std::string>() + '.' +
                    (found["undecided"] > 0 ? fmt::format(" {} of them hinge on machines that were cut off: these go "
                                                          "on as others did.",
                                                          found["undecided"].get<std::size_t>())
                                            : ""),
                9);
  text += paragraph(regret(found));
  return text + paragraph(signs(found));
}

}  // namespace coterie::sim
