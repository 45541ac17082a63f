#pragma once

#include "sim/results/part_files.hpp"
#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// Whether FILE.h5 is what its parts, if there are any, were computed for. If not, it is the result of before, which a
/// run would replace or extend at its end.
bool is_finished(const std::string& path, const std::optional<PartManifest>& parts);

/// The rows of a result file: all of them, or those of its shard.
class FileRows final : public RowSource {
 public:
  /// Throws RuntimeError for a file that is not a result, is damaged, or whose stored campaign no longer gives the
  /// stored identities (an input file changed). Configurations and strategies that `index` does not have are left out.
  FileRows(ResultFile file, const CampaignIndex& index);
  const std::vector<RowSpan>& spans() const override { return spans_; }
  void fill(ResultSlice& slice) const override;
  void add_to(TotalsSlice& slice) const override;
  const ResultFile& file() const { return file_; }

 private:
  InstanceRange share_of(std::size_t stored) const;

  ResultFile file_;
  Campaign stored_;
  Shard shard_;
  std::vector<std::uint64_t> done_;  ///< by configuration; of a campaign with `precision`
  std::vector<RowSpan> spans_;
  std::vector<std::optional<std::size_t>> columns_;             ///< by strategy of the file
  std::vector<std::pair<std::size_t, std::size_t>> positions_;  ///< (in the campaign, in the file), ascending
};

}  // namespace coterie::sim
