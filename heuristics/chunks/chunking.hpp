#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/schedule.hpp"
#include "core/vector_loops.hpp"

namespace coterie::heuristics {

/// multiple x whole / parts, rounded once: 3 x 0.8 / 3 is 0.8, so that times lie exactly on their grid.
inline double share_of(double whole, std::size_t multiple, std::size_t parts) {
  return static_cast<double>(static_cast<long double>(multiple) * whole / static_cast<long double>(parts));
}

/// Multiples of whole / parts without a division for each; as share_of gives them, except for the last digit in one
/// case in a thousand. Values that a double can represent are exact. Up to 2^27.
class Multiples {
 public:
  Multiples(double whole, std::size_t parts) {
    const long double one = static_cast<long double>(whole) / static_cast<long double>(parts);
    // A leading part of 26 bits, whose multiples are all doubles, and the rest.
    leading_ = std::bit_cast<double>(std::bit_cast<std::uint64_t>(static_cast<double>(one)) >> 27 << 27);
    rest_ = static_cast<double>(one - static_cast<long double>(leading_));
  }
  double operator()(std::size_t multiple) const {
    const auto times = static_cast<double>(static_cast<std::int64_t>(multiple));
    return times * leading_ + times * rest_;
  }
  double leading() const { return leading_; }
  double rest() const { return rest_; }

 private:
  double leading_;
  double rest_;
};

/// When a worker that runs full chunks back to back, each after a start-up cost, ends its s-th.
class StepEnds {
 public:
  StepEnds(Multiples chunk, double startup_cost) : chunk_(chunk), startup_cost_(startup_cost) {}
  double operator()(std::size_t step) const {
    return chunk_(step) + static_cast<double>(static_cast<std::int64_t>(step)) * startup_cost_;
  }
  /// ends[i] = that of the (first + i)-th.
  void fill(std::span<double> ends, std::size_t first = 1) const {
    vector_loops().fill_multiples({chunk_.leading(), chunk_.rest(), startup_cost_}, first, ends.size(), ends.data());
  }

 private:
  Multiples chunk_;
  double startup_cost_;
};

/// Throws InputError for more than 10^8 tasks: schedules are held in memory.
void refuse_too_many_tasks(std::size_t tasks);

/// A range of work cut into chunks of one size; the last may be smaller. Sums of sizes are computed as multiples,
/// rounded once, so that times do not drift.
class Chunking {
 public:
  static constexpr double kMostChunks = 1e7;

  /// Chunks of exactly 1/per_unit; count = ceil(work per_unit - 1e-9), the last chunk smaller. Throws InputError for
  /// more than kMostChunks.
  static Chunking per_unit(double work, std::size_t per_unit);
  /// `count` equal chunks; any number is allowed while granularities are searched.
  static Chunking equal(double work, std::size_t count) { return {work, count, work, count, true}; }

  std::size_t count() const { return count_; }
  double work() const { return work_; }
  double size() const { return elapsed(1, false); }
  double last_size() const { return uniform_ ? size() : work_ - elapsed(count_ - 1, false); }
  /// Total size of `chunks` chunks, with or without the last one of the range.
  double elapsed(std::size_t chunks, bool with_last) const {
    return with_last && !uniform_ ? full_(chunks - 1) + last_size() : full_(chunks);
  }
  /// Where chunk i begins; boundary(count()) = work().
  double boundary(std::size_t i) const { return i == count_ ? work_ : elapsed(i, false); }
  /// The size of full chunks.
  StepEnds step_ends(double startup_cost) const { return {full_, startup_cost}; }

  /// Whether all are full, including the last.
  bool uniform() const { return uniform_; }

  /// When a worker that runs these chunks back to back, each after a start-up cost, ends them. The first chunk of the
  /// range is piece `first_piece`.
  FinishTimes back_to_back(std::span<const Task> chunks, double startup_cost, std::size_t first_piece = 0) const;

 private:
  Chunking(double work, std::size_t count, double whole, std::size_t parts, bool uniform)
      : work_(work), count_(count), full_(whole, parts), uniform_(uniform) {}

  double work_;
  std::size_t count_;
  Multiples full_;
  bool uniform_;  // the last chunk is a full one
};

/// The ends of lists of chunks that are run back to back; workers with equally many equal chunks share the numbers.
class ListTimes {
 public:
  ListTimes(const Chunking& chunking, double startup_cost) : chunking_(chunking), startup_cost_(startup_cost) {}
  /// The first chunk of the range is piece `first_piece`. Valid until the next call.
  const FinishTimes& of(std::span<const Task> chunks, std::size_t first_piece = 0);

 private:
  Chunking chunking_;
  double startup_cost_;
  FinishTimes longest_;
  FinishTimes last_;
};

}  // namespace coterie::heuristics
