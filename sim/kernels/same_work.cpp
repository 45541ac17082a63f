#include "sim/kernels/same_work.hpp"

#include <algorithm>

#include "sim/kernels/schedule_lists.hpp"

namespace coterie::sim {
namespace {

/// What the pieces of one schedule are called in another.
class OtherNames {
 public:
  explicit OtherNames(std::size_t pieces) : to_(pieces, kNone), from_(pieces, kNone) {}

  /// Whether they may be the same piece, after all that was asked before.
  bool agree(std::uint32_t a, std::uint32_t b) {
    if (to_[a] == kNone && from_[b] == kNone) {
      to_[a] = b;
      from_[b] = a;
    }
    return to_[a] == b && from_[b] == a;
  }
  bool agree(const Task& a, const Task& b) {
    if (a.pieces != b.pieces) return false;
    for (std::uint32_t i = 0; i < a.pieces; ++i)
      if (!agree(a.first_piece + i, b.first_piece + i)) return false;
    return true;
  }
  /// Whether no piece that anybody is given has another name.
  bool are_the_same() const {
    for (std::uint32_t piece = 0; piece < to_.size(); ++piece)
      if (to_[piece] != kNone && to_[piece] != piece) return false;
    return true;
  }
  bool keep_sizes(const PieceSizes& a, const PieceSizes& b) const {
    for (std::uint32_t piece = 0; piece < to_.size(); ++piece)
      if (to_[piece] != kNone && a.of_piece(piece) != b.of_piece(to_[piece])) return false;
    return true;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffff;

  std::vector<std::uint32_t> to_;
  std::vector<std::uint32_t> from_;
};

bool same_lists(const Schedule& a, const Schedule& b) {
  if (a.workers() != b.workers() || a.lists().size() != b.lists().size()) return false;
  for (std::size_t list = 0; list < a.lists().size(); ++list)
    if (!(a.lists()[list].finish == b.lists()[list].finish)) return false;
  for (std::size_t w = 0; w < a.workers(); ++w)
    if (a.list_of(w) != b.list_of(w)) return false;
  return true;
}

bool same_tasks(const Schedule& a, const Schedule& b, OtherNames& names) {
  for (std::size_t list = 0; list < a.lists().size(); ++list) {
    const auto in_a = a.lists()[list].tasks;
    const auto in_b = b.lists()[list].tasks;
    if (!std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                    [&](const Task& x, const Task& y) { return names.agree(x, y); }))
      return false;
  }
  return true;
}

}  // namespace

bool complete_the_same_work(const Schedule& a, const Schedule& b) {
  if (&a == &b) return true;
  if (a.pieces() != b.pieces() || a.deployed_work() != b.deployed_work() || !same_lists(a, b)) return false;
  OtherNames names(a.pieces());
  if (!same_tasks(a, b, names)) return false;
  if (names.are_the_same() && a.boundaries() == b.boundaries()) return true;
  const PieceSizes sizes_of_a(a);
  const PieceSizes sizes_of_b(b);
  return sizes_of_a.few() && sizes_of_b.few() && sizes_of_a == sizes_of_b && names.keep_sizes(sizes_of_a, sizes_of_b);
}

}  // namespace coterie::sim
