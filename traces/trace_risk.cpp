#include "traces/trace_risk.hpp"

#include <fmt/format.h>

#include <array>
#include <boost/crc.hpp>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "core/empirical_risk.hpp"
#include "core/text.hpp"
#include "traces/durations.hpp"
#include "traces/formats.hpp"
#include "traces/residual_risk.hpp"

namespace coterie::traces {
namespace {

const std::vector<std::string> kOwnArguments = {"file", "format", "estimator", "sampling", "age", "normalise"};

std::string quoted_if_needed(const std::string& text) {
  return text.find_first_of(" ,()=") == std::string::npos ? text : '"' + text + '"';
}

std::string resolved(const std::string& file, const std::string& directory) {
  const std::filesystem::path path(file);
  return path.is_absolute() || directory.empty() ? file : (std::filesystem::path(directory) / path).string();
}

/// Runs `action`; what it throws about the user's input gets the place of the expression.
template <typename Action>
auto at_place(const Place& place, Action action) {
  try {
    return action();
  } catch (const InputError& error) {
    throw InputError(place, fmt::format("trace: {}", error.what()));
  }
}

/// The law with its times divided by `scale`, as a risk.
RiskPtr make_risk(StepLaw law, double scale, const std::string& text) {
  StepLaw scaled;
  for (std::size_t i = 0; i < law.times.size(); ++i) {
    const double time = law.times[i] / scale;
    if (!scaled.times.empty() && time <= scaled.times.back()) {  // neighbours that division rounds to the same number
      scaled.weights.back() += law.weights[i];
    } else {
      scaled.times.push_back(time);
      scaled.weights.push_back(law.weights[i]);
    }
  }
  return std::make_shared<EmpiricalRisk>(std::move(scaled.times), std::move(scaled.weights), text);
}

}  // namespace

std::string file_checksum(const std::string& path) {
  std::ifstream input(path, std::ios::binary);
  if (!input) throw RuntimeError(fmt::format("{}: cannot be opened", path));
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693u, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> crc;
  std::array<char, 65536> buffer;
  while (input.read(buffer.data(), buffer.size()) || input.gcount() > 0)
    crc.process_bytes(buffer.data(), static_cast<std::size_t>(input.gcount()));
  if (input.bad()) throw RuntimeError(fmt::format("{}: cannot be read to its end", path));
  return fmt::format("{:016x}", static_cast<std::uint64_t>(crc.checksum()));
}

TraceRisk risk_from_trace(const Expression& expression, const std::string& directory) {
  const Place& place = expression.place();
  std::vector<std::string> known = kOwnArguments;
  const std::vector<std::string> options = ReadingOptions::keys();
  known.insert(known.end(), options.begin(), options.end());
  expression.allow_only(known);
  const std::string file = expression.word("file");
  const std::string estimator = expression.word("estimator", "naive");
  if (estimator != "naive" && estimator != "kaplan-meier")
    throw InputError(place, fmt::format("trace: estimator must be naive or kaplan-meier, not \"{}\"", estimator));
  const std::string sampling = expression.word("sampling", "pooled");
  if (sampling != "pooled" && sampling != "per-host")
    throw InputError(place, fmt::format("trace: sampling must be pooled or per-host, not \"{}\"", sampling));
  if (sampling == "per-host" && estimator == "kaplan-meier")
    throw InputError(place, "trace: sampling=per-host goes with estimator=naive only");
  const bool stationary = expression.word("age", "0") == "stationary";
  const double age = stationary ? 0 : expression.number("age", 0);
  if (!(age >= 0)) throw InputError(place, "trace: age must be 0 seconds or more, or stationary");
  const Normalisation normalisation = Normalisation::parse(expression.word("normalise", "longest"), place);
  std::vector<std::string> words;
  std::string text = fmt::format("trace(file={}", quoted_if_needed(file));
  if (expression.has("format")) text += fmt::format(", format={}", expression.word("format"));
  text += fmt::format(", estimator={}", estimator);
  if (sampling != "pooled") text += fmt::format(", sampling={}", sampling);
  text += fmt::format(", age={}, normalise={}", stationary ? "stationary" : to_text(age), normalisation.text());
  for (const std::string& key : options) {
    if (!expression.has(key)) continue;
    words.push_back(key + "=" + expression.word(key));
    text += fmt::format(", {}={}", key, quoted_if_needed(expression.word(key)));
  }
  text += ")";

  TraceRisk result;
  result.path = resolved(file, directory);
  result.checksum = file_checksum(result.path);
  return at_place(place, [&] {
    const AvailabilityTrace trace = read_trace(result.path, expression.word("format", ""), words);
    const Durations durations(trace);
    result.n = durations.size();
    result.censored_share = 1 - static_cast<double>(durations.observed()) / static_cast<double>(durations.size());
    result.scale = durations.divisor(normalisation);
    // Counting gives the paper's Pr_trace exactly, where adding equal weights would round.
    if (estimator == "naive" && sampling == "pooled" && age == 0 && !stationary) {
      std::vector<double> values;
      for (const Duration& duration : durations.values()) values.push_back(duration.value / result.scale);
      result.risk = std::make_shared<EmpiricalRisk>(std::move(values), text);
      return result;
    }
    StepLaw law = sampling == "per-host" ? per_host_law(trace)
                  : estimator == "naive" ? naive_law(durations)
                                         : kaplan_meier_law(durations);
    if (age > 0) law = conditional_on_age(law, age);
    result.within_horizon = std::min(1.0, std::accumulate(law.weights.begin(), law.weights.end(), 0.0));
    if (stationary) {
      for (double& time : law.times) time /= result.scale;
      result.risk = std::make_shared<ResidualRisk>(law, text);
      return result;
    }
    result.risk = make_risk(std::move(law), result.scale, text);
    return result;
  });
}

}  // namespace coterie::traces
