#include "heuristics/heterogeneous/plan_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kGain = 1e-9;            ///< relative: smaller gains are left alone
constexpr std::size_t kImprovable = 150;  ///< copies up to which each is taken out and put anew
constexpr std::size_t kRecent = 32;       ///< a new copy goes behind all but at most so many others
constexpr int kPasses = 3;
constexpr int kAscents = 40;
constexpr double kLeastStep = 1e-6;
constexpr double kSlopeNoise = 1e-6;  ///< relative, of slopes that are finite differences

}  // namespace

PlanBuilder::PlanBuilder(const ReplicationProblem& problem, double piece_size, MessagePlan start)
    : problem_(problem),
      value_of_(problem.workers, problem.startup),
      piece_size_(piece_size),
      plan_(std::move(start)),
      copies_(0),
      remaining_(problem.work - plan_.deployed_work()),
      has_(problem.workers.size(), std::vector<char>(plan_.piece_sizes.size(), 0)) {
  if (std::isfinite(problem.work) && remaining_ <= 1e-12 * problem.work) remaining_ = 0;
  for (const Message& message : plan_.messages)
    for (const std::uint32_t piece : message.pieces) {
      has_[message.worker][piece] = 1;
      ++copies_;
    }
  value_ = value_of_(plan_);
}

void PlanBuilder::build() {
  add_copies();
  for (int pass = 0; pass < kPasses && copies_ <= kImprovable; ++pass) {
    const double before = value_;
    move_copies();
    add_copies();
    if (value_ <= before * (1 + 1e-6)) break;
  }
  drop_pieces_that_nobody_has();
}

void PlanBuilder::deploy_all() {
  if (!(remaining_ > 0)) return;
  const MessagePlan held_back = plan_;
  const double rest = remaining_;
  double best = -1;
  const auto consider = [&](MessagePlan candidate) {
    const double value = value_of_(candidate);
    if (value > best) {
      best = value;
      plan_ = std::move(candidate);
    }
  };
  for (std::size_t worker = 0; worker < problem_.workers.size(); ++worker)
    consider(given_to_last(held_back, worker, rest, problem_.rounds == Rounds::kSeveral));
  value_ = best;
  remaining_ = 0;
}

void PlanBuilder::polish_sizes() {
  if (plan_.piece_sizes.empty()) return;
  double step = 0.5;  // of the piece that changes most, relatively
  for (int ascent = 0; ascent < kAscents && step > kLeastStep; ++ascent) {
    const std::vector<double> slopes = marginal_values();
    const double greatest = *std::max_element(slopes.begin(), slopes.end());
    const bool trade = problem_.deployment == Deployment::kForced || (remaining_ <= 0 && greatest > 0);
    const double level =
        trade ? std::accumulate(slopes.begin(), slopes.end(), 0.0) / static_cast<double>(slopes.size()) : 0;
    double steepest = 0;
    for (std::size_t i = 0; i < slopes.size(); ++i) {
      if (std::abs(slopes[i] - level) <= kSlopeNoise * std::abs(level)) continue;
      steepest = std::max(steepest, std::abs(slopes[i] - level) / plan_.piece_sizes[i]);
    }
    if (!(steepest > 0)) return;

    const std::vector<double> before = plan_.piece_sizes;
    const double left = remaining_;
    bool gained = false;
    for (step = std::min(0.5, 4 * step); step > kLeastStep && !gained; step /= 2) {
      std::vector<double> changes;
      for (const double slope : slopes) changes.push_back(step / steepest * (slope - level));
      const double grown = std::accumulate(changes.begin(), changes.end(), 0.0);
      for (std::size_t i = 0; i < changes.size(); ++i)  // removes the rounding error of a trade
        plan_.piece_sizes[i] = before[i] + changes[i] - (trade ? grown / static_cast<double>(changes.size()) : 0);
      remaining_ = trade ? left : left - grown;
      gained = remaining_ >= 0 && value_of_(plan_) > value_ * (1 + 1e-12) &&
               *std::min_element(plan_.piece_sizes.begin(), plan_.piece_sizes.end()) > 0;
    }
    if (!gained) {
      plan_.piece_sizes = before;
      remaining_ = left;
      return;
    }
    value_ = value_of_(plan_);
  }
}

double PlanBuilder::fresh_size() const {
  return remaining_ < piece_size_ * (1 + 1e-9) ? remaining_ : piece_size_;  // leaves no tiny remainder
}

std::vector<double> PlanBuilder::marginal_values() {
  std::vector<double> slopes;
  for (double& size : plan_.piece_sizes) {
    const double kept = size;
    const double step = 1e-7 * kept;
    size = kept + step;
    slopes.push_back((value_of_(plan_) - value_) / step);
    size = kept;
  }
  return slopes;
}

std::vector<std::uint32_t> PlanBuilder::candidates(std::size_t worker) const {
  std::vector<std::uint32_t> pieces;
  double most = 0;
  for (std::uint32_t piece = 0; piece < lost_.size(); ++piece) {
    const double at_stake = has_[worker][piece] ? 0 : plan_.piece_sizes[piece] * lost_[piece];
    if (at_stake <= most) continue;
    most = at_stake;
    pieces.assign(1, piece);
  }
  if (remaining_ > 0) pieces.push_back(static_cast<std::uint32_t>(plan_.piece_sizes.size()));
  return pieces;
}

PlanBuilder::Place PlanBuilder::best_place(std::size_t worker) {
  cancellation_point();
  Place best;
  const double fresh = fresh_size();
  for (const std::uint32_t piece : candidates(worker)) {
    const bool is_fresh = piece == plan_.piece_sizes.size();
    if (is_fresh) plan_.piece_sizes.push_back(fresh);
    const auto try_place = [&](std::size_t message, std::size_t position, bool new_message) {
      const double value = value_of_(plan_);
      if (value > best.value) best = {value, piece, message, position, new_message};
    };
    const auto own = std::find_if(plan_.messages.begin(), plan_.messages.end(),
                                  [&](const Message& message) { return message.worker == worker; });
    if (problem_.rounds == Rounds::kOne && own != plan_.messages.end()) {
      std::vector<std::uint32_t>& list = own->pieces;
      list.push_back(piece);
      const std::size_t last = list.size() - 1;
      const std::size_t first = last > kRecent ? last - kRecent : 0;
      for (std::size_t at = last;; --at) {
        try_place(static_cast<std::size_t>(own - plan_.messages.begin()), at, false);
        if (at == first) break;
        std::swap(list[at], list[at - 1]);
      }
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(first));
    } else {
      plan_.messages.push_back({worker, {piece}});
      const std::size_t last = plan_.messages.size() - 1;
      const std::size_t first = last > kRecent ? last - kRecent : 0;
      for (std::size_t at = last;; --at) {
        try_place(at, 0, true);
        if (at == first) break;
        std::swap(plan_.messages[at], plan_.messages[at - 1]);
      }
      plan_.messages.erase(plan_.messages.begin() + static_cast<std::ptrdiff_t>(first));
    }
    if (is_fresh) plan_.piece_sizes.pop_back();
  }
  return best;
}

void PlanBuilder::put(std::size_t worker, const Place& place) {
  if (place.piece == plan_.piece_sizes.size()) {
    plan_.piece_sizes.push_back(fresh_size());
    remaining_ -= plan_.piece_sizes.back();
    for (auto& row : has_) row.push_back(0);
  }
  has_[worker][place.piece] = 1;
  const auto message = plan_.messages.begin() + static_cast<std::ptrdiff_t>(place.message);
  if (place.new_message) {
    plan_.messages.insert(message, {worker, {place.piece}});
  } else {
    message->pieces.insert(message->pieces.begin() + static_cast<std::ptrdiff_t>(place.position), place.piece);
  }
  ++copies_;
  value_ = place.value;
  remember_losses();
}

void PlanBuilder::remember_losses() {
  value_ = value_of_(plan_);
  lost_.assign(value_of_.lost().begin(), value_of_.lost().end());
}

void PlanBuilder::add_copies() {
  constexpr double kUnknown = kInfinity;
  remember_losses();
  const std::size_t workers = problem_.workers.size();
  std::vector<double> hoped(workers, kUnknown);
  std::vector<Place> places(workers);
  std::vector<char> asked(workers, 0);  // since the plan last changed
  while (copies_ < most_copies()) {
    const auto top = static_cast<std::size_t>(std::max_element(hoped.begin(), hoped.end()) - hoped.begin());
    if (!asked[top]) {
      places[top] = best_place(top);
      hoped[top] = places[top].value - value_;
      asked[top] = 1;
    } else if (hoped[top] > kGain * value_) {
      put(top, places[top]);
      std::fill(asked.begin(), asked.end(), 0);
    } else {
      if (std::count(asked.begin(), asked.end(), 0) == 0) break;
      for (std::size_t worker = 0; worker < workers; ++worker)
        if (!asked[worker]) hoped[worker] = kUnknown;
    }
  }
}

std::size_t PlanBuilder::most_copies() const {
  return problem_.piece_size ? std::numeric_limits<std::size_t>::max() : kMostCopies;
}

void PlanBuilder::move_copies() {
  for (std::size_t m = 0; m < plan_.messages.size(); ++m)
    for (std::size_t k = 0; k < plan_.messages[m].pieces.size(); ++k) {
      const PlanBuilder before = *this;
      take_out(m, k);
      Place best;
      std::size_t best_worker = 0;
      for (std::size_t worker = 0; worker < problem_.workers.size(); ++worker) {
        const Place place = best_place(worker);
        if (place.value <= best.value) continue;
        best = place;
        best_worker = worker;
      }
      const double alone = value_;
      if (std::max(best.value, alone) <= before.value_ * (1 + kGain)) {
        restore(before);
      } else if (best.value > alone) {
        put(best_worker, best);
      }
      if (m >= plan_.messages.size()) return;
    }
}

void PlanBuilder::restore(const PlanBuilder& before) {
  plan_ = before.plan_;
  copies_ = before.copies_;
  remaining_ = before.remaining_;
  has_ = before.has_;
  value_ = before.value_;
  lost_ = before.lost_;
}

void PlanBuilder::drop_pieces_that_nobody_has() {
  std::vector<std::uint32_t> number(plan_.piece_sizes.size());
  std::vector<double> sizes;
  for (std::uint32_t piece = 0; piece < number.size(); ++piece) {
    const bool held = std::any_of(has_.begin(), has_.end(), [&](const auto& row) { return row[piece] != 0; });
    number[piece] = static_cast<std::uint32_t>(sizes.size());
    if (held) {
      sizes.push_back(plan_.piece_sizes[piece]);
    } else {
      remaining_ += plan_.piece_sizes[piece];
    }
  }
  plan_.piece_sizes = std::move(sizes);
  for (Message& message : plan_.messages)
    for (std::uint32_t& piece : message.pieces) piece = number[piece];
}

void PlanBuilder::take_out(std::size_t message, std::size_t position) {
  Message& from = plan_.messages[message];
  const std::uint32_t piece = from.pieces[position];
  has_[from.worker][piece] = 0;
  from.pieces.erase(from.pieces.begin() + static_cast<std::ptrdiff_t>(position));
  if (from.pieces.empty()) plan_.messages.erase(plan_.messages.begin() + static_cast<std::ptrdiff_t>(message));
  --copies_;
  remember_losses();
}

MessagePlan PlanBuilder::given_to_last(MessagePlan plan, std::size_t worker, double rest, bool another_message) {
  plan.piece_sizes.push_back(rest);
  Message last{worker, {}};
  for (auto message = plan.messages.begin(); message != plan.messages.end() && !another_message;) {
    if (message->worker == worker) {
      last.pieces = message->pieces;
      message = plan.messages.erase(message);
    } else {
      ++message;
    }
  }
  last.pieces.push_back(static_cast<std::uint32_t>(plan.piece_sizes.size() - 1));
  plan.messages.push_back(std::move(last));
  return plan;
}

}  // namespace coterie::heuristics
