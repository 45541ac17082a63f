#include "heuristics/worksharing/two_worker_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace coterie::heuristics {
namespace {

constexpr double kWorkRounding = 1e-12;  // of the work
constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

/// What a worker has begun, as disjoint intervals.
class Covered {
 public:
  /// Adds [begin, end) and returns how much of it is new.
  double add(double begin, double end) {
    double fresh = end - begin;
    auto next = parts_.upper_bound(begin);
    if (next != parts_.begin() && std::prev(next)->second >= begin) --next;
    while (next != parts_.end() && next->first <= end) {
      fresh -= std::max(0.0, std::min(end, next->second) - std::max(begin, next->first));
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
      next = parts_.erase(next);
    }
    parts_[begin] = end;
    return std::max(0.0, fresh);
  }

 private:
  std::map<double, double> parts_;  // end by begin
};

/// A stretch of the workload that no chunk divides, and in which of its chunks each worker runs it first.
struct Piece {
  double size = 0;
  std::array<std::size_t, 2> chunk = {kNobody, kNobody};

  bool is_shared() const { return chunk[0] != kNobody && chunk[1] != kNobody; }
};

std::vector<Piece> pieces_of(const TwoWorkerChunks& chunks, double work) {
  std::vector<double> cuts = {0, work};
  for (const auto& list : chunks)
    for (const WorkInterval& chunk : list) cuts.insert(cuts.end(), {chunk.begin, chunk.end});
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<Piece> pieces(cuts.size() - 1);
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i].size = cuts[i + 1] - cuts[i];
  for (std::size_t worker = 0; worker < 2; ++worker) {
    // next[i]: the first piece from i on that nobody has; what is given is skipped, so each is visited once.
    std::vector<std::size_t> next(cuts.size());
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = i;
    const auto free_from = [&](std::size_t i) {
      std::size_t root = i;
      while (next[root] != root) root = next[root];
      while (next[i] != root) i = std::exchange(next[i], root);
      return root;
    };
    for (std::size_t k = 0; k < chunks[worker].size(); ++k) {
      const auto [begin, end] = chunks[worker][k];
      auto i = static_cast<std::size_t>(std::lower_bound(cuts.begin(), cuts.end(), begin) - cuts.begin());
      for (i = free_from(i); i < pieces.size() && cuts[i] < end; i = free_from(i)) {
        pieces[i].chunk[worker] = k;
        next[i] = i + 1;
      }
    }
  }
  return pieces;
}

bool has_local_first(const std::vector<Piece>& pieces, std::size_t worker) {
  std::size_t first_shared = kNobody;
  std::size_t last_local = 0;
  bool local = false;
  for (const Piece& piece : pieces) {
    if (piece.is_shared()) {
      first_shared = std::min(first_shared, piece.chunk[worker]);
    } else if (piece.chunk[worker] != kNobody) {
      last_local = std::max(last_local, piece.chunk[worker]);
      local = true;
    }
  }
  return !local || last_local <= first_shared;
}

bool is_mirrored(const std::vector<Piece>& pieces) {
  std::vector<std::array<std::size_t, 2>> shared;
  for (const Piece& piece : pieces)
    if (piece.is_shared()) shared.push_back(piece.chunk);
  std::sort(shared.begin(), shared.end());
  std::size_t least = kNobody;  // of worker 2's chunks, over pieces that worker 1 runs strictly earlier
  for (std::size_t i = 0; i < shared.size();) {
    std::size_t last = i;
    while (last + 1 < shared.size() && shared[last + 1][0] == shared[i][0]) ++last;
    if (least < shared[last][1]) return false;
    least = std::min(least, shared[i][1]);
    i = last + 1;
  }
  return true;
}

}  // namespace

TwoWorkerShape shape_of(const TwoWorkerChunks& chunks, double work) {
  std::vector<Piece> pieces = pieces_of(chunks, work);
  std::erase_if(pieces, [&](const Piece& piece) { return piece.size <= kWorkRounding * work; });
  double shared = 0;
  double given = 0;
  for (const Piece& piece : pieces) {
    if (piece.is_shared()) shared += piece.size;
    if (piece.chunk[0] != kNobody || piece.chunk[1] != kNobody) given += piece.size;
  }
  TwoWorkerShape shape;
  shape.maximal_deployment = shared == 0 || given >= work * (1 - 1e-9);
  shape.local_first = has_local_first(pieces, 0) && has_local_first(pieces, 1);
  shape.mirrored = is_mirrored(pieces);
  return shape;
}

TwoWorkerChunks in_theorem_5_shape(const TwoWorkerChunks& chunks, double work) {
  TwoWorkerChunks result;
  for (std::size_t worker = 0; worker < 2; ++worker) {
    Covered covered;
    double done = 0;
    for (const auto& [begin, end] : chunks[worker]) {
      const double size = covered.add(begin, end);
      if (!(size > kWorkRounding * work)) continue;  // run before
      const double next = std::min(work, done + size);
      result[worker].push_back(worker == 0 ? WorkInterval{done, next} : WorkInterval{work - next, work - done});
      done = next;
    }
  }
  return result;
}

double expected_work_of(const TwoWorkerChunks& chunks, double startup, const RiskPtr& risk) {
  TwoWorkerSolution solution;
  solution.chunks = chunks;
  solution.startup = startup;
  return expected_work(to_schedule(solution), risk);
}

TwoWorkerSolution improved_by_theorem_5(const TwoWorkerChunks& chunks, double work, double startup,
                                        const RiskPtr& risk) {
  TwoWorkerSolution best;
  best.work = work;
  best.startup = startup;
  best.expected_work = -work;
  for (const double shrink : {0.0, 1e-14, 1e-12}) {
    TwoWorkerChunks shorter = chunks;
    for (auto& list : shorter)
      for (WorkInterval& chunk : list) chunk.end = std::max(chunk.begin, chunk.end - shrink * work);
    TwoWorkerChunks shaped = in_theorem_5_shape(shorter, work);
    const double value = expected_work_of(shaped, startup, risk);
    if (value <= best.expected_work + 2 * static_cast<double>(chunks[0].size() + chunks[1].size()) * shrink * work)
      continue;
    best.expected_work = value;
    best.chunks = std::move(shaped);
  }
  best.method = "worksharing-2013 Theorem 5, constructive: the same chunk sizes, own work first, shared work mirrored";
  return best;
}

std::size_t distinct_chunks(const TwoWorkerChunks& chunks, double work) {
  std::vector<WorkInterval> all = chunks[0];
  all.insert(all.end(), chunks[1].begin(), chunks[1].end());
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin || (a.begin == b.begin && a.end < b.end); });
  // Chunks that differ by rounding lie next to one another, unless others begin within it: then both count.
  const auto same = [&](const WorkInterval& a, const WorkInterval& b) {
    return std::abs(a.begin - b.begin) <= kWorkRounding * work && std::abs(a.end - b.end) <= kWorkRounding * work;
  };
  return static_cast<std::size_t>(std::unique(all.begin(), all.end(), same) - all.begin());
}

}  // namespace coterie::heuristics
