#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/printable.hpp"
#include "core/stream.hpp"
#include "core/text.hpp"
#include "sim/campaign.hpp"
#include "sim/campaign_results.hpp"
#include "sim/command_line/campaign_overrides.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine.hpp"
#include "sim/file_kind.hpp"
#include "sim/lock.hpp"
#include "sim/output_path.hpp"
#include "sim/parallel.hpp"
#include "sim/ranked_rows.hpp"
#include "sim/result_file.hpp"
#include "sim/stop.hpp"
#include "sim/time_estimate.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// As a shell reads it again.
std::string quoted(const std::string& word) {
  if (!word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@%") ==
          std::string::npos)
    return word;
  if (printable(word) != word) {  // $'...' says it in letters
    std::string text;
    for (const char c : word)
      text += c >= ' ' && c < 0x7F && c != '\'' && c != '\\' ? std::string(1, c)
                                                             : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return "$'" + text + "'";
  }
  std::string text = "'";
  for (const char c : word) c == '\'' ? text.append("'\\''") : text.append(1, c);
  return text + "'";
}

std::string joined(const Call& call) {
  std::string line = call.catalogue.program() + " run";
  for (const std::string& argument : call.arguments) line.append(" ").append(quoted(argument));
  return line;
}

/// The command that goes on with a run.
std::string command_to_go_on(Call call) {
  std::erase(call.arguments, "--force");
  std::erase(call.arguments, "--resume");
  call.arguments.push_back("--resume");
  return joined(call);
}

void declare(Options& options, const Catalogue& catalogue) {
  options.add()("output", po::value<std::string>(), "result file")("threads", po::value<std::string>(),
                                                                   "number of threads (default: all cores)")(
      "force", po::bool_switch(), "replace an existing result file, at the end")("quiet", po::bool_switch(),
                                                                                 "print errors only")(
      "resume", po::bool_switch(),
      "go on with a run that was stopped, or extend a result by instances, strategies, configurations")(
      "shard", po::value<std::string>(), "I/N: only the I-th of N shares; see coterie merge")(
      "time-limit", po::value<std::string>(), "stop after this time (90s, 10min, 2h), to be resumed: exit code 3")(
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

std::uint64_t instances_of(const std::vector<RowGap>& gaps) {
  std::uint64_t sum = 0;
  for (const RowGap& gap : gaps) sum += gap.instances;
  return sum;
}

/// What a run ends with.
std::string summary_of(const std::string& output, const Campaign& campaign, const Shard& shard,
                       const ResultExtent& extent) {
  const auto configurations = campaign.configurations.size();
  std::string text = fmt::format("{}: {} configurations x {} strategies x {} instances{}", output, configurations,
                                 campaign.strategies.size(), extent.instances,
                                 shard.whole() ? "" : ", of which shard " + shard.text());
  if (!campaign.precision) return text;
  std::uint64_t least = extent.instances;
  for (const std::uint64_t done : extent.done)
    if (done > 0) least = std::min(least, done);
  text += fmt::format(" at most and {} at least, to be precise to {}", least, *campaign.precision);
  if (extent.short_of > 0)
    text +=
        fmt::format("; {} configurations are not yet, after max_instances = {}", extent.short_of, campaign.instances);
  return text;
}

/// How many instances those of a result are worth, where that is not as many as were run.
std::string worth_of(const ResultFile& result) {
  std::string text;
  const std::vector<double> worth = result.worth();
  for (std::size_t s = 0; s < worth.size(); ++s)
    text += fmt::format("{}{:.3g} ({})", s == 0 ? "each instance is worth " : ", ", worth[s], result.strategies()[s]);
  return text.empty() ? text : text + " independent ones with plain means\n";
}

/// Tells what a large result takes before it is begun; throws RuntimeError where the disk has no room for it.
void check_room(const Campaign& campaign, const Shard& shard, const std::string& output, bool quiet) {
  if (campaign.precision) return;  // nobody knows yet
  std::uint64_t instances = 0;
  for (const std::uint64_t done : ResultExtent::fixed(campaign, shard).done) instances += done;
  // The reference is one more, and the capacity where it is a control.
  const std::size_t columns =
      campaign.strategies.size() + (campaign.variance_reduction == VarianceReduction::kControl ? 2 : 1);
  const double gigabytes = 8e-9 * static_cast<double>(instances) * static_cast<double>(columns);
  if (gigabytes < 0.1) return;
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
  const double free = 1e-9 * static_cast<double>(std::filesystem::space(folder, unknown).available);
  if (!unknown && free < gigabytes && campaign.deflate == 0)
    throw RuntimeError(
        fmt::format("{}: {} instances x {} strategies are {:.3g} GB of results, and {:.3g} GB are free in {}; ask for "
                    "fewer, name another --output, or spread them with --shard",
                    output, instances, campaign.strategies.size(), gigabytes, free, folder.string()));
  if (!quiet)
    std::cerr << fmt::format(
        "{}: about {:.3g} GB of results, and as much in {}.parts until the end; {:.3g} GB are free\n", output,
        gigabytes, output, free);
}

/// Tells how long it will take, where that is worth a second of measuring.
void tell_time(const Campaign& campaign, const std::vector<RowGap>& tasks, int threads) {
  constexpr std::size_t kFewTasks = 20;
  constexpr std::uint64_t kFewValues = 2'000'000;
  std::uint64_t values = 0;
  for (const RowGap& task : tasks) values += task.instances * (task.strategies.size() + 1);
  if (tasks.size() >= kFewTasks || values >= kFewValues) std::cerr << time_text(campaign, tasks, threads) << '\n';
}

/// What a run was asked for on the command line.
struct RunOrder {
  Shard shard;
  double save_seconds = 0;
  int threads = 0;
  bool quiet = false;
  std::optional<double> limit_seconds;
  std::string go_on;  ///< the command that goes on with it

  explicit RunOrder(const Options& options, const Call& call)
      : save_seconds(parse_seconds(options.text("save-every"), "--save-every")),
        quiet(options.flag("quiet")),
        go_on(command_to_go_on(call)) {
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
class Followers {
 public:
  explicit Followers(const Ranks& ranks) : ranks_(ranks) {}
  ~Followers() {
    if (!ended_) ranks_.broadcast({});
  }
  Followers(const Followers&) = delete;
  Followers& operator=(const Followers&) = delete;

  void begin(const Campaign& campaign, const Shard& shard) {
    if (ranks_.size() == 1) return;
    ranks_.broadcast({fingerprint(campaign, shard)});
    if (ranks_.greatest(0) == 0) return;
    ended_ = true;
    throw RuntimeError("another rank could not begin");
  }

  /// Returns false where the work was stopped early.
  bool compute(const Campaign& campaign, const std::vector<RowGap>& gaps, const RunControl& control,
               Progress& progress) const {
    if (ranks_.size() == 1) return compute_rows(campaign, gaps, control, progress);
    const RankOutcome mine = compute_rows_on_ranks(ranks_, campaign, broadcast_gaps(ranks_, gaps), control, progress);
    const auto all = static_cast<RankOutcome>(ranks_.greatest(static_cast<int>(mine)));
    if (all == RankOutcome::kFailed) throw RuntimeError("a rank failed");
    return all == RankOutcome::kDone;
  }

 private:
  const Ranks& ranks_;
  bool ended_ = false;
};

/// What ranks other than 0 do; returns the exit code.
int follow(const Ranks& ranks, const RunOrder& order, const std::function<Campaign()>& read,
           const std::string& output) {
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
  RankParts parts(ranks, *campaign, PartFolder(followed(output)), order.save_seconds);
  RunControl control = control_of(order, rule);
  control.keep = [&](std::vector<ResultRow> rows) { parts.add(std::move(rows)); };
  int code = 0;
  for (;;) {
    const std::vector<RowGap> gaps = broadcast_gaps(ranks, {});
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

/// Computes what is missing; throws Stopped where that was ended early.
void compute_missing(const Campaign& campaign, CampaignResults& results, const RunOrder& order,
                     const Followers& followers) {
  const StopSignals signals;
  const StopRule rule(order.limit_seconds);
  RunControl control = control_of(order, rule);
  control.keep = [&](std::vector<ResultRow> rows) { results.add(std::move(rows)); };
  const auto style = order.quiet ? Progress::Style::kQuiet : Progress::Style::kAutomatic;
  bool stopped = false;
  std::vector<RowGap> gaps = results.missing();
  while (!gaps.empty() && !stopped) {
    Progress progress(campaign.configurations.size(), results.wanted(), results.wanted() - instances_of(gaps), style);
    stopped = !followers.compute(campaign, gaps, control, progress);
    results.take_new_parts();
    if (stopped) results.save();
    gaps = results.missing();
  }
  if (gaps.empty()) return;  // a stop that came too late to matter is none
  const std::uint64_t left = instances_of(gaps);
  const auto total = static_cast<double>(results.wanted());
  const std::string done =
      campaign.precision ? fmt::format("{:.0f} instances", total - static_cast<double>(left))
                         : fmt::format("{:.1f} %", std::floor(1000 * (1 - static_cast<double>(left) / total)) / 10);
  throw Stopped(fmt::format("stopped by {} at {}; go on with: {}", rule.reason(), done, order.go_on));
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
  const std::string path = options.words().front();
  if (options.flag("force") && options.flag("resume"))
    throw InputError("--force begins anew and --resume goes on: give one of them");
  const Existing existing = options.flag("force")    ? Existing::kReplace
                            : options.flag("resume") ? Existing::kResume
                                                     : Existing::kRefuse;
  const RunOrder order(options, call);
  RunNote note{joined(call)};
  const std::string named = options.text("output", std::filesystem::path(path).stem().string() + ".h5");
  const Ranks ranks;
  if (!ranks.leads())
    return follow(
        ranks, order, [&] { return campaign_of(path, options, call.catalogue); }, named);
  Followers followers(ranks);
  const std::string output = output_target(named);
  protect_inputs(output, {path});
  const Campaign campaign = campaign_of(path, options, call.catalogue);
  if (!order.quiet)
    for (const std::string& line : campaign.risks->notes()) std::cerr << printable(line, "\n") << '\n';
  protect_inputs(output, Provenance::of(campaign, order.shard).trace_paths());
  const OutputLock lock(output);
  CampaignResults results(output, campaign, order.shard, existing, order.save_seconds);
  if (results.up_to_date()) {
    results.folder().remove();
    if (!order.quiet) std::cerr << output << ": is complete, nothing to do\n";
    return 0;
  }
  if (existing != Existing::kResume) check_room(campaign, order.shard, output, order.quiet);
  if (!order.quiet)
    tell_time(campaign, campaign.precision ? missing_rows(campaign, order.shard, {}) : results.missing(),
              thread_count(order.threads) * ranks.size());
  try {
    if (ranks.size() > 1) results.open_folder({0, static_cast<unsigned long>(ranks.size())});
    followers.begin(campaign, order.shard);
    compute_missing(campaign, results, order, followers);
    results.publish(note, order.threads);
  } catch (const RuntimeError& error) {
    if (!results.folder().exists()) throw;
    throw RuntimeError(fmt::format("{}\nwhat is done is kept in {}; go on with: {}", error.what(),
                                   results.folder().path(), order.go_on));
  }
  if (!order.quiet)
    std::cerr << summary_of(output, campaign, order.shard, results.extent()) << '\n'
              << worth_of(ResultFile(output, call.catalogue));
  return 0;
}

}  // namespace coterie::sim
