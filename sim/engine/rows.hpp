#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/shard.hpp"
#include "sim/totals/ratio_totals.hpp"

namespace coterie::sim {

// How the results of a campaign are cut, configuration x column x instance:
//   column  the reference, or a strategy
//   row     one column of one configuration at consecutive instances. A RowSpan says which, a ResultRow has the values,
//           MissingRows are some of one configuration that are still to be computed
//   kind    of value: a strategy's row has the ratios, then what the model measures beside them
//   block   kBlockInstances of them, which one thread computes at a time (sim/model_interface/model.hpp)
//   piece   a part of MissingRows: so much as memory holds, or as a rank takes at a time
//   slice   all columns of consecutive configurations at consecutive instances; a result file is made slice by slice
//   chunk   what HDF5 stores of a dataset as one (sim/results/result_chunks.hpp)
//   totals  what is kept in place of values where a campaign asks for statistics: of all columns of a configuration at
//           whole blocks. Its rows tell which, and have no values

/// A slice in memory.
struct ResultSlice {
  std::size_t first_configuration = 0;
  std::size_t configurations = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  std::vector<double> ratio;          ///< configuration x strategy x instance
  std::vector<double> reference;      ///< configuration x instance
  std::vector<double> capacity;       ///< configuration x instance, where means are controlled
  std::vector<double> makespan = {};  ///< as ratio, where the model measures it; so are the next two
  std::vector<double> machine_time = {};
  std::vector<double> wasted = {};

  /// Of a column of the configuration at position `place` here.
  double* row(std::size_t place, std::size_t column, std::size_t kind = 0);
};

/// By kind, what a slice holds of strategies, under the name that it has in results: the ratio, then by Measure.
struct RowKind {
  const char* name;
  std::vector<double> ResultSlice::*values;
};
inline constexpr std::array<RowKind, 1 + kMeasures> kRowKinds = {{{"ratio", &ResultSlice::ratio},
                                                                  {"makespan", &ResultSlice::makespan},
                                                                  {"machine_time", &ResultSlice::machine_time},
                                                                  {"wasted", &ResultSlice::wasted}}};
/// How many of these a trial of the campaign computes of a strategy.
inline std::size_t row_kinds(const Campaign& campaign) { return campaign.model->measures() ? kRowKinds.size() : 1; }
/// How many of these are kept.
inline std::size_t kept_kinds(const Campaign& campaign) {
  return campaign.output == Output::kStatistics ? 0 : row_kinds(campaign);
}

/// What is known of consecutive configurations, where statistics are kept.
struct TotalsSlice {
  std::size_t first_configuration = 0;
  std::vector<RatioTotals> totals;  ///< by configuration

  bool has(std::size_t configuration) const {
    return configuration >= first_configuration && configuration < first_configuration + totals.size();
  }
  /// Takes in what is not there yet: a run that was ended while it removed its parts has all of theirs in its result,
  /// too. Throws RuntimeError, naming where they come from, where some blocks are there and some are not.
  void add(std::size_t configuration, const RatioTotals& more, const std::string& from);
};

/// What a row is of: the reference's metric, or the ratios of a strategy.
constexpr std::size_t kReferenceColumn = 0;
constexpr std::size_t column_of(std::size_t strategy) { return strategy + 1; }

/// Consecutive instances of one column of one configuration; configurations and strategies count as in the campaign.
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
  std::shared_ptr<const double[]> first;  ///< value; rows computed together, and parts of a row, share the memory
  std::size_t kinds = 1;                  ///< of values,
  std::size_t stride = 0;                 ///< each that much behind the one before
  /// Where statistics are kept, of all rows that were handed over with this one; null at the others of them.
  std::shared_ptr<const RatioTotals> totals{};

  /// One an instance.
  std::span<const double> values(std::size_t kind = 0) const { return {first.get() + kind * stride, span.instances}; }
};

/// Rows that are known already: parts, an earlier result, memory.
class RowSource {
 public:
  virtual ~RowSource() = default;
  /// In ascending order.
  virtual const std::vector<RowSpan>& spans() const = 0;
  /// Puts what it has of a slice there, and leaves the rest alone.
  virtual void fill(ResultSlice& slice) const = 0;
  /// Adds what it has of these configurations.
  virtual void add_to(TotalsSlice& slice) const = 0;
};

/// Rows in memory, in ascending order however they come.
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

/// The part of a span that lies in a slice goes there, if that holds this kind at all; `values` are the span's, one an
/// instance.
void copy_into(ResultSlice& slice, const RowSpan& span, std::span<const double> values, std::size_t kind = 0);

/// Positions [first, last) of those in ascending `spans` whose configuration is in the slice.
std::pair<std::size_t, std::size_t> positions_in(const ResultSlice& slice, std::span<const RowSpan> spans);

/// Something to compute: some strategies of a configuration at consecutive instances.
struct MissingRows {
  std::size_t configuration = 0;
  std::uint64_t first_instance = 0;
  std::uint64_t instances = 0;
  std::vector<std::size_t> strategies;
  bool reference = true;  ///< whether the reference is wanted too; it is computed in any case
};

/// What a shard of a campaign has to compute that no source has, in the order of the campaign; of each configuration no
/// more instances than `goals` says, where it is given.
std::vector<MissingRows> missing_rows(const Campaign& campaign, const Shard& shard,
                                      const std::vector<const RowSource*>& sources,
                                      std::span<const std::uint64_t> goals = {});

}  // namespace coterie::sim
