#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/stream.hpp"
#include "core/text.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/command_line/campaign_overrides.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/run_messages.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/engine/stop.hpp"
#include "sim/files/file_kind.hpp"
#include "sim/files/lock.hpp"
#include "sim/files/output_path.hpp"
#include "sim/results/result_file.hpp"
#include "sim/run/campaign_results.hpp"
#include "sim/run/memory_limit.hpp"
#include "sim/run/out_of_memory.hpp"
#include "sim/run/ranked_rows.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

void declare(Options& options, const Catalogue& catalogue) {
  options.add()("output", po::value<std::string>(), "result file")("threads", po::value<std::string>(),
                                                                   "number of threads (default: all cores)")(
      "force", po::bool_switch(), "replace an existing result file, at the end")("quiet", po::bool_switch(),
                                                                                 "print errors only")(
      "resume", po::bool_switch(),
      "go on with a run that was stopped, or extend a result by instances, strategies, configurations")(
      "shard", po::value<std::string>(), "I/N: only the I-th of N shares; see coterie merge")(
      "time-limit", po::value<std::string>(),
      "stop after this time (90s, 10min, 2h), planning included, to be resumed: exit code 3")(
      "save-every", po::value<std::string>()->default_value("10s"),
      "how often finished results are saved to FILE.parts");
  add_overrides(options, catalogue);
  options.positional("CAMPAIGN.toml", 1, 1);
  options.file("", {".toml", ".h5"});
  options.file("output", {".h5"});
}

/// The campaign of a file, or the one that a result was made by, to be run again as it was.
Campaign campaign_of(const std::string& path, const Options& options, const Catalogue& catalogue) {
  if (!looks_like_result(path)) return read_campaign(path, overrides_of(options), catalogue);
  for (const char* name : {"seed", "instances", "precision", "max-instances", "set"})
    if (options.has(name))
      throw InputError(fmt::format("--{}: a result is run again as it was; change the campaign's file instead", name));
  if (!options.has("output"))
    throw InputError("--output is missing: a result that is run again needs a file for what comes out");
  const ResultFile result(path, catalogue);
  const Provenance made = result.provenance();
  made.require_traces(path);
  return made.parse(catalogue);
}

/// What a run was asked for on the command line.
struct RunOrder {
  Shard shard;
  double save_seconds = 0;
  int threads = 0;
  bool quiet = false;
  std::optional<double> limit_seconds;
  std::string path;    ///< of the campaign, or of a result to run again
  std::string output;  ///< of the result file
  Existing existing = Existing::kRefuse;
  RunNote note;
  std::string go_on;  ///< the command that goes on with it

  explicit RunOrder(const Options& options, const Call& call)
      : save_seconds(parse_seconds(options.text("save-every"), "--save-every")),
        quiet(options.flag("quiet")),
        path(options.words().front()),
        output(options.text("output", std::filesystem::path(path).stem().string() + ".h5")),
        note{joined(call)},
        go_on(command_to_go_on(call)) {
    if (options.flag("force") && options.flag("resume"))
      throw InputError("--force begins anew and --resume goes on: give one of them");
    if (options.flag("force")) existing = Existing::kReplace;
    if (options.flag("resume")) existing = Existing::kResume;
    if (options.has("shard")) shard = Shard::parse(options.text("shard"));
    if (options.has("threads")) {
      const long long asked = options.integer("threads", 1);
      if (asked > kMostThreads)
        throw InputError(fmt::format("--threads must be at most {}, not {}", kMostThreads, asked));
      threads = static_cast<int>(asked);
    }
    if (options.has("time-limit")) limit_seconds = parse_seconds(options.text("time-limit"), "--time-limit");
  }
};

constexpr int kStoppedCode = 3;
constexpr const char* kNothingRun = " before the first block";  // of this call

/// "stopped by SIGINT at 12.3 %; go on with: ..."
std::string stop_text(const StopRule& rule, const std::string& at, const RunOrder& order) {
  return fmt::format("stopped by {}{}; go on with: {}", rule.reason(), at, order.go_on);
}

/// Ends the program from any thread, with others still at work.
[[noreturn]] void end_at_once(int code, const std::string& message) {
  std::cerr << message << std::endl;
  ::_exit(code);
}

RunControl control_of(const RunOrder& order, const StopRule& rule) {
  RunControl control;
  control.threads = order.threads;
  control.stop = [&rule] { return rule.reached(); };
  control.keep_seconds = std::min(1.0, order.save_seconds);
  return control;
}

/// Tells whether two ranks have the same in mind.
std::uint64_t fingerprint(const Campaign& campaign, const Shard& shard) {
  return identity_hash(Provenance::of(campaign, shard).json().dump());
}

/// The other ranks, as rank 0 leads them; with one rank, nobody. Whenever this goes, they end.
class RankTeam {
 public:
  explicit RankTeam(const Ranks& ranks) : ranks_(ranks) {}
  ~RankTeam() {
    if (!ended_) ranks_.broadcast({});
  }
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  void begin(const Campaign& campaign, const Shard& shard) {
    if (ranks_.size() == 1) return;
    ranks_.broadcast({fingerprint(campaign, shard)});
    if (ranks_.greatest(0) == 0) return;
    ended_ = true;
    throw RuntimeError("another rank could not begin");
  }

  /// Returns false where the work was stopped early.
  bool compute(const Campaign& campaign, const std::vector<MissingRows>& gaps, const RunControl& control,
               Progress& progress) const {
    if (ranks_.size() == 1) return compute_rows(campaign, gaps, control, progress);
    const RankOutcome mine = compute_rows_on_ranks(ranks_, campaign, broadcast_gaps(ranks_, gaps), control, progress);
    const auto all = static_cast<RankOutcome>(ranks_.greatest(static_cast<int>(mine)));
    if (all == RankOutcome::kFailed) throw RuntimeError("a rank failed");
    return all == RankOutcome::kDone;
  }

  bool none() const { return ranks_.size() == 1; }

 private:
  const Ranks& ranks_;
  bool ended_ = false;
};

/// What ranks other than 0 do; returns the exit code.
int follow(const Ranks& ranks, const RunOrder& order, const std::function<Campaign()>& read) {
  const std::vector<std::uint64_t> told = ranks.broadcast({});
  if (told.empty()) return 0;  // rank 0 has said why
  std::optional<Campaign> campaign;
  try {
    campaign = read();
    if (fingerprint(*campaign, order.shard) != told[0])
      throw RuntimeError("the campaign, its files or the program are not those of rank 0");
  } catch (const std::exception& error) {
    std::cerr << fmt::format("rank {}: {}\n", ranks.rank(), error.what());
    campaign.reset();
  }
  if (ranks.greatest(campaign ? 0 : 1) != 0) return 1;
  const StopSignals signals;
  const StopRule rule(order.limit_seconds);
  const CancellationScope scope(rule.cancels());
  RankParts parts(ranks, *campaign, PartFolder(followed(order.output)), order.save_seconds);
  RunControl control = control_of(order, rule);
  control.keep = [&](std::vector<ResultRow> rows) { parts.add(std::move(rows)); };
  int code = 0;
  for (;;) {
    const std::vector<MissingRows> gaps = broadcast_gaps(ranks, {});
    if (gaps.empty()) return code;
    Progress quiet(1, 1, 0, Progress::Style::kQuiet);
    RankOutcome outcome = compute_rows_on_ranks(ranks, *campaign, gaps, control, quiet);
    try {
      parts.save();
    } catch (const std::exception& error) {
      std::cerr << fmt::format("rank {}: {}\n", ranks.rank(), error.what());
      outcome = RankOutcome::kFailed;
    }
    if (outcome == RankOutcome::kFailed) code = 1;
    ranks.greatest(static_cast<int>(outcome));
  }
}

/// How much there is of the results, all but these.
std::string share_done(const Campaign& campaign, const CampaignResults& results, const std::vector<MissingRows>& gaps) {
  const auto total = static_cast<double>(results.wanted());
  const double done = total - static_cast<double>(instances_of(gaps));
  return campaign.precision ? fmt::format(" at {:.0f} instances", done)
                            : fmt::format(" at {:.1f} %", std::floor(1000 * done / total) / 10);
}

/// What a run ends with whose threads are deaf.
void give_up(const Campaign& campaign, CampaignResults& results, const RunOrder& order, const StopRule& rule,
             const std::function<void()>& keep_finished) {
  try {
    keep_finished();
    results.save();
    // What is missing of a precision takes long to know.
    const std::string share = campaign.precision ? "" : share_done(campaign, results, results.missing());
    end_at_once(kStoppedCode, stop_text(rule, share, order));
  } catch (const std::exception& error) {
    end_at_once(1, error.what());
  }
}

/// Nothing ends it midway.
void save_computed(CampaignResults& results, bool last) {
  const CancellationScope whole(nullptr);
  results.take_new_parts();
  if (last) results.save();
}

/// Computes what is missing; throws Stopped where that was ended early.
void compute_missing(const Campaign& campaign, CampaignResults& results, const RunOrder& order, const RankTeam& team,
                     StopRule& rule) {
  RunControl control = control_of(order, rule);
  control.keep = [&](std::vector<ResultRow> rows) { results.add(std::move(rows)); };
  if (team.none()) {  // other ranks would be killed with what they have not saved
    control.rule = &rule;
    control.give_up = [&](const auto& keep) { give_up(campaign, results, order, rule, keep); };
  }
  const auto style = order.quiet ? Progress::Style::kQuiet : Progress::Style::kAutomatic;
  bool stopped = false;
  std::vector<MissingRows> gaps = results.missing();
  try {
    while (!gaps.empty() && !stopped) {
      Progress progress(campaign.configurations.size(), results.wanted(), results.wanted() - instances_of(gaps), style);
      stopped = !team.compute(campaign, gaps, control, progress);
      save_computed(results, stopped);
      gaps = results.missing();
    }
  } catch (const Cancelled&) {  // what is missing takes long to know
    save_computed(results, true);
    throw Stopped(stop_text(rule, "", order));
  }
  if (gaps.empty()) return;  // a stop that came too late to matter is none
  throw Stopped(stop_text(rule, share_done(campaign, results, gaps), order));
}

/// Makes the result file of complete results; throws Stopped where that takes too long.
void publish(CampaignResults& results, const RunOrder& order, const StopRule& rule) {
  try {
    results.publish(order.note, order.threads);
  } catch (const Cancelled&) {
    save_computed(results, true);
    throw Stopped(stop_text(rule, " at 100 %, before the result file was written", order));
  }
}

/// What rank 0 does, mostly the only one; returns the exit code.
int lead(const Ranks& ranks, const Catalogue& catalogue, const RunOrder& order, const std::function<Campaign()>& read,
         StopRule& rule) {
  RankTeam team(ranks);
  std::optional<LastResort> last_resort;
  if (team.none()) last_resort.emplace(rule, [&] { end_at_once(kStoppedCode, stop_text(rule, kNothingRun, order)); });
  const std::string output = output_target(order.output);
  protect_inputs(output, {order.path});
  const Campaign campaign = read();
  if (!order.quiet)
    for (const std::string& line : campaign.risks->notes()) std::cerr << printable(line, "\n") << '\n';
  protect_inputs(output, Provenance::of(campaign, order.shard).trace_paths());
  const OutputLock lock(output);
  CampaignResults results(output, campaign, order.shard, order.existing, order.save_seconds);
  if (results.up_to_date()) {
    results.folder().remove();
    if (!order.quiet) std::cerr << output << ": is complete, nothing to do\n";
    return 0;
  }
  if (order.existing != Existing::kResume) check_room(campaign, order.shard, output, order.quiet);
  if (!order.quiet)
    tell_time(campaign, campaign.precision ? missing_rows(campaign, order.shard, {}) : results.missing(),
              thread_count(order.threads) * ranks.size());
  last_resort.reset();
  MemoryWatch::set_advice("what was saved so far is kept; go on with: " + order.go_on);
  try {
    if (ranks.size() > 1) results.open_folder({0, static_cast<unsigned long>(ranks.size())});
    team.begin(campaign, order.shard);
    compute_missing(campaign, results, order, team, rule);
    publish(results, order, rule);
  } catch (const InputError&) {
    throw;
  } catch (const Stopped&) {
    throw;
  } catch (const Cancelled&) {
    throw;
  } catch (const std::exception& error) {
    if (!results.folder().exists()) throw;
    throw RuntimeError(fmt::format("{}\nwhat is done is kept in {}; go on with: {}", error.what(),
                                   results.folder().path(), order.go_on));
  }
  const CancellationScope complete(nullptr);
  if (!order.quiet)
    std::cerr << summary_of(output, campaign, order.shard, results.extent()) << '\n'
              << worth_of(ResultFile(output, catalogue));
  return 0;
}

}  // namespace

int run_verb(const Call& call) {
  Options options(
      "run CAMPAIGN.toml [--output FILE.h5] [--threads N] [--seed S] [--instances N] [--set KEY=VALUE]... "
      "[--precision X] [--max-instances N] [--resume] [--shard I/N] [--time-limit D] [--quiet]",
      "Runs a campaign and writes a result file; without --output it is named after the campaign. Ctrl-C "
      "stops it; --resume goes on.\nIn place of the campaign a result may stand: it is run again as it was, if the "
      "trace "
      "files are what they were.");
  declare(options, call.catalogue);
  if (!options.parse(call)) return 0;
  const RunOrder order(options, call);
  limit_memory(thread_count(order.threads));
  const auto read = [&] { return campaign_of(order.path, options, call.catalogue); };
  const Ranks ranks;
  if (!ranks.leads()) return follow(ranks, order, read);
  const StopSignals signals;
  StopRule rule(order.limit_seconds);
  const CancellationScope scope(rule.cancels());
  try {
    return lead(ranks, call.catalogue, order, read, rule);
  } catch (const Cancelled&) {
    throw Stopped(stop_text(rule, kNothingRun, order));
  }
}

}  // namespace coterie::sim
