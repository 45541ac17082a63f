#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/errors.hpp"

namespace coterie::sim {

/// Several classes of workers, as a user writes them: mix(WEIGHT : RISK, WEIGHT : RISK, ...). A weight is a number
/// above 0 or a fraction; only their proportions count, so `mix(3 : linear, 2 : exponential(rate=1))` are 3 workers out
/// of 5.
struct WorkerClasses {
  std::vector<double> weights;
  std::vector<std::string> risks;  ///< expressions

  /// Throws InputError at `place`.
  static WorkerClasses parse(const std::string& text, const Place& place = {});
  /// The text with each weight in its shortest form and with the given `risks`.
  static std::string text(const std::vector<double>& weights, const std::vector<std::string>& risks);
};

/// How many of `workers` each class gets: its share rounded down, and the rest one by one to the largest remainders
/// (ties to the class written first). Sums to `workers`.
std::vector<std::size_t> class_counts(const std::vector<double>& weights, std::size_t workers);

/// The class of each worker, spread evenly: the i-th of the n workers of a class is where (i + 1/2) / n falls, so
/// that every coterie of neighbours gets its share of each class.
std::vector<std::size_t> class_of_workers(const std::vector<std::size_t>& counts);

}  // namespace coterie::sim
