#include "heuristics/dispatch/help.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace coterie::heuristics {

Help::Help(Schedule shares)
    : shares_(std::move(shares)), owner_(shares_.pieces(), Heard::kNone), place_(shares_.pieces(), 0) {
  for (std::uint32_t w = 0; w < shares_.workers(); ++w) {
    const auto tasks = shares_.tasks(w).tasks;
    for (std::uint32_t k = 0; k < tasks.size(); ++k) {
      std::uint32_t& owner = owner_[tasks[k].first_piece];
      if (tasks[k].pieces != 1 || owner != Heard::kNone) throw std::invalid_argument("shares have pieces in common");
      owner = w;
      place_[tasks[k].first_piece] = k;
    }
  }
}

void Help::begin(const Heard&) {
  position_.assign(shares_.workers(), 0);
  searched_ = false;
}

/// Workers that have it or will reach it in their own share, for the first time or again after coming back.
std::uint32_t Help::cover(const Heard& heard, std::uint32_t piece) const {
  const std::uint32_t owner = owner_[piece];
  const bool to_come = !heard.is_lost(owner) && (position_[owner] <= place_[piece] || !heard.has_had(owner, piece));
  return static_cast<std::uint32_t>(heard.living_holders(piece)) + (to_come ? 1 : 0);
}

Help::Candidate Help::candidate(const Heard& heard, std::uint32_t piece) const {
  return {cover(heard, piece), shares_.tasks(owner_[piece]).finish[place_[piece]], piece};
}

void Help::push(const Candidate& candidate) {
  heap_.push_back(candidate);
  std::push_heap(heap_.begin(), heap_.end());
}

void Help::collect_all(const Heard& heard) {
  heap_.clear();
  for (std::uint32_t piece = 0; piece < shares_.pieces(); ++piece)
    if (owner_[piece] != Heard::kNone && !heard.is_known(piece)) heap_.push_back(candidate(heard, piece));
  std::make_heap(heap_.begin(), heap_.end());
}

Order Help::next(const Heard& heard, std::uint32_t worker) {
  const auto& [tasks, finish] = shares_.tasks(worker);
  if (const std::size_t k = position_[worker]; k < tasks.size()) {
    ++position_[worker];
    return {.kind = Order::Kind::kPieces,
            .first_piece = tasks[k].first_piece,
            .pieces = 1,
            .size = 0,
            .planned_begin = k == 0 ? 0 : finish[k - 1],
            .planned_finish = finish[k]};
  }
  if (!std::exchange(searched_, true)) collect_all(heard);
  own_.clear();
  Order order = Order::nothing();
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end());
    Candidate best = heap_.back();
    heap_.pop_back();
    if (heard.is_known(best.piece) || heard.is_gone(best.piece)) continue;
    if (const std::uint32_t now = cover(heard, best.piece); now != best.cover) {
      best.cover = now;
      push(best);
      continue;
    }
    own_.push_back(best);
    if (!heard.may_get(worker, best.piece)) continue;
    order = Order::piece(best.piece);
    break;
  }
  for (const Candidate& one : own_) push(one);
  return order;
}

void Help::lost(const Heard& heard, std::uint32_t worker) {
  if (!searched_) return;
  const std::size_t most = 4 * shares_.pieces();  // workers that come back are lost again and again
  for (const Task& task : shares_.tasks(worker).tasks)
    if (!heard.is_known(task.first_piece)) push(candidate(heard, task.first_piece));
  for (std::uint32_t at = heard.last_holder_of(worker); at != Heard::kNone && heap_.size() <= most;
       at = heard.holder_before(at))
    if (!heard.is_known(heard.holder(at).piece) && owner_[heard.holder(at).piece] != worker)
      push(candidate(heard, heard.holder(at).piece));
  if (heap_.size() > most) collect_all(heard);
}

}  // namespace coterie::heuristics
