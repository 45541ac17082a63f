#include "sim/terminal/trace_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iostream>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "core/wrapped.hpp"
#include "sim/files/output_path.hpp"
#include "sim/terminal/known_names.hpp"
#include "sim/terminal/painted.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/reading_options.hpp"

namespace coterie::sim {

std::string formats_help() {
  constexpr std::size_t kIndent = 17;
  std::string text =
      wrapped("Formats (--trace-format; default: recognised by the content if that is unambiguous) and their options:");
  for (const auto& format : traces::trace_formats())
    text += fmt::format("\n{}\n{}", hanging("  " + format.name, kIndent, format.summary),
                        hanging("", kIndent, fmt::format("options: {}", fmt::join(format.options, ", "))));
  return text;
}

Options trace_options(const std::string& usage, const std::string& summary) {
  namespace po = boost::program_options;
  Options options("trace " + usage, summary + "\n\n" + formats_help());
  options.add()("trace-format", po::value<std::string>(), "format of FILE");
  options.add()("option", po::value<std::vector<std::string>>(), "KEY=VALUE: how to read FILE; may be repeated");
  options.positional("FILE", 1, 1);
  options.file("");
  options.propose("trace-format", format_names());
  return options;
}

traces::AvailabilityTrace read_trace_of(const Options& options) {
  for (const std::string& file : trace_files(options)) protect_from_standard_output(file);
  return traces::read_trace(options.words().front(), options.text("trace-format", ""), options.texts("option"));
}

std::vector<std::string> trace_files(const Options& options) {
  std::vector<std::string> files = {options.words().front()};
  for (const std::string& option : options.texts("option")) {
    const std::size_t equals = option.find('=');
    if (equals != std::string::npos && traces::ReadingOptions::names_file(option.substr(0, equals)))
      files.push_back(option.substr(equals + 1));
  }
  return files;
}

void print_warnings(const traces::AvailabilityTrace& trace, const std::string& file) {
  for (const traces::WarningLine& line : traces::warning_lines(trace.warnings))
    warn(fmt::format("{}: {}: {}", file, line.code, line.text));
}

void check_for_fits(const traces::Durations& durations, const traces::AvailabilityTrace& trace,
                    const std::string& file) {
  if (const std::size_t zeros = durations.zeros(); zeros > 0)
    warn(fmt::format("{}: {} left out of the fits", file,
                     counted(zeros, "spell of length zero is", "spells of length zero are")));
  const auto unknown = std::count_if(
      trace.records.begin(), trace.records.end(),
      [](const traces::AvailabilityRecord& record) { return record.left_truncated && record.entry == 0; });
  if (unknown > 0)
    warn(fmt::format(
        "{}: {} with the length that was read, as if the beginning had been seen", file,
        counted(static_cast<std::uint64_t>(unknown), "left-truncated spell counts", "left-truncated spells count")));
  constexpr double kLeast = 1e-100;  // rates of shorter ones, and their squares, do not fit a double
  for (const traces::Duration& duration : durations.values())
    if (duration.value > 0 && duration.value < kLeast)
      throw InputError(
          fmt::format("{}: a spell of {} s is too short for laws to be fitted; they must last 0 or at least {} s", file,
                      to_text(duration.value), to_text(kLeast)));
}

}  // namespace coterie::sim
