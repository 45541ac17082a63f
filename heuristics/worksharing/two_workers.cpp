#include "heuristics/worksharing/two_workers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "core/cancellation.hpp"
#include "core/empirical_risk.hpp"
#include "core/errors.hpp"
#include "core/quadrature.hpp"
#include "heuristics/chunks/chunk_ends.hpp"
#include "heuristics/chunks/chunk_search.hpp"
#include "heuristics/chunks/one_worker.hpp"
#include "heuristics/worksharing/two_worker_shape.hpp"

namespace coterie::heuristics {
namespace {

/// e equal exclusive chunks of `exclusive` in all per worker, then s equal mirrored ones of the work between.
struct Hybrid {
  std::int64_t e = 0;
  std::int64_t s = 0;
  double exclusive = 0;
  double value = -1;
};

void check(double work, std::int64_t chunks) {
  if (!(work >= 0)) throw InputError("\"work\" must not be negative");
  if (!std::isfinite(work)) throw InputError("two workers need a finite \"work\"");
  if (chunks < 1) throw InputError("\"chunks\" must be at least 1");
  if (chunks > kMostChunks)
    throw InputError(fmt::format("{} chunks are more than can be listed (at most {})", chunks, kMostChunks));
}

constexpr double kChunkRounding = 1e-12;  // of a chunk

/// Where worker 2 begins, from there downwards: at the end of the work, or, where nothing is shared and chunks there
/// would drown in rounding, so that worker 1 leaves off where it ends.
double begin_of_second(double work, double each, double chunk) {
  const double spacing = work * std::numeric_limits<double>::epsilon();
  return spacing > kChunkRounding * chunk ? std::min(work, 2 * each) : work;
}

TwoWorkerSolution layout(double work, const Hybrid& hybrid) {
  TwoWorkerSolution solution;
  solution.work = work;
  solution.expected_work = hybrid.value;
  if (!(work > 0)) return solution;
  auto& [left, right] = solution.chunks;
  const auto e = static_cast<double>(hybrid.e);
  const auto s = static_cast<double>(hybrid.s);
  const double back = s == 0 ? begin_of_second(work, hybrid.exclusive, hybrid.exclusive / e) : work;
  for (double i = 1; i <= e; ++i) {
    left.push_back({(i - 1) / e * hybrid.exclusive, i / e * hybrid.exclusive});
    right.push_back({back - i / e * hybrid.exclusive, back - (i - 1) / e * hybrid.exclusive});
  }
  const double shared = work - 2 * hybrid.exclusive;
  for (double j = 1; j <= s; ++j)
    left.push_back({hybrid.exclusive + (j - 1) / s * shared, hybrid.exclusive + j / s * shared});
  for (std::size_t j = left.size(); j-- > left.size() - static_cast<std::size_t>(hybrid.s);) right.push_back(left[j]);
  return solution;
}

/// E of a hybrid under linear risk in units of X = 1, no chunk certain to be interrupted (W - A <= 1):
///   W - A^2 (e+1)/e - [S A^2 + A S^2 (s+1)/s + S^3 (s+1)(s+2)/(6 s^2)],  S = W - 2A.
double linear_value(double work, double e, double s, double exclusive) {
  const double shared = work - 2 * exclusive;
  double value = 2 * exclusive;
  if (e > 0) value -= exclusive * exclusive * (e + 1) / e;
  if (s > 0)
    value += shared * (1 - exclusive * exclusive - exclusive * shared * (s + 1) / s -
                       shared * shared * (s + 1) * (s + 2) / (6 * s * s));
  return value;
}

/// Best A for given e and s, in units of X = 1. dE/dA is a quadratic in A. Requires: work < 2 where s > 0.
Hybrid best_linear_hybrid(double work, std::int64_t e_chunks, std::int64_t s_chunks) {
  const auto e = static_cast<double>(e_chunks);
  const auto s = static_cast<double>(s_chunks);
  std::vector<double> candidates;
  const double least = std::max(0.0, work - 1);
  if (s_chunks == 0) {
    candidates = {std::min(work / 2, e / (e + 1))};
  } else if (e_chunks == 0) {
    if (least == 0) candidates = {0};
  } else {
    candidates = {least, work / 2};
    const double a = (s + 1) / s;
    const double b = (s + 1) * (s + 2) / (6 * s * s);
    const double q2 = 6 - 12 * a + 24 * b;
    const double q1 = -2 * (e + 1) / e - work * (2 - 8 * a + 24 * b);
    const double q0 = work * work * (6 * b - a);
    const double discriminant = q1 * q1 - 4 * q2 * q0;
    if (discriminant >= 0) {
      const double q = -(q1 + std::copysign(std::sqrt(discriminant), q1)) / 2;
      for (const double root : {q / q2, q0 / q})
        if (root > least && root < work / 2) candidates.push_back(root);
    }
  }
  Hybrid best;
  for (const double exclusive : candidates) {
    const double value = linear_value(work, e, s, exclusive);
    if (value > best.value) best = {e_chunks, s_chunks, exclusive, value};
  }
  return best;
}

TwoWorkerSolution best_linear(double work, std::int64_t chunks, double kappa) {
  const double scaled = kappa * work;
  const auto n = static_cast<double>(chunks);
  const bool disjoint_is_best = scaled >= 2 * n / (n + 1);
  Hybrid best = best_linear_hybrid(scaled, chunks, 0);
  for (std::int64_t e = chunks - 1; e >= 0 && !disjoint_is_best; --e) {
    cancellation_point();
    const Hybrid hybrid = best_linear_hybrid(scaled, e, chunks - e);
    if (hybrid.value > best.value) best = hybrid;
  }
  best.exclusive /= kappa;
  best.value /= kappa;
  TwoWorkerSolution solution = layout(work, best);
  solution.exact = disjoint_is_best;
  solution.method =
      disjoint_is_best ? "worksharing-2013 Theorem 8 (errata A1, A2): disjoint"
                       : fmt::format("heuristic: hybrid of {} exclusive and {} mirrored shared chunks", best.e, best.s);
  return solution;
}

TwoWorkerSolution disjoint(double work, std::int64_t chunks, double kappa, const char* method) {
  const auto n = static_cast<double>(chunks);
  const double each = std::min(work / 2, n / ((n + 1) * kappa));
  const double value = 2 * each * (1 - (n + 1) / (2 * n) * kappa * each);
  TwoWorkerSolution solution = layout(work, {chunks, 0, each, value});
  solution.method = method;
  solution.exact = kappa * work >= 2 * n / (n + 1);
  return solution;
}

TwoWorkerSolution exclusive_thirds(double work, std::int64_t chunks, double kappa) {
  const auto l = static_cast<double>(chunks / 3);
  const double exclusive = work - 1 / kappa;
  const double value = linear_value(kappa * work, l, 2 * l, kappa * exclusive) / kappa;
  TwoWorkerSolution solution = layout(work, {chunks / 3, 2 * (chunks / 3), exclusive, value});
  solution.method = "worksharing-2013 Algorithm 1, X < W";
  return solution;
}

double value_of(const ChargedPair& problem, std::int64_t e_chunks, std::int64_t s_chunks, double exclusive) {
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

TwoWorkerSolution best_under_any_risk(double work, std::int64_t chunks, const RiskPtr& risk) {
  constexpr std::int64_t kMostSplits = 64;
  constexpr std::int64_t kMostTriedChunks = 100'000;
  if (chunks > kMostTriedChunks)
    throw InputError(fmt::format("at most {} chunks are searched for under {}; shape = \"mirrored\" accepts more",
                                 kMostTriedChunks, risk->text()));
  constexpr int kCells = 48;
  const ChargedPair pair{work, chunks, 0, *risk};
  Hybrid best{0, chunks, 0, value_of(pair, 0, chunks, 0)};
  const std::int64_t step = std::max<std::int64_t>(1, chunks / kMostSplits);
  // Where the risk jumps, fewer chunks may fit it better.
  for (std::int64_t s = chunks - step; s >= 1; s -= step)
    if (const double found = value_of(pair, 0, s, 0); found > best.value) best = {0, s, 0, found};
  for (std::int64_t e = chunks; e >= 1; e -= step) {
    const auto value = [&](double exclusive) { return value_of(pair, e, chunks - e, exclusive); };
    // A coarse scan, since E has several hills under an empirical risk; then the best cell.
    int top = 1;
    for (int cell = 1; cell <= kCells; ++cell)
      if (value(work / 2 * cell / kCells) > value(work / 2 * top / kCells)) top = cell;
    const double low = work / 2 * (top - 1) / kCells;
    const double high = work / 2 * std::min(top + 1, kCells) / kCells;
    const auto refined = boost::math::tools::brent_find_minima([&](double a) { return -value(a); }, low, high, 52);
    for (const double exclusive : {work / 2 * top / kCells, refined.first})
      if (const double found = value(exclusive); found > best.value) best = {e, chunks - e, exclusive, found};
  }
  TwoWorkerSolution solution = layout(work, best);
  solution.method =
      fmt::format("heuristic, numeric: hybrid of {} exclusive and {} mirrored shared chunks", best.e, best.s);
  return solution;
}

/// Best exclusive work for these numbers of chunks: a scan, then the best cell.
Hybrid best_split(const ChargedPair& problem, std::int64_t e, std::int64_t s) {
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
Hybrid best_equal_hybrid(const ChargedPair& problem) {
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

EndLists ends_of(const ChargedPair& problem, const Hybrid& hybrid) {
  EndLists ends;
  for (std::int64_t i = 1; i <= hybrid.e; ++i)
    ends[0].push_back(hybrid.exclusive * static_cast<double>(i) / static_cast<double>(hybrid.e));
  const double shared = problem.work - 2 * hybrid.exclusive;
  for (std::int64_t j = 1; j <= hybrid.s; ++j)
    ends[0].push_back(hybrid.exclusive + shared * static_cast<double>(j) / static_cast<double>(hybrid.s));
  ends[1] = ends[0];
  return ends;
}

TwoWorkerChunks laid_out(const ChargedPair& problem, const EndLists& ends) {
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
EndLists of_both(const ChargedPair& problem, const std::vector<double>& sizes) {
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

/// The best of them without start-up cost.
TwoWorkerSolution best_hybrid(double work, std::int64_t chunks, const RiskPtr& risk) {
  if (const auto kappa = risk->linear_rate()) return best_linear(work, chunks, *kappa);
  TwoWorkerSolution shared = best_under_any_risk(work, chunks, risk);
  if (chunks > kMostSearchedChunks) return shared;
  TwoWorkerSolution apart = disjoint_halves(work, chunks, 0, risk);
  return apart.expected_work > shared.expected_work ? apart : shared;
}

}  // namespace

TwoWorkerSolution symmetric_single_chunk(double work, double kappa) {
  check(work, 1);
  const double scaled = kappa * work;
  TwoWorkerSolution solution;
  if (scaled <= 0.5) {
    solution = layout(work, {0, 1, 0, work * (1 - scaled * scaled)});
  } else {
    // Worker 2 takes the second half of what is deployed, as printed.
    const double deployed = std::min(work, 1 / kappa);
    solution = layout(deployed, {1, 0, deployed / 2, deployed * (1 - kappa * deployed / 2)});
    solution.work = work;
  }
  solution.method = "worksharing-2013 Theorem 7";
  solution.exact = true;
  return solution;
}

TwoWorkerSolution algorithm_1(double work, std::int64_t chunks, double kappa) {
  check(work, chunks);
  const auto n = static_cast<double>(chunks);
  const double scaled = kappa * work;
  if (scaled >= 2 * n / (n + 1))
    return disjoint(work, chunks, kappa, "worksharing-2013 Algorithm 1, disjoint (Theorem 8 corrected, errata A1, A2)");
  if (scaled <= 1) {
    TwoWorkerSolution solution = layout(work, {0, chunks, 0, linear_value(scaled, 0, n, 0) / kappa});
    solution.method = "worksharing-2013 Algorithm 1, W <= X (asymptotically optimal)";
    return solution;
  }
  if (chunks < 3)
    return disjoint(work, chunks, kappa, "worksharing-2013 Algorithm 1, n < 3 (errata B3): disjoint halves");
  TwoWorkerSolution solution = exclusive_thirds(work, chunks, kappa);
  solution.method += " < 2n/(n+1) X (asymptotically optimal)";
  return solution;
}

TwoWorkerSolution printed_algorithm_1(double work, std::int64_t chunks, double kappa) {
  check(work, chunks);
  const double scaled = kappa * work;
  if (scaled <= 1 || scaled >= 2) {
    const auto n = static_cast<double>(chunks);
    TwoWorkerSolution solution = scaled >= 2 ? disjoint(work, chunks, kappa, "worksharing-2013 Algorithm 1 as printed")
                                             : layout(work, {0, chunks, 0, linear_value(scaled, 0, n, 0) / kappa});
    solution.method = "worksharing-2013 Algorithm 1 as printed";
    return solution;
  }
  if (chunks < 3)
    throw InputError("Algorithm 1 as printed needs at least 3 chunks where X < work < 2X; use shape = \"algorithm-1\"");
  TwoWorkerSolution solution = exclusive_thirds(work, chunks, kappa);
  solution.method = "worksharing-2013 Algorithm 1 as printed";
  return solution;
}

TwoWorkerSolution mirrored_chunks(double work, std::int64_t chunks, const RiskPtr& risk) {
  check(work, chunks);
  TwoWorkerSolution solution = layout(work, {0, chunks, 0, value_of({work, chunks, 0, *risk}, 0, chunks, 0)});
  solution.method = "worksharing-2013 Theorem 6 (asymptotically optimal)";
  return solution;
}

TwoWorkerSolution disjoint_halves(double work, std::optional<std::int64_t> chunks, double startup,
                                  const RiskPtr& risk) {
  if (!risk->linear_rate() && startup > 0) chunks = std::min(chunks.value_or(kMostSearchedChunks), kMostSearchedChunks);
  check(work, chunks.value_or(1));
  const OneWorkerSolution half = optimal_chunks({work / 2, chunks, startup, risk});
  TwoWorkerSolution solution;
  solution.work = work;
  solution.startup = startup;
  solution.method = "heuristic: disjoint halves, each cut for one worker";
  if (half.chunk_sizes.empty()) return solution;
  const double least = *std::min_element(half.chunk_sizes.begin(), half.chunk_sizes.end());
  const double back = begin_of_second(work, half.deployed_work, least);
  double done = 0;
  for (const double size : half.chunk_sizes) {
    solution.chunks[0].push_back({done, done + size});
    solution.chunks[1].push_back({back - done - size, back - done});
    done += size;
  }
  solution.expected_work = 2 * half.expected_work;
  return solution;
}

double mirrored_limit(double work, const Risk& risk, double startup) {
  const auto kept = [&](double u) {
    const double one = risk.survival(u + startup);
    const double other = risk.survival(work - u + startup);
    return one + other - one * other;
  };
  // One half, the other being its mirror image. Cut where the risk bends, seen from either end, and so that between two
  // cuts, and from a time to its double, there is one scale.
  std::vector<double> cuts = {0, work / 2};
  const auto cut_at = [&](double time) {
    for (const double cut : {time, time - startup, work - (time - startup)})
      if (cut > 0 && cut < work / 2) cuts.push_back(cut);
  };
  const EmpiricalRisk* empirical = risk.steps();
  if (empirical != nullptr) {
    for (const double jump : empirical->jumps()) cut_at(jump);
  } else {
    for (const double u : {1e-6, 1e-3, 0.1, 0.5, 0.9, 1 - 1e-3, 1 - 1e-6, 1.0}) cut_at(risk.quantile(u));
    for (const double time : risk.breaks()) cut_at(time);
  }
  std::sort(cuts.begin(), cuts.end());
  double sum = 0;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    if (!(cuts[i + 1] > cuts[i])) continue;
    if (empirical != nullptr) {
      sum += (cuts[i + 1] - cuts[i]) * kept(cuts[i] + (cuts[i + 1] - cuts[i]) / 2);
      continue;
    }
    for (double begin = cuts[i]; begin < cuts[i + 1];) {
      const double end = begin > 0 ? std::min(2 * begin, cuts[i + 1]) : cuts[i + 1];
      sum += integral_within(kept, begin, end, 10, 1e-13 * kept(begin) * (end - begin));
      begin = end;
    }
  }
  return 2 * sum;
}

double two_worker_bound(double work, std::optional<std::int64_t> chunks, double startup, const RiskPtr& risk) {
  const double bound = std::min(work, mirrored_limit(work, *risk, startup));
  if (!risk->linear_rate() || !(chunks || startup > 0)) return bound;
  try {
    return std::min(bound, 2 * one_worker(work, chunks, startup, risk).expected_work);
  } catch (const InputError&) {  // the best list of one worker is too long
    return bound;
  }
}

TwoWorkerSolution best_two_workers(double work, std::optional<std::int64_t> chunks, double startup,
                                   const RiskPtr& risk) {
  if (!(startup >= 0) || !std::isfinite(startup)) throw InputError("\"startup\" must be finite and not negative");
  if (startup == 0 && !chunks)
    throw InputError("without a start-up cost there is in general no best number of chunks: give \"chunks\"");
  check(work, chunks.value_or(1));
  if (startup == 0) return best_hybrid(work, *chunks, risk);
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
  const ChargedPair problem{work, std::min(chunks.value_or(kMostSearchedChunks), sensible_chunks(work, startup, *risk)),
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
        improved_by_theorem_5(laid_out(problem, improved_ends(problem, start)), work, startup, risk);
    if (found.expected_work > best.expected_work) best = std::move(found);
  }
  if (best.expected_work < apart.expected_work) return apart;
  best.method = fmt::format("heuristic, numeric: {} and {} chunks, laid end to end from opposite ends of the work",
                            best.chunks[0].size(), best.chunks[1].size());
  return best;
}

Schedule to_schedule(const TwoWorkerSolution& solution) {
  std::vector<double> boundaries = {0};
  for (const auto& list : solution.chunks)
    for (const WorkInterval& chunk : list) boundaries.insert(boundaries.end(), {chunk.begin, chunk.end});
  std::sort(boundaries.begin(), boundaries.end());
  // Ends of the two workers' chunks that differ by rounding are one boundary.
  const double same = 1e-13 * boundaries.back();
  std::vector<double> distinct = {0};
  for (const double boundary : boundaries)
    if (boundary > distinct.back() + same) distinct.push_back(boundary);
  const auto piece_at = [&](double position) {
    return static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), position - same) -
                                      distinct.begin());
  };
  std::vector<double> sizes;
  for (std::size_t i = 0; i + 1 < distinct.size(); ++i) sizes.push_back(distinct[i + 1] - distinct[i]);
  TaskLists lists;
  for (const auto& list : solution.chunks) {
    for (const WorkInterval& chunk : list) {
      const std::uint32_t first = piece_at(chunk.begin);
      const std::uint32_t last = piece_at(chunk.end);
      if (first < last) lists.add({first, last - first});  // else it is there by rounding alone
    }
    lists.close(back_to_back(lists.open(), sizes, solution.startup));
  }
  return Schedule(std::move(distinct), std::move(lists));
}

}  // namespace coterie::heuristics
