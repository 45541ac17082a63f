#include "sim/results/result_chunks.hpp"

#include <algorithm>
#include <limits>

#include "sim/files/chunk_filters.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kChunkValues = 1 << 17;  // 1 MiB of doubles

ResultChunks::Shape shape_of_chunks(const Campaign& campaign, std::uint64_t instances) {
  const std::uint64_t strategies = campaign.strategies.size();
  const std::uint64_t across = std::min(instances, kChunkValues / strategies + 1);
  return {std::clamp<std::uint64_t>(kChunkValues / (across * strategies), 1, campaign.configurations.size()), across};
}

std::uint64_t chunks_over(std::uint64_t length, std::uint64_t chunk) { return (length + chunk - 1) / chunk; }

/// What is stored by instance: all strategies' ratios of a configuration lie in one chunk.
struct Cells {
  const char* dataset;
  const std::vector<double>* values;
  std::uint64_t rows;  ///< of a configuration
};

std::vector<Cells> cells_of(const ResultBatch& batch) {
  std::vector<Cells> cells = {{"ratio", &batch.ratio, batch.ratio.size() / batch.reference.size()},
                              {"reference", &batch.reference, 1}};
  if (!batch.capacity.empty()) cells.push_back({"capacity", &batch.capacity, 1});
  return cells;
}

}  // namespace

ResultChunks::ResultChunks(const Campaign& campaign, std::uint64_t instances)
    : shape_(shape_of_chunks(campaign, instances)), deflate_(campaign.deflate) {}

std::size_t ResultChunks::count(const ResultBatch& batch) const {
  return cells_of(batch).size() * chunks_over(batch.configurations, shape_.configurations) *
         chunks_over(batch.instances, shape_.instances);
}

void ResultChunks::make(const ResultBatch& batch, std::size_t index, ResultChunk& chunk) const {
  const std::uint64_t across = chunks_over(batch.instances, shape_.instances);
  const std::uint64_t down = chunks_over(batch.configurations, shape_.configurations);
  const Cells cells = cells_of(batch)[index / (across * down)];
  const std::uint64_t configuration = index / across % down * shape_.configurations;
  const std::uint64_t instance = index % across * shape_.instances;
  const std::uint64_t instances = std::min(shape_.instances, batch.instances - instance);
  const std::uint64_t rows = std::min(shape_.configurations, batch.configurations - configuration) * cells.rows;
  const double* from = cells.values->data() + configuration * cells.rows * batch.instances + instance;
  const std::uint64_t size = shape_.configurations * cells.rows * shape_.instances;
  std::vector<double> copied;
  if (batch.instances != shape_.instances || rows != shape_.configurations * cells.rows) {
    copied.assign(size, std::numeric_limits<double>::quiet_NaN());
    for (std::uint64_t row = 0; row < rows; ++row)
      std::copy_n(from + row * batch.instances, instances, copied.data() + row * shape_.instances);
    from = copied.data();
  }
  chunk.dataset = cells.dataset;
  chunk.offset = {batch.first_configuration + configuration, batch.first_instance + instance};
  if (cells.values == &batch.ratio) chunk.offset.insert(chunk.offset.begin() + 1, 0);
  filter_chunk({from, size}, deflate_, chunk.bytes);
}

}  // namespace coterie::sim
