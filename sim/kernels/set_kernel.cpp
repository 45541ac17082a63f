#include "sim/kernels/set_kernel.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

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

class SetKernel final : public Kernel {
 public:
  SetKernel(const Schedule& schedule, ScheduleLists lists, PieceSizes sizes, const LaneLoops& loops)
      : lists_(std::move(lists)), sizes_(std::move(sizes)), loops_(loops) {
    std::vector<std::uint32_t> bits(schedule.pieces());
    group_lists(schedule, bits);
    const std::vector<std::uint32_t> models = find_models(bits);
    const std::size_t words = place_tables(models);
    fits_ = words <= kMostWords;
    if (fits_) fill_tables(words, models, bits);
  }

  bool fits() const { return fits_; }

  void completed_work(const double* capacities, std::uint64_t, std::size_t, KernelScratch& scratch,
                      double* work) const override {
    scratch.counts.assign(sizes_.count() * kLanes, 0);
    scratch.words.resize(widest_ * kLanes);
    loops_.sets({lists_.view(), groups_.size(), groups_.data(), exceptions_.data(), rows_.data(), first_row_.data()},
                capacities, scratch.words.data(), scratch.counts.data());
    loops_.add_up(sizes_.view(), scratch.counts.data(), work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.tasks_done(capacities);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  /// Sorts the lists by component, each a group, and gives each piece that anybody runs a bit in its group.
  void group_lists(const Schedule& schedule, std::vector<std::uint32_t>& bits) {
    Components components(schedule, lists_);
    std::vector<std::uint32_t> group_of(schedule.pieces(), kNone);   // of the roots, then of all pieces
    std::vector<std::uint32_t> group_of_list(lists_.size(), kNone);  // none without tasks
    for (std::size_t list = 0; list < lists_.size(); ++list) {
      if (lists_.tasks(list).empty()) continue;
      std::uint32_t& group = group_of[components.root(lists_.tasks(list).front().first_piece)];
      if (group == kNone) {
        group = static_cast<std::uint32_t>(groups_.size());
        groups_.emplace_back();
      }
      group_of_list[list] = group;
      ++groups_[group].last_list;
    }
    for (std::size_t g = 1; g < groups_.size(); ++g) {
      groups_[g].first_list = groups_[g - 1].last_list;
      groups_[g].last_list += groups_[g].first_list;
    }
    lists_.sort_by(group_of_list);
    for (std::uint32_t piece = 0; piece < group_of.size(); ++piece) group_of[piece] = group_of[components.root(piece)];
    give_bits(group_of, bits);
  }

  void give_bits(const std::vector<std::uint32_t>& group_of, std::vector<std::uint32_t>& bits) {
    std::vector<std::uint32_t> pieces(groups_.size(), 0);
    std::vector<std::pair<std::uint32_t, SetException>> exceptions;  // by group
    for (std::size_t piece = 0; piece < group_of.size(); ++piece) {
      const std::uint32_t group = group_of[piece];
      if (group == kNone) continue;
      const std::uint32_t size = sizes_.of_piece(piece);
      if (pieces[group] == 0) groups_[group].size = size;
      bits[piece] = pieces[group]++;
      if (size != groups_[group].size) exceptions.push_back({group, {bits[piece], size}});
    }
    std::stable_sort(exceptions.begin(), exceptions.end(), [](auto& a, auto& b) { return a.first < b.first; });
    for (const auto& [group, exception] : exceptions) {
      const auto place = static_cast<std::uint32_t>(exceptions_.size());
      if (groups_[group].last_exception == 0) groups_[group].first_exception = place;
      groups_[group].last_exception = place + 1;
      exceptions_.push_back(exception);
    }
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      groups_[g].words = words_for(pieces[g]);
      widest_ = std::max<std::size_t>(widest_, groups_[g].words);
    }
  }

  /// Coteries of one size mostly run their slices in the same orders: they share the tables of the first of them, their
  /// model.
  std::vector<std::uint32_t> find_models(const std::vector<std::uint32_t>& bits) const {
    constexpr std::size_t kMostModels = 8;
    std::vector<std::uint32_t> model(groups_.size());
    std::vector<std::uint32_t> models;
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
      const auto like = std::find_if(models.begin(), models.end(),
                                     [&](std::uint32_t m) { return alike(groups_[m], groups_[g], bits); });
      model[g] = like != models.end() ? *like : g;
      if (like == models.end() && models.size() < kMostModels) models.push_back(g);
    }
    return model;
  }

  bool alike(const SetGroup& a, const SetGroup& b, const std::vector<std::uint32_t>& bits) const {
    if (a.last_list - a.first_list != b.last_list - b.first_list) return false;
    const auto same_bit = [&](const Task& x, const Task& y) {
      return x.pieces == 1 && y.pieces == 1 && bits[x.first_piece] == bits[y.first_piece];
    };
    for (std::size_t i = 0; i < a.last_list - a.first_list; ++i) {
      const auto in_a = lists_.tasks(a.first_list + i);
      const auto in_b = lists_.tasks(b.first_list + i);
      if (!std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(), same_bit)) return false;
    }
    return true;
  }

  /// Where each table begins; returns their words.
  std::size_t place_tables(const std::vector<std::uint32_t>& models) {
    std::size_t words = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      SetGroup& group = groups_[g];
      group.rows = models[g] == g ? words : groups_[models[g]].rows;
      for (std::size_t list = group.first_list; list < group.last_list && models[g] == g; ++list)
        words += (lists_.tasks(list).size() + 1) * group.words;
    }
    return words;
  }

  void fill_tables(std::size_t words, const std::vector<std::uint32_t>& models,
                   const std::vector<std::uint32_t>& bits) {
    rows_.assign(words, 0);
    std::uint64_t* row = rows_.data();
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const SetGroup& group = groups_[g];
      for (std::size_t i = 0; i < group.last_list - group.first_list; ++i) {
        if (models[g] != g) {
          first_row_.push_back(std::int32_t{first_row_[groups_[models[g]].first_list + i]});
          continue;
        }
        first_row_.push_back(
            static_cast<std::int32_t>((static_cast<std::size_t>(row - rows_.data()) - group.rows) / group.words));
        row = fill_rows(group, lists_.tasks(group.first_list + i), bits, row);
      }
    }
  }

  /// Of one list, from `row` on; returns where the next list's begin.
  static std::uint64_t* fill_rows(const SetGroup& group, std::span<const Task> tasks,
                                  const std::vector<std::uint32_t>& bits, std::uint64_t* row) {
    for (const Task& task : tasks) {
      std::copy_n(row, group.words, row + group.words);
      row += group.words;
      for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
        row[bits[piece] / 64] |= std::uint64_t{1} << (bits[piece] % 64);
    }
    return row + group.words;
  }

  ScheduleLists lists_;
  PieceSizes sizes_;
  const LaneLoops& loops_;
  std::vector<SetGroup> groups_;
  std::vector<SetException> exceptions_;
  LaneArray<std::uint64_t> rows_;
  std::vector<std::int32_t> first_row_;  // by list, in the table of its group
  std::size_t widest_ = 0;               // words of a row
  bool fits_ = false;
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
