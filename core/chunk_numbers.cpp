#include "core/chunk_numbers.hpp"

#include <algorithm>

namespace coterie {
namespace {

std::pair<std::size_t, std::size_t> extent_of(const Task& task) {
  return {task.first_piece, std::size_t{task.first_piece} + task.pieces};
}

}  // namespace

ChunkNumbers::ChunkNumbers(const Schedule& schedule) : pieces_(schedule.pieces()) {
  for (std::size_t list = 0; list < schedule.lists().size(); ++list)
    for (const Task& task : schedule.lists()[list].tasks) {
      of_pieces_ &= task.pieces == 1;
      chunks_.push_back(extent_of(task));
    }
  std::sort(chunks_.begin(), chunks_.end());
  chunks_.erase(std::unique(chunks_.begin(), chunks_.end()), chunks_.end());
}

std::size_t ChunkNumbers::operator()(const Task& task) const {
  if (of_pieces_) return task.first_piece;
  return static_cast<std::size_t>(std::lower_bound(chunks_.begin(), chunks_.end(), extent_of(task)) - chunks_.begin());
}

}  // namespace coterie
