#pragma once

#include <cstddef>
#include <cstdint>

namespace coterie::sim {

/// Instances are computed kLanes at a time, a lane being an instance: value [i * kLanes + lane] of an array belongs to
/// worker (chain, word, ...) i in that instance.
inline constexpr std::size_t kLanes = 32;

/// How many tasks of a list end within a capacity: trunc(capacity x per_time), at most `tasks`, then `corrections`
/// steps up where finish[k] <= capacity (finish[tasks] is NaN). Certified to be exact by TaskCounter. A negative number
/// of corrections: the finish times are searched.
struct TaskCounterView {
  static constexpr std::size_t kPadded = 16;  ///< at least so many finish times, NaN behind the last task, can be read
  double per_time = 0;
  const double* finish = nullptr;
  std::int32_t tasks = 0;
  std::int32_t corrections = 0;
};

/// The different lists of a schedule; the workers of list l are workers[first_worker[l]] .. [first_worker[l + 1] - 1].
/// Workers of one list do prefixes of the same tasks, so the one with the greatest capacity stands for all.
struct ListsView {
  std::size_t lists = 0;
  const std::uint32_t* first_worker = nullptr;
  const std::uint32_t* workers = nullptr;
  const TaskCounterView* const* counters = nullptr;
  const std::uint32_t* alone = nullptr;  ///< the worker of a list of one, whose guess is right; else kNobody
  static constexpr std::uint32_t kNobody = 0xffffffff;
  /// Where each list begins a longer one whose tasks are counted: common_tasks[worker][lane]. Else nothing.
  const std::int32_t* common_tasks = nullptr;
};

/// A list running into a chain of pieces after its first `offset` tasks. Chains that nobody else runs need no array.
struct Visit {
  static constexpr std::uint32_t kAlone = 0xffffffff;
  std::uint32_t slot = kAlone;  ///< where the longest prefix of the chain is kept
  std::int32_t offset = 0;
  std::int32_t length = 0;  ///< of the chain
};
/// A chain whose longest prefix is kept, and the size of (most of) its pieces.
struct Slot {
  std::int32_t length = 0;
  std::uint32_t size = 0;
};
/// A list that visits several chains, or shared ones, or belongs to several workers.
struct SharedList {
  std::uint32_t list = 0;
  std::uint32_t first_visit = 0;
  std::uint32_t last_visit = 0;
};
/// A chain on a line or ring: the lists that begin at its head, first_list .. last_list - 1 of an array, and those that
/// began before run on to the next segment.
struct Segment {
  std::uint32_t slot = Visit::kAlone;
  std::int32_t length = 0;
  std::uint32_t first_list = 0;
  std::uint32_t last_list = 0;
};
/// From the last segment of a closed ring lists run on to the first. A plain one has a list a segment and no slots.
struct Ring {
  std::uint32_t first_segment = 0;
  std::uint32_t last_segment = 0;
  bool closed = false;
  bool plain = false;
};
/// Workers first_worker .. last_worker - 1 of an array: each is alone with the one chain it runs; equal lists of times.
struct ExclusiveWorkers {
  const TaskCounterView* counter = nullptr;
  std::uint32_t first_worker = 0;
  std::uint32_t last_worker = 0;
};
struct ChainsView {
  ListsView lists;
  std::size_t slots = 0;
  const Slot* slot = nullptr;
  std::size_t shared_lists = 0;
  const SharedList* shared_list = nullptr;
  const Visit* visits = nullptr;
  std::size_t rings = 0;
  const Ring* ring = nullptr;
  const Segment* segments = nullptr;
  const std::uint32_t* ring_lists = nullptr;
  std::size_t exclusive_sets = 0;
  const ExclusiveWorkers* exclusive = nullptr;
  const std::uint32_t* exclusive_ids = nullptr;
};

/// Pieces by size.
struct SizesView {
  std::size_t sizes = 0;
  const double* size = nullptr;
  const std::int32_t* pieces = nullptr;  ///< of each size that anybody is given
  double all_work = 0;
};

/// Lists first_list .. last_list - 1, which share pieces with no others. After its first k tasks a list has done the
/// pieces of a row, the k-th after its first one; of long rows there is one after every `stride` tasks, and further
/// tasks, of one piece, are joined one by one. Or, for loops that want them, tables have columns of 16 pieces: all rows
/// of the first column, of the next one, ...
struct SetGroup {
  std::uint32_t first_list = 0;
  std::uint32_t last_list = 0;
  std::uint32_t words = 0;            ///< of a row: 1, 2, 4 or a multiple of 8
  std::uint32_t stride = 1;           ///< 1 for up to 8 words, and where tasks have several pieces
  std::uint32_t size = 0;             ///< of most of its pieces
  std::uint32_t first_exception = 0;  ///< and those of other sizes
  std::uint32_t last_exception = 0;
  std::uint32_t columns = 0;  ///< at most kMostColumns; none: rows of words
  std::uint32_t parts = 0;    ///< of a column, of kRows rows: 1 to 4
  std::size_t rows = 0;       ///< the word or entry of a column at which its table begins
};
/// A piece of another size than most of its group.
struct SetException {
  std::uint32_t bit = 0;
  std::uint32_t size = 0;
};
struct SetsView {
  static constexpr std::uint32_t kMostColumns = 8;
  static constexpr std::size_t kRows = 32;
  static constexpr std::uint32_t kBits = 16;
  ListsView lists;
  std::size_t groups = 0;
  const SetGroup* group = nullptr;
  const SetException* exceptions = nullptr;
  const std::uint64_t* rows = nullptr;
  const std::uint16_t* columns = nullptr;
  const std::int32_t* first_row = nullptr;   ///< by list, in the table of its group; of columns in parts of one
  const std::uint32_t* all_lists = nullptr;  ///< 0, 1, ...
  const std::uint32_t* bits = nullptr;       ///< task by task of a list, where the stride is more than 1
  const std::uint32_t* first_bit = nullptr;  ///< by list
};

}  // namespace coterie::sim
