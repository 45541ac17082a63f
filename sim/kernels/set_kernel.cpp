#include "sim/kernels/set_kernel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <utility>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"
#include "core/stream.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kMostWords = 1 << 23;  // 64 MiB
constexpr std::uint32_t kStride = 8;         // of rows too long for the loops that know their length
constexpr std::uint32_t kLong = 8;           // words
constexpr std::size_t kSparse = 16;          // words a task

/// Which lists share pieces, directly or through others: a component each.
class Components {
 public:
  explicit Components(const Schedule& schedule) : parent_(schedule.pieces()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (std::size_t list = 0; list < schedule.lists().size(); ++list) {
      cancellation_point();
      const auto tasks = schedule.lists()[list].tasks;
      if (tasks.empty()) continue;
      std::uint32_t all = root(tasks.front().first_piece);
      for (const Task& task : tasks)
        for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
          all = joined(all, root(piece));
    }
  }
  std::uint32_t root(std::uint32_t piece) {
    while (parent_[piece] != piece) piece = parent_[piece] = parent_[parent_[piece]];
    return piece;
  }

 private:
  std::uint32_t joined(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = std::min(a, b);
    return parent_[a] = parent_[b] = first;
  }
  std::vector<std::uint32_t> parent_;
};

std::uint32_t words_for(std::uint32_t bits) {
  const std::uint32_t words = (bits + 63) / 64;
  return words <= 4 ? std::bit_ceil(words) : (words + 7) / 8 * 8;  // widths that the loops know
}

/// The lists of a schedule by component: a group each, and in it a bit for each piece that anybody runs.
struct Grouping {
  std::vector<std::uint32_t> order;  ///< of the lists, group by group, those without tasks last
  std::vector<SetGroup> groups;
  std::vector<SetException> exceptions;
  std::vector<std::uint32_t> bits;  ///< by piece

  Grouping(const Schedule& schedule, const PieceSizes& sizes)
      : order(schedule.lists().size()), bits(schedule.pieces()) {
    const TaskLists& lists = schedule.lists();
    Components components(schedule);
    std::vector<std::uint32_t> group_of(schedule.pieces(), kNone);  // of the roots, then of all pieces
    std::vector<std::uint32_t> group_of_list(lists.size(), kNone);
    for (std::size_t list = 0; list < lists.size(); ++list) {
      if (lists[list].tasks.empty()) continue;
      std::uint32_t& group = group_of[components.root(lists[list].tasks.front().first_piece)];
      if (group == kNone) {
        group = static_cast<std::uint32_t>(groups.size());
        groups.emplace_back();
      }
      group_of_list[list] = group;
      ++groups[group].last_list;
    }
    for (std::size_t g = 1; g < groups.size(); ++g) {
      groups[g].first_list = groups[g - 1].last_list;
      groups[g].last_list += groups[g].first_list;
    }
    std::iota(order.begin(), order.end(), 0u);
    if (!std::is_sorted(group_of_list.begin(), group_of_list.end()))
      std::stable_sort(order.begin(), order.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return group_of_list[a] < group_of_list[b]; });
    for (std::uint32_t piece = 0; piece < bits.size(); ++piece) group_of[piece] = group_of[components.root(piece)];
    give_bits(group_of, sizes);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  void give_bits(const std::vector<std::uint32_t>& group_of, const PieceSizes& sizes) {
    std::vector<std::uint32_t> pieces(groups.size(), 0);
    std::vector<std::pair<std::uint32_t, SetException>> others;  // by group
    for (std::size_t piece = 0; piece < bits.size(); ++piece) {
      const std::uint32_t group = group_of[piece];
      if (group == kNone) continue;
      const std::uint32_t size = sizes.of_piece(piece);
      if (pieces[group] == 0) groups[group].size = size;
      bits[piece] = pieces[group]++;
      if (size != groups[group].size) others.push_back({group, {bits[piece], size}});
    }
    std::stable_sort(others.begin(), others.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (const auto& [group, exception] : others) {
      const auto place = static_cast<std::uint32_t>(exceptions.size());
      if (groups[group].last_exception == 0) groups[group].first_exception = place;
      groups[group].last_exception = place + 1;
      exceptions.push_back(exception);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].words = words_for(pieces[g]);
      groups[g].columns = (pieces[g] + SetsView::kBits - 1) / SetsView::kBits;
    }
  }
};

/// The tables of all groups. Coteries of one size mostly run their slices in the same orders: they share the table of
/// the first of them, their model.
class Tables {
 public:
  /// In columns where they may be, and the sets are small enough.
  Tables(const Schedule& schedule, Grouping& grouping, const CapacityGrid& grid, bool columns)
      : schedule_(schedule), grouping_(grouping) {
    for (SetGroup& group : grouping.groups) choose_shape(group, grid, columns);
    constexpr std::size_t kMostModels = 8;
    std::vector<std::uint32_t> models;
    for (std::uint32_t g = 0; g < grouping.groups.size(); ++g) {
      SetGroup& group = grouping.groups[g];
      const auto like =
          std::find_if(models.begin(), models.end(), [&](std::uint32_t m) { return alike(grouping.groups[m], group); });
      model_.push_back(like != models.end() ? *like : g);
      if (like == models.end() && models.size() < kMostModels) models.push_back(g);
      std::size_t& end = group.columns > 0 ? entries_ : words_;
      group.rows = model_[g] == g ? end : grouping.groups[model_[g]].rows;
      for (std::size_t list = group.first_list; list < group.last_list && model_[g] == g; ++list)
        end += group.columns > 0 ? group.columns * group.parts * SetsView::kRows
                                 : (tasks(list).size() / group.stride + 1) * group.words;
      for (std::size_t list = group.first_list; list < group.last_list && group.stride > 1; ++list) {
        if (model_[g] == g) bits_ += tasks(list).size();
        tasks_ += tasks(list).size();
        joined_ += group.words;
      }
    }
  }

  std::size_t words() const { return words_ + entries_ / 4 + bits_ / 2; }
  /// Whether so few tasks are in rows so wide that marking pieces one by one takes less time.
  bool are_sparse() const { return joined_ > kSparse * tasks_; }

  /// Their rows, bits and columns; and by list at which row, or part of a column, of the table its own begin, and at
  /// which bit.
  void fill(LaneArray<std::uint64_t>& rows, std::vector<std::uint32_t>& bits, LaneArray<std::uint16_t>& columns,
            std::vector<std::int32_t>& first_row, std::vector<std::uint32_t>& first_bit) const {
    rows.resize(words_);
    bits.reserve(bits_);
    columns.assign(entries_, 0);
    std::uint64_t* row = rows.data();
    for (std::size_t g = 0; g < grouping_.groups.size(); ++g) {
      const SetGroup& group = grouping_.groups[g];
      for (std::size_t i = 0; i < group.last_list - group.first_list; ++i) {
        if (model_[g] != g) {
          const std::size_t list = grouping_.groups[model_[g]].first_list + i;
          first_row.push_back(std::int32_t{first_row[list]});
          first_bit.push_back(std::uint32_t{first_bit[list]});
          continue;
        }
        first_bit.push_back(static_cast<std::uint32_t>(bits.size()));
        if (group.columns > 0) {
          first_row.push_back(static_cast<std::int32_t>(i * group.columns * group.parts));
          fill_columns(group, tasks(group.first_list + i),
                       columns.data() + group.rows + i * group.columns * group.parts * SetsView::kRows);
          continue;
        }
        const std::size_t begin = static_cast<std::size_t>(row - rows.data()) - group.rows;
        first_row.push_back(static_cast<std::int32_t>(begin / group.words));
        row = fill_rows(group, tasks(group.first_list + i), row);
        if (group.stride == 1) continue;
        for (const Task& task : tasks(group.first_list + i)) bits.push_back(grouping_.bits[task.first_piece]);
      }
    }
  }

 private:
  std::span<const Task> tasks(std::size_t list) const { return schedule_.lists()[grouping_.order[list]].tasks; }

  /// Of the shapes that the loops know, for all that the lists get done within the greatest capacity.
  void choose_shape(SetGroup& group, const CapacityGrid& grid, bool columns) const {
    const double greatest = grid.linear_rate > 0 ? to_uniform(0xffffffff) / grid.linear_rate : kInfinity;
    std::size_t rows = 1;
    for (std::size_t list = group.first_list; columns && list < group.last_list; ++list)
      rows = std::max(rows, 1 + coterie::tasks_done(schedule_.lists()[grouping_.order[list]], greatest));
    group.parts = static_cast<std::uint32_t>((rows + SetsView::kRows - 1) / SetsView::kRows);
    if (!columns || group.parts > 4 || group.columns > SetsView::kMostColumns) group.columns = 0;
    if (group.columns > 4) group.parts = std::max<std::uint32_t>(group.parts, 3);
    if (group.columns > 0 && group.parts > 2) group.columns = std::max<std::uint32_t>(group.columns, 4);
    if (group.columns == 0 && group.words > kLong && has_single_pieces(group)) group.stride = kStride;
  }

  bool has_single_pieces(const SetGroup& group) const {
    for (std::size_t list = group.first_list; list < group.last_list; ++list)
      for (const Task& task : tasks(list))
        if (task.pieces != 1) return false;
    return true;
  }

  bool alike(const SetGroup& a, const SetGroup& b) const {
    if (a.last_list - a.first_list != b.last_list - b.first_list || a.columns != b.columns || a.parts != b.parts ||
        a.words != b.words || a.stride != b.stride)
      return false;
    const auto same_bit = [&](const Task& x, const Task& y) {
      return x.pieces == 1 && y.pieces == 1 && grouping_.bits[x.first_piece] == grouping_.bits[y.first_piece];
    };
    for (std::size_t i = 0; i < a.last_list - a.first_list; ++i) {
      const auto in_a = tasks(a.first_list + i);
      const auto in_b = tasks(b.first_list + i);
      if (!std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), same_bit)) return false;
    }
    return true;
  }

  /// Of one list, from `row` on; returns where the next list's begin.
  std::uint64_t* fill_rows(const SetGroup& group, std::span<const Task> tasks, std::uint64_t* row) const {
    const std::size_t words = group.words;
    std::fill_n(row, words, 0);
    for (std::size_t k = 0; k + group.stride <= tasks.size(); k += group.stride) {
      std::copy_n(row, words, row + words);
      row += words;
      for (const Task& task : tasks.subspan(k, group.stride))
        for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
          row[grouping_.bits[piece] / 64] |= std::uint64_t{1} << (grouping_.bits[piece] % 64);
    }
    return row + words;
  }

  void fill_columns(const SetGroup& group, std::span<const Task> tasks, std::uint16_t* table) const {
    const std::size_t height = group.parts * SetsView::kRows;
    std::array<std::uint16_t, SetsView::kMostColumns> row = {};
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      const Task& task = tasks[k];
      for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece) {
        const std::uint32_t bit = grouping_.bits[piece];
        row[bit / SetsView::kBits] |= static_cast<std::uint16_t>(1u << (bit % SetsView::kBits));
      }
      if (k + 1 == height) return;  // more than can be done
      for (std::size_t column = 0; column < group.columns; ++column) table[column * height + k + 1] = row[column];
    }
  }

  const Schedule& schedule_;
  const Grouping& grouping_;
  std::vector<std::uint32_t> model_;  // by group
  std::size_t words_ = 0;
  std::size_t entries_ = 0;  // of columns
  std::size_t bits_ = 0;     // of tasks between rows
  std::size_t tasks_ = 0;    // of lists that have such
  std::size_t joined_ = 0;   // words, for one instance
};

class SetKernel final : public Kernel {
 public:
  SetKernel(const Schedule& schedule, const CompileOptions& options, Grouping grouping, const Tables& tables,
            const PieceSizes& sizes, const LaneLoops& loops)
      : lists_(schedule, grouping.order, options.grid, options.common), sizes_(sizes), loops_(loops) {
    tables.fill(rows_, bits_, columns_, first_row_, first_bit_);
    all_lists_.resize(first_row_.size());
    std::iota(all_lists_.begin(), all_lists_.end(), 0u);
    groups_ = std::move(grouping.groups);
    exceptions_ = std::move(grouping.exceptions);
    for (const SetGroup& group : groups_) widest_ = std::max<std::size_t>(widest_, group.words);
  }

  void completed_work(const LaneInstances& instances, KernelScratch& scratch, double* work) const override {
    scratch.counts.assign(sizes_.count() * kLanes, 0);
    scratch.words.resize(widest_ * kLanes);
    loops_.sets({lists_.view(instances.common_tasks), groups_.size(), groups_.data(), exceptions_.data(), rows_.data(),
                 columns_.data(), first_row_.data(), all_lists_.data(), bits_.data(), first_bit_.data()},
                instances.capacities, scratch.words.data(), scratch.counts.data());
    loops_.add_up(sizes_.view(), scratch.counts.data(), work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.tasks_done(capacities);
  }

 private:
  ScheduleLists lists_;
  PieceSizes sizes_;
  const LaneLoops& loops_;
  std::vector<SetGroup> groups_;
  std::vector<SetException> exceptions_;
  LaneArray<std::uint64_t> rows_;
  LaneArray<std::uint16_t> columns_;
  std::vector<std::uint32_t> bits_;       // of tasks between rows
  std::vector<std::int32_t> first_row_;   // by list, in the table of its group
  std::vector<std::uint32_t> first_bit_;  // by list
  std::vector<std::uint32_t> all_lists_;
  std::size_t widest_ = 0;  // words of a row
};

class MarkKernel final : public Kernel {
 public:
  MarkKernel(const Schedule& schedule, const PieceSizes& sizes, const LaneLoops& loops)
      : loops_(loops), schedule_(schedule), sizes_(sizes) {}

  void completed_work(const LaneInstances& instances, KernelScratch& scratch, double* work) const override {
    scratch.counts.assign(sizes_.few() ? sizes_.count() * kLanes : 0, 0);
    std::fill_n(work, kLanes, 0.0);
    for (std::size_t lane = 0; lane < instances.lanes; ++lane) {
      scratch.words.assign((schedule_.pieces() + 63) / 64, 0);
      for (std::size_t w = 0; w < schedule_.workers(); ++w) {
        cancellation_point();
        const TaskList list = schedule_.tasks(w);
        const std::size_t done = coterie::tasks_done(list, instances.capacities[w * kLanes + lane]);
        for (const Task& task : list.tasks.first(done)) mark(task, lane, scratch, work[lane]);
      }
    }
    if (sizes_.few()) loops_.add_up(sizes_.view(), scratch.counts.data(), work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    std::vector<std::size_t> done;
    for (std::size_t w = 0; w < schedule_.workers(); ++w)
      done.push_back(coterie::tasks_done(schedule_.tasks(w), capacities[w]));
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
        work += schedule_.piece_sizes()[piece];
    }
  }

  const LaneLoops& loops_;
  Schedule schedule_;
  PieceSizes sizes_;
};

}  // namespace

std::unique_ptr<Kernel> make_set_kernel(const Schedule& schedule, const PieceSizes& sizes,
                                        const CompileOptions& options, const LaneLoops& loops) {
  if (!sizes.few()) return nullptr;
  Grouping grouping(schedule, sizes);
  const Tables tables(schedule, grouping, options.grid, loops.columns);
  if (tables.words() > kMostWords) return nullptr;
  if (options.evaluation == Evaluation::kCheapest && tables.are_sparse()) return nullptr;
  return std::make_unique<SetKernel>(schedule, options, grouping, tables, sizes, loops);
}

std::unique_ptr<Kernel> make_mark_kernel(const Schedule& schedule, const PieceSizes& sizes, const LaneLoops& loops) {
  return std::make_unique<MarkKernel>(schedule, sizes, loops);
}

}  // namespace coterie::sim
