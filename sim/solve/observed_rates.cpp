#include "sim/solve/observed_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

struct Memory {
  std::string weights;
  double ratio = 1;
  std::int64_t window = 0;  ///< 0: all
  bool corrected = true;

  std::vector<double> weights_of(std::size_t count) const {
    if (weights == "equal") return heuristics::equal_weights(count);
    if (weights == "linear") return heuristics::linear_weights(count);
    return heuristics::geometric_weights(count, ratio);
  }
};

Memory read_memory(TomlTable& file) {
  Memory memory;
  memory.weights = file.text("weights", "linear");
  if (memory.weights != "linear" && memory.weights != "equal" && memory.weights != "geometric")
    file.fail("weights",
              fmt::format("must be {}, not \"{}\"", quoted_list({"linear", "equal", "geometric"}), memory.weights));
  if (memory.weights == "geometric") {
    memory.ratio = file.number("ratio");
    if (!(memory.ratio > 0 && memory.ratio <= 1))
      file.fail("ratio", fmt::format("must be in (0, 1], not {}", to_text(memory.ratio)));
  } else if (file.has("ratio")) {
    file.fail("ratio", fmt::format("belongs to weights = \"geometric\"; the weights are {}", memory.weights));
  }
  if (file.has("window")) {
    memory.window = file.integer("window");
    if (memory.window < 1) file.fail("window", fmt::format("must be at least 1, not {}", memory.window));
  } else {
    file.integer("window", 0);  // so that messages can propose it
  }
  memory.corrected = file.boolean("correction", true);
  return memory;
}

ObservedRate rate_of(TomlTable& file, const std::string& key, std::vector<double> intervals, const Memory& memory) {
  if (memory.window > 0 && intervals.size() > static_cast<std::size_t>(memory.window))
    intervals.erase(intervals.begin(), intervals.end() - memory.window);
  ObservedRate rate;
  rate.samples = intervals.size();
  const std::vector<double> weights = memory.weights_of(intervals.size());
  try {
    rate.estimate = heuristics::estimate_rate(intervals, weights);
  } catch (const InputError& error) {
    file.fail(key, error.what());
  }
  if (memory.corrected && rate.samples == 1)
    file.fail(key,
              "gives one interval, whose rate has no finite mean and cannot be corrected; observe more, or write "
              "correction = false");
  rate.expected_factor = heuristics::expected_factor(weights);
  rate.used = memory.corrected ? rate.estimate.corrected : rate.estimate.rate;
  if (!(rate.used > 0 && std::isfinite(rate.used)))
    file.fail(key, fmt::format("gives a rate of {}, which cannot be used for planning", to_text(rate.used)));
  return rate;
}

/// The times between arrivals, and the open one where it is known when our job comes.
std::vector<double> read_arrivals(TomlTable& file, std::string& key) {
  const bool by_times = file.has("arrival_times");
  key = by_times ? "arrival_times" : "inter_arrivals";
  if (by_times && file.has("inter_arrivals"))
    file.fail("inter_arrivals", "and arrival_times exclude each other; write one of them");
  if (!by_times) {
    if (file.has("now")) file.fail("now", "belongs to arrival_times; append the open time to inter_arrivals instead");
    if (!file.has("inter_arrivals"))
      throw InputError(file.place(), "observed arrivals are missing: write arrival_times = or inter_arrivals =");
    return file.numbers(key);
  }
  const std::vector<double> times = file.numbers(key);
  std::vector<double> intervals;
  for (std::size_t k = 1; k < times.size(); ++k) {
    if (!(times[k] >= times[k - 1]))
      file.fail(key,
                fmt::format("times must not decrease: {} comes after {}", to_text(times[k]), to_text(times[k - 1])));
    intervals.push_back(times[k] - times[k - 1]);
  }
  if (file.has("now")) {
    const double now = file.number("now");
    if (times.empty()) file.fail(key, "contains no arrival");
    if (!(now >= times.back()))
      file.fail("now",
                fmt::format("must not be before the last arrival, {}, but is {}", to_text(times.back()), to_text(now)));
    intervals.push_back(now - times.back());
  } else if (times.size() == 1) {
    file.fail(
        key,
        "contains one arrival and so no interval; observe more, or write now = with the time when our job arrives");
  }
  return intervals;
}

nlohmann::ordered_json finite(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

/// E[corrected rate] / true rate. 1 for equal weights; where weights fade fast, 1 - 1 / n_eff corrects too much.
double corrected_factor(const ObservedRate& rate) {
  return rate.expected_factor * (1 - 1 / rate.estimate.effective_size);
}

nlohmann::ordered_json describe(const ObservedRate& rate) {
  return {{"samples", rate.samples},
          {"effective_size", rate.estimate.effective_size},
          {"rate", rate.estimate.rate},
          {"expected_factor", finite(rate.expected_factor)},
          {"corrected", rate.estimate.corrected},
          {"corrected_factor", finite(corrected_factor(rate))},
          {"relative_error", 1 / std::sqrt(rate.estimate.effective_size)}};
}

}  // namespace

ObservedRates read_observed_rates(TomlTable& file) {
  const Memory memory = read_memory(file);
  std::string arrivals;
  const std::vector<double> intervals = read_arrivals(file, arrivals);
  const std::vector<double> services = file.numbers("services");
  file.finish();
  ObservedRates rates;
  rates.arrival = rate_of(file, arrivals, intervals, memory);
  rates.service = rate_of(file, "services", services, memory);
  rates.weights = memory.weights;
  rates.fades = memory.weights == "geometric" && memory.ratio < 1;
  rates.corrected = memory.corrected;
  rates.arrival_place = file.place(arrivals);
  rates.service_place = file.place("services");
  return rates;
}

nlohmann::ordered_json describe(const ObservedRates& rates) {
  nlohmann::ordered_json answer;
  answer["problem"] = "estimate";
  answer["method"] = fmt::format("time-varying-2019 (10) and (11) with {} weights, {}", rates.weights,
                                 rates.corrected ? "corrected for their bias by 1 - 1/n_eff" : "as published");
  answer["exact"] = false;
  answer["arrival"] = rates.arrival.used;
  answer["service"] = rates.service.used;
  answer["rho"] = rates.load();
  answer["has_equilibrium"] = rates.load() < 1;
  answer["arrivals"] = describe(rates.arrival);
  answer["services"] = describe(rates.service);
  std::vector<std::string> notes = {
      "services must be service requirements or busy time per departure; sojourn times would estimate "
      "service - arrival; do not leave out unfinished jobs, because long ones are missing most often"};
  if (!rates.corrected) notes.emplace_back("the rates are too high on average, by expected_factor");
  if (const double factor = std::min(corrected_factor(rates.arrival), corrected_factor(rates.service));
      rates.corrected && factor < 0.95)
    notes.push_back(
        fmt::format("the weights fade so fast that corrected rates are too low on average: by "
                    "corrected_factor, {:.2f} at least",
                    factor));
  if (rates.fades)
    notes.emplace_back("with geometric weights, longer observation does not bring the rate closer to the true one");
  if (!(rates.load() < 1))
    notes.emplace_back(
        "arrival is not below service: background jobs have no equilibrium, and method = \"before-correction\", also "
        "as "
        "first of \"iterative\", refuses such rates; the other methods accept them");
  answer["notes"] = notes;
  return answer;
}

}  // namespace coterie::sim
