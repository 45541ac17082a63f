#include "heuristics/worksharing/charged_two_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "core/errors.hpp"
#include "heuristics/chunks/chunk_ends.hpp"
#include "heuristics/chunks/chunk_search.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/worksharing/two_worker_shape.hpp"

namespace coterie::heuristics {
namespace {

using Problem = ChargedPair;

/// e equal exclusive chunks of `exclusive` in all per worker, then s equal mirrored ones of the work between.
struct Hybrid {
  std::int64_t e = 0;
  std::int64_t s = 0;
  double exclusive = 0;
  double value = -1;
};

double value_of(const Problem& problem, std::int64_t e_chunks, std::int64_t s_chunks, double exclusive) {
  const auto e = static_cast<double>(e_chunks);
  const auto s = static_cast<double>(s_chunks);
  double sum = 0;
  for (double i = 1; i <= e; ++i) sum += 2 * exclusive / e * (1 - problem.risk_after(i / e * exclusive, i));
  const double chunk = (problem.work - 2 * exclusive) / s;
  for (double j = 1; j <= s; ++j)
    sum += chunk * (1 - problem.risk_after(exclusive + j * chunk, e + j) *
                            problem.risk_after(exclusive + (s + 1 - j) * chunk, e + s + 1 - j));
  return sum;
}

/// Best exclusive work for these numbers of chunks: a scan, then the best cell.
Hybrid best_split(const Problem& problem, std::int64_t e, std::int64_t s) {
  if (e == 0) return {e, s, 0, value_of(problem, e, s, 0)};
  constexpr int kCells = 12;
  constexpr int kBits = 20;
  const double step = problem.work / 2 / kCells;
  Hybrid best{e, s};
  int top = 0;
  const auto keep = [&](double exclusive) {
    const double value = value_of(problem, e, s, exclusive);
    if (value > best.value) best = {e, s, exclusive, value};
    return value == best.value && best.exclusive == exclusive;
  };
  for (int cell = 1; cell < kCells; ++cell)
    if (keep(cell * step)) top = cell;
  const auto refined = boost::math::tools::brent_find_minima([&](double a) { return -value_of(problem, e, s, a); },
                                                             std::max(0, top - 1) * step, (top + 1) * step, kBits);
  keep(refined.first);
  return best;
}

/// Over counts: a coarse scan of totals and proportions, then steps that halve.
Hybrid best_equal_hybrid(const Problem& problem) {
  Hybrid best = best_split(problem, 0, 1);
  const auto look = [&](std::int64_t e, std::int64_t s) {
    if (e < 0 || s < 1 || e + s > problem.most) return false;
    const Hybrid found = best_split(problem, e, s);
    if (!(found.value > best.value)) return false;
    best = found;
    return true;
  };
  constexpr std::int64_t kMany = 256;  // chunks: there the value hardly depends on their number
  for (std::int64_t total = 2; total <= problem.most; total += total < kMany ? (total + 1) / 2 : total)
    for (const double part : {0.0, 0.25, 0.5, 0.75}) {
      const auto e = static_cast<std::int64_t>(part * static_cast<double>(total));
      look(e, total - e);
    }
  const std::int64_t last = (best.e + best.s) / kMany + 1;
  for (std::int64_t step = std::max<std::int64_t>(1, (best.e + best.s) / 4); step >= last; step /= 2)
    while (look(best.e + step, best.s) || look(best.e - step, best.s) || look(best.e, best.s + step) ||
           look(best.e, best.s - step) || look(best.e - step, best.s + step) || look(best.e + step, best.s - step)) {
    }
  return best;
}

EndLists ends_of(const Problem& problem, const Hybrid& hybrid) {
  EndLists ends;
  for (std::int64_t i = 1; i <= hybrid.e; ++i)
    ends[0].push_back(hybrid.exclusive * static_cast<double>(i) / static_cast<double>(hybrid.e));
  const double shared = problem.work - 2 * hybrid.exclusive;
  for (std::int64_t j = 1; j <= hybrid.s; ++j)
    ends[0].push_back(hybrid.exclusive + shared * static_cast<double>(j) / static_cast<double>(hybrid.s));
  ends[1] = ends[0];
  return ends;
}

TwoWorkerChunks layout(const Problem& problem, const EndLists& ends) {
  TwoWorkerChunks chunks;
  for (std::size_t worker = 0; worker < 2; ++worker) {
    double done = 0;
    for (const double end : ends[worker]) {
      chunks[worker].push_back(worker == 0 ? WorkInterval{done, end}
                                           : WorkInterval{problem.work - end, problem.work - done});
      done = end;
    }
  }
  return chunks;
}

/// The same sizes for each worker, from its own end of the work.
EndLists of_both(const Problem& problem, const std::vector<double>& sizes) {
  EndLists ends;
  double done = 0;
  for (const double size : sizes) ends[0].push_back(done = std::min(problem.work, done + size));
  ends[1] = ends[0];
  return ends;
}

std::vector<double> sizes_of(const std::vector<WorkInterval>& list) {
  std::vector<double> sizes;
  for (const WorkInterval& chunk : list) sizes.push_back(chunk.end - chunk.begin);
  return sizes;
}

/// More chunks than this cost a worker more than they can save it: eps (1 + 2 + ... + n) grows beyond its time.
std::int64_t sensible_chunks(double work, double startup, const Risk& risk) {
  const double time = std::min(work, risk.effective_horizon());
  return static_cast<std::int64_t>(
      std::min(2 * std::sqrt(2 * time / startup) + 4, static_cast<double>(kMostSearchedChunks)));
}

OneWorkerSolution one_worker(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk) {
  if (!risk->linear_rate()) chunks = std::min(chunks.value_or(kMostSearchedChunks), kMostSearchedChunks);
  return optimal_chunks({work, chunks, startup, risk});
}

/// Whether it is the best of one worker with at most `chunks` chunks, and no search for it stopped at fewer.
bool is_proven(const OneWorkerSolution& one, std::optional<std::int64_t> chunks, const Risk& risk) {
  return one.exact && (risk.linear_rate() || (chunks && *chunks <= kMostSearchedChunks));
}

}  // namespace

double two_worker_bound(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk) {
  const double bound = std::min(work, mirrored_limit(work, *risk, startup));
  if (!risk->linear_rate() || !(chunks || startup > 0)) return bound;
  try {
    return std::min(bound, 2 * one_worker(work, chunks, startup, risk).expected_work);
  } catch (const InputError&) {  // the best list of one worker is too long
    return bound;
  }
}

TwoWorkerSolution best_charged_hybrid(double work, std::optional<std::int64_t> chunks, double startup,
                                      const RiskPtr& risk) {
  if (!(startup >= 0) || !std::isfinite(startup)) throw InputError("\"startup\" must be finite and not negative");
  if (startup == 0) {
    if (!chunks)
      throw InputError("without a start-up cost there is in general no best number of chunks: give \"chunks\"");
    return best_hybrid(work, *chunks, risk);
  }
  TwoWorkerSolution apart = disjoint_halves(work, chunks, startup, risk);
  if (!(work > 0)) {
    apart.method = "there is no work";
    apart.exact = true;
    return apart;
  }
  const OneWorkerSolution alone = one_worker(work, chunks, startup, risk);
  if (alone.deployed_work <= work / 2) {
    apart.method = fmt::format("{}, disjoint: one worker's optimum takes no more than half of the work", alone.method);
    apart.exact = is_proven(alone, chunks, *risk);
    return apart;
  }
  const Problem problem{work, std::min(chunks.value_or(kMostSearchedChunks), sensible_chunks(work, startup, *risk)),
                        startup, *risk};
  std::vector<EndLists> starts = {ends_of(problem, best_equal_hybrid(problem)),
                                  of_both(problem, sizes_of(apart.chunks[0])), of_both(problem, alone.chunk_sizes)};
  constexpr std::int64_t kFew = 4;  // with few chunks each count is a start
  constexpr std::int64_t kShort = 64;
  for (std::int64_t n = 1; n <= std::min(kFew, problem.most) && problem.most <= kShort; ++n)
    for (std::int64_t e = 0; e < n; ++e) starts.push_back(ends_of(problem, best_split(problem, e, n - e)));
  constexpr std::int64_t kSome = 8;
  constexpr int kLoads = 12;  // of worker 1, in one chunk, to which worker 2 responds
  for (int load = 1; load <= kLoads && problem.most <= kSome; ++load)
    starts.push_back(with_response(problem, {{{work * load / kLoads}, {}}}, 1));
  TwoWorkerSolution best;
  best.expected_work = -1;
  for (const EndLists& start : starts) {
    TwoWorkerSolution found =
        improved_by_theorem_5(layout(problem, improved_ends(problem, start)), work, startup, risk);
    if (found.expected_work > best.expected_work) best = std::move(found);
  }
  if (best.expected_work < apart.expected_work) return apart;
  best.method = fmt::format("heuristic, numeric: {} and {} chunks, laid end to end from opposite ends of the work",
                            best.chunks[0].size(), best.chunks[1].size());
  return best;
}

}  // namespace coterie::heuristics
