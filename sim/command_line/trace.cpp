#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/length.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "core/wrapped.hpp"
#include "sim/command_line/trace_plot.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/output_path.hpp"
#include "sim/input/json_text.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/trace_input.hpp"
#include "traces/change.hpp"
#include "traces/common_part.hpp"
#include "traces/fit.hpp"
#include "traces/readers/formats.hpp"
#include "traces/summary.hpp"

namespace coterie::sim {
namespace {

using traces::AvailabilityRecord;
using traces::AvailabilityTrace;

std::string json_string(const std::string& text) { return nlohmann::json(text).dump(); }

bool names_zones(const AvailabilityTrace& trace) {
  return std::any_of(trace.records.begin(), trace.records.end(), [](const auto& r) { return r.zone.has_value(); });
}

/// Whether hosts were up before recording began, and are at risk only from an age on.
bool has_entries(const AvailabilityTrace& trace) {
  return std::any_of(trace.records.begin(), trace.records.end(), [](const auto& r) { return r.entry > 0; });
}

/// Written record by record: a JSON tree of a million values would cost more than reading the file.
void write_json(const AvailabilityTrace& trace) {
  const bool zones = names_zones(trace);
  std::string text = "{\"records\": [";
  for (std::size_t i = 0; i < trace.records.size(); ++i) {
    const AvailabilityRecord& r = trace.records[i];
    text += fmt::format("{}\n  [{}, {}, {}, {}, {}", i > 0 ? "," : "", r.host ? json_string(*r.host) : "null",
                        r.start ? to_text(*r.start) : "null", to_text(r.duration), r.observed ? 1 : 0,
                        r.left_truncated ? 1 : 0);
    if (zones) text += ", " + (r.zone ? json_string(*r.zone) : "null");
    text += ']';
  }
  text += "\n],\n";
  if (has_entries(trace)) {
    std::vector<std::string> ages;
    for (const AvailabilityRecord& r : trace.records) ages.push_back(to_text(r.entry));
    text += fmt::format("\"entry_ages\": [{}],\n", fmt::join(ages, ", "));
  }
  std::cout << text << "\"warnings\": " << nlohmann::json(trace.warnings).dump() << "}\n";
}

void write_durations(const AvailabilityTrace& trace) {
  const bool entries = has_entries(trace);
  const bool flags = trace.warnings.contains("W_CENSORED") || entries;
  std::string text = entries ? "duration,observed,entry_age\n" : flags ? "duration,observed\n" : "";
  for (const AvailabilityRecord& r : trace.records) {
    text += to_text(r.duration);
    if (flags) text += r.observed ? ",1" : ",0";
    if (entries) text += "," + to_text(r.entry);
    text += '\n';
  }
  std::cout << text;
}

/// Whether a reader of CSV takes the name as it is, unquoted.
bool is_plain_field(const std::string& name) {
  return name.find(',') == std::string::npos && printable(name) == name && trimmed(name) == name &&
         !name.starts_with('"');
}

void write_intervals(const AvailabilityTrace& trace, const std::string& file) {
  const bool zones = names_zones(trace);
  const bool entries = has_entries(trace);
  std::string text =
      fmt::format("host,start,end,observed,left_truncated{}{}\n", zones ? ",zone" : "", entries ? ",entry_age" : "");
  for (const AvailabilityRecord& r : trace.records) {
    if (!r.start || !r.host)
      throw InputError(
          fmt::format("{}: its spells have no start times or no hosts; use --to json or --to durations", file));
    for (const auto& [what, name] : {std::pair{"host", &r.host}, {"zone", &r.zone}})
      if (*name && (!is_plain_field(**name) || (name == &r.host && (**name).starts_with('#'))))
        throw InputError(
            fmt::format("{}: the {} \"{}\" holds a comma or a character that cannot be printed, or begins with #, a "
                        "quote or a blank or ends with a blank, which CSV without quotes cannot hold; use --to json",
                        file, what, echoed(**name)));
    text += fmt::format("{},{},{},{},{}", *r.host, to_text(*r.start), to_text(*r.start + r.duration),
                        r.observed ? 1 : 0, r.left_truncated ? 1 : 0);
    if (zones) text += "," + r.zone.value_or("");
    if (entries) text += "," + to_text(r.entry);
    text += '\n';
  }
  std::cout << text;
}

nlohmann::ordered_json optional_json(const std::optional<double>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// null for an infinite value.
nlohmann::ordered_json finite_json(double value) {
  return optional_json(std::isfinite(value) ? std::optional(value) : std::nullopt);
}

/// "64 min, 95 %: 52 to 76 min"; `least`: the value is only a lower bound.
std::string estimate_text(const traces::LifetimeEstimate& estimate, bool least = false) {
  if (!std::isfinite(estimate.value))
    return fmt::format("not seen: most live longer (95 %: {} or more)", seconds_text(estimate.low));
  const std::string value = (least ? "at least " : "") + seconds_text(estimate.value);
  if (std::isfinite(estimate.high))
    return fmt::format("{}, 95 %: {} to {}", value, seconds_text(estimate.low), seconds_text(estimate.high));
  return fmt::format("{}, 95 %: {} or more", value, seconds_text(estimate.low));
}

/// A word for programs and one for people; `given`: the name of the unit that the user gave.
std::array<std::string, 2> unit_words(traces::UnitSource source, std::string_view given) {
  switch (source) {
    case traces::UnitSource::kFormat:
      return {"format", "seconds, as the format says"};
    case traces::UnitSource::kGiven:
      return {"given", fmt::format("as given by --option unit={}", given)};
    case traces::UnitSource::kCalendar:
      return {"calendar", "calendar times"};
    case traces::UnitSource::kAssumed:
      break;
  }
  return {"assumed", "seconds are assumed: the file does not say (--option unit=min, h or d)"};
}

/// "0.31, 95 %: 0.24 to 0.4 (...)", or "-" and the reason.
std::string common_text(const traces::CommonPart& part) {
  const std::string zones =
      part.zones_named ? fmt::format("{} zone{}", part.zones, part.zones == 1 ? "" : "s") : "all hosts as one zone";
  if (!part.value) return fmt::format("- ({})", part.problem);
  return fmt::format(
      "{:.3g}, 95 %: {:.3g} to {:.3g} ({}; {} of {} drops took all hosts that were up{}; together means {})",
      *part.value, part.low, part.high, zones, part.whole, part.drops,
      part.partial > 0 ? fmt::format(", {} took several", part.partial) : "",
      !part.less        ? "within " + length_text(part.window)
      : part.window > 0 ? fmt::format("less than {} apart", length_text(part.window))
                        : "at the same time");
}

void add_common(nlohmann::ordered_json& json, const traces::CommonPart& part) {
  json["common"] = optional_json(part.value);
  json["common_low"] = part.value ? nlohmann::ordered_json(part.low) : nullptr;
  json["common_high"] = part.value ? nlohmann::ordered_json(part.high) : nullptr;
  json["common_problem"] = part.value ? nlohmann::ordered_json() : nlohmann::ordered_json(part.problem);
  json["zones"] = part.zones_named ? nlohmann::ordered_json(part.zones) : nullptr;
  json["drops"] = part.drops;
  json["whole_drops"] = part.whole;
  json["partial_drops"] = part.partial;
  json["together"] = part.window;
}

/// "1.9 (...)", or "-" and the reason.
std::string change_text(const traces::Change& change) {
  if (!change.factor) return fmt::format("- ({})", change.problem);
  return fmt::format("{:.3g} (interruptions in the second half over those in the first, at equal age; p = {:.2g})",
                     *change.factor, change.p);
}

void add_change(nlohmann::ordered_json& json, const traces::Change& change) {
  const bool told = change.factor.has_value();
  json["change"] = optional_json(change.factor);
  json["change_p"] = told ? nlohmann::ordered_json(change.p) : nullptr;
  json["change_problem"] = told ? nlohmann::ordered_json() : nlohmann::ordered_json(change.problem);
}

void print_info(const AvailabilityTrace& trace, const std::string& file, const std::array<std::string, 2>& unit,
                std::optional<double> together, const std::string& format) {
  const traces::TraceSummary s = traces::summarise(trace);
  const traces::CommonPart common = traces::common_part(trace, together);
  const traces::Change change = traces::change(trace);
  if (const std::string doubt = traces::doubt(change, file); !doubt.empty()) warn(doubt);
  if (format == "json") {
    nlohmann::ordered_json json = {{"n", s.n},
                                   {"hosts", s.hosts},
                                   {"observed", s.observed},
                                   {"censored", s.censored},
                                   {"left_truncated", s.left_truncated},
                                   {"zeros", s.zeros},
                                   {"resolution", optional_json(s.resolution)},
                                   {"mean", finite_json(s.mean.value)},
                                   {"median", finite_json(s.median.value)},
                                   {"max", s.max},
                                   {"cv", s.cv},
                                   {"linear_distance", optional_json(s.linear_distance)},
                                   {"host_correlation", optional_json(s.host_correlation)},
                                   {"day_cycle", optional_json(s.day_cycle)},
                                   {"mean_low", s.mean.low},
                                   {"mean_high", finite_json(s.mean.high)},
                                   {"median_low", finite_json(s.median.low)},
                                   {"median_high", finite_json(s.median.high)},
                                   {"open", s.open},
                                   {"format", trace.format},
                                   {"unit", unit[0]}};
    add_common(json, common);
    add_change(json, change);
    std::cout << json_text(json) << '\n';
    return;
  }
  const auto row = [](const char* name, const std::string& value) {
    std::cout << fmt::format("{:16} {}\n", name, value);
  };
  row("n", std::to_string(s.n));
  row("format", trace.format);
  row("unit", unit[1]);
  row("hosts", s.hosts > 0 ? std::to_string(s.hosts) : "not named");
  row("observed", std::to_string(s.observed));
  row("censored", std::to_string(s.censored));
  row("left_truncated", std::to_string(s.left_truncated));
  row("zeros", std::to_string(s.zeros));
  row("resolution", s.resolution ? seconds_text(*s.resolution) : "not stated");
  constexpr std::size_t kMany = 100;  // spells, with which the interval holds the mean in about 95 % of traces
  row("mean", estimate_text(s.mean, s.open > 0) +
                  (s.n < kMany ? "; of so few spells it holds the mean less often than that (of 20 in 87 %)" : ""));
  row("median", estimate_text(s.median));
  row("max", seconds_text(s.max));
  row("cv", fmt::format("{:.6g}", s.cv));
  const auto number = [](const std::optional<double>& value) { return value ? fmt::format("{:.6g}", *value) : "-"; };
  row("linear_distance", number(s.linear_distance));
  row("host_correlation", number(s.host_correlation));
  row("day_cycle", number(s.day_cycle));
  row("common", common_text(common));
  row("change", change_text(change));
}

nlohmann::ordered_json fit_json(const traces::FittedLaw& law) {
  if (!law.problem.empty()) return {{"problem", law.problem}};
  nlohmann::ordered_json parameters;
  for (const auto& [name, value] : law.parameters) parameters[name] = value;
  return {{"parameters", parameters}, {"log_likelihood", law.log_likelihood}, {"ks", law.ks}, {"risk", law.risk}};
}

void print_fit(const AvailabilityTrace& trace, const std::string& file, const std::string& format,
               const traces::Normalisation& normalisation) {
  const traces::Durations durations(trace);
  check_for_fits(durations, trace, file);
  const double unit = durations.divisor(normalisation);
  if (unit != 1) std::cerr << fmt::format("{}: one unit of time is {} of the trace\n", file, seconds_text(unit));
  const auto laws = traces::fit_laws(durations.divided(unit));
  if (format == "json") {
    nlohmann::ordered_json json;
    for (const auto& law : laws) json[law.name] = fit_json(law);
    std::cout << json_text(json) << '\n';
    return;
  }
  std::cout << Painted{Look::kHeading,
                       fmt::format("{:16}  {:>15}  {:>8}  {}\n", "law", "log-likelihood", "KS", "risk")};
  for (const auto& law : laws) {
    if (law.problem.empty()) {
      std::cout << fmt::format("{:16}  {:15.8g}  {:8.4f}  {}\n", law.name, law.log_likelihood, law.ks, law.risk);
    } else {
      std::cout << fmt::format("{:16}  {:>15}  {:>8}  {}\n", law.name, "-", "-", law.problem);
    }
  }
}

int convert(const Call& call) {
  namespace po = boost::program_options;
  Options options =
      trace_options("convert FILE --to json|durations|intervals [--trace-format F] [--option KEY=VALUE]...",
                    "Writes the spells of availability in a trace, in seconds.");
  options.add()("to", po::value<std::string>(), "json, durations or intervals");
  options.propose("to", {"json", "durations", "intervals"});
  if (!options.parse(call)) return 0;
  if (!options.has("to"))
    throw InputError("--to is missing; give json, durations or intervals (see coterie trace --help)");
  const std::string to = options.choice("to");
  const AvailabilityTrace trace = read_trace_of(options);
  print_warnings(trace, options.words().front());
  if (to == "json") write_json(trace);
  if (to == "durations") write_durations(trace);
  if (to == "intervals") write_intervals(trace, options.words().front());
  return 0;
}

int info(const Call& call) {
  namespace po = boost::program_options;
  Options options = trace_options(
      "info FILE [--format table|json|svg] [--together LENGTH] [--trace-format F] [--option KEY=VALUE]...",
      "Prints counts, mean and median of the risk that the trace gives (Kaplan-Meier) with 95 % intervals, spread, "
      "distance from a linear risk, and the part of the hazard that hosts of a zone share (common).");
  options.add()("format", po::value<std::string>(), "table (default), json, or svg: the picture of coterie trace plot");
  options.add()(
      "together", po::value<std::string>(),
      "LENGTH: interruptions this close count as simultaneous (default: closer than the recording's resolution)");
  options.propose("format", {"table", "json", "svg"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  if (format == "svg" && options.has("together"))
    throw InputError("--together: the picture shows nothing about zones; leave out this option");
  const std::optional<double> together =
      options.has("together")
          ? std::optional(parse_seconds(options.text("together"), "--together", {}, ZeroLength::kAllowed))
          : std::nullopt;
  const AvailabilityTrace trace = read_trace_of(options);
  print_warnings(trace, options.words().front());
  if (format == "svg") {
    std::cout << trace_picture(trace, options.words().front());
    return 0;
  }
  const auto given = traces::ReadingOptions::parse(options.texts("option")).unit.name;
  print_info(trace, options.words().front(), unit_words(trace.unit, given), together, format);
  return 0;
}

int fit(const Call& call) {
  namespace po = boost::program_options;
  Options options = trace_options(
      "fit FILE [--format table|json] [--normalise N] [--trace-format F] [--option KEY=VALUE]...",
      "Fits laws by maximum likelihood, taking account of censored spells, and prints each as a risk for a campaign.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  options.propose("format", {"table", "json"});
  options.add()("normalise", po::value<std::string>(),
                "what one unit of time is: none (default: a second), longest, horizon(SECONDS) or quantile(Q)");
  options.propose("normalise", {"none", "longest", "horizon", "quantile"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const auto normalisation = traces::Normalisation::parse(options.text("normalise", "none"));
  const traces::AvailabilityTrace trace = read_trace_of(options);
  print_warnings(trace, options.words().front());
  print_fit(trace, options.words().front(), format, normalisation);
  return 0;
}

struct Action {
  std::string name;
  std::string summary;
  int (*run)(const Call& call);
};

const std::vector<Action>& actions() {
  static const std::vector<Action> table = {
      {"info", "counts, mean, spread, distance from the linear risk", info},
      {"convert", "write the spells as json, durations or intervals", convert},
      {"fit", "fit exponential, Weibull, lognormal and hyperexponential laws", fit},
      {"plot", "draw the survival curve with its band, and the fitted laws", plot_trace},
  };
  return table;
}

}  // namespace

int trace_verb(const Call& call) {
  const std::vector<std::string>& arguments = call.arguments;
  const std::string& program = call.catalogue.program();
  const std::string usage = "trace info|convert|fit|plot FILE [...]";
  std::vector<std::string> names;
  for (const Action& action : actions()) names.push_back(action.name);
  if (arguments.empty() && call.text != nullptr) {
    *call.text = VerbText{usage, formats_help(), {}, {}, names};
    return 0;
  }
  if (arguments.empty())
    throw InputError(fmt::format("trace: write {} next (see {} trace --help)", quoted_list(names), program));
  if (arguments.front() == "--help" || arguments.front() == "-h") {
    std::cout << fmt::format("Usage: {} {}\n\n", program, usage);
    for (const Action& action : actions()) std::cout << hanging("  " + action.name, 13, action.summary) << '\n';
    std::cout << '\n' << formats_help() << '\n';
    return 0;
  }
  for (const Action& action : actions())
    if (action.name == arguments.front())
      return action.run({call.catalogue, {arguments.begin() + 1, arguments.end()}, call.text});
  throw InputError(fmt::format("trace: \"{}\" must be {}{}", arguments.front(), quoted_list(names),
                               suggestion(arguments.front(), names)));
}

}  // namespace coterie::sim
