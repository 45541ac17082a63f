#include "sim/results/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string_view>

#include "sim/engine/parallel.hpp"
#include "sim/results/paired_difference.hpp"
#include "sim/statistics/long_row.hpp"
#include "sim/statistics/precision.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kSliceValues = 150'000;        // held in memory at a time (1 MB),
constexpr std::uint64_t kMostSliceValues = 4'000'000;  // or of one configuration (32 MB)
constexpr std::uint64_t kTotalsValues = 2'000'000;     // the same where statistics are kept (16 MB)
constexpr std::uint64_t kMostHeldValues = 8'000'000;   // of all rows of a configuration, for their quantiles (64 MB)

/// The greatest multiple of `unit` up to `limit`, but no less than one.
std::uint64_t multiple(std::uint64_t unit, std::uint64_t limit) { return std::max(unit, limit - limit % unit); }

/// Consecutive configurations whose results fit in memory together, or a part of the instances of one: all of what is
/// stored together.
std::vector<ResultSlice> slices_of(const Campaign& campaign, std::uint64_t instances, const StoredTogether& stored) {
  const std::uint64_t each = campaign.strategies.size() * row_kinds(campaign) + 1;  // values of an instance
  const std::uint64_t fits = multiple(stored.instances, kMostSliceValues / each);
  const std::size_t count = campaign.configurations.size();
  std::vector<ResultSlice> slices;
  if (instances <= fits) {
    const auto together = static_cast<std::size_t>(multiple(stored.configurations, kSliceValues / each / instances));
    for (std::size_t first = 0; first < count; first += together)
      slices.push_back({first, std::min(together, count - first), 0, instances, {}, {}});
    return slices;
  }
  for (std::size_t configuration = 0; configuration < count; ++configuration)
    for (std::uint64_t first = 0; first < instances; first += fits)
      slices.push_back({configuration, 1, first, std::min(fits, instances - first), {}, {}});
  return slices;
}

/// Puts what the sources know into a slice, and NaN where they know nothing.
void fill(ResultSlice& slice, const std::vector<const RowSource*>& sources, std::size_t strategies, std::size_t kinds) {
  const std::size_t columns = strategies + 1;
  for (std::size_t kind = 0; kind < kinds; ++kind)
    (slice.*kRowKinds[kind].values).resize(slice.configurations * strategies * slice.instances);
  slice.reference.resize(slice.configurations * slice.instances);
  std::vector<bool> whole(slice.configurations * columns);  // rows that one span has all of
  for (const RowSource* source : sources) {
    const auto [first, last] = positions_in(slice, source->spans());
    for (std::size_t i = first; i < last; ++i) {
      const RowSpan& span = source->spans()[i];
      if (span.first_instance <= slice.first_instance &&
          span.first_instance + span.instances >= slice.first_instance + slice.instances)
        whole[(span.configuration - slice.first_configuration) * columns + span.column] = true;
    }
  }
  for (std::size_t row = 0; row < whole.size(); ++row)
    for (std::size_t kind = 0; !whole[row] && kind < (row % columns == kReferenceColumn ? 1 : kinds); ++kind)
      std::fill_n(slice.row(row / columns, row % columns, kind), slice.instances,
                  std::numeric_limits<double>::quiet_NaN());
  for (const RowSource* source : sources) source->fill(slice);
}

/// Rows may be known beyond the instance where a configuration's precision was reached: they do not count.
void clear_surplus(const std::vector<std::uint64_t>& done, std::size_t strategies, std::size_t kinds,
                   ResultSlice& slice) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < slice.configurations; ++k) {
    const std::uint64_t end = done[slice.first_configuration + k];
    const std::uint64_t kept = std::min(end - std::min(end, slice.first_instance), slice.instances);
    const auto clear = [&](double* row) { std::fill(row + kept, row + slice.instances, nan); };
    clear(slice.row(k, kReferenceColumn));
    for (std::size_t s = 0; s < strategies; ++s)
      for (std::size_t kind = 0; kind < kinds; ++kind) clear(slice.row(k, column_of(s), kind));
  }
}

/// Writes slices, and makes the summaries of their rows. What touches a file is the calling thread's, and is done in
/// an order that does not depend on the threads, so that files are the same: it begins the file, writes the slice, and
/// reads the next one while the others are busy.
class SliceWriter {
 public:
  using Open = std::function<std::unique_ptr<ResultStore>()>;

  SliceWriter(const Campaign& campaign, std::uint64_t instances, const Open& open, int threads)
      : strategies_(campaign.strategies.size()),
        instances_(instances),
        columns_(instance_columns(campaign)),
        stored_(StoredTogether::of(campaign, instances)),
        open_(open),
        threads_(threads) {}

  const StoredTogether& stored_together() const { return stored_; }

  void add(const ResultSlice& slice, std::vector<ConfigurationRecord>& records,
           const std::function<void()>& read_next) {
    const bool whole = slice.instances == instances_;
    const std::size_t rows = slice.configurations * strategies_;
    if (!whole && slice.first_instance == 0) long_rows_.assign(strategies_, LongRow(kMostHeldValues / strategies_));
    std::size_t written = 0;
    bool read = false;
    const auto on_files = [&] {
      if (!store_) {
        store_ = open_();
      } else if (written < columns_.size()) {
        store_->write(slice, columns_[written++]);
      } else if (!read) {
        read_next();
        read = true;
      } else {
        return false;
      }
      return true;
    };
    parallel_for_beside(on_files, rows, threads_, [&](std::size_t row) {
      const std::span<const double> values(slice.ratio.data() + row * slice.instances, slice.instances);
      if (whole)
        records[slice.first_configuration + row / strategies_].summaries[row % strategies_] = summarise(values);
      else
        long_rows_[row].take(values);
    });
    if (!whole && slice.first_instance + slice.instances == instances_)
      records[slice.first_configuration].summaries = long_summaries(slice.first_configuration);
  }

  /// When all slices have been added.
  std::unique_ptr<ResultStore> finish() { return std::move(store_); }

 private:
  /// Of rows that were seen once, from slice to slice; whatever else is wanted of them is read again.
  std::vector<Summary> long_summaries(std::size_t configuration) {
    const std::uint64_t step = multiple(stored_.instances, kMostSliceValues / strategies_);
    const auto wants_pass = [](const LongRow& row) { return row.wants_pass(); };
    for (LongRow& row : long_rows_) row.end_pass();
    while (std::any_of(long_rows_.begin(), long_rows_.end(), wants_pass)) {
      for (std::uint64_t first = 0; first < instances_; first += step) {
        const std::uint64_t count = std::min(step, instances_ - first);
        const std::vector<double> ratios = store_->read_ratios(configuration, first, count);
        parallel_for(strategies_, threads_, [&](std::size_t s) {
          if (long_rows_[s].wants_pass()) long_rows_[s].take(std::span(ratios).subspan(s * count, count));
        });
      }
      for (LongRow& row : long_rows_)
        if (row.wants_pass()) row.end_pass();
    }
    std::vector<Summary> summaries;
    for (const LongRow& row : long_rows_) summaries.push_back(row.summary());
    return summaries;
  }

  std::size_t strategies_;
  std::uint64_t instances_;
  std::vector<InstanceColumn> columns_;
  StoredTogether stored_;
  const Open& open_;
  int threads_;
  std::unique_ptr<ResultStore> store_;
  std::vector<LongRow> long_rows_;  // by strategy, of a configuration that comes in several slices
};

/// What the model knows without sampling of the configurations that were run.
void find_exact(const Campaign& campaign, const ResultExtent& extent, int threads,
                std::vector<ConfigurationRecord>& records) {
  const bool ceilings = !campaign.model->words().ceilings.empty();
  if (!ceilings && !campaign.exact_means) return;
  const std::vector<std::size_t> order = like_workers_together(campaign);
  parallel_for(records.size(), threads, [&](std::size_t i) {
    const std::size_t c = order[i];
    if (extent.done[c] == 0) return;
    if (ceilings) records[c].ceilings = campaign.model->ceiling_values(campaign.request(c));
    if (campaign.exact_means) records[c].exact = campaign.model->expected_ratios(campaign.request(c));
  });
}

/// What a result tells of totals.
void take_totals(const RatioTotals& totals, ConfigurationRecord& record) {
  const std::size_t strategies = record.facts.size();
  const TotalSeries series{strategies};
  BlockTree::Moments moments = totals.tree().total();
  if (moments.empty()) moments.resize(series.count());  // of another shard
  record.reference_mean = summary_of(moments[TotalSeries::reference()]).mean;
  for (std::size_t s = 0; s < strategies; ++s) {
    const ValueMoments& ratio = moments[TotalSeries::ratio(s)];
    Summary& summary = record.summaries[s] = summary_of(ratio);
    for (std::size_t i = 0; i < kProbabilities.size() && !totals.empty(); ++i)
      summary.quantiles[i] = totals.histograms()[s].quantile(kProbabilities[i], ratio.least, ratio.greatest);
    for (std::size_t other = 0; other < strategies; ++other)
      record.differences.push_back(difference_of(series.difference(moments, s, other),
                                                 s == other || may_be_the_same(record.facts[s], record.facts[other])));
  }
}

/// The same where statistics are kept: some configurations at a time.
void assemble_totals(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
                     ResultStore& store, std::vector<ConfigurationRecord>& records, int threads) {
  const std::size_t step =
      std::max<std::size_t>(1, kTotalsValues / (campaign.strategies.size() * RatioHistogram::kCounts));
  for (std::size_t first = 0; first < records.size(); first += step) {
    TotalsSlice slice{first, std::vector<RatioTotals>(std::min(step, records.size() - first))};
    for (const RowSource* source : sources) source->add_to(slice);
    parallel_for(slice.totals.size(), threads, [&](std::size_t i) {
      const std::uint64_t blocks = (extent.done[first + i] + kBlockInstances - 1) / kBlockInstances;
      if (slice.totals[i].tree().blocks() != blocks)
        throw RuntimeError(fmt::format("configuration {}: there are {} blocks of instances, not {}", first + i,
                                       slice.totals[i].tree().blocks(), blocks));
      take_totals(slice.totals[i], records[first + i]);
    });
    store.write(slice.totals);
  }
}

}  // namespace

std::vector<std::size_t> like_workers_together(const Campaign& campaign) {
  std::vector<std::size_t> order(campaign.configurations.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (const Axis& axis : campaign.model->axes()) {
    if (!axis.of_worker) continue;
    const auto text = [&](std::size_t c) {
      return std::string_view(campaign.configurations[c].values.at(axis.name).canonical);
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return text(a) < text(b); });
  }
  return order;
}

void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              const std::function<std::unique_ptr<ResultStore>()>& open, int threads) {
  const std::size_t strategies = campaign.strategies.size();
  const std::size_t kinds = row_kinds(campaign);
  std::vector<ConfigurationRecord> records(campaign.configurations.size(),
                                           {std::vector<Summary>(strategies),
                                            std::vector<StrategyFacts>(strategies),
                                            std::vector<BoundedNumber>(strategies, {std::nan(""), std::nan("")}),
                                            {},
                                            0,
                                            {}});
  find_exact(campaign, extent, threads, records);
  for (const RowSource* source : sources)
    for (const RowSpan& span : source->spans())
      if (span.column != kReferenceColumn) records[span.configuration].facts[span.column - 1] = span.facts;
  if (campaign.output == Output::kStatistics) {
    const std::unique_ptr<ResultStore> store = open();
    assemble_totals(campaign, extent, sources, *store, records, threads);
    store->records(std::move(records));
    return store->finish();
  }
  SliceWriter writer(campaign, extent.instances, open, threads);
  std::vector<ResultSlice> slices = slices_of(campaign, extent.instances, writer.stored_together());
  const auto read = [&](ResultSlice& slice) {
    fill(slice, sources, strategies, kinds);
    if (campaign.precision) clear_surplus(extent.done, strategies, kinds, slice);
  };
  read(slices.front());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    writer.add(slices[i], records, [&] {
      if (i + 1 < slices.size()) read(slices[i + 1]);
    });
    ResultSlice over;  // its memory goes to the next but one
    std::swap(over, slices[i]);
    if (i + 2 >= slices.size()) continue;
    for (const RowKind& kind : kRowKinds) (slices[i + 2].*kind.values).swap(over.*kind.values);
    slices[i + 2].reference.swap(over.reference);
  }
  const std::unique_ptr<ResultStore> store = writer.finish();
  store->records(std::move(records));
  store->finish();
}

}  // namespace coterie::sim
