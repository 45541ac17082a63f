#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/shard.hpp"
#include "sim/totals/ratio_totals.hpp"

namespace coterie::sim {

// How the results of a campaign are divided, configuration x column x instance:
//   column  the reference, or a strategy
//   row     one column of one configuration at consecutive instances. A RowSpan says which, a ResultRow has the values,
//           MissingRows are rows of one configuration that still have to be computed
//   kind    of value: a strategy's row has the ratios, then the model's other measurements
//   block   kBlockInstances of them, which one thread computes at a time (sim/model_interface/model.hpp)
//   piece   a part of MissingRows: as much as memory holds, or as a rank takes at a time
//   slice   all columns of consecutive configurations at consecutive instances; a result file is made slice by slice
//   chunk   a part of a dataset that HDF5 stores as a unit (StoredTogether)
//   totals  kept instead of values if a campaign asks for statistics: for all columns of a configuration, over whole
//           blocks. Their rows say which blocks, and have no values

/// A slice in memory.
struct ResultSlice {
  std::size_t first_configuration = 0;
  std::size_t configurations = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  std::vector<double> ratio;          ///< configuration x strategy x instance
  std::vector<double> reference;      ///< configuration x instance
  std::vector<double> makespan = {};  ///< like ratio, if the model measures it; so are the next two
  std::vector<double> machine_time = {};
  std::vector<double> wasted = {};

  /// Values of a column of the configuration at position `place` here.
  double* row(std::size_t place, std::size_t column, std::size_t kind = 0);
};

/// By kind, the values that a slice holds for strategies, with their names in results: the ratio, then by Measure.
struct RowKind {
  const char* name;
  std::vector<double> ResultSlice::*values;
};
inline constexpr std::array<RowKind, 1 + kMeasures> kRowKinds = {{{"ratio", &ResultSlice::ratio},
                                                                  {"makespan", &ResultSlice::makespan},
                                                                  {"machine_time", &ResultSlice::machine_time},
                                                                  {"wasted", &ResultSlice::wasted}}};
/// How many of these a trial of the campaign computes for a strategy.
inline std::size_t row_kinds(const Campaign& campaign) {
  return campaign.model->words().measures ? kRowKinds.size() : 1;
}
/// How many of these are kept.
inline std::size_t kept_kinds(const Campaign& campaign) {
  return campaign.output == Output::kStatistics ? 0 : row_kinds(campaign);
}

/// The totals of consecutive configurations, if statistics are kept.
struct TotalsSlice {
  std::size_t first_configuration = 0;
  std::vector<RatioTotals> totals;  ///< by configuration

  bool has(std::size_t configuration) const {
    return configuration >= first_configuration && configuration < first_configuration + totals.size();
  }
  /// Adds totals that are not there yet: if a run was ended while it removed its parts, their contents are also in its
  /// result. Throws RuntimeError, naming the source, if some of the blocks are there and some are not.
  void add(std::size_t configuration, const RatioTotals& more, const std::string& from);
};

/// What a row holds: the reference's metric, or the ratios of a strategy.
constexpr std::size_t kReferenceColumn = 0;
constexpr std::size_t column_of(std::size_t strategy) { return strategy + 1; }

/// Consecutive instances of one column of one configuration; configurations and strategies are numbered as in the
/// campaign.
struct RowSpan {
  std::size_t configuration = 0;
  std::size_t column = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  StrategyFacts facts;  ///< what the strategy chose; nothing for the reference
};

/// By configuration, then instance, then column.
bool operator<(const RowSpan& a, const RowSpan& b);

struct ResultRow {
  RowSpan span;
  std::shared_ptr<const double[]> first;  ///< value; rows computed together, and parts of a row, share memory
  std::size_t kinds = 1;                  ///< of values,
  std::size_t stride = 0;                 ///< distance from one to the next
  /// If statistics are kept, the totals of all rows that were handed over with this one; null in the others of them.
  std::shared_ptr<const RatioTotals> totals{};

  /// One per instance.
  std::span<const double> values(std::size_t kind = 0) const { return {first.get() + kind * stride, span.instances}; }
};

/// Rows that are already known: parts, an earlier result, memory.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// In ascending order.
  virtual const std::vector<RowSpan>& spans() const = 0;
  /// Fills in what it has of a slice, and leaves the rest unchanged.
  virtual void fill(ResultSlice& slice) const = 0;
  /// Adds what it has of these configurations.
  virtual void add_to(TotalsSlice& slice) const = 0;
};

/// Rows in memory, in ascending order, whatever the order of arrival.
class MemoryRows final : public RowSource {
 public:
  MemoryRows() = default;
  explicit MemoryRows(std::vector<ResultRow> rows) { add(std::move(rows)); }
  void add(std::vector<ResultRow> rows);
  const std::vector<ResultRow>& rows() const { return rows_; }
  std::uint64_t values() const { return values_; }
  const std::vector<RowSpan>& spans() const override { return spans_; }
  void fill(ResultSlice& slice) const override;
  void add_to(TotalsSlice& slice) const override;

 private:
  std::vector<ResultRow> rows_;
  std::vector<RowSpan> spans_;
  std::uint64_t values_ = 0;
};

/// Copies the part of a span that lies in a slice, if the slice holds this kind; `values` are those of the span, one
/// per instance.
void copy_into(ResultSlice& slice, const RowSpan& span, std::span<const double> values, std::size_t kind = 0);

/// Positions [first, last) in ascending `spans` whose configuration is in the slice.
std::pair<std::size_t, std::size_t> positions_in(const ResultSlice& slice, std::span<const RowSpan> spans);

/// Rows to compute: some strategies of a configuration at consecutive instances.
struct MissingRows {
  std::size_t configuration = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  std::vector<std::size_t> strategies;
  bool reference = true;  ///< whether the reference is wanted, too; it is computed in any case
};

/// What a shard of a campaign has to compute because no source has it, in the order of the campaign; for each
/// configuration at most as many instances as `goals` says, if given.
std::vector<MissingRows> missing_rows(const Campaign& campaign, const Shard& shard,
                                      const std::vector<const RowSource*>& sources,
                                      std::span<const std::uint64_t> goals = {});

}  // namespace coterie::sim
