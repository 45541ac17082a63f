#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include "core/cancellation.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/stop.hpp"
#include "sim/files/file_kind.hpp"
#include "sim/files/output_path.hpp"
#include "sim/results/part_files.hpp"
#include "sim/results/result_file.hpp"
#include "sim/run/run_campaign.hpp"
#include "sim/terminal/call_text.hpp"
#include "sim/terminal/campaign_overrides.hpp"
#include "sim/terminal/extent_text.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

void declare_run_options(Options& options, const Catalogue& catalogue) {
  options.add()("output", po::value<std::string>(), "result file")("threads", po::value<std::string>(),
                                                                   "number of threads (default: all cores)")(
      "force", po::bool_switch(),
      "start again: removes unfinished results at once, and replaces an existing result file at the end of the run")(
      "quiet", po::bool_switch(), "print errors only")(
      "resume", po::bool_switch(),
      "continue a run that was stopped, or extend a result by instances, strategies or configurations")(
      "shard", po::value<std::string>(), "I/N: run only the I-th of N shards; see coterie merge")(
      "time-limit", po::value<std::string>(),
      "stop after this time (90s, 10min, 2h), planning included; exit code 3, and --resume continues")(
      "save-every", po::value<std::string>()->default_value("10s"),
      "how often finished results are saved to FILE.parts");
  add_overrides(options, catalogue);
  options.positional("CAMPAIGN.toml", 1, 1);
  options.file("", {".toml", ".h5"});
  options.file("output", {".h5"});
}

/// The campaign in a file, or the one that made a result, to be run again as it was.
Campaign campaign_of(const std::string& path, const Options& options, const Catalogue& catalogue) {
  if (!looks_like_result(path)) return read_campaign(path, overrides_of(options), catalogue);
  for (const char* name : {"seed", "instances", "precision", "max-instances", "set"})
    if (options.has(name))
      throw InputError(fmt::format("--{}: a result is run again as it was; change the campaign's file instead", name));
  if (!options.has("output"))
    throw InputError("--output is missing: running a result again needs a file for the new result");
  const ResultFile result(path, catalogue);
  result.tell(warn);
  const Provenance made = result.provenance().located(path);
  if (!made.shard.whole() && !options.has("shard"))
    throw InputError(
        fmt::format("{}: is shard {} of its campaign: give --shard {} to run this share again, or --shard "
                    "1/1 to run the whole campaign",
                    path, made.shard.text(), made.shard.text()));
  made.require_traces(path);
  return made.parse(catalogue);
}

/// The command that continues a run.
std::string command_to_go_on(Call call) {
  std::erase(call.arguments, "--force");
  std::erase(call.arguments, "--resume");
  call.arguments.insert(std::find(call.arguments.begin(), call.arguments.end(), "--"), "--resume");
  return call_text(call, "run");
}

Existing existing_of(const Options& options) {
  if (options.flag("force") && options.flag("resume"))
    throw InputError("--force starts over and --resume continues: give one of them");
  return options.flag("force") ? Existing::kReplace : options.flag("resume") ? Existing::kResume : Existing::kRefuse;
}

int threads_of(const Options& options) {
  if (!options.has("threads")) return 0;
  return static_cast<int>(options.integer("threads", 1, kMostThreads));
}

RunSettings settings_of(const Options& options, const Call& call) {
  RunSettings settings;
  settings.save_seconds = parse_seconds(options.text("save-every"), "--save-every");
  if (!(settings.save_seconds < 1e9))
    throw InputError(fmt::format("--save-every must be less than 1e9s, not {}", options.text("save-every")));
  settings.note = {call_text(call, "run")};
  settings.go_on = command_to_go_on(call);
  settings.existing = existing_of(options);
  if (options.has("shard")) settings.shard = Shard::parse(options.text("shard"));
  settings.threads = threads_of(options);
  settings.warn = [](const std::string& line) { std::cerr << Painted{Look::kError, line} << '\n'; };
  if (options.flag("quiet")) return settings;
  settings.tell = [](const std::string& line) { std::cerr << painted_note(printable(line, "\n")) << '\n'; };
  settings.progress = [line = ProgressLine()](const ProgressState& state) mutable { line.show(state); };
  return settings;
}

constexpr int kStoppedCode = 3;

/// "stopped by SIGINT at 12.3 %; continue with: ..."; with --force again as long as there are no parts to continue.
std::string stop_text(const RunOutcome& outcome, const RunSettings& settings, const std::string& output) {
  const bool again =
      settings.existing == Existing::kReplace && (!outcome.begun || !PartFolder(followed(output)).manifest());
  return fmt::format(
      "stopped by {}{}{}; continue with: {}", settings.stop->reached() ? settings.stop->reason() : "another rank",
      outcome.stopped_at.empty() ? "" : " ", outcome.stopped_at, again ? settings.note.command_line : settings.go_on);
}

/// Ends the program from any thread while others still work.
[[noreturn]] void end_at_once(int code, const std::string& message, Look look) {
  std::cerr << Painted{look, message} << std::endl;
  ::_exit(code);
}

[[noreturn]] void give_up(const std::function<RunOutcome()>& save, const RunSettings& settings,
                          const std::string& output) {
  try {
    end_at_once(kStoppedCode, stop_text(save(), settings, output), Look::kWarning);
  } catch (const std::exception& error) {
    end_at_once(1, error.what(), Look::kError);
  }
}

}  // namespace

int run_verb(const Call& call) {
  Options options(
      "run CAMPAIGN.toml [--output FILE.h5] [--threads N] [--seed S] [--instances N] [--set KEY=VALUE]... "
      "[--precision X] [--max-instances N] [--resume] [--shard I/N] [--time-limit D] [--quiet]",
      "Runs a campaign and writes a result file; without --output the file is named after the campaign. Ctrl-C stops "
      "the run; --resume continues it.\nA result file may stand in place of the campaign: it is run again as it was, "
      "if the trace files have not changed (a shard with its --shard).");
  declare_run_options(options, call.catalogue);
  if (!options.parse(call)) return 0;
  const std::string& path = options.words().front();
  const std::string output = options.has("output") ? options.output("output", kResultFile)
                                                   : std::filesystem::path(path).stem().string() + ".h5";
  RunSettings settings = settings_of(options, call);
  std::optional<double> limit_seconds;
  if (options.has("time-limit")) limit_seconds = parse_seconds(options.text("time-limit"), "--time-limit");
  const StopSignals signals;
  StopRule rule(limit_seconds);
  settings.stop = &rule;
  settings.give_up = [&](const auto& save) { give_up(save, settings, output); };
  std::optional<Campaign> campaign;
  const auto read = [&]() -> const Campaign& {
    protect_inputs(output_target(output), {path});
    return campaign.emplace(campaign_of(path, options, call.catalogue));
  };
  const RunOutcome outcome = run_campaign(read, output, settings);
  switch (outcome.end) {
    case RunOutcome::End::kStopped:
      throw Stopped(stop_text(outcome, settings, output));
    case RunOutcome::End::kOtherRank:
      return 0;
    case RunOutcome::End::kUpToDate:
      if (settings.tell) std::cerr << output_target(output) << ": complete, nothing to do\n";
      return 0;
    case RunOutcome::End::kComplete:
      break;
  }
  if (settings.tell)
    std::cerr << output_target(output) << ": " << extent_text(*campaign, outcome.extent, settings.shard) << '\n';
  return 0;
}

}  // namespace coterie::sim
