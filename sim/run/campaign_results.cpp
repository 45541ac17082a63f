#include "sim/run/campaign_results.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "sim/files/output_path.hpp"

namespace coterie::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostUnsavedValues = 8'000'000;  // 64 MB
constexpr std::uint64_t kValuesOfRow = 24;               // overhead of a row

}  // namespace

PartWriter::PartWriter(const Campaign& campaign, const Shard& shard, const PartFolder& folder, double save_seconds,
                       const PartLane& lane)
    : campaign_(campaign),
      provenance_(Provenance::of(campaign, shard).text()),
      folder_(folder),
      lane_(lane),
      interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(save_seconds))),
      next_save_(Clock::now() + interval_) {}

bool PartWriter::due() const {
  return rows_.values() + kValuesOfRow * rows_.spans().size() >= kMostUnsavedValues || Clock::now() >= next_save_;
}

void PartWriter::save() {
  if (!rows_.spans().empty()) folder_.write(campaign_, provenance_, rows_, lane_);
  rows_ = {};
  next_save_ = Clock::now() + interval_;
}

CampaignResults::CampaignResults(const std::string& path, const Campaign& campaign, const Shard& shard,
                                 Existing existing, double save_seconds, const Warn& warn, const PartLane& lane)
    : path_(output_target(path)),
      campaign_(campaign),
      shard_(shard),
      segments_(campaign, shard),
      folder_(path_),
      unsaved_(campaign, shard, folder_, save_seconds, lane) {
  namespace fs = std::filesystem;
  segments_.add(unsaved_.rows());
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
    if (parts) {
      require_same(folder_.path(), parts->provenance);
      folder_.sweep();
      take_new_parts();
    } else {
      folder_.remove_remains();
    }
  } else if (existing == Existing::kReplace) {
    folder_.remove();
  } else {
    folder_.remove_remains();
  }
}

void CampaignResults::require_same(const std::string& path, const Provenance& stored) const {
  const auto reasons = differences(stored, campaign_, shard_);
  if (!reasons.empty())
    throw InputError(path + ": cannot be resumed, it belongs to another campaign or program:" + as_list(reasons) +
                     "\nname another --output, or use --force to start again");
}

void CampaignResults::take_result(const Warn& warn) {
  ResultFile result(path_, *campaign_.catalogue);
  result.tell(warn);
  const Provenance stored = result.provenance();
  require_same(path_, stored);
  segments_.add(std::move(result));
  const Provenance now = Provenance::of(campaign_, shard_);
  same_campaign_ =
      stored.resolved == now.resolved && stored.campaign == now.campaign && stored.settings == now.settings;
}

void CampaignResults::open_folder() {
  if (!manifest_written_)
    folder_.write_manifest({Provenance::of(campaign_, shard_), extends_result_, replaces_result_});
  manifest_written_ = true;
}

void CampaignResults::add(std::vector<ResultRow> rows) {
  unsaved_.add(std::move(rows));
  if (unsaved_.due()) save();
}

void CampaignResults::save() {
  if (unsaved_.rows().spans().empty()) return;
  open_folder();
  unsaved_.save();
  take_new_parts();
}

void CampaignResults::publish(const RunNote& note, int threads) {
  if (folder_.manifest()) save();  // a long run: if the last step fails, everything is on disk
  segments_.assemble(path_, note, threads);
  folder_.remove();
}

}  // namespace coterie::sim
