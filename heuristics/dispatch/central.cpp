#include "heuristics/dispatch/central.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/infinity.hpp"
#include "core/ties.hpp"

namespace coterie::heuristics {
namespace {

/// At most `size`; less where smaller chunks, the last of which ends at the horizon, are more work than those of this
/// size that fit. `rest`: from where the first begins; `wait`: between two of them.
double fitting(double size, double rest, double startup_cost, double wait) {
  if (!std::isfinite(rest)) return size;
  const double each = startup_cost + wait;
  const double chunks = std::max(0.0, std::floor((rest + wait) / (size + each)));
  const double smaller = (rest + wait) / (chunks + 1) - each;
  return chunks < 1 || (chunks + 1) * smaller > chunks * size ? std::min(size, smaller) : size;
}

}  // namespace

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

double ChunksByAge::operator()(std::size_t law, double age) const {
  if (chunks_.empty()) return kInfinity;
  return (*chunks_[chunks_.size() == 1 ? 0 : law])(age);
}

void Central::begin(const Heard& heard) {
  outstanding_.clear();
  place_.clear();
  any_gone_ = false;
  survival_at_end_.clear();
  survival_now_.clear();
  survival_of_most_ = survival_of_copy_ = {};
  alike_ = heard.risks().size() == 1 && heard.same_speed();
  bounded_ = heard.listening().prefetch > 0 || heard.listening().latency == 0;
  is_ranked_ = false;
  last_.clear();
  found_at_.clear();
}

void Central::hold(std::uint32_t piece) {
  if (piece >= place_.size()) {
    place_.resize(piece + 1, Heard::kNone);
    last_.resize(piece + 1, -kInfinity);
    found_at_.resize(piece + 1, 0);
  }
  place_[piece] = static_cast<std::uint32_t>(outstanding_.size());
  outstanding_.push_back(piece);
  if (place_[piece] >= ranked_.size()) is_ranked_ = false;
  if (is_ranked_) ranked_.set(place_[piece], -kInfinity);
}

Order Central::next(const Heard& heard, std::uint32_t worker) {
  if (heard.pool() <= 0) return copy(heard, worker);
  if (heard.has_tasks()) {
    hold(static_cast<std::uint32_t>(heard.pieces()));
    return Order::fresh(heard.pool());
  }
  const double begin = heard.now() + heard.way();
  const double age = heard.age(worker, begin);
  const double speed = heard.speed(worker);
  double most = parameters_.first * (*chunks_)(heard.law(worker), age);
  // The horizon is in the risks of workers that have been up since the start, by which first chunks are chosen.
  if (age < begin || std::isinf(most) || heard.has_crew())
    most = fitting(most, heard.listening().horizon - begin, heard.startup_cost(), heard.listening().wait());
  most *= speed;
  if (!(most > 0) || most < heard.least_chunk()) return heard.has_crew() ? Order::nothing() : Order::no_more();
  const double share = heard.pool() * speed / (parameters_.shares * expected_to_live(heard, worker));
  hold(static_cast<std::uint32_t>(heard.pieces()));
  const double least = std::max(heard.least_chunk(), speed * parameters_.least);
  const double size = std::min(most, std::max(least, share));
  return Order::fresh(heard.pool() - size < least ? std::min(most, heard.pool()) : size);  // no crumbs at the end
}

/// The expected speed of all workers still alive, of those not known to be lost, if all had this one's law; at least
/// its own.
double Central::expected_to_live(const Heard& heard, std::uint32_t worker) const {
  const Risk& risk = heard.risk(worker);
  const double then = risk.survival(heard.age(worker, heard.lived_until(worker)));
  const double share = then > 0 ? risk.survival(heard.age(worker, heard.now())) / then : 1;
  return std::max(heard.speed(worker), share * heard.speed_not_lost());
}

void Central::complete(const Heard&, std::uint32_t piece) {
  if (piece >= place_.size() || place_[piece] == Heard::kNone) return;
  const std::uint32_t place = std::exchange(place_[piece], Heard::kNone);
  const std::uint32_t last = outstanding_.back();
  outstanding_.pop_back();
  if (is_ranked_) ranked_.set(static_cast<std::uint32_t>(outstanding_.size()), kInfinity);
  if (last == piece) return;
  outstanding_[place] = last;
  place_[last] = place;
  if (is_ranked_) ranked_.set(place, last_[last]);
}

/// The pieces that it had are now more likely to fail than was computed.
void Central::lost(const Heard& heard, std::uint32_t worker) {
  for (std::uint32_t at = heard.last_holder_of(worker);
       at != heard.last_before_spell(worker) && heard.holder(at).worker == Heard::kNone; at = heard.holder_before(at)) {
    const std::uint32_t piece = heard.holder(at).piece;
    if (piece >= place_.size() || place_[piece] == Heard::kNone) continue;
    any_gone_ = any_gone_ || heard.is_gone(piece);
    last_[piece] = -kInfinity;
    if (is_ranked_) ranked_.set(place_[piece], -kInfinity);
  }
}

void Central::returned(const Heard&, std::uint32_t) {
  if (!std::exchange(alike_, false)) return;
  std::fill(last_.begin(), last_.end(), -kInfinity);  // these were bounds for workers of one age
  is_ranked_ = false;
}

void Central::take_over(const Heard& heard) {
  for (std::uint32_t piece = 0; piece < heard.pieces(); ++piece)
    if (!heard.is_known(piece) && !heard.is_gone(piece)) hold(piece);
  any_gone_ = true;  // pieces of the plan that nobody has will be
}

PolicyPlan Central::plan() const {
  return {chosen_as_,
          {{"b", parameters_.first}, {"c", parameters_.shares}, {"c_min", parameters_.least}},
          chunks_->tables()};
}

/// Pieces that are in the pool again.
void Central::forget_gone(const Heard& heard) {
  if (!std::exchange(any_gone_, false)) return;
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
  if (kept < outstanding_.size()) is_ranked_ = false;
  outstanding_.resize(kept);
}

void Central::rank_all() {
  ranked_.clear(2 * outstanding_.size());
  ranked_.assign(outstanding_, [&](std::uint32_t piece) { return last_[piece]; });
  is_ranked_ = true;
}

/// Given that workers not known to be lost are alive. Stops once it is below `least`.
double Central::all_fail(const Heard& heard, std::uint32_t piece, double least) {
  survival_at_end_.resize(heard.holders(), std::nan(""));
  survival_now_.resize(heard.workers());
  const double without_news = heard.now() - heard.listening().notice;
  double fail = 1;
  for (std::uint32_t at = heard.first_holder(piece); at != Heard::kNone && fail > least; at = heard.holder(at).next) {
    const Heard::Holder& holder = heard.holder(at);
    if (holder.worker == Heard::kNone || holder.end > just_after(heard.listening().horizon)) continue;
    // A worker that has since been interrupted with another chunk has ended this one.
    if (heard.is_lost(holder.worker) || heard.age(holder.worker, holder.end) <= 0) return 0;
    const Risk& risk = heard.risk(holder.worker);
    double& at_end = survival_at_end_[at];
    if (std::isnan(at_end)) at_end = risk.survival(heard.age(holder.worker, holder.end));
    const double lived = heard.lived_until(holder.worker);
    Asked& asked = alike_ && bounded_ && lived == without_news ? survival_of_most_ : survival_now_[holder.worker];
    const double now = asked.of(risk, heard.age(holder.worker, lived));
    fail *= now > 0 ? 1 - std::min(1.0, at_end / now) : 1;
  }
  return fail;
}

/// The expected gain of a copy per unit of its time, if all others that have the piece fail; 0 if it ends too late.
double Central::gain(const Heard& heard, std::uint32_t worker, std::uint32_t piece) {
  const double begin = heard.now() + heard.way();
  const double size = heard.size(piece);
  const double time = heard.time_of(worker, size);
  if (begin + time > just_after(heard.listening().horizon)) return 0;
  return size / time * survival_of_copy_.of(heard.risk(worker), heard.age(worker, begin) + time);
}

Order Central::copy(const Heard& heard, std::uint32_t worker) {
  forget_gone(heard);
  const std::uint32_t chosen = !bounded_ ? best_of_all(heard, worker)
                               : alike_  ? best_of_ranked(heard, worker)
                                         : best_of_unlike(heard, worker);
  return chosen == Heard::kNone ? Order::nothing() : Order::piece(chosen);
}

/// Of equally valuable ones, the first in the list.
std::uint32_t Central::best_of_ranked(const Heard& heard, std::uint32_t worker) {
  if (!is_ranked_) rank_all();
  if (const double begin = heard.now() + heard.way(); begin != moment_begin_ || heard.news() != moment_news_) {
    moment_begin_ = begin;
    moment_news_ = heard.news();
    ++moment_;
  }
  std::uint32_t chosen = Heard::kNone;
  passed_.clear();
  while (ranked_.first_time() < 0) {
    const std::uint32_t place = ranked_.first();
    const std::uint32_t piece = outstanding_[place];
    if (found_at_[piece] != moment_) {
      const double most = gain(heard, worker, piece);
      last_[piece] = most > 0 ? -most * all_fail(heard, piece, 0) : 0;
      found_at_[piece] = moment_;
      ranked_.set(place, last_[piece]);
    } else if (!heard.may_get(worker, piece)) {
      passed_.push_back(place);
      ranked_.set(place, kInfinity);
    } else {
      chosen = piece;
      found_at_[piece] = 0;  // one more has it from now on
      break;
    }
  }
  for (const std::uint32_t place : passed_) ranked_.set(place, last_[outstanding_[place]]);
  return chosen;
}

/// The same if the bounds do not include the probability that the worker itself lives.
std::uint32_t Central::best_of_unlike(const Heard& heard, std::uint32_t worker) {
  constexpr double kRounded = 1 + 1e-12;
  if (!is_ranked_) rank_all();
  const double begin = heard.now() + heard.way();
  const double alive = kRounded * heard.risk(worker).survival(heard.age(worker, begin));
  double best = 0;
  std::uint32_t chosen = Heard::kNone;
  passed_.clear();
  while (ranked_.first_time() < 0 && -ranked_.first_time() * alive >= best) {
    const std::uint32_t place = ranked_.first();
    const std::uint32_t piece = outstanding_[place];
    passed_.push_back(place);
    ranked_.set(place, kInfinity);
    if (!heard.may_get(worker, piece)) continue;
    const double fail = all_fail(heard, piece, 0);
    const double size = heard.size(piece);
    last_[piece] = -fail * size / (heard.startup_cost() + size / heard.greatest_speed());
    const double value = gain(heard, worker, piece) * fail;
    const bool ties_earlier = value == best && chosen != Heard::kNone && place < place_[chosen];
    if (!(value > best) && !ties_earlier) continue;
    best = value;
    chosen = piece;
  }
  for (const std::uint32_t place : passed_) ranked_.set(place, last_[outstanding_[place]]);
  return chosen;
}

std::uint32_t Central::best_of_all(const Heard& heard, std::uint32_t worker) {
  double best = 0;
  std::uint32_t chosen = Heard::kNone;
  for (const std::uint32_t piece : outstanding_) {
    const double most = gain(heard, worker, piece);
    if (!(most > best)) continue;
    const double value = most * all_fail(heard, piece, best / most);
    if (!(value > best) || !heard.may_get(worker, piece)) continue;
    best = value;
    chosen = piece;
  }
  return chosen;
}

}  // namespace coterie::heuristics
