#pragma once

#include <vector>

#include "core/schedule.hpp"
#include "heuristics/dispatch/heard.hpp"

namespace coterie::heuristics {

/// Each worker runs its own share, then others' pieces that are not known to be complete: first those that fewest
/// workers have or will reach, and of these the one that its owner reaches last.
class Help final : public ListeningPolicy {
 public:
  /// `shares`: each piece in at most one task, in the list of its owner; each task with one piece. Otherwise throws
  /// std::invalid_argument.
  explicit Help(Schedule shares);
  std::span<const double> pieces() const override { return shares_.piece_sizes(); }
  void begin(const Heard& heard) override;
  Order next(const Heard& heard, std::uint32_t worker) override;
  bool holds_next(const Heard&, std::uint32_t worker) const override {
    return position_[worker] < shares_.tasks(worker).tasks.size();
  }
  void lost(const Heard& heard, std::uint32_t worker) override;

 private:
  struct Candidate {
    std::uint32_t cover;
    double finish;  // of its owner, as planned
    std::uint32_t piece;
    /// For heaps with the best on top.
    bool operator<(const Candidate& other) const {
      if (cover != other.cover) return cover > other.cover;
      if (finish != other.finish) return finish < other.finish;
      return piece > other.piece;
    }
  };

  std::uint32_t cover(const Heard& heard, std::uint32_t piece) const;
  Candidate candidate(const Heard& heard, std::uint32_t piece) const;
  void push(const Candidate& candidate);
  void collect_all(const Heard& heard);

  Schedule shares_;
  std::vector<std::uint32_t> owner_;   // by piece; kNone: nobody
  std::vector<std::uint32_t> place_;   // by piece: in its owner's list
  std::vector<std::size_t> position_;  // by worker: number of tasks of its share that it was given
  bool searched_ = false;              // whether any worker has needed a piece of another
  std::vector<Candidate> heap_;        // since then: every piece not known to be complete, with no more than its cover
  std::vector<Candidate> own_;         // set aside during a search
};

}  // namespace coterie::heuristics
