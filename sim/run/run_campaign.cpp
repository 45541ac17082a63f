#include "sim/run/run_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/cancellation.hpp"
#include "core/stream.hpp"
#include "sim/engine/engine.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/files/lock.hpp"
#include "sim/files/output_path.hpp"
#include "sim/results/result_format.hpp"
#include "sim/run/ranked_rows.hpp"
#include "sim/run/time_estimate.hpp"

namespace coterie::sim {
namespace {

using End = RunOutcome::End;
using ReadCampaign = std::function<const Campaign&()>;

void check(const RunSettings& settings) {
  if (settings.threads < 0 || settings.threads > kMostThreads)
    throw InputError(fmt::format("threads must be 0 (all cores) to {}, not {}", kMostThreads, settings.threads));
  if (!(settings.save_seconds > 0 && settings.save_seconds < 1e9))
    throw InputError(fmt::format("save_seconds must be above 0 and below 1e9, not {}", settings.save_seconds));
  if (settings.shard.index < 1 || settings.shard.index > settings.shard.count)
    throw InputError(fmt::format("shard must be 1/N to N/N, not {}", settings.shard.text()));
  if (settings.give_up && settings.stop == nullptr) throw InputError("give_up needs stop");
}

void tell(const RunSettings& settings, const std::string& line) {
  if (settings.tell) settings.tell(line);
}

RunControl control_of(const RunSettings& settings) {
  RunControl control;
  control.threads = settings.threads;
  if (settings.stop != nullptr) control.stop = [stop = settings.stop] { return stop->reached(); };
  control.keep_seconds = std::min(1.0, settings.save_seconds);
  return control;
}

/// Tells whether two ranks have the same in mind.
std::uint64_t fingerprint(const Campaign& campaign, const Shard& shard) {
  return identity_hash(Provenance::of(campaign, shard).text());
}

PartLane lane_of(const Ranks& ranks) {
  return {static_cast<unsigned long>(ranks.rank()), static_cast<unsigned long>(ranks.size())};
}

/// The other ranks, as rank 0 leads them; with one rank, nobody. Whenever this goes, they end.
class RankTeam {
 public:
  RankTeam(const Ranks& ranks, const RunSettings& settings) : ranks_(ranks), settings_(settings) {}
  ~RankTeam() {
    if (!ended_) ranks_.broadcast({});
  }
  RankTeam(const RankTeam&) = delete;
  RankTeam& operator=(const RankTeam&) = delete;

  void begin(const Campaign& campaign) {
    if (none()) return;
    ranks_.broadcast({fingerprint(campaign, settings_.shard)});
    if (ranks_.greatest(0) == 0) return;
    ended_ = true;
    throw RuntimeError("another rank could not start");
  }

  /// Returns false where the work was stopped early.
  bool compute(const Campaign& campaign, const std::vector<MissingRows>& missing, const RunControl& control,
               Progress& progress) const {
    if (none()) return compute_rows(campaign, missing, control, progress);
    broadcast_missing(ranks_, missing);
    const RankOutcome all = compute_rows_on_ranks(
        ranks_, campaign, missing, control, progress, [] {}, settings_.warn);
    if (all == RankOutcome::kFailed) throw RuntimeError("a rank failed");
    return all == RankOutcome::kDone;
  }

  bool none() const { return size() == 1; }
  int size() const { return ranks_.size(); }
  PartLane lane() const { return lane_of(ranks_); }

 private:
  const Ranks& ranks_;
  const RunSettings& settings_;
  bool ended_ = false;
};

/// What ranks other than 0 do.
RunOutcome follow(const Ranks& ranks, const ReadCampaign& read, const std::string& output,
                  const RunSettings& settings) {
  const RunOutcome over{End::kOtherRank};
  const std::vector<std::uint64_t> told = ranks.broadcast({});
  if (told.empty()) return over;  // rank 0 has said why
  const Campaign* campaign = nullptr;
  try {
    const CancellationScope whole(nullptr);  // rank 0 has read it, too
    const Campaign& mine = read();
    if (fingerprint(mine, settings.shard) != told[0])
      throw RuntimeError("the campaign, its files or the program differ from those of rank 0");
    campaign = &mine;
  } catch (const std::exception& error) {
    settings.warn(fmt::format("rank {}: {}", ranks.rank(), error.what()));
  }
  if (ranks.greatest(campaign != nullptr ? 0 : 1) != 0) return over;
  PartWriter parts(*campaign, settings.shard, PartFolder(followed(output)), settings.save_seconds, lane_of(ranks));
  RunControl control = control_of(settings);
  control.keep = [&](std::vector<ResultRow> rows) {
    parts.add(std::move(rows));
    if (parts.due()) parts.save();
  };
  Progress quiet(1, 1, 0);
  for (;;) {
    const std::vector<MissingRows> missing = broadcast_missing(ranks, {});
    if (missing.empty()) return over;
    compute_rows_on_ranks(
        ranks, *campaign, missing, control, quiet, [&] { parts.save(); }, settings.warn);
  }
}

/// Tells what a large result takes before it is begun; throws RuntimeError where the disk has no room for it.
void check_room(const Campaign& campaign, const std::string& output, const RunSettings& settings) {
  if (campaign.precision) return;                      // not known yet
  if (campaign.output == Output::kStatistics) return;  // little
  std::uint64_t instances = 0;
  for (const std::uint64_t done : ResultExtent::fixed(campaign, {}).done)
    instances += done;  // shards have room for all
  const double gigabytes = 1e-9 * size_of_instances(campaign, instances);
  if (gigabytes < 0.1) return;
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
  std::uintmax_t available = std::filesystem::space(folder, unknown).available;
  if (settings.existing == Existing::kReplace)
    for (const std::string& part : PartFolder(followed(output)).parts()) {  // which will be removed
      std::error_code gone;
      const std::uintmax_t size = std::filesystem::file_size(part, gone);
      if (!gone) available += size;
    }
  const double free = 1e-9 * static_cast<double>(available);
  const double parts = gigabytes / static_cast<double>(settings.shard.count);  // beside the results until the end
  if (!unknown && free < gigabytes + parts && campaign.deflate == 0)
    throw RuntimeError(
        fmt::format("{}: {} instances x {} strategies need {:.3g} GB for results and {:.3g} GB for {}.parts, but only "
                    "{:.3g} GB are free in {}; ask for fewer or name another --output",
                    output, instances, campaign.strategies.size(), gigabytes, parts, output, free, folder.string()));
  tell(settings,
       fmt::format("{}: about {:.3g} GB{}, and {} in {}.parts until the end; {:.3g} GB are free", output, gigabytes,
                   settings.shard.whole() ? " of results" : ", as every shard has room for all results",
                   settings.shard.whole() ? "the same" : "its share", output, free));
}

/// What rank 0 does with a campaign, mostly the only one.
class LeadingRun {
 public:
  LeadingRun(const Campaign& campaign, const std::string& output, const RunSettings& settings, RankTeam& team)
      : campaign_(campaign),
        output_(output),
        settings_(settings),
        team_(team),
        results_(output, campaign, settings.shard, settings.existing, settings.save_seconds, settings.warn,
                 team.lane()) {}

  bool up_to_date() { return results_.up_to_date(); }
  CampaignResults& results() { return results_; }

  void tell_size() {
    if (settings_.existing == Existing::kRefuse || (settings_.existing == Existing::kResume && results_.empty()))
      check_room(campaign_, output_, settings_);
    if (!settings_.tell) return;
    const std::vector<MissingRows> missing =
        campaign_.precision ? missing_rows(campaign_, settings_.shard, {}) : results_.missing();
    if (takes_long(missing))
      tell(settings_, time_text(campaign_, missing, thread_count(settings_.threads) * team_.size()));
  }

  /// With what helps where it fails.
  RunOutcome run() {
    try {
      team_.begin(campaign_);
      if (!team_.none()) results_.open_folder();
      const std::optional<RunOutcome> stopped = compute_missing();
      return stopped ? *stopped : publish();
    } catch (const InputError& error) {  // an invalid strategy that is detected late
      if (!results_.folder().exists()) throw;
      results_.save();
      throw InputError(fmt::format("{}\nresults so far are kept in {}", error.what(), results_.folder().path()));
    } catch (const Cancelled&) {
      throw;
    } catch (const std::exception& error) {
      if (!results_.folder().exists()) throw;
      keep_what_can_be();
      throw RuntimeError(fmt::format("{}\nresults so far are kept in {}; continue with: {}", error.what(),
                                     results_.folder().path(), settings_.go_on));
    }
  }

 private:
  /// How much there is of the results, all but these.
  std::string share_done(const std::vector<MissingRows>& missing) const {
    const auto total = static_cast<double>(results_.wanted());
    const double done = total - static_cast<double>(instances_of(missing));
    return campaign_.precision ? fmt::format("at {:.0f} instances", done)
                               : fmt::format("at {:.1f} %", std::floor(1000 * done / total) / 10);
  }

  /// After a failure, which may be that nothing can be written.
  void keep_what_can_be() {
    try {
      results_.save();
    } catch (const std::exception&) {  // the first failure is the one to tell
    }
  }

  /// Nothing ends it midway.
  void save_computed(bool last) {
    const CancellationScope whole(nullptr);
    results_.take_new_parts();
    if (last) results_.save();
  }

  /// What a run ends with whose threads are deaf.
  RunOutcome save_finished(const std::function<void()>& keep_finished) {
    keep_finished();
    results_.save();
    // Finding out what is missing with a precision takes long.
    return {End::kStopped, campaign_.precision ? "" : share_done(results_.missing())};
  }

  /// Returns how far it came where it was stopped.
  std::optional<RunOutcome> compute_missing() {
    RunControl control = control_of(settings_);
    control.keep = [&](std::vector<ResultRow> rows) { results_.add(std::move(rows)); };
    if (team_.none() && settings_.give_up) {  // other ranks would be killed and lose unsaved work
      control.rule = settings_.stop;
      control.give_up = [&](const auto& keep) { settings_.give_up([&] { return save_finished(keep); }); };
    }
    bool stopped = false;
    std::vector<MissingRows> missing = results_.missing();
    try {
      while (!missing.empty() && !stopped) {
        Progress progress(campaign_.configurations.size(), results_.wanted(), results_.wanted() - instances_of(missing),
                          settings_.progress);
        stopped = !team_.compute(campaign_, missing, control, progress);
        save_computed(stopped);
        missing = results_.missing();
      }
    } catch (const Cancelled&) {  // finding out what is missing takes long
      save_computed(true);
      return RunOutcome{End::kStopped};
    }
    if (missing.empty()) return std::nullopt;  // a stop that came too late does not count
    return RunOutcome{End::kStopped, share_done(missing)};
  }

  RunOutcome publish() {
    try {
      results_.publish(settings_.note, settings_.threads);
    } catch (const Cancelled&) {
      save_computed(true);
      return {End::kStopped, "at 100 %, before the result file was written"};
    }
    return {End::kComplete, {}, results_.extent()};
  }

  const Campaign& campaign_;
  const std::string& output_;
  const RunSettings& settings_;
  RankTeam& team_;
  CampaignResults results_;
};

RunOutcome stopped_before() { return {End::kStopped, "before the first block", {}, false}; }  // of this call

RunOutcome lead(const Ranks& ranks, const ReadCampaign& read, const std::string& path, const RunSettings& settings) {
  RankTeam team(ranks, settings);
  std::optional<LastResort> last_resort;
  if (team.none() && settings.give_up) last_resort.emplace(*settings.stop, [&] { settings.give_up(stopped_before); });
  const std::string output = output_target(path);
  const Campaign& campaign = read();
  for (const std::string& note : campaign.notes()) tell(settings, note);
  std::vector<std::string> inputs = Provenance::of(campaign, settings.shard).trace_paths();
  inputs.push_back(campaign.path);
  protect_inputs(output, inputs);
  const OutputLock lock(output);
  if (settings.existing == Existing::kReplace) check_room(campaign, output, settings);  // before anything is removed
  LeadingRun run(campaign, output, settings, team);
  if (run.up_to_date()) {
    run.results().folder().remove();
    return {End::kUpToDate, {}, run.results().extent()};
  }
  run.tell_size();
  last_resort.reset();
  return run.run();
}

}  // namespace

RunOutcome run_campaign(const ReadCampaign& read, const std::string& output, const RunSettings& settings) {
  check(settings);
  RunSettings whole = settings;
  if (!whole.warn) whole.warn = [](const std::string&) {};
  const Ranks ranks;
  std::optional<CancellationScope> scope;
  if (whole.stop != nullptr) scope.emplace(whole.stop->cancels());
  try {
    return ranks.leads() ? lead(ranks, read, output, whole) : follow(ranks, read, output, whole);
  } catch (const Cancelled&) {
    return stopped_before();
  }
}

RunOutcome run_campaign(const Campaign& campaign, const std::string& output, const RunSettings& settings) {
  return run_campaign([&]() -> const Campaign& { return campaign; }, output, settings);
}

}  // namespace coterie::sim
