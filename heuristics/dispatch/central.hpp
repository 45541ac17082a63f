#pragma once

#include <map>
#include <memory>
#include <vector>

#include "heuristics/dispatch/event_times.hpp"
#include "heuristics/dispatch/first_chunks.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// Parameters for the size of a new chunk of the queue.
struct CentralParameters {
  double shares = 2;  ///< c: a chunk is at most pool / (c x workers expected to live), more for faster ones,
  double least = 0;   ///< but takes at least c_min; > 0 if there is no start-up cost
  double first = 1;   ///< b: and at most this part of the best first chunk for its worker alone
};

/// The first chunks of workers, by risk; computed once and shared.
class ChunksByAge {
 public:
  /// `wait` >= 0: from the end of a chunk to the beginning of the next.
  ChunksByAge(std::span<const RiskPtr> risks, double startup_cost, double wait = 0);
  /// In time, by the place of the law (Heard::law); infinite without start-up cost and wait.
  double operator()(std::size_t law, double age) const;
  const std::vector<std::shared_ptr<const FirstChunks>>& tables() const { return chunks_; }

 private:
  std::vector<std::shared_ptr<const FirstChunks>>
      chunks_;  // one per worker, or one for all; none if chunks cost nothing
};

/// A queue: an idle worker gets a chunk that nobody has, smaller as less is left; lost chunks go back. When nothing is
/// left, the worker gets a copy of the chunk with the greatest expected gain per unit of time: size x P(all that have
/// it fail) x P(this worker does not), over size + start-up cost.
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
  void returned(const Heard& heard, std::uint32_t worker) override;
  PolicyPlan plan() const override;
  /// Continues after chunks that another policy handed out.
  void take_over(const Heard& heard);

 private:
  /// The last answer of a law, since for a trace it takes a search.
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
  std::vector<std::uint32_t> outstanding_;  // pieces neither known to be complete nor in the pool
  std::vector<std::uint32_t> place_;        // by piece: its place in outstanding_
  bool any_gone_ = false;                   // whether some of these may be in the pool
  std::vector<double> survival_at_end_;     // by holder; NaN: not asked yet
  std::vector<Asked> survival_now_;         // by worker
  Asked survival_of_most_;                  // of workers about which nothing was heard since the last notices
  Asked survival_of_copy_;                  // neighbours are often of one size

  // As workers get older, the probability that all that have a piece fail never rises until one of them is lost; nor
  // does the probability that a worker lives to the end of a copy. So the last value found is a bound: on the value of
  // a copy if workers are alike (exact while nothing has happened since), otherwise on its part that does not depend on
  // the worker.
  bool bounded_ = true;                  // no order takes longer than another
  bool alike_ = true;                    // one risk, one speed, and nobody came back
  EventTimes ranked_;                    // by place: the negated bound
  bool is_ranked_ = false;               // whether that is kept up to date
  std::vector<double> last_;             // by piece: the negated last value; -infinity: none
  std::vector<std::uint64_t> found_at_;  // by piece: the moment of that
  std::uint64_t moment_ = 1;
  double moment_begin_ = 0;
  std::size_t moment_news_ = 0;
  std::vector<std::uint32_t> passed_;  // places set aside while one is looked for
};

}  // namespace coterie::heuristics
