#include "sim/results/assembly.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/engine/parallel.hpp"
#include "sim/statistics/campaign_controls.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kWindowValues = 150'000;        // ratios held in memory at a time (1 MB),
constexpr std::uint64_t kDeflatedValues = 2'000'000;    // more where each thread has a chunk to compress (16 MB),
constexpr std::uint64_t kMostWindowValues = 4'000'000;  // or of one configuration (32 MB)

/// The greatest multiple of `unit` up to `limit`, but no less than one.
std::uint64_t multiple(std::uint64_t unit, std::uint64_t limit) { return std::max(unit, limit - limit % unit); }

/// Consecutive configurations whose results fit in memory together, or a part of the instances of one: whole chunks.
std::vector<ResultBatch> windows_of(const Campaign& campaign, std::uint64_t instances,
                                    const ResultChunks::Shape& chunk) {
  const std::uint64_t fits = multiple(chunk.instances, kMostWindowValues / (campaign.strategies.size() + 1));
  const std::size_t count = campaign.configurations.size();
  std::vector<ResultBatch> windows;
  if (instances <= fits) {
    const std::uint64_t values = campaign.deflate > 0 ? kDeflatedValues : kWindowValues;
    const auto together =
        static_cast<std::size_t>(multiple(chunk.configurations, values / (campaign.strategies.size() + 1) / instances));
    for (std::size_t first = 0; first < count; first += together)
      windows.push_back({first, std::min(together, count - first), 0, instances, {}, {}, {}});
    return windows;
  }
  for (std::size_t configuration = 0; configuration < count; ++configuration)
    for (std::uint64_t first = 0; first < instances; first += fits)
      windows.push_back({configuration, 1, first, std::min(fits, instances - first), {}, {}, {}});
  return windows;
}

/// Puts what the sources know into a window, and NaN where they know nothing.
void fill(ResultBatch& window, const std::vector<const RowSource*>& sources, std::size_t strategies) {
  const std::size_t columns = strategies + 1;
  window.ratio.resize(window.configurations * strategies * window.instances);
  window.reference.resize(window.configurations * window.instances);
  std::vector<bool> whole(window.configurations * columns);  // rows that one span has all of
  for (const RowSource* source : sources) {
    const auto [first, last] = positions_in(window, source->spans());
    for (std::size_t i = first; i < last; ++i) {
      const RowSpan& span = source->spans()[i];
      if (span.first_instance <= window.first_instance &&
          span.first_instance + span.instances >= window.first_instance + window.instances)
        whole[(span.configuration - window.first_configuration) * columns + span.column] = true;
    }
  }
  for (std::size_t row = 0; row < whole.size(); ++row)
    if (!whole[row])
      std::fill_n(window.row(row / columns, row % columns), window.instances, std::numeric_limits<double>::quiet_NaN());
  for (const RowSource* source : sources) source->fill(window);
}

/// Rows may be known beyond the instance where a configuration's precision was reached: they do not count.
void clear_surplus(const std::vector<std::uint64_t>& done, std::size_t strategies, ResultBatch& batch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t k = 0; k < batch.configurations; ++k) {
    const std::uint64_t end = done[batch.first_configuration + k];
    const std::uint64_t kept = std::min(end - std::min(end, batch.first_instance), batch.instances);
    for (std::size_t column = 0; column <= strategies; ++column)
      std::fill(batch.row(k, column) + kept, batch.row(k, column) + batch.instances, nan);
  }
}

/// Writes windows, and makes the summaries of their rows. What touches a file is the calling thread's, and is done in
/// an order that does not hang on the threads, so that files are the same: it begins the file, writes chunks as they
/// are made, and reads the next window while the others are busy.
class WindowWriter {
 public:
  using Open = std::function<std::unique_ptr<ResultStore>()>;

  WindowWriter(const Campaign& campaign, std::uint64_t instances, const Open& open, int threads)
      : strategies_(campaign.strategies.size()),
        instances_(instances),
        chunks_(campaign, instances),
        open_(open),
        threads_(threads) {}

  const ResultChunks& chunks() const { return chunks_; }

  void add(const ResultBatch& window, std::vector<ConfigurationRecord>& records,
           const std::function<void()>& read_next) {
    const std::size_t rows = window.instances == instances_ ? window.configurations * strategies_ : 0;
    const std::size_t chunks = chunks_.count(window);
    if (ready_.size() < chunks) ready_.resize(chunks);
    std::vector<std::atomic<bool>> made(chunks);
    std::size_t written = 0;
    bool read = false;
    const auto on_files = [&] {
      if (!store_) {
        store_ = open_();
      } else if (written < chunks && made[written]) {
        store_->write(ready_[written]);
        ++written;
      } else if (!read) {
        read_next();
        read = true;
      } else {
        return false;
      }
      return true;
    };
    parallel_for_beside(on_files, chunks + rows, threads_, [&](std::size_t i) {
      if (i < chunks) {
        chunks_.make(window, i, ready_[i]);
        made[i] = true;
        return;
      }
      const std::size_t row = i - chunks;
      const std::span<const double> values(window.ratio.data() + row * window.instances, window.instances);
      records[window.first_configuration + row / strategies_].summaries[row % strategies_] =
          summarise(values, ValueRange::kRatio);
    });
    if (window.instances == instances_ || window.first_instance + window.instances < instances_) return;
    for (std::size_t s = 0; s < strategies_; ++s)
      records[window.first_configuration].summaries[s] =
          summarise(store_->read_row(window.first_configuration, s), ValueRange::kRatio);
  }

  /// When all windows have been added.
  std::unique_ptr<ResultStore> finish() { return std::move(store_); }

 private:
  std::size_t strategies_;
  std::uint64_t instances_;
  ResultChunks chunks_;
  const Open& open_;
  int threads_;
  std::unique_ptr<ResultStore> store_;
  std::vector<ResultChunk> ready_;  // the memory goes from window to window
};

/// Means that are not plain ones of independent instances, from window to window.
class WindowMeans {
 public:
  WindowMeans(const Campaign& campaign, std::uint64_t instances)
      : campaign_(campaign),
        instances_(instances),
        controls_(campaign),
        sobol_(campaign.sampling == Sampling::kSobol ? campaign.configurations.size() : 0),
        controlled_(campaign.variance_reduction == VarianceReduction::kControl ? campaign.configurations.size() : 0) {}

  /// Takes a window in, finds its capacities, and ends the configurations that end with it.
  void add(ResultBatch& batch, int threads, std::vector<ConfigurationRecord>& records) {
    if (sobol_.empty() && controlled_.empty()) return;
    if (!controlled_.empty()) batch.capacity.assign(batch.reference.size(), 0);
    parallel_for(batch.configurations, threads, [&](std::size_t k) {
      const std::size_t configuration = batch.first_configuration + k;
      ConfigurationRecord& record = records[configuration];
      if (!sobol_.empty()) {
        const auto plain = [&] { return ControlledRatios(nullptr, record.facts, campaign_.sampling, 0); };
        follow(sobol_[configuration], plain, batch, k, record.replicates);
      }
      if (controlled_.empty()) return;
      const Controls& controls = *controls_.of(configuration);
      fill_capacities(controls, batch, k);
      record.known = controls.means();
      const auto regression = [&] { return controls_.ratios(configuration, record.facts); };
      follow(controlled_[configuration], regression, batch, k, record.controlled);
    });
  }

 private:
  using Open = std::optional<ControlledRatios>;

  static void fill_capacities(const Controls& controls, ResultBatch& batch, std::size_t k) {
    const std::span<double> capacity(batch.capacity.data() + k * batch.instances, batch.instances);
    controls.capacities(batch.first_instance, capacity);
    for (std::size_t i = 0; i < capacity.size(); ++i) {
      const double reference = batch.reference[k * batch.instances + i];
      if (std::isnan(reference)) capacity[i] = reference;  // not run
    }
  }

  template <class Begin>
  void follow(Open& open, const Begin& begin, const ResultBatch& batch, std::size_t k,
              std::vector<MeanEstimate>& estimates) const {
    if (!open) open.emplace(begin());
    open->add(batch.first_instance, batch.instances,
              batch.ratio.data() + k * campaign_.strategies.size() * batch.instances, batch.instances,
              batch.reference.data() + k * batch.instances,
              batch.capacity.empty() ? nullptr : batch.capacity.data() + k * batch.instances);
    if (batch.first_instance + batch.instances < instances_) return;
    estimates = open->estimates();
    open.reset();
  }

  const Campaign& campaign_;
  std::uint64_t instances_;
  CampaignControls controls_;
  std::vector<Open> sobol_;       // by configuration, from its first window to its last
  std::vector<Open> controlled_;  // the same
};

}  // namespace

void assemble(const Campaign& campaign, const ResultExtent& extent, const std::vector<const RowSource*>& sources,
              const std::function<std::unique_ptr<ResultStore>()>& open, int threads) {
  const std::size_t strategies = campaign.strategies.size();
  std::vector<ConfigurationRecord> records(
      campaign.configurations.size(),
      {std::vector<Summary>(strategies), std::vector<StrategyFacts>(strategies), {}, {}, {}});
  for (const RowSource* source : sources)
    for (const RowSpan& span : source->spans())
      if (span.column != kReferenceColumn) records[span.configuration].facts[span.column - 1] = span.facts;
  WindowMeans means(campaign, extent.instances);
  WindowWriter writer(campaign, extent.instances, open, threads);
  std::vector<ResultBatch> windows = windows_of(campaign, extent.instances, writer.chunks().shape());
  const auto read = [&](ResultBatch& window) {
    fill(window, sources, strategies);
    if (campaign.precision) clear_surplus(extent.done, strategies, window);
  };
  read(windows.front());
  for (std::size_t i = 0; i < windows.size(); ++i) {
    means.add(windows[i], threads, records);
    writer.add(windows[i], records, [&] {
      if (i + 1 < windows.size()) read(windows[i + 1]);
    });
    ResultBatch over;  // its memory goes to the next but one
    std::swap(over, windows[i]);
    if (i + 2 >= windows.size()) continue;
    windows[i + 2].ratio.swap(over.ratio);
    windows[i + 2].reference.swap(over.reference);
  }
  const std::unique_ptr<ResultStore> store = writer.finish();
  store->records(std::move(records));
  store->finish();
}

}  // namespace coterie::sim
