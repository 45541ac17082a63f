#include "heuristics/dispatch/two_listeners.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kMostStates = 1.5e6;

std::size_t rounded(double value) { return static_cast<std::size_t>(std::max(0.0, std::round(value))); }

}  // namespace

std::optional<TwoListeners> TwoListeners::solve(const Risk& risk, double work, double startup_cost) {
  if (startup_cost <= 0) return std::nullopt;
  // The start-up cost in units: as many as there is room for.
  for (std::size_t startup = 8; startup > 0; --startup) {
    const double parts = std::round(work / startup_cost * static_cast<double>(startup));
    if (parts < 1 || parts > 200) continue;
    const double unit = work / parts;
    const double longest = 2 * (parts + static_cast<double>(startup) * 8);  // enough to do all of it alone
    const double times = std::min(std::ceil(risk.effective_horizon() / unit), longest);
    const double states = times * (parts + 1) * (parts + 1) * (parts + static_cast<double>(startup) + 1);
    if (states > kMostStates) continue;
    return TwoListeners(risk, unit, rounded(parts), startup, rounded(times));
  }
  return std::nullopt;
}

TwoListeners::TwoListeners(const Risk& risk, double unit, std::size_t cells, std::size_t startup, std::size_t times)
    : unit_(unit), cells_(cells), startup_(startup), times_(times) {
  for (std::size_t t = 0; t <= times_; ++t) survival_.push_back(risk.survival(static_cast<double>(t) * unit_));
  const std::size_t pairs = at(times_ + 1, 0);
  alone_value_.assign(pairs, 0);
  both_value_.assign(pairs, 0);
  alone_.assign(pairs, kNothing);
  both_.assign(pairs, kNothing);
  busy_value_.assign(at(times_ + 1, 0, 0, 0), 0);
  busy_.assign(busy_value_.size(), kNothing);
  for (std::size_t time = times_; time-- > 0;) {
    cancellation_point();
    if (survival_[time] <= 0) continue;
    solve_alone(time);
    solve_busy(time);
    solve_idle(time);
  }
}

double TwoListeners::survives(std::size_t from, std::size_t to) const {
  return to > times_ || !(survival_[from] > 0) ? 0 : survival_[to] / survival_[from];
}

double TwoListeners::alone_value(std::size_t time, std::size_t rest) const {
  return time > times_ ? 0 : alone_value_[at(time, rest)];
}

double TwoListeners::both_value(std::size_t time, std::size_t rest) const {
  return time > times_ ? 0 : both_value_[at(time, rest)];
}

void TwoListeners::solve_alone(std::size_t time) {
  for (std::size_t rest = 1; rest <= cells_; ++rest)
    for (std::size_t size = 1; size <= rest; ++size) {
      const std::size_t end = time + size + startup_;
      const double value = survives(time, end) * (static_cast<double>(size) * unit_ + alone_value(end, rest - size));
      if (value <= alone_value_[at(time, rest)]) continue;
      alone_value_[at(time, rest)] = value;
      alone_[at(time, rest)] = static_cast<std::uint8_t>(size);
    }
}

void TwoListeners::solve_busy(std::size_t time) {
  for (std::size_t chunk = 1; chunk <= cells_; ++chunk)
    for (std::size_t rest = 0; rest + chunk <= cells_; ++rest)
      for (std::size_t remaining = 1; remaining <= chunk + startup_; ++remaining) {
        const std::size_t end = time + remaining;
        // Doing nothing: the other ends, or fails and all is left to this one when it is.
        const double alive = survives(time, end);
        const double ended = static_cast<double>(chunk) * unit_;
        double best = alive * (ended + alive * both_value(end, rest) + (1 - alive) * alone_value(end, rest)) +
                      (1 - alive) * alive * alone_value(end, rest + chunk);
        std::uint8_t choice = kNothing;
        const auto offer = [&](double value, std::uint8_t what) {
          if (value <= best) return;
          best = value;
          choice = what;
        };
        for (std::size_t size = 1; size <= rest; ++size)
          offer(fresh(time, rest, chunk, end, size), static_cast<std::uint8_t>(size));
        offer(copy(time, rest, chunk, end), kCopy);
        busy_value_[at(time, rest, chunk, remaining)] = static_cast<float>(best);
        busy_[at(time, rest, chunk, remaining)] = choice;
      }
}

/// Both live at `time`; the other ends `chunk` at `end`, this one takes `size` of the rest.
double TwoListeners::fresh(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t end,
                           std::size_t size) const {
  const std::size_t own_end = time + size + startup_;
  if (own_end > times_) return 0;
  const double own = static_cast<double>(size) * unit_;
  const double others = static_cast<double>(chunk) * unit_;
  const std::size_t first = std::min(own_end, end);
  const double alive = survives(time, first);
  if (own_end < end)
    return alive * alive * (own + static_cast<double>(busy_value_[at(first, rest - size, chunk, end - first)])) +
           alive * (1 - alive) * (own + alone_value(first, rest - size + chunk)) +
           (1 - alive) * alive * survives(first, end) * (others + alone_value(end, rest));
  if (own_end > end)
    return alive * alive * (others + static_cast<double>(busy_value_[at(first, rest - size, size, own_end - first)])) +
           alive * (1 - alive) * (others + alone_value(first, rest)) +
           (1 - alive) * alive * survives(first, own_end) * (own + alone_value(own_end, rest - size + chunk));
  return alive * alive * (own + others + both_value(first, rest - size)) +
         alive * (1 - alive) * (own + alone_value(first, rest - size + chunk) + others + alone_value(first, rest));
}

/// Both run the same; this one stops when the other has ended it.
double TwoListeners::copy(std::size_t time, std::size_t rest, std::size_t chunk, std::size_t end) const {
  const std::size_t own_end = time + chunk + startup_;
  const double size = static_cast<double>(chunk) * unit_;
  const double alive = survives(time, end);
  const double later = own_end > times_ || alive <= 0 ? 0 : survives(end, own_end);
  return alive * alive * (size + both_value(end, rest)) + alive * (1 - alive) * (size + alone_value(end, rest)) +
         (1 - alive) * alive * later * (size + alone_value(own_end, rest));
}

void TwoListeners::solve_idle(std::size_t time) {
  for (std::size_t rest = 1; rest <= cells_; ++rest)
    for (std::size_t size = 1; size <= rest; ++size) {
      const double value = static_cast<double>(busy_value_[at(time, rest - size, size, size + startup_)]);
      if (value <= both_value_[at(time, rest)]) continue;
      both_value_[at(time, rest)] = value;
      both_[at(time, rest)] = static_cast<std::uint8_t>(size);
    }
}

std::uint8_t TwoListeners::alone(std::size_t time, std::size_t rest) const {
  return time >= times_ ? kNothing : alone_[at(time, std::min(rest, cells_))];
}

std::uint8_t TwoListeners::both_idle(std::size_t time, std::size_t rest) const {
  return time >= times_ ? kNothing : both_[at(time, std::min(rest, cells_))];
}

std::uint8_t TwoListeners::other_busy(std::size_t time, std::size_t rest, std::size_t chunk,
                                      std::size_t remaining) const {
  if (time >= times_) return kNothing;
  chunk = std::clamp<std::size_t>(chunk, 1, cells_);
  rest = std::min(rest, cells_ - chunk);
  return busy_[at(time, rest, chunk, std::clamp<std::size_t>(remaining, 1, chunk + startup_))];
}

Order TwoListenersPolicy::next(const Heard& heard, std::uint32_t worker) {
  const double unit = table_->unit();
  const auto cells = [&](double value) { return rounded(value / unit); };
  const std::size_t time = cells(heard.now());
  const std::size_t rest = heard.pool() > 0 ? std::max<std::size_t>(1, cells(heard.pool())) : 0;
  const std::uint32_t other = 1 - worker;
  std::uint8_t choice = TwoListeners::kNothing;
  std::uint32_t piece = Heard::kNone;  // that the other is at
  if (heard.is_lost(other)) {
    choice = table_->alone(time, rest);
  } else if (const std::uint32_t last = heard.last_holder_of(other); last != Heard::kNone &&
                                                                     heard.holder(last).end > heard.now() &&
                                                                     !heard.is_known(heard.holder(last).piece)) {
    piece = heard.holder(last).piece;
    choice = table_->other_busy(time, rest, cells(heard.size(piece)), cells(heard.holder(last).end - heard.now()));
  } else {
    choice = table_->both_idle(time, rest);
  }
  if (choice == TwoListeners::kCopy) return heard.has_had(worker, piece) ? Order::nothing() : Order::piece(piece);
  if (choice == TwoListeners::kNothing || rest == 0) return Order::nothing();
  if (choice >= rest) return Order::fresh(heard.pool());
  return Order::fresh(std::min(heard.pool(), static_cast<double>(choice) * unit));
}

}  // namespace coterie::heuristics
