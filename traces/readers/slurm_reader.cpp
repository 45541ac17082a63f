#include "traces/readers/slurm_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/file_times.hpp"
#include "traces/readers/line_words.hpp"
#include "traces/readers/spell_list.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 3> kSlurmInterrupted = {"PREEMPTED", "NODE_FAIL", "BOOT_FAIL"};
// RESIZING: of the record up to then, another one begins.
constexpr std::array<std::string_view, 9> kSlurmEnded = {
    "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "OUT_OF_MEMORY", "REQUEUED", "RESIZING", "REVOKED", "TIMEOUT"};
constexpr std::array<std::string_view, 3> kSlurmRunning = {"RUNNING", "SUSPENDED", "COMPLETING"};
/// The nodes of a job that never started, whatever its times.
constexpr std::string_view kNoNodes = "None assigned";

bool is_missing(std::string_view time) { return time.empty() || time == "Unknown" || time == "None"; }

struct SlurmColumns {
  std::size_t job;
  std::size_t state;
  std::size_t start;
  std::size_t end;
  std::optional<std::size_t> nodes;
};

/// Whether an interruption ended the job; nothing while it runs.
std::optional<bool> interruption(const CsvReader& csv, const std::string& written) {
  const std::string_view state = std::string_view(written).substr(0, written.find(' '));  // CANCELLED by 1000
  if (is_one_of(kSlurmInterrupted, state)) return true;
  if (is_one_of(kSlurmEnded, state)) return false;
  if (!is_one_of(kSlurmRunning, state)) csv.fail("E_CAUSE", fmt::format("\"{}\" is not a known job state", written));
  return std::nullopt;
}

}  // namespace

AvailabilityTrace read_slurm(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  SpellList spells(options, file);
  if (csv.names().empty()) return spells.finish();
  const SlurmColumns columns{csv.column("JobID"), csv.column("State"), csv.column("Start"), csv.column("End"),
                             csv.find("NodeList")};
  FileTimes time_of(options, false);
  const auto saw_times = [&] {  // of what is skipped: the job was there then, or at least the log
    for (const std::size_t column : {columns.start, columns.end})
      if (!is_missing(csv[column])) spells.saw(time_of(csv, csv[column]));
  };
  const auto count = [&](const std::string& host, const char* warning) {
    if (options.wants(host)) spells.count(warning);
  };
  while (csv.next()) {
    const std::string& job = csv[columns.job];
    if (job.empty()) csv.fail("E_FIELDS", "the JobID is empty");
    const std::string own = job.substr(0, job.find('.'));  // of a step: its job
    const std::string& nodes = columns.nodes ? csv[*columns.nodes] : own;
    const std::string& host = nodes.empty() ? own : nodes;
    if (job.find('.') != std::string::npos) {  // 17.batch, 17.0
      saw_times();
      count(host, "W_STEP");
      continue;
    }
    if (is_missing(csv[columns.start]) || (columns.nodes && csv[*columns.nodes] == kNoNodes)) {
      if (csv[columns.state] != "PENDING") interruption(csv, csv[columns.state]);  // rejects unknown states
      saw_times();
      count(host, "W_NOTSTARTED");
      continue;
    }
    const auto interrupted = interruption(csv, csv[columns.state]);
    Spell spell;
    spell.line = csv.line();
    if (nodes.find_first_of("[,") != std::string::npos) count(host, "W_NODES");
    // Jobs may share a node, and a requeued job may run on another: each (job, node) has its own history.
    spell.history = spells.history(job + " " + host, host);
    spell.start = time_of(csv, csv[columns.start]);
    spell.open = !interrupted;
    if (spell.open && !is_missing(csv[columns.end]))
      csv.fail("E_FIELDS", fmt::format("the job is {} but has an end time", csv[columns.state]));
    if (!spell.open) spell.end = time_of(csv, csv[columns.end]);
    spell.observed = interrupted.value_or(true);
    spells.add(spell, {csv[columns.start], csv[columns.end]});
  }
  for (const auto& counts : {csv.unused(), time_of.unaffected()})
    for (const auto& [warning, times] : counts) spells.count(warning, times);
  AvailabilityTrace trace = spells.finish();
  trace.unit = time_of.unit();
  return trace;
}

bool accepts_slurm(std::string_view line, bool first, const ReadingOptions&) {
  if (!first) return line.find('|') != std::string_view::npos;
  const auto names = csv_fields(line, '|');
  return names && find_column(*names, "JobID") && find_column(*names, "State") && find_column(*names, "Start") &&
         find_column(*names, "End");
}

}  // namespace coterie::traces
