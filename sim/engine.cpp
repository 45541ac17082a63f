#include "sim/engine.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <functional>

namespace coterie::sim {
namespace {

constexpr std::uint64_t kBlockInstances = 250;
constexpr std::size_t kBatchValues = 4'000'000;  // ratios held in memory at a time (32 MB)
constexpr std::size_t kBatchTrials = 32;         // trials held at a time: fine schedules of many workers take megabytes
constexpr std::size_t kMostTrials = 128;         // compiled schedules of as many configurations

/// Runs task(0), ..., task(count - 1) on the threads. Exceptions do not cross the parallel region: of those thrown, the
/// one of the lowest task is thrown again behind it.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  std::exception_ptr first;
  std::size_t first_index = count;
  const auto n = static_cast<std::ptrdiff_t>(count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(threads)
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    try {
      task(static_cast<std::size_t>(i));
    } catch (...) {
#pragma omp critical(coterie_first_exception)
      if (static_cast<std::size_t>(i) < first_index) {
        first_index = static_cast<std::size_t>(i);
        first = std::current_exception();
      }
    }
  }
  if (first) std::rethrow_exception(first);
}

/// Consecutive configurations whose results fit in memory together, or a part of the instances of one.
struct Window {
  std::size_t first_configuration;
  std::size_t configurations;
  std::uint64_t first_instance;
  std::uint64_t instances;
};

std::vector<Window> windows_of(const Campaign& campaign) {
  const std::size_t per_instance = campaign.strategies.size() + 1;
  const std::uint64_t fits = std::max<std::uint64_t>(kBlockInstances, kBatchValues / per_instance);
  std::vector<Window> windows;
  const std::size_t count = campaign.configurations.size();
  if (campaign.instances <= fits) {
    const auto together = std::min(kMostTrials, static_cast<std::size_t>(fits / campaign.instances));
    for (std::size_t first = 0; first < count; first += together)
      windows.push_back({first, std::min(together, count - first), 0, campaign.instances});
    return windows;
  }
  const std::uint64_t part = fits - fits % kBlockInstances;
  for (std::size_t configuration = 0; configuration < count; ++configuration)
    for (std::uint64_t first = 0; first < campaign.instances; first += part)
      windows.push_back({configuration, 1, first, std::min(part, campaign.instances - first)});
  return windows;
}

class Run {
 public:
  Run(const Campaign& campaign, ResultStore& store, int threads, Progress& progress)
      : campaign_(campaign), store_(store), threads_(threads), progress_(progress) {}

  void operator()() {
    for (const Window& window : windows_of(campaign_)) {
      prepare(window);
      compute(window);
      store_.write(batch_);
      summarise_rows(window);
      done_ += window.configurations * window.instances;
      progress_.update(static_cast<std::size_t>(done_ / campaign_.instances), done_);
    }
    progress_.finish();
  }

 private:
  void prepare(const Window& window) {
    if (window.first_instance > 0) return;  // the trial of the part before goes on
    trials_.clear();
    trials_.resize(window.configurations);
    parallel_for(window.configurations, threads_, [&](std::size_t i) {
      const Configuration& configuration = campaign_.configurations[window.first_configuration + i];
      trials_[i] = campaign_.model->prepare({configuration, campaign_.seed, campaign_.strategies, *campaign_.risks});
    });
  }

  void compute(const Window& window) {
    const std::size_t strategies = campaign_.strategies.size();
    batch_.first_configuration = window.first_configuration;
    batch_.configurations = window.configurations;
    batch_.first_instance = window.first_instance;
    batch_.instances = window.instances;
    batch_.ratio.resize(window.configurations * strategies * window.instances);
    batch_.reference.resize(window.configurations * window.instances);
    const std::uint64_t blocks = (window.instances + kBlockInstances - 1) / kBlockInstances;
    parallel_for(window.configurations * blocks, threads_, [&](std::size_t work) {
      const std::size_t configuration = work / blocks;
      const std::uint64_t first = work % blocks * kBlockInstances;
      Block block;
      block.first_instance = window.first_instance + first;
      block.instances = static_cast<std::size_t>(std::min(kBlockInstances, window.instances - first));
      block.reference = batch_.reference.data() + configuration * window.instances + first;
      block.ratio = batch_.ratio.data() + configuration * strategies * window.instances + first;
      block.stride = window.instances;
      trials_[configuration]->run(block);
    });
  }

  void summarise_rows(const Window& window) {
    if (window.first_instance + window.instances < campaign_.instances) return;
    const std::size_t strategies = campaign_.strategies.size();
    std::vector<ConfigurationRecord> records(window.configurations);
    for (std::size_t i = 0; i < window.configurations; ++i) {
      records[i].facts = trials_[i]->facts();
      records[i].summaries.resize(strategies);
    }
    const bool whole = window.instances == campaign_.instances;
    if (!whole) {
      for (std::size_t s = 0; s < strategies; ++s)
        records[0].summaries[s] = summarise(store_.read_row(window.first_configuration, s));
    } else {
      parallel_for(window.configurations * strategies, threads_, [&](std::size_t row) {
        const std::span<const double> values(batch_.ratio.data() + row * window.instances, window.instances);
        records[row / strategies].summaries[row % strategies] = summarise(values);
      });
    }
    for (std::size_t i = 0; i < window.configurations; ++i)
      store_.record(window.first_configuration + i, std::move(records[i]));
  }

  const Campaign& campaign_;
  ResultStore& store_;
  int threads_;
  Progress& progress_;
  std::vector<std::unique_ptr<Trial>> trials_;
  ResultBatch batch_;
  std::uint64_t done_ = 0;
};

}  // namespace

void run_campaign(const Campaign& campaign, ResultStore& store, int threads, Progress& progress) {
  Run(campaign, store, threads > 0 ? threads : omp_get_max_threads(), progress)();
}

}  // namespace coterie::sim
