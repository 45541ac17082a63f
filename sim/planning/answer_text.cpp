#include "sim/planning/answer_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/length.hpp"
#include "core/text.hpp"
#include "sim/planning/explanation_text.hpp"
#include "sim/planning/words.hpp"

namespace coterie::sim {
namespace {

using Json = nlohmann::ordered_json;

std::size_t lines_in(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Writes parts of an answer.
class AnswerWriter {
 public:
  explicit AnswerWriter(const Json& answer)
      : answer_(answer),
        question_(answer["question"]),
        has_unit_(!answer["unit"].is_null()),
        has_deadline_(!question_["deadline"].is_null()),
        has_prices_(std::any_of(question_["machines"].begin(), question_["machines"].end(),
                                [](const Json& group) { return group["price"] > 0; })) {}

  std::string operator()() const {
    const std::string head = do_this() + parameters() + reason();
    const std::size_t least = lines_in(head) + 4;  // blank lines, the heading of the table and its first row
    const std::size_t room = kMostLines - std::min(least, kMostLines);
    std::string doubts = lines_of("Doubts: ", answer_["doubts"]);
    const std::string assumed =
        cut(lines_of("Assumed: ", answer_["assumptions"]), room - std::min({room, lines_in(doubts), std::size_t{2}}));
    doubts = cut(doubts, room - lines_in(assumed));
    const std::size_t rows = room + 1 - lines_in(assumed) - lines_in(doubts);
    return head + '\n' + table(std::min({rows, answer_["options"].size(), std::size_t{6}})) + '\n' + assumed + doubts;
  }

 private:
  std::string length(const Json& seconds, int digits = 3) const {
    if (seconds.is_null()) return "-";
    return has_unit_ ? length_text(seconds.get<double>(), digits) : LengthFormat()(seconds.get<double>(), digits);
  }
  std::string machine_hours(const Json& seconds) const {
    constexpr double kHour = 3600;
    const double time = seconds.get<double>();
    return has_unit_ ? fmt::format("{:.4g} machine-hours", time / kHour) : fmt::format("{:.4g} of machine time", time);
  }
  static std::string money(const Json& cost) { return fmt::format("{:.4g} $", cost.get<double>()); }

  /// "16 spot machines and 8 sure machines"
  std::string machines_of(const Json& option) const {
    std::string text;
    const Json& groups = question_["machines"];
    for (const auto& [name, count] : option["machines"].items()) {
      if (count == 0) continue;
      const auto of = std::find_if(groups.begin(), groups.end(),
                                   [&, &wanted = name](const Json& group) { return group["name"] == wanted; });
      const std::string kind = name.starts_with("machines") ? "machine" : name + " machine";
      text += (text.empty() ? "" : " and ") + counted(count.get<std::uint64_t>(), kind);
      if ((*of)["replaced"] != "never") text += count == 1 ? " that is replaced" : " that are replaced";
    }
    return text;
  }

  std::string by_deadline() const { return length(question_["deadline"]); }

  std::string do_this() const {
    const Json& best = answer_["options"][0];
    std::string text = fmt::format("Do this: {} on {}: ", policy_words(best["policy"]), machines_of(best));
    const double share = has_deadline_ ? best["done_by_deadline"].get<double>() : best["all_done"].get<double>();
    if (has_deadline_)
      text += fmt::format("all done by {} in {} of the runs", by_deadline(), share_text(share));
    else
      text += fmt::format("all done in {} of the runs{}", share_text(share), latest_finish(best["finish"]));
    const double work = best["work_done"].get<double>() / question_["work"].get<double>();
    if (share < 0.5) text += fmt::format(", {} of the work on average", share_text(work));
    if (!best["failed_tasks"].is_null() && best["failed_tasks"] > 0)
      text += fmt::format(", {:.3g} tasks failed", best["failed_tasks"].get<double>());
    if (has_prices_) text += ", " + money(best["cost"]);
    if (!best["machine_time"].is_null()) text += ", " + machine_hours(best["machine_time"]);
    return paragraph(text + '.');
  }

  static constexpr const char* kQuantiles[] = {"q95", "q90", "q50"};
  /// ", in 95 % by 9 h", or in as many as ever are done.
  std::string latest_finish(const Json& finish) const {
    for (const std::string quantile : kQuantiles)
      if (!finish[quantile].is_null())
        return fmt::format(", in {} % by {}", quantile.substr(1), length(finish[quantile]));
    return "";
  }

  std::string parameters() const {
    const Json& best = answer_["options"][0];
    const Json& given = best["parameters"];
    const bool in_tasks = !question_["task"].is_null();
    if (best["policy"] == "queue") {
      const std::string sizes = in_tasks || given["first_chunk"].is_null()
                                    ? "Hand out one task at a time"
                                    : fmt::format("Start with chunks of {}, shrink to no less than {}",
                                                  length(given["first_chunk"]), length(given["least_chunk"]));
      return paragraph(sizes +
                       "; copy what is left when the queue is empty. --export FOLDER writes the queue and its "
                       "workers.");
    }
    if (given.contains("chunks")) {
      const std::string least = length(given["least_chunk"]), greatest = length(given["greatest_chunk"]);
      if (best["policy"] == "help")
        return paragraph(
            fmt::format("Give each machine its share in chunks of {}; who ends early runs what others have not "
                        "done, the least covered first.",
                        greatest));
      return paragraph(
          fmt::format("Cut the work into {} of {}; each piece is run by {:.3g} of the machines. --export "
                      "FILE.csv, .json, .sbatch or .sub writes who runs what in which order.",
                      counted(given["chunks"].get<std::uint64_t>(), in_tasks ? "part" : "chunk"),
                      least == greatest ? least : least + " to " + greatest, given["copies"].get<double>()));
    }
    return "";
  }

  std::string reason() const {
    const std::string text = answer_["reason"];
    return text.empty() ? "" : paragraph(text);
  }

  std::string table(std::size_t rows) const {
    constexpr const char* kRow = "{:24} {:>8} {:>8} {:>9} {:>9} {:>8} {:>8}\n";
    const bool several = machine_counts_differ();
    std::string text =
        fmt::format(kRow, several ? "machines, policy" : "policy", has_deadline_ ? "in time" : "all done", "work",
                    "50 % by", "95 % by", has_prices_ ? "cost" : "", has_unit_ ? "mach.-h" : "time");
    for (std::size_t o = 0; o < rows; ++o) {
      const Json& option = answer_["options"][o];
      std::string name = option["name"];
      if (several) {
        std::string counts;
        for (const auto& [group, count] : option["machines"].items())
          counts += (counts.empty() ? "" : "+") + std::to_string(count.get<std::uint64_t>());
        name = counts + " " + name;
      }
      text += fmt::format(kRow, name.substr(0, 24),
                          share_text((has_deadline_ ? option["done_by_deadline"] : option["all_done"]).get<double>()),
                          share_text(option["work_done"].get<double>() / question_["work"].get<double>()),
                          length(option["finish"]["q50"]), length(option["finish"]["q95"]),
                          has_prices_ ? fmt::format("{:.4g}", option["cost"].get<double>()) : "",
                          option["machine_time"].is_null()
                              ? "-"
                              : fmt::format("{:.4g}", option["machine_time"].get<double>() / (has_unit_ ? 3600 : 1)));
    }
    return text;
  }

  bool machine_counts_differ() const {
    const Json& options = answer_["options"];
    return std::any_of(options.begin(), options.end(),
                       [&](const Json& option) { return option["machines"] != options[0]["machines"]; });
  }

  /// One paragraph for each text, below one another.
  static std::string lines_of(const std::string& label, const Json& texts) {
    std::string lines;
    const std::string blank(label.size(), ' ');
    for (const Json& text : texts)
      lines += paragraph((lines.empty() ? label : blank) + text.get<std::string>(), label.size());
    return lines;
  }

  static std::string cut(const std::string& text, std::size_t lines) {
    if (lines_in(text) <= lines) return text;
    if (lines == 0) return "";
    std::size_t end = 0;
    for (std::size_t line = 0; line + 1 < lines; ++line) end = text.find('\n', end) + 1;
    return text.substr(0, end) + "        ... (--explain tells all)\n";
  }

  const Json& answer_;
  const Json& question_;
  bool has_unit_;
  bool has_deadline_;
  bool has_prices_;
};

}  // namespace

std::string policy_words(const std::string& policy) {
  if (policy == "queue") return "a queue";
  if (policy == "help") return "a share for each, then help for others (help)";
  if (policy.starts_with("skip(")) return "fixed lists without what is known to be done, " + policy + ',';
  return "the fixed lists of " + policy;
}

std::string answer_text(const Json& answer) {
  return AnswerWriter(answer)() + (answer.contains("explain") ? '\n' + explanation_text(answer) : "");
}

}  // namespace coterie::sim
