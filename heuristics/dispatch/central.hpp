#pragma once

#include <map>
#include <memory>
#include <vector>

#include "heuristics/dispatch/event_times.hpp"
#include "heuristics/dispatch/first_chunks.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// What a new chunk of the queue is measured by.
struct CentralParameters {
  double shares = 2;  ///< c: a chunk is at most pool / (c x workers that are expected to live),
  double least = 0;   ///< but c_min where that is less; > 0 where there is no start-up cost
  double first = 1;   ///< and at most this part of the first chunk that is best for its worker alone
};

/// The first chunks of workers, by risk: made once, shared.
class ChunksByAge {
 public:
  /// `wait` >= 0: from the end of a chunk to where the next begins.
  ChunksByAge(std::span<const RiskPtr> risks, double startup_cost, double wait = 0);
  /// Infinite without a start-up cost and a wait.
  double operator()(std::size_t worker, double age) const;
  const std::vector<std::shared_ptr<const FirstChunks>>& tables() const { return chunks_; }

 private:
  std::vector<std::shared_ptr<const FirstChunks>>
      chunks_;  // one a worker or one for all; none where chunks cost nothing
};

/// A queue: an idle worker gets a chunk of what nobody has, the smaller the less is left; lost chunks go back. When
/// nothing is left, the chunk is copied of which most is to be expected in the time that it takes: size x P(all that
/// have it fail) x P(this worker does not), over size + start-up cost.
class Central final : public ListeningPolicy {
 public:
  Central(std::shared_ptr<const ChunksByAge> chunks, const CentralParameters& parameters)
      : chunks_(std::move(chunks)), parameters_(parameters) {}
  void begin(const Heard& heard) override;
  Order next(const Heard& heard, std::uint32_t worker) override;
  bool gives_nothing(const Heard& heard) const override {
    return heard.pool() <= 0 && is_ranked_ && ranked_.first_time() >= 0;
  }
  void complete(const Heard& heard, std::uint32_t piece) override;
  void lost(const Heard& heard, std::uint32_t worker) override;
  void returned(const Heard&, std::uint32_t) override { bounded_ = is_ranked_ = false; }
  PolicyPlan plan() const override;
  /// Goes on with what others have handed out.
  void take_over(const Heard& heard);

 private:
  /// What a law said when it was asked last: of a trace that is a search.
  struct Asked {
    const Risk* risk = nullptr;
    double age = 0;
    double survival = 0;
    double of(const Risk& asked, double at) {
      if (risk != &asked || age != at) *this = {&asked, at, asked.survival(at)};
      return survival;
    }
  };

  void hold(std::uint32_t piece);
  void forget_gone(const Heard& heard);
  void rank_all();
  double expected_to_live(const Heard& heard, std::uint32_t worker) const;
  Order copy(const Heard& heard, std::uint32_t worker);
  std::uint32_t best_of_ranked(const Heard& heard, std::uint32_t worker);
  std::uint32_t best_of_unlike(const Heard& heard, std::uint32_t worker);
  std::uint32_t best_of_all(const Heard& heard, std::uint32_t worker);
  double gain(const Heard& heard, std::uint32_t worker, std::uint32_t piece);
  double all_fail(const Heard& heard, std::uint32_t piece, double least);

  std::shared_ptr<const ChunksByAge> chunks_;
  CentralParameters parameters_;
  std::vector<std::uint32_t> outstanding_;  // pieces that are neither known to be complete nor in the pool
  std::vector<std::uint32_t> place_;        // by piece: in these
  bool any_gone_ = false;                   // whether some of these may be in the pool
  std::vector<double> survival_at_end_;     // by holder; NaN: not asked yet
  std::vector<Asked> survival_now_;         // by worker
  Asked survival_of_most_;                  // of workers of which nothing was heard since notices came
  Asked survival_of_copy_;                  // neighbours are often of one size

  // That all fail that have a piece never gets more probable while they get older, until one of these is lost; nor does
  // a worker that it lives to the end of a copy. So what was found last is a bound, of what a copy is worth where
  // workers are alike (and exact while nothing happened since), else of its part that is not the worker's.
  bool bounded_ = true;                  // nobody came back, and no order takes longer than another
  bool alike_ = true;                    // one risk
  EventTimes ranked_;                    // by place: minus the bound
  bool is_ranked_ = false;               // whether that is kept up to date
  std::vector<double> last_;             // by piece: what was found last, minus it; -infinity: nothing
  std::vector<std::uint64_t> found_at_;  // by piece: the moment
  std::uint64_t moment_ = 1;
  double moment_begin_ = 0;
  std::size_t moment_news_ = 0;
  std::vector<std::uint32_t> passed_;  // places set aside while one is looked for
};

}  // namespace coterie::heuristics
