#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/ties.hpp"
#include "heuristics/dispatch/central.hpp"

namespace coterie::heuristics {

/// Central, and what it copies the plain way: each time all that is outstanding is looked at, and all who have it.
class PlainCentral final : public ListeningPolicy {
 public:
  explicit PlainCentral(Central central) : central_(std::move(central)) {}
  void begin(const Heard& heard) override {
    outstanding_.clear();
    central_.begin(heard);
  }
  void complete(const Heard& heard, std::uint32_t piece) override {
    if (const auto at = std::find(outstanding_.begin(), outstanding_.end(), piece); at != outstanding_.end()) {
      *at = outstanding_.back();
      outstanding_.pop_back();
    }
    central_.complete(heard, piece);
  }
  void lost(const Heard& heard, std::uint32_t worker) override { central_.lost(heard, worker); }
  void returned(const Heard& heard, std::uint32_t worker) override { central_.returned(heard, worker); }

  bool gives_nothing(const Heard& heard) const override {
    if (!central_.gives_nothing(heard)) return false;
    for (std::uint32_t worker = 0; worker < heard.workers(); ++worker)
      if (!heard.is_lost(worker) && copied(heard, worker) != Heard::kNone) ++others_;
    ++silences_;
    return true;
  }

  Order next(const Heard& heard, std::uint32_t worker) override {
    const auto fresh = static_cast<std::uint32_t>(heard.pieces());
    const bool copies = heard.pool() <= 0;
    const Order order = central_.next(heard, worker);
    if (order.kind == Order::Kind::kFresh) outstanding_.push_back(fresh);
    if (!copies) return order;
    const std::uint32_t plain = copied(heard, worker);
    const bool same = plain == Heard::kNone ? order.kind == Order::Kind::kNothing
                                            : order.kind == Order::Kind::kPieces && order.first_piece == plain;
    if (!same) ++others_;
    if (plain != Heard::kNone) ++copies_;
    return order;
  }

  std::size_t copies() const { return copies_; }
  std::size_t ties() const { return ties_; }          ///< of these, those where others were worth the same
  std::size_t silences() const { return silences_; }  ///< when nobody was asked
  std::size_t others() const { return others_; }      ///< orders that differ

 private:
  std::uint32_t copied(const Heard& heard, std::uint32_t worker) const {
    std::erase_if(outstanding_, [&](std::uint32_t piece) { return heard.is_gone(piece); });
    const double horizon = just_after(heard.listening().horizon);
    const double begin = heard.now() + heard.way();
    double best = 0;
    bool tied = false;
    std::uint32_t chosen = Heard::kNone;
    for (const std::uint32_t piece : outstanding_) {
      const double time = heard.startup_cost() + heard.size(piece);
      if (begin + time > horizon || heard.has_had(worker, piece)) continue;
      const double lives = heard.risk(worker).survival(heard.age(worker, begin) + time);
      const double value = heard.size(piece) / time * lives * all_fail(heard, piece, horizon);
      tied = value > best ? false : tied || (value == best && best > 0);
      if (value <= best) continue;
      best = value;
      chosen = piece;
    }
    if (tied) ++ties_;
    return chosen;
  }

  static double all_fail(const Heard& heard, std::uint32_t piece, double horizon) {
    double fail = 1;
    for (std::uint32_t at = heard.first_holder(piece); at != Heard::kNone; at = heard.holder(at).next) {
      const auto& [holder, task, its, next, begin, end] = heard.holder(at);
      if (holder == Heard::kNone || end > horizon) continue;
      if (heard.is_lost(holder) || heard.age(holder, end) <= 0) return 0;
      const double now = heard.risk(holder).survival(heard.age(holder, heard.lived_until(holder)));
      const double ends = heard.risk(holder).survival(heard.age(holder, end));
      fail *= now > 0 ? 1 - std::min(1.0, ends / now) : 1;
    }
    return fail;
  }

  Central central_;
  mutable std::vector<std::uint32_t> outstanding_;
  std::size_t copies_ = 0;
  mutable std::size_t ties_ = 0;
  mutable std::size_t silences_ = 0;
  mutable std::size_t others_ = 0;
};

}  // namespace coterie::heuristics
