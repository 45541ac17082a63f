#include "sim/kernel.hpp"

#include <algorithm>
#include <bit>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>

namespace coterie::sim {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;
constexpr std::size_t kMostSetWords = 1 << 23;  // 64 MiB of sets in one kernel

/// Finds how many tasks end within a capacity: a guess by multiplication, set right by the stored finish times.
class Clock {
 public:
  explicit Clock(const std::vector<double>& finish) : finish_(finish) {
    if (!finish_.empty()) per_time_ = static_cast<double>(finish_.size()) / finish_.back();
  }

  std::size_t done(double capacity) const {
    if (finish_.empty() || capacity < finish_.front()) return 0;
    if (capacity >= finish_.back()) return finish_.size();
    const auto last = static_cast<double>(finish_.size() - 1);
    auto k = static_cast<std::size_t>(std::min(last, capacity * per_time_));
    while (finish_[k] <= capacity) ++k;
    while (k > 0 && finish_[k - 1] > capacity) --k;
    return k;
  }

 private:
  std::vector<double> finish_;
  double per_time_ = 0;
};

/// The lists of a schedule, each once, and which worker has which.
struct Lists {
  std::vector<const TaskList*> distinct;
  std::vector<std::uint32_t> of_worker;
  std::vector<Clock> clocks;

  explicit Lists(const Schedule& schedule) {
    std::map<const TaskList*, std::uint32_t> seen;
    for (std::size_t w = 0; w < schedule.workers(); ++w) {
      const TaskList* list = &schedule.tasks(w);
      const auto [entry, fresh] = seen.emplace(list, static_cast<std::uint32_t>(distinct.size()));
      if (fresh) {
        distinct.push_back(list);
        clocks.emplace_back(list->finish);
      }
      of_worker.push_back(entry->second);
    }
  }

  /// Tasks that each worker completes.
  std::vector<std::size_t> done(std::span<const double> capacities) const {
    std::vector<std::size_t> counts;
    for (std::size_t w = 0; w < of_worker.size(); ++w) counts.push_back(clocks[of_worker[w]].done(capacities[w]));
    return counts;
  }
};

/// Pieces in chains: in every list where a piece is not the last, the same piece follows it, and every list begins at
/// the head of a chain. Then a list is a sequence of whole chains, the last one perhaps cut off.
struct Chains {
  std::vector<std::uint32_t> pieces;  // chain after chain
  std::vector<std::uint32_t> begin;   // where each chain begins in `pieces`; one more at the end
  std::vector<std::vector<std::uint32_t>> of_list;
  std::size_t visits = 0;  // chains visited by all workers together

  Chains(const Schedule& schedule, const Lists& lists);
};

Chains::Chains(const Schedule& schedule, const Lists& lists) {
  const std::size_t count = schedule.pieces();
  std::vector<std::uint32_t> next(count, kNone);
  std::vector<std::uint32_t> previous(count, kNone);
  std::vector<bool> head(count, false);
  for (const TaskList* list : lists.distinct) {
    if (list->tasks.empty()) continue;
    head[list->tasks.front().first_piece] = true;
    for (std::size_t k = 1; k < list->tasks.size(); ++k) {
      const std::uint32_t from = list->tasks[k - 1].first_piece;
      const std::uint32_t to = list->tasks[k].first_piece;
      if (next[from] == kNone && previous[to] == kNone) {
        next[from] = to;
        previous[to] = from;
      } else if (next[from] != to) {
        // Two ways on, or two ways here: chains begin behind and at these pieces.
        head[to] = true;
        if (next[from] == kNone) next[from] = to;
        head[next[from]] = true;
      }
    }
  }
  std::vector<std::uint32_t> chain_at_head(count, kNone);
  for (const TaskList* list : lists.distinct) {
    of_list.emplace_back();
    for (std::size_t k = 0; k < list->tasks.size(); ++k) {
      const std::uint32_t piece = list->tasks[k].first_piece;
      if (!head[piece]) continue;
      if (chain_at_head[piece] == kNone) {
        chain_at_head[piece] = static_cast<std::uint32_t>(begin.size());
        begin.push_back(static_cast<std::uint32_t>(pieces.size()));
        pieces.push_back(piece);
        for (std::uint32_t on = next[piece]; on != kNone && !head[on]; on = next[on]) pieces.push_back(on);
      }
      of_list.back().push_back(chain_at_head[piece]);
    }
  }
  begin.push_back(static_cast<std::uint32_t>(pieces.size()));
  for (const std::uint32_t list : lists.of_worker) visits += of_list[list].size();
}

class ChainKernel final : public Kernel {
 public:
  ChainKernel(const Schedule& schedule, Lists lists, Chains chains)
      : lists_(std::move(lists)), chains_(std::move(chains)) {
    for (std::size_t chain = 0; chain + 1 < chains_.begin.size(); ++chain) {
      double sum = 0;
      work_.push_back(0);
      for (std::uint32_t at = chains_.begin[chain]; at < chains_.begin[chain + 1]; ++at)
        work_.push_back(sum += schedule.piece_sizes()[chains_.pieces[at]]);
    }
  }

  double completed_work(std::span<const double> capacities, std::uint64_t, KernelScratch& scratch) const override {
    const std::size_t count = chains_.begin.size() - 1;
    scratch.counts.assign(count, 0);
    for (std::size_t w = 0; w < lists_.of_worker.size(); ++w) {
      const std::uint32_t list = lists_.of_worker[w];
      auto done = static_cast<std::uint32_t>(lists_.clocks[list].done(capacities[w]));
      for (const std::uint32_t chain : chains_.of_list[list]) {
        if (done == 0) break;
        const std::uint32_t length = std::min(done, chains_.begin[chain + 1] - chains_.begin[chain]);
        scratch.counts[chain] = std::max(scratch.counts[chain], length);
        done -= length;
      }
    }
    double sum = 0;
    for (std::size_t chain = 0; chain < count; ++chain)
      sum += work_[chains_.begin[chain] + chain + scratch.counts[chain]];
    return sum;
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.done(capacities);
  }

 private:
  Lists lists_;
  Chains chains_;
  std::vector<double> work_;  // of the first 0, 1, 2, ... pieces of each chain
};

/// Workers that share pieces, directly or through others: evaluated apart from all others.
struct Component {
  std::vector<std::uint32_t> workers;
  std::vector<std::uint32_t> pieces;
};

std::vector<Component> components(const Schedule& schedule, const Lists& lists) {
  std::vector<std::uint32_t> parent(schedule.pieces());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto root = [&](std::uint32_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  };
  for (const TaskList* list : lists.distinct)
    for (const Task& task : list->tasks)
      for (std::uint32_t i = 0; i < task.pieces; ++i)
        parent[root(task.first_piece + i)] = root(list->tasks.front().first_piece);
  std::map<std::uint32_t, Component> by_root;
  for (std::uint32_t w = 0; w < lists.of_worker.size(); ++w) {
    const auto& tasks = lists.distinct[lists.of_worker[w]]->tasks;
    if (!tasks.empty()) by_root[root(tasks.front().first_piece)].workers.push_back(w);
  }
  for (std::uint32_t piece = 0; piece < schedule.pieces(); ++piece)
    if (const auto found = by_root.find(root(piece)); found != by_root.end()) found->second.pieces.push_back(piece);
  std::vector<Component> result;
  for (auto& [key, component] : by_root) result.push_back(std::move(component));
  return result;
}

std::size_t words_for(std::size_t bits) { return (bits + 63) / 64; }

class BitsetKernel final : public Kernel {
 public:
  BitsetKernel(const Schedule& schedule, Lists lists) : lists_(std::move(lists)) {
    for (const Component& component : components(schedule, lists_)) add(schedule, component);
  }

  double completed_work(std::span<const double> capacities, std::uint64_t, KernelScratch& scratch) const override {
    double sum = 0;
    for (const Group& group : groups_) {
      scratch.words.assign(group.words, 0);
      std::uint64_t* joined = scratch.words.data();
      for (const auto& [worker, table] : group.members) {
        const std::size_t done = lists_.clocks[lists_.of_worker[worker]].done(capacities[worker]);
        const std::uint64_t* set = table->data() + done * group.words;
        for (std::size_t word = 0; word < group.words; ++word) joined[word] |= set[word];
      }
      sum += group.work(joined);
    }
    return sum;
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.done(capacities);
  }

 private:
  using Table = std::vector<std::uint64_t>;  // the set of pieces after 0, 1, 2, ... tasks

  struct Group {
    std::size_t words = 0;
    std::size_t pieces = 0;
    double size = 0;                                       // of most pieces
    double whole = 0;                                      // of all pieces together
    std::vector<std::pair<std::uint32_t, double>> others;  // pieces of another size: bit, difference
    std::vector<std::pair<std::uint32_t, std::shared_ptr<const Table>>> members;

    double work(const std::uint64_t* set) const {
      std::size_t count = 0;
      for (std::size_t word = 0; word < words; ++word) count += static_cast<std::size_t>(std::popcount(set[word]));
      if (count == pieces) return whole;
      double sum = static_cast<double>(count) * size;
      for (const auto& [bit, difference] : others)
        if (set[bit / 64] >> (bit % 64) & 1) sum += difference;
      return sum;
    }
  };

  void add(const Schedule& schedule, const Component& component) {
    Group group;
    group.pieces = component.pieces.size();
    group.words = words_for(group.pieces);
    std::map<std::uint32_t, std::uint32_t> bit;
    for (std::uint32_t i = 0; i < component.pieces.size(); ++i) bit[component.pieces[i]] = i;
    std::vector<double> sizes;
    for (const std::uint32_t piece : component.pieces) sizes.push_back(schedule.piece_sizes()[piece]);
    for (const double size : sizes) group.whole += size;
    std::vector<double> sorted = sizes;
    std::sort(sorted.begin(), sorted.end());
    group.size = sorted[sorted.size() / 2];
    for (std::uint32_t i = 0; i < sizes.size(); ++i)  // differences by rounding alone do not count
      if (std::abs(sizes[i] - group.size) > 1e-9 * group.size) group.others.emplace_back(i, sizes[i] - group.size);
    std::map<std::uint32_t, std::shared_ptr<const Table>> tables;
    for (const std::uint32_t worker : component.workers) {
      auto& table = tables[lists_.of_worker[worker]];
      if (!table) table = prefixes(*lists_.distinct[lists_.of_worker[worker]], bit, group.words);
      group.members.emplace_back(worker, table);
    }
    groups_.push_back(std::move(group));
  }

  static std::shared_ptr<const Table> prefixes(const TaskList& list, const std::map<std::uint32_t, std::uint32_t>& bit,
                                               std::size_t words) {
    auto table = std::make_shared<Table>((list.tasks.size() + 1) * words, 0);
    for (std::size_t k = 0; k < list.tasks.size(); ++k) {
      const auto row = table->begin() + static_cast<std::ptrdiff_t>(k * words);
      std::copy_n(row, words, row + static_cast<std::ptrdiff_t>(words));
      for (std::uint32_t i = 0; i < list.tasks[k].pieces; ++i) {
        const std::uint32_t at = bit.at(list.tasks[k].first_piece + i);
        (*table)[(k + 1) * words + at / 64] |= std::uint64_t{1} << (at % 64);
      }
    }
    return table;
  }

  Lists lists_;
  std::vector<Group> groups_;
};

class MarkKernel final : public Kernel {
 public:
  MarkKernel(const Schedule& schedule, Lists lists)
      : lists_(std::move(lists)), sizes_(schedule.piece_sizes().begin(), schedule.piece_sizes().end()) {
    for (std::size_t w = 0; w < schedule.workers(); ++w) tasks_.push_back(schedule.shared_tasks(w));
  }

  double completed_work(std::span<const double> capacities, std::uint64_t, KernelScratch& scratch) const override {
    scratch.words.assign(words_for(sizes_.size()), 0);
    double sum = 0;
    for (std::size_t w = 0; w < tasks_.size(); ++w) {
      const std::size_t done = lists_.clocks[lists_.of_worker[w]].done(capacities[w]);
      for (std::size_t k = 0; k < done; ++k) {
        const Task& task = tasks_[w]->tasks[k];
        for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece) {
          std::uint64_t& word = scratch.words[piece / 64];
          const std::uint64_t bit = std::uint64_t{1} << (piece % 64);
          if ((word & bit) == 0) sum += sizes_[piece];
          word |= bit;
        }
      }
    }
    return sum;
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.done(capacities);
  }

 private:
  Lists lists_;
  std::vector<double> sizes_;
  std::vector<std::shared_ptr<const TaskList>> tasks_;
};

class RandomKernel final : public Kernel {
 public:
  RandomKernel(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key)
      : orders_(orders), workers_(workers), key_(key) {}

  double completed_work(std::span<const double> capacities, std::uint64_t instance,
                        KernelScratch& scratch) const override {
    const std::size_t count = orders_.chunking.count();
    scratch.words.assign(words_for(count), 0);
    reset(scratch.order, count);
    for (std::size_t w = 0; w < workers_; ++w)
      for_each_done(w, capacities[w], instance, scratch.order,
                    [&](std::uint32_t chunk) { scratch.words[chunk / 64] |= std::uint64_t{1} << (chunk % 64); });
    std::size_t done = 0;
    for (const std::uint64_t word : scratch.words) done += static_cast<std::size_t>(std::popcount(word));
    const std::size_t last = count - 1;
    return done == 0 ? 0 : orders_.chunking.elapsed(done, scratch.words[last / 64] >> (last % 64) & 1);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t instance) const override {
    std::vector<std::size_t> done(workers_, 0);
    std::vector<std::uint32_t> order;
    reset(order, orders_.chunking.count());
    for (std::size_t w = 0; w < workers_; ++w)
      for_each_done(w, capacities[w], instance, order, [&](std::uint32_t) { ++done[w]; });
    return done;
  }

 private:
  static void reset(std::vector<std::uint32_t>& order, std::size_t count) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0u);
  }

  /// Draws the worker's order one chunk after the other [Fisher and Yates], as far as its capacity carries it, and
  /// leaves `order` as it was.
  template <typename Function>
  void for_each_done(std::size_t worker, double capacity, std::uint64_t instance, std::vector<std::uint32_t>& order,
                     const Function& function) const {
    const std::size_t count = order.size();
    if (capacity < orders_.chunking.last_size() + orders_.startup_cost) return;
    Stream stream(key_, instance, static_cast<std::uint32_t>(worker));
    std::vector<std::uint32_t> swaps;
    bool with_last = false;
    for (std::size_t k = 0; k < orders_.tasks; ++k) {
      const auto pick = boost::random::uniform_int_distribution<std::uint32_t>(
          static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(count - 1))(stream);
      std::swap(order[k], order[pick]);
      swaps.push_back(pick);
      with_last = with_last || order[k] + 1 == count;
      const double finish =
          orders_.chunking.elapsed(k + 1, with_last) + static_cast<double>(k + 1) * orders_.startup_cost;
      if (finish > capacity) break;
      function(order[k]);
    }
    while (!swaps.empty()) {
      std::swap(order[swaps.size() - 1], order[swaps.back()]);
      swaps.pop_back();
    }
  }

  heuristics::RandomOrders orders_;
  std::size_t workers_;
  StreamKey key_;
};

}  // namespace

std::unique_ptr<Kernel> compile(const Schedule& schedule, Evaluation evaluation) {
  Lists lists(schedule);
  bool single_pieces = true;
  for (const TaskList* list : lists.distinct)
    for (const Task& task : list->tasks) single_pieces = single_pieces && task.pieces == 1;
  if (evaluation == Evaluation::kChains && !single_pieces)
    throw std::invalid_argument("chains are made of tasks of one piece");
  std::size_t words = 0;
  std::size_t set_words = 0;
  for (const Component& component : components(schedule, lists)) {
    const std::size_t one = words_for(component.pieces.size());
    words += component.workers.size() * one;
    for (const std::uint32_t worker : component.workers) set_words += (schedule.tasks(worker).tasks.size() + 1) * one;
  }
  const bool cheapest = evaluation == Evaluation::kCheapest;
  if (evaluation == Evaluation::kChains || (cheapest && single_pieces)) {
    Chains chains(schedule, lists);
    // A chain visited costs about as much as one word of a bitset.
    if (!cheapest || chains.visits + chains.begin.size() <= words)
      return std::make_unique<ChainKernel>(schedule, std::move(lists), std::move(chains));
  }
  if (evaluation == Evaluation::kMarks || (cheapest && set_words > kMostSetWords))
    return std::make_unique<MarkKernel>(schedule, std::move(lists));
  return std::make_unique<BitsetKernel>(schedule, std::move(lists));
}

std::unique_ptr<Kernel> compile(const heuristics::RandomOrders& orders, std::size_t workers, const StreamKey& key) {
  return std::make_unique<RandomKernel>(orders, workers, key);
}

}  // namespace coterie::sim
