#include "sim/results/row_reader.hpp"

#include <algorithm>

namespace coterie::sim {

InstancePieces::InstancePieces(const ResultFile& result)
    : instances(result.statistics() ? 0 : result.instances()), step(std::max<std::size_t>(1, instances)) {
  const std::size_t fits = kValues / std::max<std::size_t>(1, result.strategies().size());
  if (instances <= fits) return;
  const std::size_t chunk = result.file().chunk("ratio").back();
  step = std::max(chunk, fits - fits % chunk);
}

std::size_t InstancePieces::size(std::size_t piece) const { return std::min(step, instances - piece * step); }

RowReader::RowReader(const ResultFile& result, std::string dataset, std::size_t rows)
    : result_(result),
      dataset_(std::move(dataset)),
      pieces_(result),
      rows_(rows),
      batch_(std::max<std::size_t>(
          1, InstancePieces::kValues / std::max<std::size_t>(1, pieces_.instances * std::max<std::size_t>(1, rows)))) {
  if (pieces_.count() > 1) batch_ = 1;
}

std::span<const double> RowReader::row(std::size_t configuration, std::size_t piece, std::size_t number) {
  const std::size_t rows = std::max<std::size_t>(1, rows_);
  const std::size_t size = pieces_.size(piece);
  if (configuration < first_ || configuration >= first_ + count_ || piece != piece_) {
    first_ = configuration;
    piece_ = piece;
    count_ = std::min(batch_, result_.configurations() - first_);
    const std::size_t begin = piece * pieces_.step;
    values_.clear();
    values_ = rows_ == 0 ? result_.file().read_doubles(dataset_, {first_, begin}, {count_, size})
                         : result_.file().read_doubles(dataset_, {first_, 0, begin}, {count_, rows_, size});
  }
  return std::span(values_).subspan(((configuration - first_) * rows + number) * size, size);
}

}  // namespace coterie::sim
