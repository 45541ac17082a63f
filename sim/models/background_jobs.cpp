#include "sim/models/background_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/printable.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

using heuristics::RandomMachine;
using heuristics::RandomTree;
using heuristics::TimeVaryingTree;
using heuristics::TreeSchedule;

class QueueBackground final : public TreeBackground {
 public:
  QueueBackground(const RandomTree& tree, const StreamKey& key, std::uint64_t instance)
      : sampled_(tree, key, instance) {}
  TreeSchedule clairvoyant() override { return sampled_.solve(); }
  TreeSchedule realise(const std::vector<double>& shares) override { return sampled_.realise(shares); }

 private:
  heuristics::SampledBackground sampled_;
};

/// An M/M/1 queue on each process. [time-varying-2019, Algorithm 3]
class QueueLaw final : public JobLaw {
 public:
  explicit QueueLaw(const BackgroundLaw& law) : law_(law) {}
  std::unique_ptr<TreeBackground> sample(const RandomTree& tree, const StreamKey& key,
                                         std::uint64_t instance) const override {
    return std::make_unique<QueueBackground>(tree, key, instance);
  }
  std::optional<BackgroundLaw> known_law() const override { return law_; }
  std::string text() const override {
    return fmt::format("mm1(arrival={}, service={}, initial={}, departures={})", to_text(law_.arrival),
                       to_text(law_.service), law_.initial,
                       law_.departures == BackgroundLaw::Departures::kFull ? "full" : "shared");
  }

 private:
  BackgroundLaw law_;
};

class KnownBackground final : public TreeBackground {
 public:
  explicit KnownBackground(TimeVaryingTree tree) : tree_(std::move(tree)) {}
  TreeSchedule clairvoyant() override { return heuristics::solve_time_varying(tree_); }
  TreeSchedule realise(const std::vector<double>& shares) override { return heuristics::realise(tree_, shares); }

 private:
  TimeVaryingTree tree_;
};

/// A given number of jobs on each process, each present between two uniform times. [time-varying-2019, Section 4;
/// RESULTS.md, choices A1, A2: sorted pairs, no job after the horizon]
class PairsLaw final : public JobLaw {
 public:
  PairsLaw(std::int64_t jobs, double horizon) : jobs_(jobs), horizon_(horizon) {}

  std::unique_ptr<TreeBackground> sample(const RandomTree& tree, const StreamKey& key,
                                         std::uint64_t instance) const override {
    std::vector<JobSequence> sequences;
    for (std::size_t process = 0; process < tree.processes.size(); ++process)
      sequences.push_back(draw(Stream(key, instance, static_cast<std::uint32_t>(process))));
    const auto profile = [&](const RandomMachine& machine, double unit) {
      return SpeedProfile(machine.process ? sequences[*machine.process] : JobSequence{}, machine.rule, unit);
    };
    TimeVaryingTree known{profile(tree.control, tree.tcp), {}, {}};
    for (std::size_t i = 0; i < tree.links.size(); ++i) {
      known.processors.push_back(profile(tree.processors[i], tree.tcp));
      known.links.push_back(profile(tree.links[i], tree.tcm));
    }
    return std::make_unique<KnownBackground>(std::move(known));
  }

  std::string text() const override { return fmt::format("pairs(jobs={}, horizon={})", jobs_, to_text(horizon_)); }

 private:
  JobSequence draw(Stream stream) const {
    std::vector<std::pair<double, int>> changes;
    for (std::int64_t job = 0; job < jobs_; ++job) {
      const double one = horizon_ * to_uniform(stream());
      const double other = horizon_ * to_uniform(stream());
      changes.emplace_back(std::min(one, other), 1);
      changes.emplace_back(std::max(one, other), -1);
    }
    std::sort(changes.begin(), changes.end());
    JobSequence sequence{{0.0}, {0}};
    std::int64_t count = 0;
    for (const auto& [time, step] : changes) {
      count += step;
      if (time > sequence.times.back()) {
        sequence.times.push_back(time);
        sequence.counts.push_back(count);
      } else {
        sequence.counts.back() = count;
      }
    }
    // Departures sort before arrivals of the same time, which may count below nothing for no time at all.
    return sequence;
  }

  std::int64_t jobs_;
  double horizon_;
};

std::int64_t whole(const Expression& expression, const std::string& key, double otherwise, double least, double most) {
  const double value = expression.number(key, otherwise);
  if (!(value >= least && value <= most && value == std::floor(value)))
    throw InputError(expression.place(), fmt::format("{}: {} must be a whole number from {:.0f} to {:.0f}, not {}",
                                                     expression.name(), key, least, most, to_text(value)));
  return static_cast<std::int64_t>(value);
}

std::shared_ptr<const JobLaw> make_queue(const Expression& expression, double rate_unit) {
  BackgroundLaw law;
  law.arrival = expression.number("arrival") * rate_unit;
  law.service = expression.number("service") * rate_unit;
  law.initial = whole(expression, "initial", 0, 0, 1e6);
  const std::string departures = expression.word("departures", "full");
  if (departures != "full" && departures != "shared")
    throw InputError(expression.place(),
                     fmt::format("mm1: departures must be full or shared, not {}", echoed(departures)));
  if (departures == "shared") law.departures = BackgroundLaw::Departures::kShared;
  try {
    law.validate();
  } catch (const InputError& error) {
    throw InputError(expression.place(), fmt::format("mm1: {}", error.what()));
  }
  return std::make_shared<QueueLaw>(law);
}

std::shared_ptr<const JobLaw> make_pairs(const Expression& expression, double) {
  expression.number("jobs");  // there is no default
  const std::int64_t jobs = whole(expression, "jobs", 0, 0, 1e6);
  const double horizon = expression.number("horizon", 50);
  if (!(horizon > 0))
    throw InputError(expression.place(), fmt::format("pairs: horizon must be above 0, not {}", to_text(horizon)));
  return std::make_shared<PairsLaw>(jobs, horizon);
}

}  // namespace

const std::vector<JobLawKind>& job_laws() {
  static const std::vector<JobLawKind> table = {
      {"mm1",
       "an M/M/1 queue on each process",
       "time-varying-2019, Section 3",
       {{"arrival", "1/time", "", ">= 0", "jobs that arrive"},
        {"service", "1/time", "", "> 0", "jobs that are served while there are any"},
        {"initial", "", "0", ">= 0", "jobs present at the start"},
        {"departures", "", "full", "full, shared", "shared: our job slows the others too, service n/(n+1)"}},
       make_queue},
      {"pairs",
       "a fixed number of jobs on each process, each between two uniform times",
       "time-varying-2019, Section 4.1.2",
       {{"jobs", "", "", ">= 0", "number of jobs"}, {"horizon", "time", "50", "> 0", "when the last job has left"}},
       make_pairs},
  };
  return table;
}

std::shared_ptr<const JobLaw> make_job_law(const Expression& expression, double rate_unit) {
  const JobLawKind& kind = find_row(job_laws(), expression.name(), "law of jobs", expression.place());
  expression.allow_only(names_of(kind.parameters));
  return kind.make(expression, rate_unit);
}

}  // namespace coterie::sim
