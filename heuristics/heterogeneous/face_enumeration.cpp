#include "heuristics/heterogeneous/face_enumeration.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <cstdint>

#include "core/cancellation.hpp"
#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

/// 2Q in the order of service: 2 kappa_i (c_i + d_i) on the diagonal, kappa_j c_i for i served before j.
Eigen::MatrixXd twice_loss_matrix(Platform platform) {
  const auto p = static_cast<Eigen::Index>(platform.size());
  Eigen::MatrixXd matrix(p, p);
  for (Eigen::Index i = 0; i < p; ++i) {
    const LinearWorker& first = platform[static_cast<std::size_t>(i)];
    matrix(i, i) = 2 * first.alone();
    for (Eigen::Index j = i + 1; j < p; ++j)
      matrix(i, j) = matrix(j, i) = platform[static_cast<std::size_t>(j)].risk_rate * first.receive();
  }
  return matrix;
}

}  // namespace

Allocation allocation_by_faces(Platform platform) {
  const std::size_t p = platform.size();
  if (p > kMostEnumeratedWorkers)
    throw InputError(
        fmt::format("an imposed order other than by non-increasing risk rate x bandwidth is solved for at "
                    "most {} workers, not {} (leave out \"order\" to get the best one)",
                    kMostEnumeratedWorkers, p));
  const Eigen::MatrixXd matrix = twice_loss_matrix(platform);
  Allocation best;
  best.loss_factor = kInfinity;
  std::vector<Eigen::Index> face;
  for (std::uint32_t mask = 1; mask < (std::uint32_t{1} << p); ++mask) {
    cancellation_point();
    face.clear();
    for (std::size_t i = 0; i < p; ++i)
      if (mask >> i & 1) face.push_back(static_cast<Eigen::Index>(i));
    const Eigen::MatrixXd restricted = matrix(face, face);
    const auto count = static_cast<Eigen::Index>(face.size());
    const Eigen::VectorXd solution = restricted.partialPivLu().solve(Eigen::VectorXd::Ones(count));
    const double sum = solution.sum();
    if (!solution.allFinite() || sum == 0 || (solution.array() / sum <= 0).any()) continue;
    std::vector<double> shares(p, 0);
    for (Eigen::Index k = 0; k < count; ++k)
      shares[static_cast<std::size_t>(face[static_cast<std::size_t>(k)])] = solution[k] / sum;
    const double loss = expected_loss(platform, shares);
    if (loss < best.loss_factor) best = {std::move(shares), loss};
  }
  return best;
}

}  // namespace coterie::heuristics
