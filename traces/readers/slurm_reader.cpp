/// Jobs of Slurm: the table of `sacct --parsable2` with the fields JobID, State, Start, End and, for the host,
/// NodeList, or `sacct --json`. A spell is how long a job had its nodes; kSlurmStates says which ends are
/// interruptions. Times: local (timezone=), or seconds since 1970 (SLURM_TIME_FORMAT=%s). Errors: E_HEADER E_FIELDS
/// E_NUMBER E_NEGATIVE E_OVERLAP E_EMPTY.
#include <fmt/format.h>

#include <array>
#include <optional>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/causes.hpp"
#include "traces/readers/csv_reader.hpp"
#include "traces/readers/documents.hpp"
#include "traces/readers/formats.hpp"
#include "traces/readers/spell_list.hpp"
#include "traces/readers/times.hpp"

namespace coterie::traces {
namespace {

constexpr std::array<std::string_view, 8> kSlurmRunning = {"running",       "suspended", "completing", "configuring",
                                                           "power_up_node", "signaling", "stage_out",  "stopped"};
/// The nodes of a job that never started, whatever its times.
constexpr std::string_view kNoNodes = "None assigned";

/// Whatever writes it, a job as sacct knows it.
struct Job {
  std::string id;
  std::string state;
  std::string nodes;
  std::optional<double> start;
  std::optional<double> end;
};

/// Turns jobs into spells.
class JobList {
 public:
  JobList(const ReadingOptions& options, const std::string& file)
      : options_(&options), file_(file), spells_(options, file), causes_(options, kSlurmStates) {}

  /// `source`: a CsvReader or Documents at the job.
  template <typename Source>
  void add(const Source& source, const Job& job, const WrittenTimes& written = {}) {
    if (job.id.empty()) source.fail("E_FIELDS", "the JobID is empty");
    const std::string own = job.id.substr(0, job.id.find('.'));  // of a step: its job
    const std::string& host = job.nodes.empty() ? own : job.nodes;
    const std::string state = lower_case(job.state.substr(0, job.state.find_first_of(" +")));  // CANCELLED by 1000
    const bool step = own != job.id;
    if (step || !job.start || state == "pending" ||
        job.nodes == kNoNodes) {  // the job was there then, or at least the log
      for (const auto& time : {job.start, job.end})
        if (time) spells_.saw(*time);
      if (options_->wants(host)) spells_.count(step ? "W_STEP" : "W_NOTSTARTED");
      return;
    }
    const bool running = is_one_of(kSlurmRunning, state) && !find_cause(kSlurmStates, state);
    Spell spell;
    spell.line = source.line();
    if (job.nodes.find_first_of("[,") != std::string::npos && options_->wants(host)) spells_.count("W_NODES");
    // Jobs may share a node, and a requeued job may run on another: each (job, node) has its own history.
    spell.history = spells_.history(job.id + " " + host, host);
    spell.start = *job.start;
    spell.open = running || !job.end;
    if (running && job.end) source.fail("E_FIELDS", fmt::format("the job is {} but has an end time", job.state));
    if (spell.open && find_cause(kSlurmStates, state))
      source.fail("E_NUMBER", fmt::format("the job is {} but has no end time", job.state));
    if (!spell.open) spell.end = *job.end;
    if (!running && options_->wants(host)) spell.observed = causes_.interrupts(spell.line, state);
    spells_.add(spell, written);
  }
  void count(const std::map<std::string, std::int64_t>& counts) {
    for (const auto& [warning, times] : counts) spells_.count(warning, times);
  }
  AvailabilityTrace finish() {
    count(causes_.finish(file_));
    return spells_.finish();
  }

 private:
  const ReadingOptions* options_;
  std::string file_;
  SpellList spells_;
  Causes causes_;
};

AvailabilityTrace read_job_table(std::istream& input, const std::string& file, const ReadingOptions& options) {
  CsvReader csv(input, file);
  JobList jobs(options, file);
  if (csv.names().empty()) return jobs.finish();
  const std::size_t id = csv.column("JobID"), state = csv.column("State"), start = csv.column("Start"),
                    end = csv.column("End");
  const auto nodes = csv.find("NodeList");
  FileTimes time_of(options, false);
  const auto time_at = [&](std::size_t column) -> std::optional<double> {
    const std::string& time = csv[column];
    if (time.empty() || time == "Unknown" || time == "None") return std::nullopt;
    return time_of(csv, time);
  };
  while (csv.next())
    jobs.add(csv, {csv[id], csv[state], nodes ? csv[*nodes] : "", time_at(start), time_at(end)},
             {csv[start], csv[end]});
  for (const auto& counts : {csv.unused(), time_of.unaffected()}) jobs.count(counts);
  AvailabilityTrace trace = jobs.finish();
  trace.unit = time_of.unit();
  return trace;
}

/// The state of a job in sacct's JSON: a text, or a list whose other words are flags.
std::string state_of(const nlohmann::json& job) {
  const nlohmann::json* state = json_at(job, "state/current");
  if (state == nullptr) state = json_at(job, "state");
  if (state == nullptr) return "";
  if (state->is_string()) return state->get<std::string>();
  std::string first;
  if (state->is_array())
    for (const nlohmann::json& word : *state) {
      if (!word.is_string()) continue;
      const std::string one = word.get<std::string>();
      if (find_cause(kSlurmStates, one)) return one;
      if (first.empty()) first = one;
    }
  return first;
}

AvailabilityTrace read_json_jobs(std::istream& input, const std::string& file, const ReadingOptions& options) {
  Documents documents(input, file);
  JobList jobs(options, file);
  nlohmann::json record;
  while (documents.next(record)) {
    const auto id = integer_at(record, "job_id");
    if (!id) documents.fail("E_FIELDS", "job_id is missing or no number");
    const auto time_at = [&](std::string_view path) {
      const auto time = number_at(record, path);
      return time && *time > 0 ? time : std::nullopt;  // 0: not yet
    };
    const std::string state = state_of(record);
    if (state.empty()) documents.fail("E_FIELDS", "state/current is missing or no text");
    jobs.add(documents,
             {std::to_string(*id), state, text_at(record, {"nodes"}), time_at("time/start"), time_at("time/end")});
  }
  return jobs.finish();
}

AvailabilityTrace read_slurm(std::istream& input, const std::string& file, const ReadingOptions& options) {
  return holds_documents(input) ? read_json_jobs(input, file, options) : read_job_table(input, file, options);
}

bool accepts_slurm(std::string_view line, bool first, const ReadingOptions&) {
  const char delimiter = csv_delimiter(line);
  if (!first) return line.find_first_of("|,;\t") != std::string_view::npos;
  const auto names = csv_fields(line, delimiter);
  return names && find_column(*names, "JobID") && find_column(*names, "State") && find_column(*names, "Start") &&
         find_column(*names, "End");
}

bool fits_slurm(const nlohmann::json& record) { return record.contains("job_id") && json_at(record, "time/start"); }

}  // namespace

std::vector<TraceFormat> slurm_formats() {
  return {{"slurm",
           "Slurm jobs: `sacct --parsable2` with JobID, State, Start, End and NodeList, or `sacct --json`",
           {"timezone", "t0", "t1", "zero", "overlap", "bridge", "observed", "censored", "host", "zone_parts"},
           read_slurm,
           accepts_slurm,
           fits_slurm}};
}

}  // namespace coterie::traces
