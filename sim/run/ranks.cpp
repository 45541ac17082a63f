#include "sim/run/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/errors.hpp"
#include "core/text.hpp"

#ifdef COTERIE_MPI
#include <mpi.h>
#endif

namespace coterie::sim {

#ifdef COTERIE_MPI

namespace {

/// Only then is MPI asked for anything: a run on its own needs no daemons.
bool started_by_mpirun() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

// MPI's own error handler ends all ranks with a message: after losing a rank the run cannot continue, and everything
// saved is on disk.
void check(int code, const char* what) {
  if (code != MPI_SUCCESS) throw RuntimeError(fmt::format("MPI: {} failed ({})", what, code));
}

/// At the end of the program: mpirun kills all ranks when one has ended in failure, and by then each has said why.
void end_mpi() {
  int ended = 0;
  if (MPI_Finalized(&ended) == MPI_SUCCESS && ended == 0) MPI_Finalize();
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_mpirun()) return;
  int started = 0, ended = 0;
  check(MPI_Initialized(&started), "checking whether it runs");
  check(MPI_Finalized(&ended), "checking whether it runs");
  if (ended != 0) throw RuntimeError("MPI: has ended, and can start only once");
  int provided = 0;
  if (started == 0) {
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "starting");
    std::atexit(end_mpi);
  } else {
    check(MPI_Query_thread(&provided), "asking for threads");
  }
  if (provided < MPI_THREAD_FUNNELED) throw RuntimeError("MPI: this library does not support threads");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "asking for the rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "asking for the number of ranks");
}

std::vector<std::uint64_t> Ranks::broadcast(std::vector<std::uint64_t> numbers) const {
  if (size_ == 1) return numbers;
  std::uint64_t count = numbers.size();
  check(MPI_Bcast(&count, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD), "telling the ranks");
  numbers.resize(count);
  constexpr std::uint64_t kMost = 1 << 24;  // MPI counts in int
  for (std::uint64_t at = 0; at < count; at += kMost)
    check(
        MPI_Bcast(numbers.data() + at, static_cast<int>(std::min(kMost, count - at)), MPI_UINT64_T, 0, MPI_COMM_WORLD),
        "telling the ranks");
  return numbers;
}

int Ranks::greatest(int value) const {
  if (size_ == 1) return value;
  int greatest = value;
  check(MPI_Allreduce(&value, &greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD), "asking the ranks");
  return greatest;
}

std::string Ranks::library() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = {};
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return "unknown";
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(",\n"));
}

#else

Ranks::Ranks() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  const auto ranks = size == nullptr ? std::nullopt : parse_integer(size);
  if (ranks && *ranks > 1)
    throw InputError(
        fmt::format("mpirun started {} processes of a program built without MPI: each would do the whole run. Build it "
                    "with -DCOTERIE_MPI=ON, or give each process a share with --shard I/N",
                    *ranks));
}

std::vector<std::uint64_t> Ranks::broadcast(std::vector<std::uint64_t> numbers) const { return numbers; }
int Ranks::greatest(int value) const { return value; }
std::string Ranks::library() { return "none"; }

#endif

}  // namespace coterie::sim
