#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coterie::sim {

/// The processes of one run: those that mpirun started together, or this one alone. All of MPI stays in this pair of
/// files; a program built without MPI is always alone. One at a time; methods marked collective are called by all
/// ranks, in the same order, by the thread that made it.
class Ranks {
 public:
  /// Starts MPI, unless that was done; it then ends with the program. Throws InputError if Open MPI's mpirun started
  /// several processes of a program built without MPI, RuntimeError if MPI has already ended.
  Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool leads() const { return rank_ == 0; }
  /// Collective: the numbers given by rank 0.
  std::vector<std::uint64_t> broadcast(std::vector<std::uint64_t> numbers) const;
  /// Collective: the greatest value over the ranks.
  int greatest(int value) const;

  /// "Open MPI 4.1.4", or "none".
  static std::string library();

 private:
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace coterie::sim
