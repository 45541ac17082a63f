#include "sim/run/campaign_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "sim/engine/parallel.hpp"
#include "sim/files/output_path.hpp"
#include "sim/results/assembly.hpp"
#include "sim/results/result_source.hpp"

namespace coterie::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostUnsavedValues = 8'000'000;  // 64 MB
constexpr std::uint64_t kValuesOfRow = 24;               // overhead of a row

constexpr const char* kWaysOut = "\nname another --output, or use --force to start again";

}  // namespace

UnsavedRows::UnsavedRows(double save_seconds)
    : interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(save_seconds))),
      next_save_(Clock::now() + interval_) {}

bool UnsavedRows::due() const {
  return rows_.values() + kValuesOfRow * rows_.spans().size() >= kMostUnsavedValues || Clock::now() >= next_save_;
}

void UnsavedRows::saved() {
  rows_ = {};
  next_save_ = Clock::now() + interval_;
}

CampaignResults::CampaignResults(const std::string& path, const Campaign& campaign, const Shard& shard,
                                 Existing existing, double save_seconds, const Warn& warn)
    : path_(output_target(path)),
      campaign_(campaign),
      shard_(shard),
      index_(campaign, shard),
      folder_(path_),
      unsaved_(save_seconds) {
  namespace fs = std::filesystem;
  if (campaign.precision) search_.emplace(campaign, shard);
  if (existing == Existing::kRefuse) {
    if (folder_.manifest())
      throw InputError(
          fmt::format("{}: holds unfinished results; use --resume to continue them, or --force to start "
                      "again",
                      folder_.path()));
    if (fs::exists(path_))
      throw InputError(path +
                       ": already exists; use --resume to extend it, --force to replace it, or name another --output");
  }
  replaces_result_ = fs::exists(path_);
  if (existing == Existing::kResume) {
    const auto parts = folder_.manifest();
    extends_result_ = fs::exists(path_) && (!parts || parts->extends_result);
    if (parts) {
      replaces_result_ = parts->replaces_result;
      if (!replaces_result_ && !extends_result_ && fs::exists(path_)) {
        if (!is_finished(path_, parts))
          throw InputError(
              fmt::format("{}: was not there when the unfinished results in {} were begun, and is not their "
                          "result; move it away to continue them, or use --force to start again",
                          path, folder_.path()));
        replaces_result_ = true;  // it is the result of these parts, which have all of its rows
      }
    }
    if (extends_result_) take_result(warn);
    if (parts)
      take_parts(parts->provenance);
    else
      folder_.remove_remains();
  } else if (existing == Existing::kReplace) {
    folder_.remove();
  } else {
    folder_.remove_remains();
  }
}

void CampaignResults::take_result(const Warn& warn) {
  ResultFile result(path_, index_.catalogue());
  result.tell(warn);
  const Provenance stored = result.provenance();
  const auto reasons = differences(stored, campaign_, shard_);
  if (!reasons.empty())
    throw InputError(path_ + ": cannot be resumed, it belongs to another campaign or program:" + as_list(reasons) +
                     kWaysOut);
  sources_.push_back(std::make_unique<FileRows>(std::move(result), index_));
  const Provenance now = Provenance::of(campaign_, shard_);
  same_campaign_ =
      stored.resolved == now.resolved && stored.campaign == now.campaign && stored.settings == now.settings;
}

void CampaignResults::take_parts(const Provenance& stored) {
  const auto reasons = differences(stored, campaign_, shard_);
  if (!reasons.empty())
    throw InputError(folder_.path() +
                     ": cannot be resumed, it belongs to another campaign or program:" + as_list(reasons) + kWaysOut);
  folder_.sweep();
  take_new_parts();
}

void CampaignResults::take_new_parts() {
  for (const std::string& part : folder_.parts())
    if (known_parts_.insert(part).second) sources_.push_back(std::make_unique<PartRows>(part, index_));
}

void CampaignResults::open_folder(const PartLane& lane) {
  lane_ = lane;
  if (!manifest_written_)
    folder_.write_manifest({Provenance::of(campaign_, shard_), extends_result_, replaces_result_});
  manifest_written_ = true;
}

std::vector<const RowSource*> CampaignResults::sources() const {
  std::vector<const RowSource*> list;
  for (const auto& source : sources_) list.push_back(source.get());
  list.push_back(&unsaved_.rows());
  return list;
}

std::vector<MissingRows> CampaignResults::missing() {
  return search_ ? search_->missing(sources()) : missing_rows(campaign_, shard_, sources());
}

std::uint64_t CampaignResults::wanted() const {
  if (search_) return search_->wanted();
  const std::vector<std::uint64_t> done = extent().done;
  return std::accumulate(done.begin(), done.end(), std::uint64_t{0});
}

ResultExtent CampaignResults::extent() const {
  return search_ ? search_->extent() : ResultExtent::fixed(campaign_, shard_);
}

bool CampaignResults::up_to_date() { return same_campaign_ && missing().empty(); }

void CampaignResults::add(std::vector<ResultRow> rows) {
  unsaved_.add(std::move(rows));
  if (unsaved_.due()) save();
}

void CampaignResults::save() {
  if (unsaved_.rows().spans().empty()) return;
  open_folder(lane_);
  const std::string part = folder_.write(campaign_, index_.provenance(), unsaved_.rows(), lane_);
  unsaved_.saved();
  known_parts_.insert(part);
  sources_.push_back(std::make_unique<PartRows>(part, index_));
}

void CampaignResults::publish(const RunNote& note, int threads) {
  if (folder_.manifest()) save();  // a long run: if the last step fails, everything is on disk
  const ResultExtent whole = extent();
  const auto open = [&] { return std::make_unique<ResultStore>(path_, campaign_, shard_, whole, note); };
  assemble(campaign_, whole, sources(), open, thread_count(threads));
  folder_.remove();
}

}  // namespace coterie::sim
