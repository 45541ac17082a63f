#include "heuristics/chunks/loss_bounds.hpp"

#include <functional>
#include <limits>
#include <numeric>

namespace coterie::heuristics {

double lower_mean_of_products(const Risk& risk, std::size_t chunks, std::size_t workers, double step) {
  const double shorter = step * kNoLater;
  const auto risk_at = [&](std::size_t s) { return risk.probability(static_cast<double>(s) * shorter); };
  if (workers == 1) return lower_mean(chunks, 1.0, risk_at) * rounded_off(1);
  const std::size_t safe = steps_without_risk(risk, shorter, chunks / workers + 1);
  return lower_mean_of_products(chunks, workers, safe, [&](std::size_t count) {
    return lower_mean(count, 0.0, [&](std::size_t s) { return std::log(risk_at(safe + s)); });
  });
}

double upper_bound_of_work(double work, std::size_t chunks, std::size_t workers, std::span<const double> risk_at_step) {
  const auto risky = std::find_if(risk_at_step.begin(), risk_at_step.end(), [](double risk) { return risk > 0; });
  const auto safe_steps = static_cast<std::size_t>(risky - risk_at_step.begin());
  const auto mean_of_logs = [&](std::size_t at_risk) {
    std::span<const double> risks(risky, risk_at_step.end());
    risks = risks.first(std::min(risks.size(), at_risk));
    constexpr std::size_t kTogether = 16;  // where their product vanishes the bound does, too
    double sum = 0;
    for (std::size_t i = 0; i < risks.size(); i += kTogether) {
      const auto some = risks.subspan(i, std::min(kTogether, risks.size() - i));
      const double product = std::accumulate(some.begin(), some.end(), 1.0, std::multiplies<>());
      sum += std::log(product < std::numeric_limits<double>::min() ? 0 : product);
    }
    return sum / static_cast<double>(at_risk);
  };
  return work * (1 - lower_mean_of_products(chunks, workers, safe_steps, mean_of_logs));
}

std::size_t steps_without_risk(const Risk& risk, double step, std::size_t most) {
  const auto safe = [&](std::size_t count) { return !(risk.probability(static_cast<double>(count) * step) > 0); };
  if (most == 0 || !safe(1)) return 0;
  std::size_t low = 1;
  std::size_t high = most;  // safe at low; unsafe above high
  while (low < high) {
    const std::size_t middle = high - (high - low) / 2;
    if (safe(middle)) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

}  // namespace coterie::heuristics
