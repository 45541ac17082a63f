#include "heuristics/dispatch/dispatch_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/cancellation.hpp"
#include "core/compensated_sum.hpp"
#include "core/errors.hpp"
#include "core/ties.hpp"
#include "heuristics/worksharing/whole_tasks.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kNever = EventTimes::kNever;
constexpr double kCrumb = 1e-12;  // of the work: a remainder that is only rounding

}  // namespace

DispatchRun::DispatchRun(std::string name, std::size_t workers, double work, double startup_cost,
                         std::span<const RiskPtr> risks, const Listening& listening)
    : name_(std::move(name)) {
  work_ = work;
  listening_ = listening;
  startup_cost_ = startup_cost;
  risks_ = risks;
  lost_.resize(workers);
  up_since_.resize(workers);
  reported_.resize(workers);
  lives_.resize(workers);
  spells_begun_.resize(workers);
  before_spell_.resize(workers);
  running_.resize(workers);
  of_worker_.resize(workers);
  least_chunk_ = kLeastChunk * std::min(work, greatest_time());
}

DispatchRun::DispatchRun(std::string name, std::shared_ptr<const Crew> crew, double work, const Listening& listening)
    : DispatchRun(std::move(name), crew->group_of.size(), work, crew->startup_cost, crew->laws, listening) {
  crew_ = std::move(crew);
  greatest_speed_ = 0;
  for (const Crew::Group& group : crew_->groups) {
    greatest_speed_ = std::max(greatest_speed_, group.speed);
    same_speed_ = same_speed_ && group.speed == crew_->groups.front().speed;
    has_fallback_ = has_fallback_ || group.fallback;
  }
  law_.resize(workers());
  parts_.resize(workers());
  if (has_tasks()) task_sizes_ = task_sizes(work, crew_->task);
}

/// By when nearly all of them are interrupted, added up; infinite if some may never be.
double DispatchRun::greatest_time() const {
  if (std::isfinite(listening_.horizon)) return static_cast<double>(workers()) * listening_.horizon;
  double sum = 0;
  for (const RiskPtr& risk : risks_)
    sum += risk->survival(std::numeric_limits<double>::max()) > 0 ? kNever : risk->effective_horizon();
  return risks_.size() == 1 ? static_cast<double>(workers()) * sum : sum;
}

void DispatchRun::refuse(const std::string& problem) const {
  throw InputError(fmt::format("the policy {} {}", name_, problem));
}

void DispatchRun::start(ListeningPolicy& policy) {
  policy_ = &policy;
  outcome_ = {};
  for (auto* times : {&machine_times_, &rented_times_, &billed_times_}) times->assign(workers(), 0);
  rented_since_.assign(workers(), kNever);
  ready_.assign(workers(), crew_ ? -1 : 0);
  is_finished_ = false;
  last_end_ = 0;
  now_ = 0;
  tasks_ = 0;
  chosen_ = 0;
  not_lost_ = 0;
  speed_not_lost_ = 0;
  for (std::uint32_t w = 0; w < workers(); ++w) {
    if (crew_) law_[w] = crew_->of(w).first_law;
    if (is_fallback(w)) continue;
    ++not_lost_;
    speed_not_lost_ += speed(w);
    if (spells_ == nullptr || spells_begun_[w] > 0) rented_since_[w] = 0;
  }
  std::fill(lost_.begin(), lost_.end(), char{0});
  for (auto* times : {&up_since_, &reported_}) std::fill(times->begin(), times->end(), 0.0);
  std::fill(running_.begin(), running_.end(), Running{});
  for (auto* places : {&of_worker_, &before_spell_}) std::fill(places->begin(), places->end(), kNone);
  for (auto* list : {&before_, &asking_, &idle_, &idle_fallback_}) list->clear();
  for (auto& parts : parts_) parts.clear();
  holders_.clear();
  reports_.clear();
  heard_reports_ = heard_lives_ = heard_returns_ = 0;
  ends_.clear(workers());
  interruptions_.clear();
  if (listening_.notice < kNever) interruptions_ = interruptions();
  for (auto* times : {&interruptions_, &returns_})
    std::sort(times->begin(), times->end(), [](const WorkerTime& a, const WorkerTime& b) {
      return a.time < b.time || (a.time == b.time && a.worker < b.worker);
    });
  take_plan(policy.pieces());
  policy.begin(*this);
  if (spells_ != nullptr) lose_who_is_not_up();
}

void DispatchRun::take_plan(std::span<const double> pieces) {
  if (!std::equal(pieces.begin(), pieces.end(), plan_.begin(), plan_.end()) || pieces.empty()) {
    plan_.assign(pieces.begin(), pieces.end());
    CompensatedSum rest;
    rest.add(work_);
    for (const double size : plan_) rest.add(-size);
    beside_plan_ = rest.value() <= kCrumb * work_ ? 0 : rest.value();
  }
  pool_ = beside_plan_;
  size_ = plan_;
  planned_ = unfinished_ = unheard_ = plan_.size();
  for (auto* list : {&done_, &known_, &gone_}) list->assign(planned_, 0);
  living_.assign(planned_, 0);
  first_holder_.assign(planned_, kNone);
  if (saves_parts()) left_ = plan_;
  if (!has_tasks()) return;
  const auto is_same = [&](double size, double task) { return std::abs(size - task) <= kCrumb * work_; };
  if (plan_.size() > task_sizes_.size() || !std::equal(plan_.begin(), plan_.end(), task_sizes_.begin(), is_same))
    refuse("cuts whole tasks");
  std::copy_n(task_sizes_.begin(), planned_, size_.begin());
  losses_.assign(task_sizes_.size(), 0);
  task_of_.resize(planned_);
  std::iota(task_of_.begin(), task_of_.end(), 0u);
  pool_ = 0;
  tasks_to_do_ = tasks_for_fallback_ = {};
  for (std::size_t task = planned_; task < task_sizes_.size(); ++task) to_queue(static_cast<std::uint32_t>(task));
}

void DispatchRun::to_queue(std::uint32_t task) {
  tasks_to_do_.waiting.push_back(task);
  pool_ += task_sizes_[task];
}

/// Takes it for a new piece, and returns its size.
double DispatchRun::next_task(std::uint32_t worker, std::uint32_t piece) {
  Tasks& tasks = is_fallback(worker) ? tasks_for_fallback_ : tasks_to_do_;
  const std::uint32_t task = tasks.waiting[tasks.taken++];
  task_of_.resize(piece + 1);
  task_of_[piece] = task;
  if (!is_fallback(worker)) pool_ = tasks.empty() ? 0 : pool_ - task_sizes_[task];
  return task_sizes_[task];
}

std::vector<WorkerTime> DispatchRun::interruptions() const {
  std::vector<WorkerTime> times;
  for (std::uint32_t w = 0; w < workers(); ++w)
    if (spells_ == nullptr) {
      times.push_back({lives_[w], w});
    } else {
      const auto spells = spells_->of(w);
      for (std::uint32_t k = 0; k < spells.size(); ++k) times.push_back({spells[k].end, w, k});
    }
  return times;
}

void DispatchRun::lose_who_is_not_up() {
  for (std::uint32_t w = 0; w < workers(); ++w)
    if (spells_begun_[w] == 0) hear_loss(w);
}

std::uint32_t DispatchRun::new_piece(double size) {
  const auto piece = static_cast<std::uint32_t>(size_.size());
  size_.push_back(size);
  known_.push_back(0);
  done_.push_back(0);
  gone_.push_back(0);
  living_.push_back(0);
  first_holder_.push_back(kNone);
  if (saves_parts()) left_.push_back(size);
  ++unfinished_;
  ++unheard_;
  return piece;
}

DispatchOutcome DispatchRun::operator()(ListeningPolicy& policy, std::span<const double> interruptions,
                                        std::vector<DispatchEvent>* log) {
  spells_ = nullptr;
  returns_.clear();
  lives_.assign(interruptions.begin(), interruptions.end());
  last_life_ = *std::max_element(lives_.begin(), lives_.end());
  return run(policy, log);
}

DispatchOutcome DispatchRun::operator()(ListeningPolicy& policy, const Spells& spells,
                                        std::vector<DispatchEvent>* log) {
  spells_ = &spells;
  returns_.clear();
  last_life_ = 0;
  unfinished_orders_.assign(workers(), {});
  for (std::uint32_t w = 0; w < workers(); ++w) {
    const auto of_worker = spells.of(w);
    const bool is_up = !of_worker.empty() && of_worker.front().begin <= 0;
    spells_begun_[w] = is_up ? 1 : 0;
    lives_[w] = is_up ? of_worker.front().end : 0;
    if (!of_worker.empty()) last_life_ = std::max(last_life_, of_worker.back().end);
    for (std::uint32_t k = spells_begun_[w]; k < of_worker.size(); ++k) returns_.push_back({of_worker[k].begin, w, k});
  }
  return run(policy, log);
}

DispatchOutcome DispatchRun::run(ListeningPolicy& policy, std::vector<DispatchEvent>* log) {
  log_ = log != nullptr ? std::make_optional<DispatchLog>() : std::nullopt;
  start(policy);
  asking_.resize(workers());
  std::iota(asking_.begin(), asking_.end(), 0u);
  hear_news(0);
  ask_all();
  while (pool_ > 0 || unheard_ > 0 || !tasks_for_fallback_.empty()) {
    const double next = next_time();
    // Nothing will be completed any more; a life that never ends may have been "lengthened" to the greatest number.
    if (next >= std::numeric_limits<double>::max() || next > last_life_) break;
    now_ = next;
    if ((++outcome_.events & 0x3ff) == 0) cancellation_point();
    const double until = just_after(just_after(now_));  // lives that end at recorded times may have been lengthened
    end_tasks(until);
    hear_news(until);
    ask_all();
  }
  close();
  if (log != nullptr) *log = log_->finish(interruptions());
  return outcome_;
}

void DispatchRun::release(std::uint32_t worker, double at) {
  settle(worker, at);
  rented_since_[worker] = kNever;
}

/// It is paid until then, or until its interruption.
void DispatchRun::settle(std::uint32_t worker, double at) {
  const double life = lives_[worker];
  const double time = std::min(at, life) - rented_since_[worker];
  if (!(time > 0)) return;
  if (life <= at && life < listening_.horizon) ++outcome_.interruptions;
  rented_times_[worker] += time;
  const double unit = crew_ ? crew_->of(worker).billed : 0;
  billed_times_[worker] += unit > 0 ? unit * std::ceil(time / just_after(unit)) : time;
}

double DispatchRun::next_time() const {
  const double report = heard_reports_ < reports_.size() ? reports_[heard_reports_].time : kNever;
  const double notice =
      heard_lives_ < interruptions_.size() ? interruptions_[heard_lives_].time + listening_.notice : kNever;
  const double back = heard_returns_ < returns_.size() ? returns_[heard_returns_].time : kNever;
  return std::min({ends_.first_time(), report, notice, back});
}

void DispatchRun::end_tasks(double until) {
  ending_.clear();
  while (ends_.first_time() <= until) {
    ending_.push_back(ends_.first());
    ends_.set(ends_.first(), kNever);
  }
  std::sort(ending_.begin(), ending_.end());
  for (const std::uint32_t worker : ending_) end_task(worker);
}

void DispatchRun::hear_news(double until) {
  const std::size_t heard_before = heard_reports_ + heard_lives_ + heard_returns_;
  while (heard_reports_ < reports_.size() && reports_[heard_reports_].time <= until) hear(reports_[heard_reports_++]);
  while (heard_lives_ < interruptions_.size() && interruptions_[heard_lives_].time + listening_.notice <= until) {
    const WorkerTime& one = interruptions_[heard_lives_++];
    if (spells_ == nullptr || spells_begun_[one.worker] == one.spell + 1) hear_loss(one.worker);
  }
  while (heard_returns_ < returns_.size() && returns_[heard_returns_].time <= until)
    come_back(returns_[heard_returns_++].worker);
  if (heard_reports_ + heard_lives_ + heard_returns_ == heard_before || idle_.empty()) return;
  if (policy_->gives_nothing(*this)) return;
  asking_.insert(asking_.end(), idle_.begin(), idle_.end());
  idle_.clear();
}

/// Its request shows that it was interrupted.
void DispatchRun::come_back(std::uint32_t worker) {
  hear_loss(worker);
  ++news_;
  ++outcome_.events;
  release(worker, kNever);
  const Spell& spell = spells_->of(worker)[spells_begun_[worker]++];
  lives_[worker] = spell.end;
  up_since_[worker] = reported_[worker] = running_[worker].end = spell.begin;
  running_[worker].ended = false;
  before_spell_[worker] = of_worker_[worker];
  if (!is_fallback(worker)) rented_since_[worker] = spell.begin;
  if (crew_) {
    ready_[worker] = -1;
    law_[worker] = crew_->of(worker).later_law;
  }
  lost_[worker] = 0;
  auto& [begun, again] = unfinished_orders_[worker];
  again.insert(again.end(), begun.rbegin(), begun.rend());
  begun.clear();
  if (log_) log_->add({DispatchEvent::Kind::kReturns, now_, worker, 0, 0, 0});
  asking_.push_back(worker);
  if (is_fallback(worker)) return;
  ++not_lost_;
  speed_not_lost_ += speed(worker);
  policy_->returned(*this, worker);
}

/// Whatever is still being computed is of no more use.
void DispatchRun::close() {
  is_finished_ = pool_ <= 0 && unheard_ == 0 && tasks_for_fallback_.empty();
  for (std::uint32_t w = 0; w < workers(); ++w) {
    // Who waits for more work waits until it is interrupted; who never is, until nothing more happens.
    const bool waits = !is_finished_ && lives_[w] < std::numeric_limits<double>::max();
    settle(w, waits || running_[w].busy ? kNever : now_);
    if (running_[w].busy) spend(running_[w], w, running_[w].end, 0);
  }
  if (pool_ <= 0 && unfinished_ == 0 && tasks_for_fallback_.empty() && outcome_.failed == 0) {
    outcome_.completed = work_;
    outcome_.makespan = last_end_;
  }
  outcome_.completed = std::min(outcome_.completed, work_);
}

/// `useful`: work that nobody had completed before.
void DispatchRun::spend(const Running& task, std::uint32_t worker, double until, double useful, bool dropped) {
  const double life = lives_[worker];
  const double spent = std::max(0.0, std::min(until, life) - (task.begin - task.setup));
  outcome_.machine_time += spent;
  machine_times_[worker] += spent;
  outcome_.wasted += std::max(0.0, spent - (useful > 0 ? task.setup + time_of(worker, useful) : 0));
  if (log_) log_->ran({worker, task.first_piece, task.pieces, task.work, task.begin, until, useful, dropped}, life);
}

void DispatchRun::end_task(std::uint32_t worker) {
  ++outcome_.events;
  Running& task = running_[worker];
  task.busy = false;
  task.ended = true;
  if (task.saved > 0) return save_part(worker);
  const bool complete = lives_[worker] >= task.end;
  double useful = 0;
  if (complete) {
    for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
      if (done_[piece] == 0) useful += this->complete(piece);
    outcome_.completed += useful;
    if (task.end <= deadline_) outcome_.completed_in_time += useful;
    if (useful > 0) last_end_ = std::max(last_end_, task.end);
    if (spells_ != nullptr && task.planned) unfinished_orders_[worker].begun.clear();
  }
  spend(task, worker, task.end, useful);
  if (listening_.latency < kNever)
    reports_.push_back({now_ + listening_.latency, worker, task.task, task.first_piece, task.pieces, task.end, complete,
                        spells_begun_[worker]});
  asking_.push_back(worker);
}

/// Returns what was still to do of it.
double DispatchRun::complete(std::uint32_t piece) {
  done_[piece] = 1;
  --unfinished_;
  return left_of(piece);
}

/// Of a chunk that the worker, as it knows, cannot end.
void DispatchRun::save_part(std::uint32_t worker) {
  Running& task = running_[worker];
  const double end = lives_[worker];
  double saved = task.saved, useful = 0;
  std::size_t whole = 0;  // pieces
  for (auto& [piece, size] : parts_[worker]) {
    const double part = std::min(saved, size);
    saved -= part;
    size -= part;
    if (size <= 0) ++whole;
    if (done_[piece] != 0) continue;
    if (size <= 0) {
      useful += complete(piece);
    } else if (size < left_[piece]) {
      useful += left_[piece] - size;
      left_[piece] = size;
    }
  }
  outcome_.completed += useful;
  if (end <= deadline_) outcome_.completed_in_time += useful;
  if (useful > 0) last_end_ = std::max(last_end_, end);
  spend(task, worker, task.end, useful);
  if (task.planned && whole < parts_[worker].size()) {
    Order& order = unfinished_orders_[worker].begun.back();
    const Part& first = parts_[worker][whole];
    order.pieces -= first.piece - order.first_piece;
    order.first_piece = first.piece;
    order.rest = first.size;
  }
  if (listening_.latency < kNever)
    reports_.push_back({now_ + listening_.latency, worker, task.task, task.first_piece, task.pieces, task.end, false,
                        spells_begun_[worker]});
}

/// Otherwise it waits until the dispatcher has heard that it needs something, and for what that sends.
bool DispatchRun::needs_no_answer(std::uint32_t worker) const {
  return listening_.prefetch > 0 || listening_.latency == 0 || holds_next(worker);
}

bool DispatchRun::holds_next(std::uint32_t worker) const {
  if (is_fallback(worker)) return false;
  return (spells_ != nullptr && !unfinished_orders_[worker].again.empty()) || policy_->holds_next(*this, worker);
}

void DispatchRun::hear(const Report& report) {
  ++outcome_.events;
  ++news_;
  const bool of_this_spell = report.spells_begun == spells_begun_[report.worker];
  if (!report.complete) {
    if (of_this_spell) hear_loss(report.worker);
    return;
  }
  if (of_this_spell) reported_[report.worker] = report.end;
  if (log_) log_->add({DispatchEvent::Kind::kHeardComplete, now_, report.worker, report.first_piece, report.pieces, 0});
  for (std::uint32_t piece = report.first_piece; piece < report.first_piece + report.pieces; ++piece) {
    if (known_[piece] == 0) know(piece);
  }
  Running& last = running_[report.worker];
  if (!of_this_spell || last.task != report.task) return;
  last.ended = false;
  if (!needs_no_answer(report.worker)) asking_.push_back(report.worker);
}

void DispatchRun::know(std::uint32_t piece) {
  known_[piece] = 1;
  --unheard_;
  if (listening_.drop) drop_holders(piece);
  policy_->complete(*this, piece);
}

/// What it saved before its interruption, which comes with the news of that.
void DispatchRun::hear_of_saved(std::uint32_t worker) {
  if (listening_.latency < kNever)
    for (const auto& [piece, size] : parts_[worker]) {
      if (known_[piece] != 0) continue;
      if (size <= 0)
        know(piece);
      else
        size_[piece] = std::min(size_[piece], size);
    }
  parts_[worker].clear();
}

/// Those that compute it stop, unless there is something else in their task.
void DispatchRun::drop_holders(std::uint32_t piece) {
  for (std::uint32_t at = first_holder_[piece]; at != kNone; at = holders_[at].next) {
    const std::uint32_t worker = holders_[at].worker;
    if (worker == kNone) continue;
    Running& task = running_[worker];
    if (!task.busy || task.task != holders_[at].task || --task.unknown > 0) continue;
    task.busy = false;
    spend(task, worker, now_, 0, true);
    task.end = now_;
    ends_.set(worker, kNever);
    if (spells_ != nullptr && task.planned && !unfinished_orders_[worker].begun.empty())
      unfinished_orders_[worker].begun.pop_back();
    if (lost_[worker] == 0) asking_.push_back(worker);
  }
}

void DispatchRun::hear_loss(std::uint32_t worker) {
  if (lost_[worker] != 0) return;
  ++outcome_.events;
  ++news_;
  lost_[worker] = 1;
  if (!is_fallback(worker)) {
    --not_lost_;
    speed_not_lost_ -= speed(worker);
  }
  if (log_) log_->add({DispatchEvent::Kind::kHeardLost, now_, worker, 0, 0, 0});
  if (saves_parts()) hear_of_saved(worker);
  free_pieces_of(worker);
  if (running_[worker].busy) {
    spend(running_[worker], worker, running_[worker].end, 0);
    running_[worker].busy = false;
    ends_.set(worker, kNever);
  }
  if (is_fallback(worker)) return;
  policy_->lost(*this, worker);
  if (planned_ > 0 && !policy_->keeps_plan()) give_up_plan();
}

/// What it ended before its interruption is complete, whether that has been reported or not.
void DispatchRun::free_pieces_of(std::uint32_t worker) {
  for (std::uint32_t at = of_worker_[worker]; at != before_spell_[worker] && holders_[at].end > lives_[worker];
       at = before_[at]) {
    const std::uint32_t piece = holders_[at].piece;
    holders_[at].worker = kNone;
    if (has_tasks() && !is_fallback(worker) && holders_[at].begin < lives_[worker]) ++losses_[task_of_[piece]];
    if (--living_[piece] == 0 && known_[piece] == 0 && (piece >= planned_ || is_given_up(piece))) to_pool(piece);
  }
}

void DispatchRun::give_up_plan() {
  const std::size_t pieces = std::exchange(planned_, 0);
  for (std::uint32_t piece = 0; piece < pieces; ++piece)
    if (living_[piece] == 0 && known_[piece] == 0) to_pool(piece);
  for (Unfinished& orders : unfinished_orders_) orders = {};
}

void DispatchRun::to_pool(std::uint32_t piece) {
  --unfinished_;
  --unheard_;
  if (!has_tasks()) {
    pool_ += size_[piece];
  } else if (!is_given_up(piece)) {
    to_queue(task_of_[piece]);
  } else if (has_fallback_) {
    tasks_for_fallback_.waiting.push_back(task_of_[piece]);
    asking_.insert(asking_.end(), idle_fallback_.begin(), idle_fallback_.end());
    idle_fallback_.clear();
  } else {
    ++outcome_.failed;
  }
  gone_[piece] = 1;
}

void DispatchRun::ask_all() {
  if (asking_.size() > 1) {
    std::sort(asking_.begin(), asking_.end());
    asking_.erase(std::unique(asking_.begin(), asking_.end()), asking_.end());
  }
  for (const std::uint32_t worker : asking_)
    if (lost_[worker] == 0) ask(worker);
  asking_.clear();
}

void DispatchRun::ask(std::uint32_t worker) {
  // A task that a worker just ended has its own end time, which equals now up to the last bits.
  const double ready = std::max(now_, running_[worker].end);
  // A list of a plan without repetitions ends earlier.
  for (std::size_t offers = 0; offers <= kMostTasks; ++offers) {
    if ((offers & 0xffff) == 0xffff) cancellation_point();
    const bool waits = !needs_no_answer(worker);
    if (waits && running_[worker].ended) return;
    const double sent = waits && now_ > up_since_[worker] ? listening_.latency : 0;
    const double here = ready + sent;
    const double able = ready_[worker] < 0 ? here + crew_->of(worker).restart : ready_[worker];
    const double setup = std::max(0.0, able - here);
    way_ = sent + setup;
    const bool planned = holds_next(worker);
    const Order order = next_order(worker);
    if (order.kind == Order::Kind::kNothing) (is_fallback(worker) ? idle_fallback_ : idle_).push_back(worker);
    const bool waits_in_vain = listening_.latency == kNever || is_fallback(worker);
    if (order.kind == Order::Kind::kNoMore || (order.kind == Order::Kind::kNothing && waits_in_vain)) {
      if (ready <= lives_[worker]) release(worker, ready);
      if (is_fallback(worker)) ready_[worker] = -1;
    }
    if (order.kind == Order::Kind::kNothing || order.kind == Order::Kind::kNoMore) return;
    const std::size_t most = order.planned_begin < 0 ? kMostTasks : kMostPlanned;
    if (++tasks_ > kMostPlanned || (order.planned_begin < 0 && ++chosen_ > kMostTasks))
      refuse(fmt::format("hands out more than {} chunks", most));
    if (!begin_task(worker, order, std::max(here, able), setup)) continue;
    ready_[worker] = able;
    if (rented_since_[worker] == kNever) rented_since_[worker] = ready;
    const Running& task = running_[worker];
    if (log_ && !planned)
      log_->add({DispatchEvent::Kind::kGiven, now_, worker, task.first_piece, task.pieces, task.work});
    return;
  }
  refuse(fmt::format("keeps giving worker {} what is known to be complete", worker));
}

Order DispatchRun::next_order(std::uint32_t worker) {
  if (is_fallback(worker)) return tasks_for_fallback_.empty() ? Order::nothing() : Order::fresh(work_);
  if (spells_ == nullptr || unfinished_orders_[worker].again.empty()) return policy_->next(*this, worker);
  std::vector<Order>& again = unfinished_orders_[worker].again;
  const Order order = again.back();
  again.pop_back();
  return order;
}

double DispatchRun::to_do(const Order& order, std::uint32_t piece) const {
  return piece == order.first_piece ? std::min(size_[piece], order.rest) : size_[piece];
}

/// Where the worker will save a part of the chunk: of what it consists.
void DispatchRun::foresee_end(std::uint32_t worker, const Order& order, Running& task) {
  parts_[worker].clear();
  const double life = lives_[worker];
  const double time = life - startup_cost_ - task.begin;
  if (!(time > 0) || crew_->warning < startup_cost_ || life >= task.end || life >= listening_.horizon) return;
  task.saved = time * speed(worker);
  for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece)
    if (known_[piece] == 0) parts_[worker].push_back({piece, to_do(order, piece)});
}

/// Returns false if everything ordered is known to be complete.
bool DispatchRun::begin_task(std::uint32_t worker, const Order& order, double begin, double setup) {
  Running task = {.task = tasks_,
                  .first_piece = order.first_piece,
                  .pieces = order.pieces,
                  .begin = begin,
                  .end = begin,
                  .setup = setup,
                  .planned = order.planned_begin >= 0};
  double work = 0;
  if (order.kind == Order::Kind::kFresh && has_tasks()) {
    if (!is_fallback(worker) && tasks_to_do_.empty()) refuse("hands out new work when none is left");
    work = next_task(worker, static_cast<std::uint32_t>(pieces()));
    task.first_piece = new_piece(work);
    task.unknown = 1;
  } else if (order.kind == Order::Kind::kFresh) {
    if (pool_ <= 0) refuse("hands out new work when none is left");
    if (!(order.size >= std::min(least_chunk(), pool_)))
      refuse(fmt::format("hands out a chunk of size {}, which is less than {} of what can be done", order.size,
                         kLeastChunk));
    work = pool_ - order.size <= kCrumb * work_ ? pool_ : order.size;
    pool_ = work < pool_ ? pool_ - work : 0;
    task.first_piece = new_piece(work);
    task.unknown = 1;
  } else {
    if (order.first_piece >= pieces() || order.pieces > pieces() - order.first_piece)
      refuse("hands out a piece that does not exist");
    for (std::uint32_t piece = order.first_piece; piece < order.first_piece + order.pieces; ++piece) {
      if (known_[piece] != 0 || is_given_up(piece) || (gone_[piece] != 0 && has_tasks())) continue;
      if (gone_[piece] != 0) refuse("hands out a piece that is back in the pool");
      if (order.planned_begin < 0 && has_had(worker, piece))
        refuse(fmt::format("gives worker {} the same piece twice", worker));
      work += to_do(order, piece);
      ++task.unknown;
    }
    if (task.unknown == 0) return false;
  }
  // Of a crew, the times of a plan are those of workers of one speed without restarts.
  const bool as_planned = begin == order.planned_begin && task.unknown == order.pieces && !crew_;
  if (as_planned && !(order.planned_finish >= begin))
    refuse(fmt::format("plans a chunk from {} to {}", begin, order.planned_finish));
  task.end = as_planned ? order.planned_finish : begin + startup_cost_ + work / speed(worker);
  task.work = work;
  task.busy = true;
  for (std::uint32_t piece = task.first_piece; piece < task.first_piece + task.pieces; ++piece) {
    if (known_[piece] != 0 || gone_[piece] != 0 || is_given_up(piece)) continue;
    ++living_[piece];
    holders_.push_back({worker, tasks_, piece, first_holder_[piece], begin - setup, task.end});
    before_.push_back(of_worker_[worker]);
    of_worker_[worker] = first_holder_[piece] = static_cast<std::uint32_t>(holders_.size() - 1);
  }
  if (saves_parts()) foresee_end(worker, order, task);
  ends_.set(worker, task.saved > 0 ? lives_[worker] : task.end);
  running_[worker] = task;
  if (spells_ != nullptr && task.planned) unfinished_orders_[worker].begun.push_back(order);
  return true;
}

}  // namespace coterie::heuristics
