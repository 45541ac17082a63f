#include "sim/kernels/chain_kernel.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/cancellation.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint32_t kNoPiece = 0xffffffff;
constexpr std::uint32_t kNoChain = 0xffffffff;

/// Where chains begin, and what follows each piece. Given up where a part of the lists tells that all of them together
/// make more than `most_visits`.
struct Links {
  std::vector<std::uint32_t> next;
  std::vector<char> head;
  std::size_t least_visits = 0;
  bool forks = false;  ///< whether a piece is followed by two others, or follows two

  Links(const Schedule& schedule, std::size_t most_visits)
      : next(schedule.pieces(), kNoPiece), head(schedule.pieces(), 0) {
    std::vector<std::uint32_t> previous(schedule.pieces(), kNoPiece);
    for (std::size_t list = 0; list < schedule.lists().size(); ++list) {
      cancellation_point();
      if (least_visits > most_visits) return;
      const auto tasks = schedule.lists()[list].tasks;
      if (tasks.empty()) continue;
      head[tasks.front().first_piece] = 1;
      ++least_visits;
      for (std::size_t k = 1; k < tasks.size(); ++k) {
        const std::uint32_t from = tasks[k - 1].first_piece;
        const std::uint32_t to = tasks[k].first_piece;
        if (next[from] == kNoPiece && previous[to] == kNoPiece) {
          next[from] = to;
          previous[to] = from;
        } else if (next[from] != to) {
          // Two ways on, or two ways here: chains begin behind and at these pieces.
          forks = true;
          head[to] = 1;
          ++least_visits;
          if (next[from] == kNoPiece) next[from] = to;
          head[next[from]] = 1;
        }
      }
    }
  }
};

/// Pieces first_piece .. first_piece + length - 1 of an array.
struct Chain {
  std::uint32_t first_piece;
  std::uint32_t length;
  std::uint32_t visits;
};

struct ListVisit {
  std::uint32_t chain;
  std::int32_t offset;  ///< tasks before it
};

struct Chains {
  std::vector<Chain> chains;
  std::vector<std::uint32_t> pieces;    ///< chain by chain
  std::vector<ListVisit> visits;        ///< list by list; where `on` tells what follows, the first of each
  std::vector<std::size_t> last_visit;  ///< by list
  std::vector<std::uint32_t> on;        ///< by chain, where none forks: the next one that lists run on to, or kNoChain

  bool fork() const { return on.empty(); }
  std::span<const std::uint32_t> pieces_of(const Chain& chain) const {
    return std::span(pieces).subspan(chain.first_piece, chain.length);
  }
  std::span<const ListVisit> visits_of(std::size_t list) const {
    const std::size_t first = list > 0 ? last_visit[list - 1] : 0;
    return std::span(visits).subspan(first, last_visit[list] - first);
  }
};

std::optional<Chains> find_chains(const Schedule& schedule, std::size_t most_visits, bool few_sizes) {
  const Links links(schedule, most_visits);
  if (links.least_visits > most_visits) return std::nullopt;
  // Works of many sizes are added up chain by chain, in the order of the visits.
  const bool fork = links.forks || !few_sizes;
  Chains found;
  found.chains.reserve(schedule.lists().size());
  found.pieces.reserve(schedule.pieces());
  found.visits.reserve(schedule.lists().size());
  found.last_visit.reserve(schedule.lists().size());
  std::vector<std::uint32_t> chain_at_head(schedule.pieces(), kNoPiece);
  for (std::size_t list = 0; list < schedule.lists().size(); ++list) {
    cancellation_point();
    const auto tasks = schedule.lists()[list].tasks;
    for (std::size_t k = 0; k < tasks.size();) {
      const std::uint32_t piece = tasks[k].first_piece;
      if (chain_at_head[piece] == kNoPiece) {
        chain_at_head[piece] = static_cast<std::uint32_t>(found.chains.size());
        const auto first = static_cast<std::uint32_t>(found.pieces.size());
        found.pieces.push_back(piece);
        for (std::uint32_t on = links.next[piece]; on != kNoPiece && links.head[on] == 0; on = links.next[on])
          found.pieces.push_back(on);
        found.chains.push_back({first, static_cast<std::uint32_t>(found.pieces.size()) - first, 0});
      }
      Chain& chain = found.chains[chain_at_head[piece]];
      ++chain.visits;
      if (found.visits.size() == most_visits) return std::nullopt;
      found.visits.push_back({chain_at_head[piece], static_cast<std::int32_t>(k)});
      if (!fork) break;
      k += chain.length;
    }
    found.last_visit.push_back(found.visits.size());
  }
  if (fork) return found;
  for (const Chain& chain : found.chains) {
    const std::uint32_t next = links.next[found.pieces_of(chain).back()];
    found.on.push_back(next != kNoPiece ? chain_at_head[next] : kNoChain);
  }
  return found;
}

/// A piece of another size within a chain: at `position` of the chain of a slot.
struct Exception {
  std::uint32_t slot;
  std::int32_t position;
  std::uint32_t size;
};

class ChainKernel final : public Kernel {
 public:
  ChainKernel(const Schedule& schedule, const PieceSizes& sizes, ScheduleLists lists, const Chains& chains,
              const LaneLoops& loops)
      : lists_(std::move(lists)), sizes_(sizes), loops_(loops) {
    exclusive_ids_.reserve(chains.last_visit.size());
    std::vector<std::uint32_t> slot_of(chains.chains.size(), kAlone);
    for (std::size_t c = 0; c < chains.chains.size(); ++c) {
      const auto pieces = chains.pieces_of(chains.chains[c]);
      if ((chains.fork() && chains.chains[c].visits > 1) || !sizes_.few() || !all_of_first_size(pieces))
        slot_of[c] = add_slot(schedule, pieces);
    }
    if (chains.fork())
      add_visits(chains, slot_of);
    else
      add_rings(chains, slot_of);
  }

  void completed_work(const LaneInstances& instances, KernelScratch& scratch, double* work) const override {
    const std::size_t kept = (slots_.size() + sizes_.count() + 1) * kLanes;
    scratch.counts.resize(kept + most_on_ring_ * kLanes);
    std::fill_n(scratch.counts.begin(), kept, 0);
    std::int32_t* prefix = scratch.counts.data();
    std::int32_t* counts = prefix + slots_.size() * kLanes;
    loops_.chains({lists_.view(instances.common_tasks), slots_.size(), slots_.data(), shared_lists_.size(),
                   shared_lists_.data(), visits_.data(), rings_.size(), rings_.data(), segments_.data(),
                   ring_lists_.data(), exclusive_.size(), exclusive_.data(), exclusive_ids_.data()},
                  instances.capacities, prefix, counts, prefix + kept);
    if (!sizes_.few()) return add_prefix_sums(prefix, work);
    for (const Exception& piece : exceptions_)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::int32_t done = prefix[piece.slot * kLanes + lane] > piece.position ? 1 : 0;
        counts[slots_[piece.slot].size * kLanes + lane] -= done;
        counts[piece.size * kLanes + lane] += done;
      }
    loops_.add_up(sizes_.view(), counts, work);
  }

  std::vector<std::size_t> tasks_done(std::span<const double> capacities, std::uint64_t) const override {
    return lists_.tasks_done(capacities);
  }

 private:
  static constexpr std::uint32_t kAlone = Visit::kAlone;

  void add_visits(const Chains& chains, const std::vector<std::uint32_t>& slot_of) {
    shared_lists_.reserve(chains.last_visit.size());
    visits_.reserve(chains.visits.size());
    for (std::uint32_t list = 0; list < chains.last_visit.size(); ++list) {
      const auto visits = chains.visits_of(list);
      const bool alone = visits.size() == 1 && slot_of[visits.front().chain] == kAlone;
      if (const auto workers = lists_.workers(list); alone && workers.size() == 1) {
        add_exclusive_worker(list, workers.front());
        continue;
      }
      const auto first = static_cast<std::uint32_t>(visits_.size());
      for (const ListVisit& visit : visits)
        visits_.push_back(
            {slot_of[visit.chain], visit.offset, static_cast<std::int32_t>(chains.chains[visit.chain].length)});
      shared_lists_.push_back({list, first, static_cast<std::uint32_t>(visits_.size())});
    }
  }

  /// The chains on lines, each from its head, and on rings.
  void add_rings(const Chains& chains, const std::vector<std::uint32_t>& slot_of) {
    std::vector<std::uint32_t> first_at(chains.chains.size() + 2, 0);  // of the lists that begin at a chain, in begin
    for (const ListVisit& visit : chains.visits) ++first_at[visit.chain + 2];
    std::partial_sum(first_at.begin(), first_at.end(), first_at.begin());
    std::vector<std::uint32_t> begin(chains.visits.size());
    for (std::uint32_t list = 0; list < chains.last_visit.size(); ++list)
      for (const ListVisit& visit : chains.visits_of(list)) begin[first_at[visit.chain + 1]++] = list;
    const auto lists_at = [&](std::uint32_t chain) {
      return std::span(begin).subspan(first_at[chain], first_at[chain + 1] - first_at[chain]);
    };
    std::vector<char> follows(chains.chains.size(), 0);
    for (const std::uint32_t next : chains.on)
      if (next != kNoChain) follows[next] = 1;
    std::vector<char> placed(chains.chains.size(), 0);
    for (const bool closed : {false, true})
      for (std::uint32_t first = 0; first < placed.size(); ++first) {
        if (placed[first] != 0 || (follows[first] != 0) != closed) continue;
        const auto lists = lists_at(first);
        if (slot_of[first] == kAlone && chains.on[first] == kNoChain && lists.size() == 1 &&
            lists_.workers(lists.front()).size() == 1) {
          add_exclusive_worker(lists.front(), lists_.workers(lists.front()).front());
          continue;
        }
        const auto first_segment = static_cast<std::uint32_t>(segments_.size());
        const std::size_t first_list = ring_lists_.size();
        for (std::uint32_t chain = first; chain != kNoChain && placed[chain] == 0; chain = chains.on[chain]) {
          placed[chain] = 1;
          Segment segment{slot_of[chain], static_cast<std::int32_t>(chains.chains[chain].length)};
          segment.first_list = static_cast<std::uint32_t>(ring_lists_.size());
          const auto here = lists_at(chain);
          ring_lists_.insert(ring_lists_.end(), here.begin(), here.end());
          segment.last_list = static_cast<std::uint32_t>(ring_lists_.size());
          segments_.push_back(segment);
        }
        const bool plain = std::all_of(segments_.begin() + first_segment, segments_.end(), [](const Segment& segment) {
          return segment.slot == kAlone && segment.last_list - segment.first_list == 1;
        });
        rings_.push_back({first_segment, static_cast<std::uint32_t>(segments_.size()), closed, plain});
        most_on_ring_ = std::max(most_on_ring_, ring_lists_.size() - first_list);
      }
  }

  bool all_of_first_size(std::span<const std::uint32_t> chain) const {
    return std::all_of(chain.begin(), chain.end(), [&](auto piece) { return sizes_.of_piece(piece) == 0; });
  }

  std::uint32_t add_slot(const Schedule& schedule, std::span<const std::uint32_t> chain) {
    const auto slot = static_cast<std::uint32_t>(slots_.size());
    const std::uint32_t size = sizes_.few() ? sizes_.of_piece(chain.front()) : 0;
    slots_.push_back({static_cast<std::int32_t>(chain.size()), size});
    for (std::size_t i = 0; sizes_.few() && i < chain.size(); ++i)
      if (const std::uint32_t own = sizes_.of_piece(chain[i]); own != size)
        exceptions_.push_back({slot, static_cast<std::int32_t>(i), own});
    if (sizes_.few()) return slot;
    first_sum_.push_back(prefix_sums_.size());
    double sum = 0;
    prefix_sums_.push_back(0);
    for (const std::uint32_t piece : chain) prefix_sums_.push_back(sum += schedule.piece_sizes()[piece]);
    return slot;
  }

  void add_exclusive_worker(std::size_t list, std::uint32_t worker) {
    const TaskCounterView* counter = &lists_.counter(list);
    const auto place = static_cast<std::uint32_t>(exclusive_ids_.size());
    if (exclusive_.empty() || exclusive_.back().counter != counter) exclusive_.push_back({counter, place, place});
    ++exclusive_.back().last_worker;
    exclusive_ids_.push_back(worker);
  }

  /// Where there are many sizes: chain by chain.
  void add_prefix_sums(const std::int32_t* prefix, double* work) const {
    std::fill_n(work, kLanes, 0.0);
    for (std::size_t s = 0; s < slots_.size(); ++s)
      for (std::size_t lane = 0; lane < kLanes; ++lane)
        work[lane] += prefix_sums_[first_sum_[s] + static_cast<std::size_t>(prefix[s * kLanes + lane])];
  }

  ScheduleLists lists_;
  PieceSizes sizes_;
  const LaneLoops& loops_;
  std::vector<Slot> slots_;
  std::vector<Exception> exceptions_;
  std::vector<SharedList> shared_lists_;
  std::vector<Visit> visits_;
  std::vector<Ring> rings_;
  std::vector<Segment> segments_;
  std::vector<std::uint32_t> ring_lists_;
  std::size_t most_on_ring_ = 0;  // lists of the ring that has most
  std::vector<ExclusiveWorkers> exclusive_;
  std::vector<std::uint32_t> exclusive_ids_;
  std::vector<std::size_t> first_sum_;  // by slot, in prefix_sums_; only where there are many sizes
  std::vector<double> prefix_sums_;
};

}  // namespace

std::unique_ptr<Kernel> make_chain_kernel(const Schedule& schedule, const PieceSizes& sizes,
                                          const CompileOptions& options, const LaneLoops& loops,
                                          std::size_t most_visits) {
  const auto chains = find_chains(schedule, most_visits, sizes.few());
  if (!chains) return nullptr;
  std::vector<std::uint32_t> order(schedule.lists().size());
  std::iota(order.begin(), order.end(), 0u);
  return std::make_unique<ChainKernel>(schedule, sizes, ScheduleLists(schedule, order, options.grid, options.common),
                                       *chains, loops);
}

}  // namespace coterie::sim
