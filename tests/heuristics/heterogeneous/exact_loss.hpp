#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/rational.hpp"
#include "core/stream.hpp"
#include "heuristics/heterogeneous/linear_platform.hpp"

/// Exact and slow: what the solvers of heterogeneous-2011 are tested against.
namespace coterie::heuristics::exact {

/// A worker in exact numbers; bandwidth 0 stands for free communication.
struct Worker {
  Rational speed, bandwidth, kappa;
  Rational receive() const { return bandwidth == 0 ? Rational(0) : Rational(1 / bandwidth); }
  LinearWorker rounded() const {
    return {to_double(speed), bandwidth == 0 ? INFINITY : to_double(bandwidth), to_double(kappa)};
  }
};

inline std::vector<LinearWorker> rounded(const std::vector<Worker>& platform) {
  std::vector<LinearWorker> result;
  for (const Worker& worker : platform) result.push_back(worker.rounded());
  return result;
}

using Matrix = std::vector<std::vector<Rational>>;

/// 2Q from the definition E = sum w_i (1 - kappa_i t_i), t_i = sum_{j <= i} c_j w_j + d_i w_i.
inline Matrix twice_loss(const std::vector<Worker>& platform) {
  const std::size_t p = platform.size();
  Matrix matrix(p, std::vector<Rational>(p));
  for (std::size_t i = 0; i < p; ++i) {
    matrix[i][i] = 2 * platform[i].kappa * (platform[i].receive() + 1 / platform[i].speed);
    for (std::size_t j = i + 1; j < p; ++j) matrix[i][j] = matrix[j][i] = platform[j].kappa * platform[i].receive();
  }
  return matrix;
}

/// Solution of A x = 1, nothing where A is singular.
inline std::optional<std::vector<Rational>> solve_ones(Matrix a) {
  const std::size_t n = a.size();
  std::vector<Rational> b(n, Rational(1));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && a[pivot][k] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(a[k], a[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || a[i][k] == 0) continue;
      const Rational factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return b;
}

struct Best {
  Rational loss;
  std::vector<Rational> shares;
};

/// Minimum of w'Qw over the simplex: the best stationary point of all faces.
inline Best best_by_faces(const std::vector<Worker>& platform) {
  const std::size_t p = platform.size();
  const Matrix matrix = twice_loss(platform);
  std::optional<Best> best;
  for (std::uint32_t mask = 1; mask < (1u << p); ++mask) {
    std::vector<std::size_t> face;
    for (std::size_t i = 0; i < p; ++i)
      if (mask >> i & 1) face.push_back(i);
    Matrix restricted;
    for (const std::size_t i : face) {
      restricted.emplace_back();
      for (const std::size_t j : face) restricted.back().push_back(matrix[i][j]);
    }
    const auto x = solve_ones(restricted);
    if (!x) continue;
    Rational sum = 0;
    for (const Rational& value : *x) sum += value;
    bool inside = sum != 0;
    for (const Rational& value : *x) inside = inside && value / sum > 0;
    if (!inside) continue;
    const Rational loss = 1 / (2 * sum);
    if (best && best->loss <= loss) continue;
    best = Best{loss, std::vector<Rational>(p, Rational(0))};
    for (std::size_t k = 0; k < face.size(); ++k) best->shares[face[k]] = (*x)[k] / sum;
  }
  return *best;
}

/// Small random fractions: ties, idle workers and degenerate cases are common among them.
class RandomPlatforms {
 public:
  explicit RandomPlatforms(std::uint64_t seed) : stream_(StreamKey::derive(seed, 0, Use::kPlatform), 0, 0) {}

  std::uint32_t below(std::uint32_t bound) { return stream_() % bound; }
  Rational fraction() {
    const std::uint32_t numerator = 1 + below(12);
    const std::uint32_t denominator = 1 + below(4);
    return Rational(numerator, denominator);
  }
  /// Uniform in (0, 1).
  double uniform() { return to_uniform(stream_()); }
  Worker worker() {
    Worker result;
    result.speed = fraction();
    result.bandwidth = fraction();
    result.kappa = fraction();
    return result;
  }
  std::vector<Worker> platform(std::size_t size) {
    std::vector<Worker> result;
    for (std::size_t i = 0; i < size; ++i) result.push_back(worker());
    return result;
  }

 private:
  Stream stream_;
};

}  // namespace coterie::heuristics::exact
