#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/schedule.hpp"

namespace coterie {

/// Numbers the distinct chunks of a schedule; a chunk is what a task does, one piece or several. If every task has one
/// piece, the number of a chunk is that of its piece; otherwise chunks are numbered from 0 by begin, then end.
class ChunkNumbers {
 public:
  explicit ChunkNumbers(const Schedule& schedule);

  /// More than the greatest number. If every task has one piece: all pieces, even those in no list.
  std::size_t count() const { return of_pieces_ ? pieces_ : chunks_.size(); }
  /// The number of a task of the schedule.
  std::size_t operator()(const Task& task) const;

 private:
  std::size_t pieces_;
  bool of_pieces_ = true;
  std::vector<std::pair<std::size_t, std::size_t>> chunks_;  // first piece, and the first piece after: ascending
};

}  // namespace coterie
