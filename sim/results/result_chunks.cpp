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

}  // namespace

ResultChunks::ResultChunks(const Campaign& campaign, std::uint64_t instances)
    : columns_(instance_columns(campaign)),
      strategies_(campaign.strategies.size()),
      shape_(shape_of_chunks(campaign, instances)),
      deflate_(campaign.deflate) {}

std::size_t ResultChunks::count(const ResultSlice& slice) const {
  return columns_.size() * chunks_over(slice.configurations, shape_.configurations) *
         chunks_over(slice.instances, shape_.instances);
}

void ResultChunks::make(const ResultSlice& slice, std::size_t index, ResultChunk& chunk) const {
  const std::uint64_t across = chunks_over(slice.instances, shape_.instances);
  const std::uint64_t down = chunks_over(slice.configurations, shape_.configurations);
  const InstanceColumn& column = columns_[index / (across * down)];
  const std::uint64_t rows_each = column.by_strategy ? strategies_ : 1;  // of a configuration
  const std::uint64_t configuration = index / across % down * shape_.configurations;
  const std::uint64_t instance = index % across * shape_.instances;
  const std::uint64_t instances = std::min(shape_.instances, slice.instances - instance);
  const std::uint64_t rows = std::min(shape_.configurations, slice.configurations - configuration) * rows_each;
  const double* from = (slice.*column.values).data() + configuration * rows_each * slice.instances + instance;
  const std::uint64_t size = shape_.configurations * rows_each * shape_.instances;
  std::vector<double> copied;
  if (slice.instances != shape_.instances || rows != shape_.configurations * rows_each) {
    copied.assign(size, std::numeric_limits<double>::quiet_NaN());
    for (std::uint64_t row = 0; row < rows; ++row)
      std::copy_n(from + row * slice.instances, instances, copied.data() + row * shape_.instances);
    from = copied.data();
  }
  chunk.dataset = column.name;
  chunk.offset = {slice.first_configuration + configuration, slice.first_instance + instance};
  if (column.by_strategy) chunk.offset.insert(chunk.offset.begin() + 1, 0);
  filter_chunk({from, size}, deflate_, chunk.bytes);
}

}  // namespace coterie::sim
