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

struct SharedCounter::Window {
  MPI_Win handle = MPI_WIN_NULL;
  std::uint64_t alone = 0;
};

SharedCounter::SharedCounter(const Ranks& ranks) : window_(std::make_unique<Window>()) {
  if (ranks.size() == 1) return;
  std::uint64_t* counter = nullptr;
  const MPI_Aint bytes = ranks.leads() ? sizeof(std::uint64_t) : 0;
  check(MPI_Win_allocate(bytes, sizeof(std::uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window_->handle),
        "making a shared counter");
  if (ranks.leads()) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window_->handle);
    *counter = 0;
    MPI_Win_unlock(0, window_->handle);
  }
  check(MPI_Barrier(MPI_COMM_WORLD), "waiting for the ranks");
}

SharedCounter::~SharedCounter() {
  if (window_->handle != MPI_WIN_NULL) MPI_Win_free(&window_->handle);
}

std::uint64_t SharedCounter::take(std::uint64_t amount) {
  if (window_->handle == MPI_WIN_NULL) {
    const std::uint64_t before = window_->alone;
    window_->alone += amount;
    return before;
  }
  std::uint64_t before = 0;
  check(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window_->handle), "reaching the shared counter");
  check(MPI_Fetch_and_op(&amount, &before, MPI_UINT64_T, 0, 0, MPI_SUM, window_->handle), "counting");
  check(MPI_Win_unlock(0, window_->handle), "counting");
  return before;
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

struct SharedCounter::Window {
  std::uint64_t counter = 0;
};

SharedCounter::SharedCounter(const Ranks&) : window_(std::make_unique<Window>()) {}
SharedCounter::~SharedCounter() = default;

std::uint64_t SharedCounter::take(std::uint64_t amount) {
  const std::uint64_t before = window_->counter;
  window_->counter += amount;
  return before;
}

#endif

}  // namespace coterie::sim
