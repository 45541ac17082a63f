#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/errors.hpp"
#include "core/risk.hpp"
#include "core/schedule.hpp"
#include "heuristics/charts/group_chart.hpp"
#include "heuristics/chunks/chunking.hpp"

namespace coterie::heuristics {

/// A divisible workload for workers of one speed that may be interrupted. [worksharing-2013, Sections 2 and 5]
struct WorksharingProblem {
  std::size_t workers = 1;   ///< p >= 1
  double work = 1;           ///< W_ttl > 0, in work units (= time units at full speed)
  double startup_cost = 0;   ///< eps >= 0, in work units, paid before each chunk
  RiskPtr risk;              ///< of a worker about which nothing else is known
  double lambda = 1;         ///< in (0, 1]: its quantile of the risk is max_slice()
  std::size_t coteries = 0;  ///< number of coteries if the user forces it; 0: ceil(W_dpl / maxsl)
  /// The risks of the workers if they differ from `risk`: one for each, or one for all; empty: `risk` for all. Slices,
  /// numbers and sizes of chunks are chosen for `risk`; expected work is that of these workers.
  std::vector<RiskPtr> worker_risks = {};
  std::size_t unbounded_coteries = 1;  ///< replaces the quotient if maxsl is infinite, see coteries_that_fit

  static constexpr std::size_t kMostWorkers = 1'000'000;
  static constexpr double kLeastWork = 1e-300;  // smaller chunks would not be doubles
  static constexpr double kMostStartup = 1e300;

  /// Throws InputError for a value outside its domain.
  void validate() const;
  /// maxsl, from which the number of slices follows, which may be longer: the lambda-quantile of the risk.
  /// [Section 5.1] Infinite if the risk never reaches lambda.
  double max_slice() const;
  /// For strategies whose schedules do not depend on lambda.
  WorksharingProblem for_any_lambda() const;
  /// The same if a finite load is needed: an infinite one is replaced by the 1 - 1e-6 quantile.
  double local_load() const;
  /// The risks for exact expected work: one for each worker, or one for all.
  std::span<const RiskPtr> risks() const {
    return worker_risks.empty() ? std::span<const RiskPtr>(&risk, 1) : std::span<const RiskPtr>(worker_risks);
  }
};

class SliceCache;

/// How finely work is cut.
struct Granularity {
  enum class Kind {
    kPerUnit,    ///< chunks of exactly 1/count work units, the last one smaller
    kPerSlice,   ///< `count` equal chunks in each slice (group schedules) or in all of W (others)
    kAuto,       ///< the count of equal chunks that maximises exact expected work
    kAutoPaper,  ///< the binary search of Section 5.2.3, for comparison only
  };
  Kind kind = Kind::kAuto;
  std::size_t count = 0;
  SliceCache* memory = nullptr;  ///< caches results for slices, for problems with slices in common

  /// "auto", "auto-paper" or a whole number of chunks per unit of work. Throws InputError at `place`.
  static Granularity parse(const std::string& text, const Place& place = {});
};

/// One coterie of a group schedule: who, what, and in which order.
struct Coterie {
  std::size_t first_worker = 0;
  std::size_t workers = 0;
  double slice_begin = 0;
  double slice_end = 0;
  std::size_t first_piece = 0;
  Chunking chunking = Chunking::equal(1, 1);  ///< of the slice
  GroupChart chart;
};

/// Orders drawn anew for each instance: every worker runs `tasks` distinct chunks in random order.
struct RandomOrders {
  Chunking chunking = Chunking::equal(1, 1);
  std::size_t tasks = 0;
  double startup_cost = 0;
};

/// The decision of a strategy: a schedule, with information about it.
struct Plan {
  std::shared_ptr<const Schedule> schedule;  ///< null if the orders are drawn anew for each instance
  std::optional<RandomOrders> random;        ///< present only then
  std::size_t chunks = 0;                    ///< distinct chunks in all
  double chunk_size = 0;                     ///< of a full chunk (of the first coterie)
  double expected_work = 0;                  ///< exact, by the problem's risks(), those of the actual workers
  std::vector<Coterie> coteries;             ///< of group schedules, otherwise empty
  std::size_t counts_considered = 0;         ///< chunk counts whose expected work was computed by auto
};

}  // namespace coterie::heuristics
