#include "sim/engine/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/contract.hpp"

namespace coterie::sim {

double* ResultSlice::row(std::size_t place, std::size_t column, std::size_t kind) {
  COTERIE_REQUIRE(place < configurations);
  if (column == kReferenceColumn) return reference.data() + place * instances;
  const std::size_t strategies = ratio.size() / reference.size();
  return (this->*kRowKinds[kind].values).data() + (place * strategies + column - column_of(0)) * instances;
}

bool operator<(const RowSpan& a, const RowSpan& b) {
  return std::tie(a.configuration, a.first_instance, a.column) < std::tie(b.configuration, b.first_instance, b.column);
}

void TotalsSlice::add(std::size_t configuration, const RatioTotals& more, const std::string& from) {
  RatioTotals& mine = totals[configuration - first_configuration];
  if (mine.tree().has_all(more.tree())) return;
  if (mine.tree().has_some(more.tree()))
    throw RuntimeError(
        fmt::format("{}: its instances of configuration {} overlap with those of other files", from, configuration));
  mine.add(more);
}

namespace {

std::uint64_t values_of(const RatioTotals& totals) {
  std::uint64_t values = totals.histograms().size() * RatioHistogram::kCounts;
  for (const auto& [first, node] : totals.tree().nodes())
    values += node.moments.size() * (sizeof(ValueMoments) / sizeof(double));
  return values;
}

}  // namespace

void MemoryRows::add(std::vector<ResultRow> rows) {
  if (rows.empty()) return;
  const auto before = [](const ResultRow& a, const ResultRow& b) { return a.span < b.span; };
  std::sort(rows.begin(), rows.end(), before);
  // Most of what exists already comes before.
  const auto first = std::upper_bound(rows_.begin(), rows_.end(), rows.front(), before) - rows_.begin();
  const auto fresh = static_cast<std::ptrdiff_t>(rows_.size());
  for (ResultRow& row : rows) {
    values_ += row.kinds * row.span.instances + (row.totals ? values_of(*row.totals) : 0);
    rows_.push_back(std::move(row));
  }
  std::inplace_merge(rows_.begin() + first, rows_.begin() + fresh, rows_.end(), before);
  spans_.resize(static_cast<std::size_t>(first));
  for (auto row = rows_.begin() + first; row != rows_.end(); ++row) spans_.push_back(row->span);
}

void MemoryRows::fill(ResultSlice& slice) const {
  const auto [first, last] = positions_in(slice, spans_);
  for (std::size_t i = first; i < last; ++i)
    for (std::size_t kind = 0; kind < rows_[i].kinds; ++kind) copy_into(slice, spans_[i], rows_[i].values(kind), kind);
}

void MemoryRows::add_to(TotalsSlice& slice) const {
  for (const ResultRow& row : rows_)
    if (row.totals && slice.has(row.span.configuration)) slice.add(row.span.configuration, *row.totals, "memory");
}

void copy_into(ResultSlice& slice, const RowSpan& span, std::span<const double> values, std::size_t kind) {
  if ((slice.*kRowKinds[kind].values).empty()) return;
  if (span.configuration < slice.first_configuration ||
      span.configuration >= slice.first_configuration + slice.configurations)
    return;
  const std::uint64_t first = std::max(span.first_instance, slice.first_instance);
  const std::uint64_t last = std::min(span.first_instance + span.instances, slice.first_instance + slice.instances);
  if (first >= last) return;
  const auto source = values.subspan(first - span.first_instance, last - first);
  double* const row = slice.row(span.configuration - slice.first_configuration, span.column, kind);
  std::copy(source.begin(), source.end(), row + (first - slice.first_instance));
}

std::pair<std::size_t, std::size_t> positions_in(const ResultSlice& slice, std::span<const RowSpan> spans) {
  const auto before = [](const RowSpan& span, std::size_t configuration) { return span.configuration < configuration; };
  const auto first = std::lower_bound(spans.begin(), spans.end(), slice.first_configuration, before);
  const auto last = std::lower_bound(first, spans.end(), slice.first_configuration + slice.configurations, before);
  return {static_cast<std::size_t>(first - spans.begin()), static_cast<std::size_t>(last - spans.begin())};
}

namespace {

/// A span begins or ends.
struct Change {
  std::uint64_t at;
  std::size_t column;
  int more;
};

/// In the order of instances.
std::vector<Change> changes_of(const std::vector<const RowSpan*>& known, const InstanceRange& share) {
  std::vector<Change> changes;
  for (const RowSpan* span : known) {
    const std::uint64_t first = std::max(span->first_instance, share.first);
    const std::uint64_t last = std::min(span->first_instance + span->instances, share.last);
    if (first >= last) continue;
    changes.push_back({first, span->column, 1});
    changes.push_back({last, span->column, -1});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
  return changes;
}

/// What is missing of one configuration: between the ends of known spans nothing changes, and neighbours that miss the
/// same are one.
void add_missing(const Campaign& campaign, std::size_t configuration, const InstanceRange& share,
                 const std::vector<const RowSpan*>& known, std::vector<MissingRows>& missing) {
  const std::vector<Change> changes = changes_of(known, share);
  std::vector<int> have(campaign.strategies.size() + 1);  // by column: spans
  auto next = changes.begin();
  const std::size_t first_here = missing.size();
  for (std::uint64_t at = share.first, end = at; at < share.last; at = end) {
    for (; next != changes.end() && next->at == at; ++next) have[next->column] += next->more;
    end = next == changes.end() ? share.last : next->at;
    MissingRows rows{configuration, at, end - at, {}, have[kReferenceColumn] == 0};
    for (std::size_t s = 0; s < campaign.strategies.size(); ++s)
      if (have[column_of(s)] == 0 || rows.reference) rows.strategies.push_back(s);
    if (rows.strategies.empty()) continue;
    MissingRows* before = missing.size() > first_here ? &missing.back() : nullptr;
    if (before != nullptr && before->first_instance + before->instances == rows.first_instance &&
        before->strategies == rows.strategies && before->reference == rows.reference)
      before->instances += rows.instances;
    else
      missing.push_back(std::move(rows));
  }
}

}  // namespace

std::vector<MissingRows> missing_rows(const Campaign& campaign, const Shard& shard,
                                      const std::vector<const RowSource*>& sources,
                                      std::span<const std::uint64_t> goals) {
  std::vector<std::size_t> at(sources.size(), 0);
  std::vector<MissingRows> missing;
  for (std::size_t configuration = 0; configuration < campaign.configurations.size(); ++configuration) {
    std::vector<const RowSpan*> known;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const auto& spans = sources[i]->spans();
      for (; at[i] < spans.size() && spans[at[i]].configuration == configuration; ++at[i])
        known.push_back(&spans[at[i]]);
    }
    InstanceRange share = shard.share(campaign, configuration);
    if (!goals.empty()) share.last = std::min(share.last, goals[configuration]);
    if (share.first < share.last) add_missing(campaign, configuration, share, known, missing);
  }
  return missing;
}

}  // namespace coterie::sim
