#include "heuristics/dispatch/central.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/ties.hpp"

namespace coterie::heuristics {

ChunksByAge::ChunksByAge(std::span<const RiskPtr> risks, double startup_cost, double wait) {
  if (startup_cost + wait <= 0) return;
  std::map<const Risk*, std::shared_ptr<const FirstChunks>> known;
  for (const RiskPtr& risk : risks) known[risk.get()];
  constexpr double kMostSteps = 2e8;  // of all grids together
  const double times = std::clamp(std::sqrt(kMostSteps / static_cast<double>(known.size())), 60.0, 1500.0);
  for (auto& [risk, chunks] : known)
    chunks = std::make_shared<const FirstChunks>(*risk, startup_cost, wait, static_cast<std::size_t>(times));
  for (const RiskPtr& risk : risks) chunks_.push_back(known[risk.get()]);
}

double ChunksByAge::operator()(std::size_t worker, double age) const {
  if (chunks_.empty()) return std::numeric_limits<double>::infinity();
  return (*chunks_[chunks_.size() == 1 ? 0 : worker])(age);
}

namespace {

/// At most `size`, and such that chunks like it end at the horizon, `rest` from where the first begins.
double fitting(double size, double rest, double startup_cost) {
  if (!std::isfinite(rest)) return size;
  const double chunks = std::max(1.0, std::ceil(rest / (size + startup_cost)));
  return std::min(size, rest / chunks - startup_cost);
}

}  // namespace

void Central::begin(const Heard&) {
  outstanding_.clear();
  place_.clear();
  survival_at_end_.clear();
  survival_now_.clear();
}

void Central::hold(std::uint32_t piece) {
  if (piece >= place_.size()) place_.resize(piece + 1, Heard::kNone);
  place_[piece] = static_cast<std::uint32_t>(outstanding_.size());
  outstanding_.push_back(piece);
}

Order Central::next(const Heard& heard, std::uint32_t worker) {
  if (heard.pool() <= 0) return copy(heard, worker);
  const double begin = heard.now() + heard.way();
  const double age = heard.age(worker, begin);
  double most = parameters_.first * (*chunks_)(worker, age);
  // The horizon is in the risks of workers that have been up since the start, by which first chunks are chosen.
  if (age < begin || std::isinf(most)) most = fitting(most, heard.listening().horizon - begin, heard.startup_cost());
  if (most < heard.least_chunk()) return Order::no_more();
  const double share = heard.pool() / (parameters_.shares * expected_to_live(heard, worker));
  hold(static_cast<std::uint32_t>(heard.pieces()));
  const double least = std::max(heard.least_chunk(), parameters_.least);
  const double size = std::min(most, std::max(least, share));
  return Order::fresh(heard.pool() - size < least ? std::min(most, heard.pool()) : size);  // no crumbs at the end
}

/// How many of those that are not known to be lost, were all like this one; at least one.
double Central::expected_to_live(const Heard& heard, std::uint32_t worker) const {
  const Risk& risk = heard.risk(worker);
  const double then = risk.survival(heard.age(worker, heard.lived_until(worker)));
  const double share = then > 0 ? risk.survival(heard.age(worker, heard.now())) / then : 1;
  return std::max(1.0, share * static_cast<double>(heard.not_lost()));
}

void Central::complete(const Heard&, std::uint32_t piece) {
  if (piece >= place_.size() || place_[piece] == Heard::kNone) return;
  const std::uint32_t place = std::exchange(place_[piece], Heard::kNone);
  const std::uint32_t last = outstanding_.back();
  outstanding_.pop_back();
  if (last == piece) return;
  outstanding_[place] = last;
  place_[last] = place;
}

void Central::take_over(const Heard& heard) {
  for (std::uint32_t piece = 0; piece < heard.pieces(); ++piece)
    if (!heard.is_known(piece) && !heard.is_gone(piece)) hold(piece);
}

PolicyPlan Central::plan() const {
  return {chosen_as_,
          {{"b", parameters_.first}, {"c", parameters_.shares}, {"c_min", parameters_.least}},
          chunks_->tables()};
}

/// Pieces that are in the pool again.
void Central::forget_gone(const Heard& heard) {
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < outstanding_.size(); ++i) {
    const std::uint32_t piece = outstanding_[i];
    if (heard.is_gone(piece)) {
      place_[piece] = Heard::kNone;
      continue;
    }
    if (kept != i) {
      outstanding_[kept] = piece;
      place_[piece] = kept;
    }
    ++kept;
  }
  outstanding_.resize(kept);
}

/// Given that those that are not known to be lost live. Stops where it is below `least` already.
double Central::all_fail(const Heard& heard, std::uint32_t piece, double least) {
  survival_at_end_.resize(heard.holders(), std::nan(""));
  survival_now_.resize(heard.workers());
  double fail = 1;
  for (std::uint32_t at = heard.first_holder(piece); at != Heard::kNone && fail > least; at = heard.holder(at).next) {
    const Heard::Holder& holder = heard.holder(at);
    if (holder.worker == Heard::kNone || holder.end > just_after(heard.listening().horizon)) continue;
    // Whoever was interrupted since then with another chunk has ended this one.
    if (heard.is_lost(holder.worker) || heard.age(holder.worker, holder.end) <= 0) return 0;
    const Risk& risk = heard.risk(holder.worker);
    double& at_end = survival_at_end_[at];
    if (std::isnan(at_end)) at_end = risk.survival(heard.age(holder.worker, holder.end));
    const double now =
        survival_now_[holder.worker].of(risk, heard.age(holder.worker, heard.lived_until(holder.worker)));
    fail *= now > 0 ? 1 - std::min(1.0, at_end / now) : 1;
  }
  return fail;
}

Order Central::copy(const Heard& heard, std::uint32_t worker) {
  forget_gone(heard);
  const Risk& risk = heard.risk(worker);
  const double begin = heard.now() + heard.way();
  double best = 0;
  std::uint32_t chosen = Heard::kNone;
  Asked own;  // neighbours are often of one size
  for (const std::uint32_t piece : outstanding_) {
    const double size = heard.size(piece);
    const double time = heard.startup_cost() + size;
    if (begin + time > just_after(heard.listening().horizon)) continue;
    const double gain = size / time * own.of(risk, heard.age(worker, begin) + time);
    if (!(gain > best)) continue;
    const double value = gain * all_fail(heard, piece, best / gain);
    if (!(value > best) || heard.has_had(worker, piece)) continue;
    best = value;
    chosen = piece;
  }
  return chosen == Heard::kNone ? Order::nothing() : Order::piece(chosen);
}

}  // namespace coterie::heuristics
