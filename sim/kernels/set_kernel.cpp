#include "sim/kernels/set_kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

namespace coterie::sim {
namespace {

constexpr std::size_t kMostWords = 1 << 23;  // 64 MiB

/// Which lists share pieces, directly or through others: a component each.
class Components {
 public:
  Components(const Schedule& schedule, const ScheduleLists& lists) : parent_(schedule.pieces()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::size_t list = 0; list < lists.size(); ++list) {
      const auto tasks = lists.tasks(list);
      for (const Task& task : tasks)
        for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
          join(piece, tasks.front().first_piece);
    }
  }
  std::uint32_t root(std::uint32_t piece) {
    while (parent_[piece] != piece) piece = parent_[piece] = parent_[parent_[piece]];
    return piece;
  }

 private:
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a);
    b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }
  std::vector<std::uint32_t> parent_;
};

std::size_t words_for(std::size_t bits) {
  const std::size_t words = (bits + 63) / 64;
  return words <= 4 ? std::bit_ceil(words) : (words + 7) / 8 * 8;  // widths that the loops know
}

/// A piece of another size than most of its component.
struct Exception {
  std::uint32_t bit;
  std::uint32_t size;
};
struct Group {
  std::size_t first_list = 0;
  std::size_t last_list = 0;
  std::size_t pieces = 0;
  std::uint32_t size = 0;  ///< of most pieces
  std::vector<Exception> exceptions;
  std::optional<std::size_t> like = {};  ///< an earlier group that runs its bits in the same orders
  std::size_t table = 0;                 ///< where its rows begin

  std::size_t words() const { return words_for(pieces); }
};

class SetKernel final : public Kernel {
 public:
  SetKernel(const Schedule& schedule, ScheduleLists lists, PieceSizes sizes, const LaneLoops& loops)
      : lists_(std::move(lists)), sizes_(std::move(sizes)), loops_(loops) {
    group_lists(schedule);
    find_alike();
    for (const Group& group : groups_)
      for (std::size_t list = group.first_list; list < group.last_list && !group.like; ++list)
        words_ += (lists_.tasks(list).size() + 1) * group.words();
    if (fits()) fill_tables();
  }

  bool fits() const { return words_ <= kMostWords; }

  void completed_work(const double* capacities, std::uint64_t, std::size_t, KernelScratch& scratch,
                      double* work) const override {
    std::int32_t pieces[kLanes];
    scratch.counts.assign(sizes_.count() * kLanes, 0);
    std::int32_t* counts = scratch.counts.data();
    for (const Group& group : groups_) {
      const std::size_t words = group.words();
      scratch.words.assign(words * kLanes, 0);
      std::uint64_t* joined = scratch.words.data();
      loops_.sets(
          {lists_.view(), group.first_list, group.last_list, words, table_.data() + group.table, first_row_.data()},
          capacities, joined, pieces);
      for (std::size_t lane = 0; lane < kLanes; ++lane) counts[group.size * kLanes + lane] += pieces[lane];
      for (const Exception& piece : group.exceptions)
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          const auto done = static_cast<std::int32_t>(joined[lane * words + piece.bit / 64] >> (piece.bit % 64) & 1);
          counts[group.size * kLanes + lane] -= done;
          counts[piece.size * kLanes + lane] += done;
        }
    }
    loops_.add_up(sizes_.view(), counts, work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.tasks_done(capacities);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Sorts the lists by component, and gives each piece that anybody runs a bit in its component.
  void group_lists(const Schedule& schedule) {
    Components components(schedule, lists_);
    std::vector<std::uint32_t> group_of_root(schedule.pieces(), kNone);
    std::vector<std::vector<std::uint32_t>> members;
    std::vector<std::uint32_t> idle;  // lists without tasks
    for (std::uint32_t list = 0; list < lists_.size(); ++list) {
      if (lists_.tasks(list).empty()) {
        idle.push_back(list);
        continue;
      }
      std::uint32_t& group = group_of_root[components.root(lists_.tasks(list).front().first_piece)];
      if (group == kNone) {
        group = static_cast<std::uint32_t>(members.size());
        members.emplace_back();
      }
      members[group].push_back(list);
    }
    groups_.resize(members.size());
    bits_.assign(schedule.pieces(), 0);
    for (std::uint32_t piece = 0; piece < schedule.pieces(); ++piece)
      if (const std::uint32_t group = group_of_root[components.root(piece)]; group != kNone)
        add_piece(groups_[group], piece);
    std::vector<std::uint32_t> order;
    for (std::size_t g = 0; g < members.size(); ++g) {
      groups_[g].first_list = order.size();
      order.insert(order.end(), members[g].begin(), members[g].end());
      groups_[g].last_list = order.size();
    }
    order.insert(order.end(), idle.begin(), idle.end());
    lists_.reorder(order);
  }

  void add_piece(Group& group, std::uint32_t piece) {
    if (group.pieces == 0) group.size = sizes_.of_piece(piece);
    const auto bit = static_cast<std::uint32_t>(group.pieces++);
    bits_[piece] = bit;
    if (sizes_.of_piece(piece) != group.size) group.exceptions.push_back({bit, sizes_.of_piece(piece)});
  }

  /// Coteries of one size mostly run their slices in the same orders: they share the tables of the first of them.
  void find_alike() {
    constexpr std::size_t kMostKinds = 8;
    std::vector<std::size_t> kinds;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const std::size_t kind : kinds)
        if (!groups_[g].like && alike(groups_[kind], groups_[g])) groups_[g].like = kind;
      if (!groups_[g].like && kinds.size() < kMostKinds) kinds.push_back(g);
    }
  }

  bool alike(const Group& a, const Group& b) const {
    if (a.pieces != b.pieces || a.last_list - a.first_list != b.last_list - b.first_list) return false;
    const auto same_bit = [&](const Task& x, const Task& y) {
      return x.pieces == 1 && y.pieces == 1 && bits_[x.first_piece] == bits_[y.first_piece];
    };
    for (std::size_t i = 0; i < a.last_list - a.first_list; ++i) {
      const auto in_a = lists_.tasks(a.first_list + i);
      const auto in_b = lists_.tasks(b.first_list + i);
      if (!std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), same_bit)) return false;
    }
    return true;
  }

  void fill_tables() {
    table_.assign(words_, 0);
    std::uint64_t* row = table_.data();
    for (Group& group : groups_) {
      if (group.like) {
        const Group& first = groups_[*group.like];
        group.table = first.table;
        for (std::size_t list = first.first_list; list < first.last_list; ++list)
          first_row_.push_back(std::int32_t{first_row_[list]});
        continue;
      }
      group.table = static_cast<std::size_t>(row - table_.data());
      for (std::size_t list = group.first_list; list < group.last_list; ++list) row = fill_rows(group, list, row);
    }
    bits_.clear();
    bits_.shrink_to_fit();
  }

  /// Of one list, from `row` on; returns where the next list's begin.
  std::uint64_t* fill_rows(const Group& group, std::size_t list, std::uint64_t* row) {
    const std::size_t words = group.words();
    first_row_.push_back(
        static_cast<std::int32_t>(static_cast<std::size_t>(row - table_.data() - group.table) / words));
    for (const Task& task : lists_.tasks(list)) {
      std::copy_n(row, words, row + words);
      row += words;
      for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
        row[bits_[piece] / 64] |= std::uint64_t{1} << (bits_[piece] % 64);
    }
    return row + words;
  }

  ScheduleLists lists_;
  PieceSizes sizes_;
  const LaneLoops& loops_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> bits_;  // of each piece in its component, while the tables are made
  std::size_t words_ = 0;
  std::vector<std::uint64_t> table_;
  std::vector<std::int32_t> first_row_;  // by list, in the table of its group
};

class MarkKernel final : public Kernel {
 public:
  MarkKernel(const Schedule& schedule, const LaneLoops& loops)
      : loops_(loops), sizes_(schedule), piece_sizes_(schedule.piece_sizes().begin(), schedule.piece_sizes().end()) {
    for (std::size_t w = 0; w < schedule.workers(); ++w) lists_.push_back(schedule.shared_tasks(w));
  }

  void completed_work(const double* capacities, std::uint64_t, std::size_t lanes, KernelScratch& scratch,
                      double* work) const override {
    scratch.counts.assign(sizes_.few() ? sizes_.count() * kLanes : 0, 0);
    std::fill_n(work, kLanes, 0.0);
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      scratch.words.assign((piece_sizes_.size() + 63) / 64, 0);
      for (std::size_t w = 0; w < lists_.size(); ++w) {
        const std::size_t done = coterie::tasks_done(*lists_[w], capacities[w * kLanes + lane]);
        for (std::size_t k = 0; k < done; ++k) mark(lists_[w]->tasks[k], lane, scratch, work[lane]);
      }
    }
    if (sizes_.few()) loops_.add_up(sizes_.view(), scratch.counts.data(), work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    std::vector<std::size_t> done;
    for (std::size_t w = 0; w < lists_.size(); ++w) done.push_back(coterie::tasks_done(*lists_[w], capacities[w]));
    return done;
  }

 private:
  void mark(const Task& task, std::size_t lane, KernelScratch& scratch, double& work) const {
    for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece) {
      std::uint64_t& word = scratch.words[piece / 64];
      const std::uint64_t bit = std::uint64_t{1} << (piece % 64);
      if ((word & bit) != 0) continue;
      word |= bit;
      if (sizes_.few())
        ++scratch.counts[sizes_.of_piece(piece) * kLanes + lane];
      else
        work += piece_sizes_[piece];
    }
  }

  const LaneLoops& loops_;
  std::vector<std::shared_ptr<const TaskList>> lists_;
  PieceSizes sizes_;
  std::vector<double> piece_sizes_;
};

}  // namespace

std::unique_ptr<Kernel> make_set_kernel(const Schedule& schedule, const CapacityGrid& grid, const LaneLoops& loops) {
  PieceSizes sizes(schedule);
  if (!sizes.few()) return nullptr;
  auto kernel = std::make_unique<SetKernel>(schedule, ScheduleLists(schedule, grid), std::move(sizes), loops);
  if (!kernel->fits()) return nullptr;
  return kernel;
}

std::unique_ptr<Kernel> make_mark_kernel(const Schedule& schedule, const LaneLoops& loops) {
  return std::make_unique<MarkKernel>(schedule, loops);
}

}  // namespace coterie::sim
