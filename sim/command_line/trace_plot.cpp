#include "sim/command_line/trace_plot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <iostream>

#include "core/errors.hpp"
#include "core/length.hpp"
#include "core/text.hpp"
#include "sim/drawing/survival_diagram.hpp"
#include "sim/files/durable_file.hpp"
#include "sim/files/output_path.hpp"
#include "sim/terminal/painted.hpp"
#include "sim/terminal/trace_input.hpp"
#include "traces/fit.hpp"
#include "traces/survival_curve.hpp"

namespace coterie::sim {
namespace {

std::string curve_csv(const traces::Durations& durations) {
  const auto jumps = traces::survival_curve(durations);
  std::string text = "time,at_risk,interrupted,survival,low,high\n";
  const auto row = [&](const traces::SurvivalJump& at) {
    text += fmt::format("{},{},{},{},", to_text(at.time), to_text(at.at_risk), to_text(at.interrupted),
                        to_text(at.survival));
    text += std::isnan(at.low) ? ",\n" : fmt::format("{},{}\n", to_text(at.low), to_text(at.high));
  };
  traces::SurvivalJump end;  // so far
  end.at_risk =
      static_cast<double>(std::count_if(durations.values().begin(), durations.values().end(),
                                        [](const traces::Duration& duration) { return duration.entry == 0; }));
  if (jumps.empty() || jumps.front().time > 0) row(end);
  for (const traces::SurvivalJump& jump : jumps) row(end = jump);
  if (durations.longest() > end.time) {
    end.time = durations.longest();
    end.at_risk = static_cast<double>(
        std::count_if(durations.values().begin(), durations.values().end(),
                      [&](const traces::Duration& duration) { return duration.value == durations.longest(); }));
    end.interrupted = 0;
    row(end);
  }
  return text;
}

}  // namespace

std::string trace_picture(const traces::AvailabilityTrace& trace, const std::string& file,
                          std::optional<double> until) {
  const traces::Durations durations(trace);
  if (durations.longest() == 0)
    throw InputError(fmt::format("{}: all spells have length zero, so there is no curve to draw", file));
  std::vector<traces::FittedLaw> laws;
  if (durations.without_zeros().observed() > 0) {
    check_for_fits(durations, trace, file);
    laws = traces::fit_laws(durations);
    for (const traces::FittedLaw& law : laws)
      if (!law.problem.empty()) warn(fmt::format("{}: {} is not drawn: {}", file, law.name, law.problem));
  } else {
    warn(fmt::format("{}: no spell of positive length was seen to end by an interruption, so no law is drawn", file));
  }
  return survival_diagram_svg(
      fmt::format("How long machines stayed: {}", std::filesystem::path(file).filename().string()), durations, laws,
      until.value_or(durations.longest()));
}

int plot_trace(const Call& call) {
  namespace po = boost::program_options;
  Options options = trace_options(
      "plot FILE [--format svg|csv] [--until LENGTH] [--output FILE] [--trace-format F] [--option KEY=VALUE]...",
      "Draws how long machines stayed: the share that stays longer (Kaplan-Meier) with its pointwise 95 % band, the "
      "times at which spells were censored, and the laws that coterie trace fit fits. As csv, writes the points of "
      "the curve: times in seconds, the band empty where no spell is left.");
  options.add()("format", po::value<std::string>(), "svg (default) or csv");
  options.propose("format", {"svg", "csv"});
  options.add()("until", po::value<std::string>(), "LENGTH: end of the time axis (default: the longest spell)");
  options.add()("output", po::value<std::string>(), "FILE to write instead of standard output");
  options.file("output", {".svg", ".csv"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  if (format == "csv" && options.has("until"))
    throw InputError("--until: csv has all points of the curve; leave out this option");
  const std::optional<double> until =
      options.has("until") ? std::optional(parse_seconds(options.text("until"), "--until")) : std::nullopt;
  const std::string& file = options.words().front();
  const std::string output = options.text("output", "");
  if (options.has("output")) {
    protect_inputs(output_target(output), trace_files(options));
    if (std::filesystem::path(output).extension() != "." + format)
      throw InputError(fmt::format("--output {}: the format is {}; end the file name in .{}", output, format, format));
  }
  const traces::AvailabilityTrace trace = read_trace_of(options);
  print_warnings(trace, file);
  const std::string text = format == "svg" ? trace_picture(trace, file, until) : curve_csv(traces::Durations(trace));
  if (options.has("output")) {
    write_text_durably(output, text);
  } else {
    std::cout << text;
  }
  return 0;
}

}  // namespace coterie::sim
