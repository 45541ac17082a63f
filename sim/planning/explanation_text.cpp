#include "sim/planning/explanation_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/length.hpp"
#include "core/text.hpp"
#include "sim/drawing/schedule_view.hpp"
#include "sim/planning/words.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

/// Writes an explanation.
class Explainer {
 public:
  explicit Explainer(const Json& answer)
      : answer_(answer), explained_(answer["explain"]), work_(answer["question"]["work"]), lengths_(unit_of(answer)) {}

  std::string operator()() const {
    std::string text = options();
    for (const Json& warning : answer_["warnings"]) text += paragraph("warning: " + warning.get<std::string>());
    if (!explained_["why_not"].is_null())
      return text + paragraph("Nothing exact: " + explained_["why_not"].get<std::string>() + '.');
    return text + strategies() + ceilings() + intervals() + confidence() + what_if();
  }

 private:
  static LengthFormat unit_of(const Json& answer) {
    return answer["unit"].is_null() ? LengthFormat() : LengthFormat::best_for(answer["question"]["work"]);
  }
  std::string length(const Json& seconds) const { return seconds.is_null() ? "-" : lengths_(seconds.get<double>()); }
  std::string alone(const Json& seconds) const {
    if (seconds.is_null()) return "-";
    return answer_["unit"].is_null() ? LengthFormat()(seconds.get<double>()) : length_text(seconds.get<double>());
  }

  /// Every option, with all of its numbers.
  std::string options() const {
    constexpr const char* kRow = "{:22}{:>7}{:>16}{:>8}{:>9}{:>9}{:>9}\n";
    std::string text =
        "All options\n" + fmt::format(kRow, "policy", "runs", "in time, 95 %", "90 % by", "rented", "wasted", "lost");
    for (const Json& option : answer_["options"]) {
      const std::string interval =
          option["done_by_deadline_low"].is_null()
              ? "-"
              : fmt::format("{:.1f} to {:.1f} %", 100 * option["done_by_deadline_low"].get<double>(),
                            100 * option["done_by_deadline_high"].get<double>());
      text += fmt::format(
          kRow, option["name"].get<std::string>().substr(0, 22), option["runs"].get<std::uint64_t>(), interval,
          alone(option["finish"]["q90"]), alone(option["rented_time"]), alone(option["wasted"]),
          option["interruptions"].is_null() ? "-" : fmt::format("{:.1f}", option["interruptions"].get<double>()));
    }
    return text + '\n';
  }

  std::string strategies() const {
    constexpr const char* kRow = "{:20}{:>12}{:>12}{:>9}{:>11}{:>14}\n";
    const bool open = !explained_["open"].is_null();
    std::string text = "Fixed lists, if no machine returns: expected work (exact but for background jobs)\n";
    if (open)
      text += paragraph(fmt::format("How long {} of the machines stay is unknown: they were not seen to leave.",
                                    percent_text(explained_["open"]["share"])));
    text += fmt::format(kRow, "strategy", open ? "if they stay" : "expected", open ? "if they go" : "", "all done",
                        "chunks", "lists take");
    for (const Json& one : explained_["strategies"])
      text += fmt::format(kRow, one["strategy"].get<std::string>(), length(one["expected_work"]),
                          open ? length(one["if_gone"]["expected_work"]) : "", share_text(one["all_done"]),
                          one["chunks"].get<std::uint64_t>(), length(one["last_finish"]));
    return text;
  }

  const Json& chosen() const {
    for (const Json& one : explained_["strategies"])
      if (one["strategy"] == explained_["chosen"]) return one;
    return explained_["strategies"][0];
  }

  std::string ceilings() const {
    std::string text;
    const auto tell = [&](const char* key, const Json& outcome, const char* when) {
      if (explained_[key].is_null()) return;
      const double ceiling = explained_[key].get<double>() / work_;
      const double expected = outcome["expected_work"].get<double>() / work_;
      text += paragraph(fmt::format("{}{}: {}.", explained_["chosen"].get<std::string>(), when,
                                    ceiling_text(expected, ceiling, percent_rounded_up(ceiling, 3) + " of it")));
    };
    tell("static_ceiling", chosen(), explained_["open"].is_null() ? "" : ", if they stay");
    if (!chosen()["if_gone"].is_null()) tell("static_ceiling_if_gone", chosen()["if_gone"], ", if they go");
    return text;
  }

  std::string intervals() const {
    const Json& found = explained_["other_intervals"];
    if (found.is_null()) return "";
    std::string text =
        fmt::format("For one machine that is interrupted after {} on average,", alone(found["mean_life"]));
    for (const auto& [rule, name] : {std::pair{"young", "Young's"}, {"daly", "Daly's"}})
      text += fmt::format(" {} rule expects {} with chunks of {}{}", name, length(found[rule]["expected_work"]),
                          alone(found[rule]["interval"]), rule == std::string("young") ? ";" : ".");
    return paragraph(text + " Both rules are meant for machines that start again.");
  }

  std::string confidence() const {
    const Json& sure = explained_["confidence"];
    if (sure.is_null()) return "";
    if (!sure.contains("expected_work_low") || sure["expected_work_low"].is_null())
      return paragraph(fmt::format("The trace is too small to say how sure that is ({} interruptions).",
                                   sure["interruptions"].get<std::uint64_t>()));
    return paragraph(
        fmt::format("With other spells of such machines ({} resamples of the trace), {} would expect {} to "
                    "{} in 95 % of the cases.",
                    sure["resamples"].get<std::uint64_t>(), explained_["chosen"].get<std::string>(),
                    length(sure["expected_work_low"]), length(sure["expected_work_high"])));
  }

  std::string what_if() const {
    std::vector<std::string> columns = {explained_["chosen"]};
    for (const char* name : {"no-replication", "brute"})
      if (name != columns.front()) columns.emplace_back(name);
    std::string text = fmt::format("\n{:35}", "What if            then expected:");
    for (const std::string& name : columns) text += fmt::format("{:>15}", name);
    text += '\n';
    for (const Json& one : explained_["what_if"]) {
      text += fmt::format("{:35}", one["circumstance"].get<std::string>());
      for (const std::string& name : columns) text += fmt::format("{:>15}", length(one["expected_work"][name]));
      text += '\n';
    }
    return text;
  }

  const Json& answer_;
  const Json& explained_;
  double work_;
  LengthFormat lengths_;
};

}  // namespace

std::string explanation_text(const Json& answer) { return Explainer(answer)(); }

}  // namespace coterie::sim
