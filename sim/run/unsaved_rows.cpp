#include "sim/run/unsaved_rows.hpp"

namespace coterie::sim {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kMostUnsavedValues = 8'000'000;  // 64 MB
constexpr std::uint64_t kValuesOfRow = 24;               // what a row takes beside its own

}  // namespace

UnsavedRows::UnsavedRows(double save_seconds)
    : interval_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(save_seconds))),
      next_save_(Clock::now() + interval_) {}

bool UnsavedRows::due() const {
  return rows_.values() + kValuesOfRow * rows_.spans().size() >= kMostUnsavedValues || Clock::now() >= next_save_;
}

void UnsavedRows::saved() {
  rows_ = {};
  next_save_ = Clock::now() + interval_;
}

}  // namespace coterie::sim
