#include "traces/trace_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string_view>
#include <tuple>

#include "core/aged_risk.hpp"
#include "core/contract.hpp"
#include "core/crc64.hpp"
#include "core/empirical_risk.hpp"
#include "core/input_file.hpp"
#include "core/length.hpp"
#include "core/mixture_risk.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/ties.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/line_reader.hpp"
#include "traces/residual_risk.hpp"

namespace coterie::traces {
namespace {

/// Runs `action`; its InputErrors get the place of the expression.
template <typename Action>
auto at_place(const Expression& expression, Action action) {
  try {
    return action();
  } catch (const AgeError& error) {
    throw AgeError(expression.place(), fmt::format("trace: {}", error.what()));
  } catch (const InputError& error) {
    throw InputError(expression.place(), fmt::format("trace: {}", with_echoed(error.what(), expression.word("file"))));
  }
}

/// The law with its times divided by `scale`, as a risk.
RiskPtr make_risk(const StepLaw& law, double scale, const std::string& text) {
  return std::make_shared<EmpiricalRisk>(law.in_unit(scale), text);
}

/// The value of age=.
struct Ages {
  enum class Kind { kFixed, kStationary, kDrawn, kEach };
  Kind kind = Kind::kFixed;
  std::vector<double> seconds;  ///< one for kFixed, one or more for kEach
  std::string text;
};

double age_of(const std::string& text, const Place& place) {
  return parse_length(text, "trace: an age, unless stationary, drawn or each(AGE, ...),", place).value;
}

Ages parse_ages(const std::string& text, const Place& place) {
  using Kind = Ages::Kind;
  if (text == "stationary") return {Kind::kStationary, {}, text};
  if (text == "drawn") return {Kind::kDrawn, {}, text};
  Ages ages;
  if (expression_name(text) != "each") {
    ages.seconds = {age_of(text, place)};
    ages.text = to_text(ages.seconds.front());
    return ages;
  }
  ages.kind = Kind::kEach;
  for (const std::string& item : parse_items(text, place)) {
    ages.seconds.push_back(age_of(item, place));
    ages.text += (ages.text.empty() ? "each(" : ", ") + to_text(ages.seconds.back());
  }
  ages.text += ")";
  return ages;
}

/// The arguments of trace(...), read and checked; no file is opened.
struct Request {
  std::string file;
  std::string format;
  bool naive = false;
  OpenTail tail = OpenTail::kImmortal;
  bool per_host = false;
  Ages ages;
  Normalisation normalisation;
  std::vector<std::pair<std::string, std::string>> options;  ///< of the reader, as written
};

Request parse_request(const Expression& expression) {
  const Place& place = expression.place();
  expression.allow_only(names_of(trace_parameters()));
  Request request;
  request.file = expression.word("file");
  request.format = expression.word("format", "");
  const std::string estimator = expression.word("estimator", "kaplan-meier");
  if (estimator != "naive" && estimator != "kaplan-meier")
    throw InputError(place,
                     fmt::format("trace: estimator must be naive or kaplan-meier, not \"{}\"", echoed(estimator)));
  request.naive = estimator == "naive";
  const std::string tail = expression.word("tail", "immortal");
  if (tail != "immortal" && tail != "gone")
    throw InputError(place, fmt::format("trace: tail must be immortal or gone, not \"{}\"", tail));
  if (request.naive && expression.has("tail"))
    throw InputError(place, "trace: tail needs estimator=kaplan-meier; naive leaves no tail open");
  if (tail == "gone") request.tail = OpenTail::kGone;
  const std::string sampling = expression.word("sampling", "pooled");
  if (sampling != "pooled" && sampling != "per-host")
    throw InputError(place, fmt::format("trace: sampling must be pooled or per-host, not \"{}\"", echoed(sampling)));
  request.per_host = sampling == "per-host";
  if (request.per_host && !request.naive)
    throw InputError(place, "trace: sampling=per-host counts every end as an interruption; write estimator=naive too");
  request.ages = parse_ages(expression.word("age", "0"), place);
  request.normalisation = Normalisation::parse(expression.word("normalise", "longest"), place);
  for (const std::string& key : names_of(ReadingOptions::parameters()))
    if (expression.has(key)) request.options.emplace_back(key, expression.word(key));
  return request;
}

/// The expression with every argument, in two parts around the value of age; `path` writes file names.
template <typename Path>
std::pair<std::string, std::string> text_of(const Request& request, const Path& path, bool naive) {
  std::string before = "trace(" + path("file", request.file);
  if (!request.format.empty()) before += fmt::format(", format={}", request.format);
  before += fmt::format(", estimator={}", naive ? "naive" : "kaplan-meier");
  if (request.tail == OpenTail::kGone) before += ", tail=gone";
  if (request.per_host) before += ", sampling=per-host";
  std::string after = fmt::format(", normalise={}", request.normalisation.text());
  for (const auto& [key, value] : request.options) after += ", " + path(key, value);
  return {before + ", age=", after + ")"};
}

bool is_path(std::string_view key) { return key == "file" || ReadingOptions::names_file(key); }

/// Is the law just the share of spells of each length? If no end is censored, both estimators agree, and counting is
/// exact where a product of shares would round.
bool counts_spells(const Request& request, const Durations& durations) {
  return request.naive || (durations.observed() == durations.size() && !durations.delayed());
}

StepLaw law_of(const Request& request, const AvailabilityTrace& trace, const Durations& durations) {
  if (request.per_host) {
    StepLaw law = per_host_law(trace);
    law.rounding = durations.rounding();
    return law;
  }
  return counts_spells(request, durations) ? naive_law(durations)
                                           : completed(kaplan_meier_law(durations), request.tail, durations.longest());
}

/// The risk of a new worker.
RiskPtr fresh_risk(const Request& request, const AvailabilityTrace& trace, const Durations& durations, double scale,
                   const std::string& text) {
  if (!counts_spells(request, durations) || request.per_host)
    return make_risk(law_of(request, trace, durations), scale, text);
  std::vector<double> values;
  values.reserve(durations.size());
  for (const Duration& duration : durations.values()) values.push_back(duration.value / scale);
  return std::make_shared<EmpiricalRisk>(std::move(values), text, durations.rounding() / scale);
}

/// Fills in what depends on the ages: risk, of_ages, fresh, within_horizon.
void apply_ages(const Request& request, const AvailabilityTrace& trace, const Durations& durations, TraceRisk& result) {
  using Kind = Ages::Kind;
  const std::string text = result.text_before_age + request.ages.text + result.text_after_age;
  const auto law_at_age = [&](const StepLaw& of_new, double age) {
    StepLaw law = conditional_on_age(of_new, age);
    if (!(of_new.times.back() > just_after(age)) && !(law.mass() < 1))
      throw AgeError(fmt::format(
          "age = {}: no spell of the trace is longer, so every worker is interrupted at once; choose a lower age",
          seconds_text(age)));
    return law;
  };
  const auto of_age = [&](double age) { return result.text_before_age + to_text(age) + result.text_after_age; };
  if (request.ages.kind == Kind::kFixed && request.ages.seconds.front() == 0) {
    if (!counts_spells(request, durations)) result.within_horizon = law_of(request, trace, durations).mass();
    result.risk = fresh_risk(request, trace, durations, result.scale, text);
  } else if (request.ages.kind == Kind::kFixed) {
    const StepLaw law = law_at_age(law_of(request, trace, durations), request.ages.seconds.front());
    result.within_horizon = law.mass();
    result.risk = make_risk(law, result.scale, text);
  } else if (request.ages.kind == Kind::kEach) {
    const StepLaw law = law_of(request, trace, durations);
    for (const double age : request.ages.seconds)
      result.of_ages.push_back(make_risk(law_at_age(law, age), result.scale, of_age(age)));
    result.risk = std::make_shared<MixtureRisk>(result.of_ages, std::vector<double>(result.of_ages.size(), 1.0), text);
    result.within_horizon = result.risk->probability(std::numeric_limits<double>::max());
  } else {
    result.risk = std::make_shared<ResidualRisk>(law_of(request, trace, durations).in_unit(result.scale), text);
    if (request.ages.kind == Kind::kDrawn)
      result.fresh = fresh_risk(request, trace, durations, result.scale, of_age(0));
  }
}

/// The risk asked for; `files` holds what was read.
TraceRisk risk_of(const Request& request, const AvailabilityTrace& trace, const TraceRisk& files) {
  TraceRisk result = files;
  std::tie(result.text_before_age, result.text_after_age) = text_of(
      request,
      [](const std::string& key, const std::string& value) {
        return fmt::format("{}={}", key, quoted_if_needed(value));
      },
      request.naive);
  auto checksum = result.checksums.begin();
  const auto [before, after] = text_of(
      request,
      [&](const std::string& key, const std::string& value) {
        if (!is_path(key)) return fmt::format("{}={}", key, quoted_if_needed(value));
        return fmt::format("{}crc64={}", key == "file" ? "" : key + "_", (checksum++)->second);
      },
      counts_spells(request, *files.durations));  // both estimators of one law: one identity, one set of instances
  result.canonical = before + request.ages.text + after;
  const Durations& durations = *result.durations;
  result.n = durations.size();
  result.censored_share = 1 - static_cast<double>(durations.observed()) / static_cast<double>(durations.size());
  result.scale = durations.divisor(request.normalisation);
  result.last_seen = durations.longest() / result.scale;
  result.is_new = request.ages.kind == Ages::Kind::kFixed && request.ages.seconds.front() == 0;
  apply_ages(request, trace, durations, result);
  return result;
}

}  // namespace

std::string quoted_if_needed(const std::string& text) {
  return text.find_first_of(" ,()=") == std::string::npos ? text : '"' + text + '"';
}

std::string resolved(const std::string& file, const std::string& directory, const Place& place) {
  constexpr std::string_view kVariable = "$COTERIE_TRACES/";
  if (file.starts_with(kVariable)) {
    const char* const folder = std::getenv("COTERIE_TRACES");
    if (folder == nullptr || *folder == '\0')
      throw InputError(
          place, fmt::format("{} needs the environment variable COTERIE_TRACES, a folder of traces", echoed(file)));
    return (std::filesystem::path(folder) / file.substr(kVariable.size())).string();
  }
  const std::filesystem::path path(file);
  return path.is_absolute() || directory.empty() ? file : (std::filesystem::path(directory) / path).string();
}

std::string file_checksum(const std::string& path) {
  require_plain_file(path, "a trace used as a risk is read twice; save it to a file first");
  std::ifstream input = open_plain_file(path);
  Crc64 crc;
  std::array<char, 65536> buffer;
  while (input.read(buffer.data(), buffer.size()) || input.gcount() > 0)
    crc.update(std::as_bytes(std::span(buffer)).first(static_cast<std::size_t>(input.gcount())));
  if (input.bad()) throw RuntimeError(fmt::format("{}: cannot be read to its end", path));
  return fmt::format("{:016x}", crc.value());
}

RiskPtr TraceRisk::drawn(double u) const {
  COTERIE_REQUIRE(u > 0 && u < 1);
  const double age = risk->quantile(u);
  return std::make_shared<AgedRisk>(fresh, age, text_before_age + to_text(age * scale) + text_after_age);
}

const std::vector<Parameter>& trace_parameters() {
  static const std::vector<Parameter> table = [] {
    std::vector<Parameter> rows = {
        {"file", "", "", "", "path of the trace, relative to the campaign file"},
        {"format", "", "recognised from the content", "see coterie list formats", "format of the file"},
        {"estimator", "", "kaplan-meier", "kaplan-meier or naive",
         "how a spell counts that no interruption ended: as censored, or (as in the paper) as interrupted"},
        {"tail", "", "immortal", "immortal or gone",
         "workers beyond the last interruption seen: never interrupted, or all at the last time seen"},
        {"sampling", "", "pooled", "pooled or per-host", "equal weight for all spells, or for all hosts"},
        {"age", "s", "0", "seconds or a length such as 3h, stationary, drawn or each(AGE, ...)",
         "how long a worker has already been up, and so lasts at least"},
        {"normalise", "", "longest", "longest, none, horizon(LENGTH) or quantile(Q)", "what becomes one unit of time"},
    };
    for (const Parameter& option : ReadingOptions::parameters()) rows.push_back(option);
    return rows;
  }();
  return table;
}

TraceRisk risk_from_trace(const Expression& expression, const std::string& directory) {
  Request request = parse_request(expression);
  TraceRisk files;
  files.path = resolved(request.file, directory, expression.place());
  std::vector<std::string> words;
  files.checksums.emplace_back(request.file, file_checksum(files.path));
  for (const auto& [key, value] : request.options) {
    const std::string path = is_path(key) ? resolved(value, directory) : value;
    if (is_path(key)) files.checksums.emplace_back(value, file_checksum(path));
    words.push_back(key + "=" + path);
  }
  return at_place(expression, [&] {
    const AvailabilityTrace trace = read_trace(files.path, request.format, words);
    files.warnings = trace.warnings;
    files.unit = trace.unit;
    files.durations = std::make_shared<const Durations>(trace);
    files.change = change(trace);
    TraceRisk result = risk_of(request, trace, files);
    if (result.within_horizon < kWholeLaw && !expression.has("tail")) {
      request.tail = OpenTail::kGone;
      try {
        result.if_gone = std::make_shared<const TraceRisk>(risk_of(request, trace, files));
      } catch (const AgeError& error) {
        throw AgeError(fmt::format("if all that stay longer left then: {} (or write tail=immortal: they never leave)",
                                   error.what()));
      }
    }
    return result;
  });
}

}  // namespace coterie::traces
