#include "heuristics/restart/restart_job.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/cancellation.hpp"
#include "core/contract.hpp"
#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/quadrature.hpp"
#include "core/ties.hpp"
#include "heuristics/chunks/one_worker.hpp"

namespace coterie::heuristics {
namespace {

/// Expected times from an interruption to the end, by work left.
class TimesLeft {
 public:
  TimesLeft(const RestartJob& job, const ChunkRule& rule, const LifeIntegral& life)
      : job_(job), rule_(rule), life_(life) {}

  double from_start() {
    std::vector<Save> path = path_from(job_.work, 0);
    solve_all(path);
    return sum(path, 1);
  }

 private:
  struct Save {
    double left;   ///< not saved
    double age;    ///< of the machine when this much was left
    double alive;  ///< survival until then
  };

  /// Up to the end of the job, or to where no machine gets.
  std::vector<Save> path_from(double left, double age) const {
    constexpr double kNever = 1e-17;
    std::vector<Save> path = {{left, age, 1}};
    while (path.back().left > 0 && path.back().alive > kNever) {
      const Save& last = path.back();
      const double chunk = rule_.chunk(last.left, last.age);
      COTERIE_REQUIRE(chunk > 0 && chunk <= last.left);
      const double end = last.age + chunk + job_.checkpoint;
      const double rest = last.left - chunk;
      path.push_back({rest > 1e-9 * job_.work ? rest : 0, end, life_.survival(end)});
      if ((path.size() & 0xfff) == 0) cancellation_point();
    }
    return path;
  }

  static std::int64_t key(double left, double work) { return std::llround(left / work * 1e9); }
  std::map<std::int64_t, double>::const_iterator find(double left) const { return known_.find(key(left, job_.work)); }

  /// E[min(T, end)] and what is to be done after interruptions once the first chunk is saved; with `first`, also those
  /// before.
  double sum(const std::vector<Save>& path, double first) const {
    double total = life_.until(path.back().age);
    if (path.back().left > 0 && path.back().alive > 0) total += path.back().alive * find(path.back().left)->second;
    for (std::size_t k = 0; k + 1 < path.size(); ++k) {
      const double lost = (k == 0 ? first : path[k].alive) - path[k + 1].alive;
      if (lost > 0 && (k > 0 || first > 0)) total += lost * find(path[k].left)->second;
    }
    return total;
  }

  /// Finds the times of all amounts of work that `path` leaves.
  void solve_all(const std::vector<Save>& path) {
    constexpr std::size_t kMost = 1'000'000;
    std::vector<double> open;
    const auto add = [&](const std::vector<Save>& one, std::size_t from) {
      for (std::size_t k = from; k < one.size(); ++k)
        if (one[k].left > 0 && find(one[k].left) == known_.end()) open.push_back(one[k].left);
    };
    add(path, 0);
    while (!open.empty()) {
      const double left = open.back();
      if (find(left) != known_.end()) {
        open.pop_back();
        continue;
      }
      const std::vector<Save> after = path_from(left, job_.restart);
      const std::size_t before = open.size();
      add(after, 1);
      if (open.size() > before) continue;
      open.pop_back();
      const double done = after[1].alive;
      known_.emplace(key(left, job_.work), done > 0 ? (job_.down + sum(after, 0)) / done : kInfinity);
      if (known_.size() > kMost)
        throw InputError(
            "the rule leaves more than a million different amounts of work: let chunks be multiples of a "
            "step");
    }
  }

  const RestartJob& job_;
  const ChunkRule& rule_;
  const LifeIntegral& life_;
  std::map<std::int64_t, double> known_;
};

}  // namespace

ChunkTable::ChunkTable(double work_step, double age_step, std::vector<std::vector<std::uint32_t>> chunks)
    : work_step_(work_step), age_step_(age_step), chunks_(std::move(chunks)) {
  COTERIE_REQUIRE(work_step > 0 && age_step > 0 && !chunks_.empty());
}

double ChunkTable::chunk(double left, double age) const {
  const double steps = std::max(1.0, std::ceil(left / work_step_ - 1e-6));
  const auto& row = chunks_[std::min(chunks_.size() - 1, static_cast<std::size_t>(steps) - 1)];
  const double at = std::min(age / age_step_ + 0.5, static_cast<double>(row.size()) - 0.5);
  const double count = row[static_cast<std::size_t>(at)];
  return count >= steps ? left : count * work_step_;
}

LifeIntegral::LifeIntegral(RiskPtr life, double unit)
    : life_(std::move(life)), unit_(unit), exponentials_(life_->exponentials()) {
  COTERIE_REQUIRE(unit > 0);
  if (const EmpiricalRisk* const steps = life_->steps()) {
    const StepLaw law = steps->law();
    before_ = {0};
    for (std::size_t i = 0; i < law.times.size(); ++i) {
      jumps_.push_back(just_after(law.times[i]));
      before_.push_back(before_.back() + law.times[i] * law.weights[i]);
    }
  } else if (exponentials_.empty()) {
    constexpr std::size_t kNodes = 8192;
    nodes_ = {0};
    while (nodes_.size() < kNodes && life_->survival(unit * static_cast<double>(nodes_.size() - 1)) > 0) {
      const auto i = static_cast<double>(nodes_.size());
      nodes_.push_back(nodes_.back() + between((i - 1) * unit, i * unit, i == 1 ? 30 : 12));
    }
  }
}

double LifeIntegral::between(double from, double to, unsigned depth) const {
  const auto survival = [&](double t) { return life_->survival(t); };
  return integral_within(survival, from, to, depth, 1e-12 * unit_);
}

double LifeIntegral::until(double t) const {
  if (!before_.empty()) {
    const auto k = static_cast<std::size_t>(std::lower_bound(jumps_.begin(), jumps_.end(), t) - jumps_.begin());
    return before_[k] + t * life_->survival(t);
  }
  if (!exponentials_.empty()) {
    double sum = 0;
    for (const auto& [probability, rate] : exponentials_) sum -= probability * std::expm1(-rate * t) / rate;
    return sum;
  }
  const auto i = std::min(static_cast<std::size_t>(t / unit_), nodes_.size() - 1);
  const double begin = static_cast<double>(i) * unit_;
  return t > begin ? nodes_[i] + between(begin, t, 20) : nodes_[i];
}

double expected_time(const RestartJob& job, const ChunkRule& rule) {
  const LifeIntegral life(job.life, job.work / 1024);
  return TimesLeft(job, rule, life).from_start();
}

double exponential_chunk_time(const RestartJob& job, double rate, double interval) {
  return std::exp(rate * job.restart) * (1 / rate + job.down) * std::expm1(rate * (interval + job.checkpoint));
}

}  // namespace coterie::heuristics
