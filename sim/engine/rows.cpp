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

/// What is missing of one configuration: between the ends of known spans nothing changes, and neighbours that miss the
/// same are one.
void add_missing(const Campaign& campaign, std::size_t configuration, const InstanceRange& share,
                 const std::vector<const RowSpan*>& known, std::vector<MissingRows>& missing) {
  std::vector<std::uint64_t> ends = {share.first, share.last};
  for (const RowSpan* span : known)
    for (const std::uint64_t end : {span->first_instance, span->first_instance + span->instances})
      if (end > share.first && end < share.last) ends.push_back(end);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  const std::size_t first_here = missing.size();
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    std::vector<bool> have(campaign.strategies.size() + 1);
    for (const RowSpan* span : known)
      if (span->first_instance <= ends[i] && span->first_instance + span->instances >= ends[i + 1])
        have[span->column] = true;
    MissingRows rows{configuration, ends[i], ends[i + 1] - ends[i], {}, !have[kReferenceColumn]};
    for (std::size_t s = 0; s < campaign.strategies.size(); ++s)
      if (!have[column_of(s)] || rows.reference) rows.strategies.push_back(s);
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
