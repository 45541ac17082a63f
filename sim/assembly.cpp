#include "sim/assembly.hpp"

#include <algorithm>
#include <limits>

#include "sim/parallel.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kWindowValues = 4'000'000;  // ratios held in memory at a time (32 MB)

/// Consecutive configurations whose results fit in memory together, or a part of the instances of one.
std::vector<ResultBatch> windows_of(const Campaign& campaign, std::uint64_t instances) {
  const std::uint64_t fits = std::max<std::uint64_t>(1, kWindowValues / (campaign.strategies.size() + 1));
  const std::size_t count = campaign.configurations.size();
  std::vector<ResultBatch> windows;
  if (instances <= fits) {
    const auto together = static_cast<std::size_t>(fits / instances);
    for (std::size_t first = 0; first < count; first += together)
      windows.push_back({first, std::min(together, count - first), 0, instances, {}, {}});
    return windows;
  }
  for (std::size_t configuration = 0; configuration < count; ++configuration)
    for (std::uint64_t first = 0; first < instances; first += fits)
      windows.push_back({configuration, 1, first, std::min(fits, instances - first), {}, {}});
  return windows;
}

/// The summaries of a window whose rows are whole, or end with it.
void summarise_rows(std::size_t strategies, std::uint64_t instances, const ResultBatch& batch, const ResultStore& store,
                    int threads, std::vector<ConfigurationRecord>& records) {
  if (batch.first_instance + batch.instances < instances) return;
  if (batch.instances < instances) {
    for (std::size_t s = 0; s < strategies; ++s)
      records[batch.first_configuration].summaries[s] = summarise(store.read_row(batch.first_configuration, s));
    return;
  }
  parallel_for(batch.configurations * strategies, threads, [&](std::size_t row) {
    const std::span<const double> values(batch.ratio.data() + row * batch.instances, batch.instances);
    records[batch.first_configuration + row / strategies].summaries[row % strategies] = summarise(values);
  });
}

/// Rows may be known beyond the instance where a configuration's precision was reached: they do not count.
void clear_surplus(const std::vector<std::uint64_t>& done, std::size_t strategies, ResultBatch& batch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < batch.configurations; ++k) {
    const std::uint64_t end = done[batch.first_configuration + k];
    const std::uint64_t kept = std::min(end - std::min(end, batch.first_instance), batch.instances);
    const auto clear = [&](double* row) { std::fill(row + kept, row + batch.instances, nan); };
    clear(batch.reference.data() + k * batch.instances);
    for (std::size_t s = 0; s < strategies; ++s) clear(batch.ratio.data() + (k * strategies + s) * batch.instances);
  }
}

}  // namespace

void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              ResultStore& store, int threads) {
  const std::size_t strategies = campaign.strategies.size();
  std::vector<ConfigurationRecord> records(campaign.configurations.size(),
                                           {std::vector<Summary>(strategies), std::vector<StrategyFacts>(strategies)});
  for (const RowSource* source : sources)
    for (const RowSpan& span : source->spans())
      if (span.column != kReferenceColumn) records[span.configuration].facts[span.column - 1] = span.facts;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> ratio;  // the memory goes from window to window
  std::vector<double> reference;
  for (ResultBatch& window : windows_of(campaign, extent.instances)) {
    ratio.assign(window.configurations * strategies * window.instances, nan);
    reference.assign(window.configurations * window.instances, nan);
    window.ratio.swap(ratio);
    window.reference.swap(reference);
    for (const RowSource* source : sources) source->fill(window);
    if (campaign.precision) clear_surplus(extent.done, strategies, window);
    store.write(window);
    summarise_rows(strategies, extent.instances, window, store, threads, records);
    window.ratio.swap(ratio);
    window.reference.swap(reference);
  }
  store.records(std::move(records));
}

}  // namespace coterie::sim
