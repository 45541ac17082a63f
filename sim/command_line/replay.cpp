#include "sim/run/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/drawing/log_diagram.hpp"
#include "sim/input/json_text.hpp"
#include "sim/model_interface/schedule_library.hpp"
#include "sim/results/result_file.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

std::string number_or_dash(const nlohmann::ordered_json& value) {
  return value.is_number() ? fmt::format("{:.8g}", value.get<double>()) : "never";
}

/// "0 to 0.25, 0.4 to 2"; nothing: "never".
std::string up_times(const nlohmann::ordered_json& spells) {
  std::string text;
  for (const auto& spell : spells)
    text += fmt::format("{}{:.8} to {:.8}", text.empty() ? "" : ", ", spell[0].get<double>(), spell[1].get<double>());
  return text.empty() ? "never" : text;
}

/// Who ran what and when, what was heard, and what was decided.
void print_log(const nlohmann::ordered_json& log) {
  for (const auto& event : log) {
    std::cout << fmt::format("  {:>12.8}  worker {:>3}  {}", event["time"].get<double>(),
                             event["worker"].get<std::size_t>(), event["event"].get<std::string>());
    if (event.contains("first_chunk")) {
      const auto first = event["first_chunk"].get<std::size_t>();
      const auto chunks = event["chunks"].get<std::size_t>();
      std::cout << (chunks == 1 ? fmt::format(" chunk {}", first)
                                : fmt::format(" chunks {} to {}", first, first + chunks - 1));
    }
    if (event.contains("work")) std::cout << fmt::format(", {:.8} of work", event["work"].get<double>());
    if (event.contains("new_work") && event["new_work"].get<double>() <= 0) std::cout << ", already complete";
    std::cout << '\n';
  }
}

/// The parameters of a policy: "chosen central, b 1, c 2, c_min 0.02, ...".
std::string plan_text(const nlohmann::ordered_json& plan) {
  std::string text;
  for (const auto& [key, value] : plan.items()) {
    std::string told = value.is_number() ? to_text(value.get<double>()) : "";
    if (value.is_string()) told = value.get<std::string>();
    if (key == "first_chunks" && value.size() == 1) told = to_text(value[0]["end"][0].get<double>()) + " at the start";
    const std::string name = key == "first_chunks" ? "first chunk of one worker until" : key;
    if (!told.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, told);
  }
  return text;
}

void print_replay(const nlohmann::ordered_json& replay) {
  std::cout << Painted{Look::kHeading, "configuration\n"};
  for (const auto& [axis, value] : replay["configuration"].items())
    std::cout << fmt::format("  {:12} {}\n", axis,
                             value.is_string() ? printable(value.get<std::string>()) : value.dump());
  std::cout << fmt::format("instance       {}\n", replay["instance"].get<std::uint64_t>());
  std::cout << fmt::format("reference      {}\n", to_text(replay["reference"].get<double>()));
  if (replay.contains("capacity"))
    std::cout << fmt::format("capacity       {}\n", to_text(replay["capacity"].get<double>()));
  if (replay.contains("workers")) {
    const bool zones = replay["workers"].front().contains("zone");
    const bool come_back = replay["workers"].front().contains("up");
    std::cout << Painted{
        Look::kHeading,
        come_back ? "worker  up\n" : fmt::format("worker  {}interruption  capacity\n", zones ? "zone  " : "")};
    std::size_t worker = 0;
    for (const auto& row : replay["workers"])
      if (come_back)
        std::cout << fmt::format("{:>6}  {}\n", worker++, up_times(row["up"]));
      else
        std::cout << fmt::format("{:>6}  {}{:>12}  {}\n", worker++,
                                 zones ? fmt::format("{:>4}  ", row["zone"].get<std::size_t>()) : "",
                                 number_or_dash(row["interruption"]), number_or_dash(row["capacity"]));
  }
  for (const auto& row : replay["strategies"]) {
    std::string line = fmt::format("{}: ratio {}", row["name"].get<std::string>(), to_text(row["ratio"].get<double>()));
    for (const auto& [key, value] : row.items())
      if (key != "name" && key != "ratio" && key != "log" && key != "plan")
        line += fmt::format(", {} {}", key, value.dump());
    if (!row.contains("log")) {
      std::cout << line << '\n';
      continue;
    }
    std::cout << Painted{Look::kHeading, line} << '\n';
    if (row.contains("plan")) std::cout << fmt::format("  plan: {}\n", plan_text(row["plan"]));
    print_log(row["log"]);
  }
}

/// A picture of the only strategy that is asked for.
std::string picture(const nlohmann::ordered_json& replay) {
  const auto& strategies = replay["strategies"];
  if (strategies.size() > 1) throw InputError("--format svg draws one strategy; choose it with --strategy");
  const auto& row = strategies.front();
  const auto name = row["name"].get<std::string>();
  if (!row.contains("log"))
    throw InputError(fmt::format(
        "--format svg: there is no log of {} to draw; only the model dispatch has logs, and not for every strategy",
        name));
  const std::string title = fmt::format("{}: ratio {:.6g} in instance {}", name, row["ratio"].get<double>(),
                                        replay["instance"].get<std::uint64_t>());
  return timing_diagram_svg(log_diagram(row["log"], replay["workers"].size(), title));
}

/// Keeps only one strategy in an answer.
void choose(nlohmann::ordered_json& answer, const std::string& name) {
  nlohmann::ordered_json only = nlohmann::ordered_json::array();
  std::vector<std::string> known;
  for (const auto& strategy : answer["strategies"]) {
    known.push_back(strategy["name"].get<std::string>());
    if (known.back() == name) only.push_back(strategy);
  }
  if (only.empty()) throw InputError(fmt::format("--strategy {}: the result has only {}", name, quoted_list(known)));
  answer["strategies"] = only;
}

}  // namespace

int replay_verb(const Call& call) {
  Options options(
      "replay FILE.h5 --configuration K --instance I [--count N] [--strategy NAME] [--format table|json|svg]",
      "Runs one instance of a result again, by itself, and compares it with what the file holds\n"
      "(with output = \"statistics\" the file holds no ratio of it).\n"
      "Configurations and instances count from 0.");
  options.add()("configuration", po::value<std::string>()->required(), "number of the configuration")(
      "instance", po::value<std::string>()->required(), "number of the instance")(
      "count", po::value<std::string>(), "number of instances from there on; in JSON a list")(
      "strategy", po::value<std::string>(), "only this strategy")("format", po::value<std::string>(),
                                                                  "table (default), json, or svg: a picture of who "
                                                                  "ran what when (of a model with a log)");
  options.positional("FILE.h5", 1, 1);
  options.propose("format", {"table", "json", "svg"});
  options.propose("strategy", strategy_names(call.catalogue));
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const ResultFile result(options.words().front(), call.catalogue);
  result.tell(warn);
  const auto configuration = static_cast<std::size_t>(options.integer("configuration", 0));
  const auto first = static_cast<std::uint64_t>(options.integer("instance", 0));
  const auto count = static_cast<std::uint64_t>(options.has("count") ? options.integer("count", 1) : 1);
  if (configuration >= result.configurations())
    throw InputError(fmt::format("--configuration must be below {}", result.configurations()));
  if (first >= result.instances()) throw InputError(fmt::format("--instance must be below {}", result.instances()));
  if (count > result.instances() - first)
    throw InputError(fmt::format("--count must be at most {} from instance {} on", result.instances() - first, first));
  if (format == "svg" && options.has("count")) throw InputError("--format svg draws one instance; leave out --count");
  result.provenance().located(result.path()).require_traces(result.path());
  const Replay replay(result, configuration);

  nlohmann::ordered_json answers = nlohmann::ordered_json::array();
  for (std::uint64_t instance = first; instance < first + count; ++instance) {
    nlohmann::ordered_json answer = replay(instance);
    if (options.has("strategy")) choose(answer, ScheduleLibrary::canonical(options.text("strategy")));
    if (format == "svg") std::cout << picture(answer);
    if (format == "table") print_replay(answer);
    if (format == "json") answers.push_back(std::move(answer));
  }
  if (format == "json") std::cout << json_text(options.has("count") ? answers : answers.front()) << '\n';
  return 0;
}

}  // namespace coterie::sim
