#include "sim/input/schedule_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <unordered_map>

#include "core/text.hpp"
#include "core/ties.hpp"
#include "traces/readers/availability.hpp"
#include "traces/readers/line_reader.hpp"

namespace coterie::sim {
namespace {

constexpr double kAgreement = 1e-9;  // of finish times with sizes and start-up costs, relative
constexpr double kRounding = 1e-12;  // of an end beyond the work, relative: sums of sizes
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Columns that must be there, then those that may be.
const std::vector<std::string> kColumns = {"worker", "begin", "end", "order", "finish", "chunk"};
constexpr std::size_t kRequired = 3;

/// What stands between quotes, as spreadsheets put them around names and numbers.
std::string_view unquoted(std::string_view field) {
  if (field.size() >= 2 && field.front() == '"' && field.back() == '"') return field.substr(1, field.size() - 2);
  return field;
}

/// The positions of the columns of one file, and their contents.
class Fields {
 public:
  explicit Fields(traces::LineReader& lines) : lines_(&lines) {}

  void read_header(std::string_view line) {
    set(line);
    count_ = fields_.size();
    for (const std::string_view name : fields_)
      if (std::find(kColumns.begin(), kColumns.end(), name) == kColumns.end())
        lines_->fail("E_HEADER", fmt::format("unknown column \"{}\"{}; the columns of a schedule are {}", name,
                                             suggestion(name, kColumns), fmt::join(kColumns, ", ")));
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const auto times = std::count(fields_.begin(), fields_.end(), kColumns[i]);
      if (times > 1)
        lines_->fail("E_HEADER", fmt::format("the column \"{}\" occurs twice in the header; keep one", kColumns[i]));
      if (times == 0 && i < kRequired)
        lines_->fail("E_HEADER", fmt::format("no column \"{}\"; the first line must name the columns", kColumns[i]));
      const auto found = std::find(fields_.begin(), fields_.end(), kColumns[i]);
      columns_.push_back(times == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(found - fields_.begin())));
    }
  }

  void read_row(std::string_view line) {
    set(line);
    lines_->expect_fields(fields_.size(), count_, "as in the header");
  }

  bool has(std::size_t column) const { return columns_[column].has_value(); }

  std::uint32_t whole(std::size_t column, std::int64_t least, std::int64_t most) const {
    const std::string_view field = fields_[*columns_[column]];
    const auto value = parse_integer(field);
    if (!value || *value < least || *value > most)
      lines_->fail("E_NUMBER", fmt::format("{} is \"{}\"; it must be a whole number from {} to {}", kColumns[column],
                                           field, least, most));
    return static_cast<std::uint32_t>(*value);
  }

  double length(std::size_t column) const {
    const std::string_view field = fields_[*columns_[column]];
    const auto value = parse_number(field);
    if (!value)
      lines_->fail("E_NUMBER", fmt::format("{} is \"{}\"; it must be a number such as 0.25", kColumns[column], field));
    if (*value < 0) lines_->fail("E_NEGATIVE", fmt::format("{} is {}; it must be 0 or more", kColumns[column], field));
    return *value + 0.0;  // no -0
  }

 private:
  void set(std::string_view line) {
    fields_ = lines_->fields(line);
    for (std::string_view& field : fields_) field = unquoted(field);
  }

  traces::LineReader* lines_;
  std::vector<std::string_view> fields_;
  std::vector<std::optional<std::size_t>> columns_;  // by kColumns
  std::size_t count_ = 0;
};

enum Column { kWorker, kBegin, kEnd, kOrder, kFinish, kChunk };

/// Chunks by their numbers: one number begins at one place.
class ChunkNumbers {
 public:
  void add(const traces::LineReader& lines, std::uint32_t number, double begin) {
    const auto [known, fresh] = places_.try_emplace(number, begin, lines.line());
    if (!fresh && known->second.first != begin)
      lines.fail("E_CHUNK", fmt::format("chunk {} begins at {} here and at {} in line {}; give different chunks "
                                        "different numbers, or leave out the column",
                                        number, to_text(begin), to_text(known->second.first), known->second.second));
  }

 private:
  std::unordered_map<std::uint32_t, std::pair<double, std::size_t>> places_;  // begin and line
};

/// Lists of tasks that are the same are one.
class ListPool {
 public:
  void add(std::span<const Task> tasks, std::vector<double> finish) {
    std::size_t hash = tasks.size();
    const auto mix = [&](std::size_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15u; };
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      mix(tasks[k].first_piece);
      mix(tasks[k].pieces);
      mix(std::hash<double>()(finish[k]));
    }
    const auto [from, to] = known_.equal_range(hash);
    for (auto known = from; known != to; ++known) {
      const TaskList list = lists_[known->second];
      const auto same = [](const Task& a, const Task& b) {
        return a.first_piece == b.first_piece && a.pieces == b.pieces;
      };
      if (!std::equal(tasks.begin(), tasks.end(), list.tasks.begin(), list.tasks.end(), same) ||
          !std::equal(finish.begin(), finish.end(), list.finish.begin(), list.finish.end()))
        continue;
      list_of_.push_back(known->second);
      return;
    }
    list_of_.push_back(static_cast<std::uint32_t>(lists_.size()));
    known_.emplace(hash, list_of_.back());
    for (const Task& task : tasks) lists_.add(task);
    FinishTimes times(std::move(finish));
    if (!(times == last_)) last_ = std::move(times);
    lists_.close(last_);
  }

  Schedule schedule(std::vector<double> boundaries) && {
    return {std::move(boundaries), std::move(lists_), std::move(list_of_)};
  }

 private:
  TaskLists lists_;
  std::vector<std::uint32_t> list_of_;  // by worker
  std::unordered_multimap<std::size_t, std::uint32_t> known_;
  FinishTimes last_;
};

std::size_t count_distinct(const std::vector<Task>& tasks) {
  std::vector<std::uint64_t> chunks;
  chunks.reserve(tasks.size());
  for (const Task& task : tasks) chunks.push_back(std::uint64_t{task.first_piece} << 32 | task.pieces);
  std::sort(chunks.begin(), chunks.end());
  return static_cast<std::size_t>(std::unique(chunks.begin(), chunks.end()) - chunks.begin());
}

}  // namespace

void ScheduleFile::fail(const Row& row, const char* code, const std::string& problem) const {
  traces::fail_trace(file_, row.line, code, problem);
}

ScheduleFile::Misfit ScheduleFile::misfit(const Row& row, const char* axis, const char* code,
                                          const std::string& problem) const {
  return {axis, fmt::format("{}: {}: {}", Place{file_, row.line, 0}.text(), code, problem)};
}

std::string ScheduleFile::length(double value) const { return to_text(value * unit_); }

void ScheduleFile::add(Row row) {
  const double begin = row.begin;
  const double end = row.end;
  if (!(end > begin))
    fail(row, "E_RANGE",
         fmt::format("the chunk ends at {}, which is not after its begin {}", to_text(end), to_text(begin)));
  row.begin /= unit_;
  row.end /= unit_;
  row.finish /= unit_;
  if (!(row.end > row.begin) || !std::isfinite(row.end))
    fail(row, "E_RANGE",
         fmt::format("the chunk from {} to {} is too small or too large for a work of {}", to_text(begin), to_text(end),
                     to_text(unit_)));
  rows_.push_back(row);
}

double ScheduleFile::covered(std::vector<Row> rows) {
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.begin < b.begin; });
  double sum = 0;
  double end = 0;
  for (const Row& row : rows) {
    sum += std::max(0.0, row.end - std::max(row.begin, end));
    end = std::max(end, row.end);
  }
  return sum;
}

ScheduleFile ScheduleFile::read(std::istream& input, const std::string& file, double unit) {
  ScheduleFile schedule(file, unit);
  traces::LineReader lines(input, file);
  Fields fields(lines);
  std::string_view line;
  if (!lines.next(line))
    traces::fail_trace(file, 0, "E_EMPTY",
                       "the header is missing; the first line must name the columns, such as worker,order,begin,end");
  fields.read_header(line);
  ChunkNumbers chunks;
  std::vector<std::uint32_t> tasks_of;  // by worker, where the file does not say the order
  constexpr auto kMostWorkers = static_cast<std::int64_t>(heuristics::WorksharingProblem::kMostWorkers);
  while (lines.next(line)) {
    fields.read_row(line);
    if (schedule.rows_.size() == kMostTasks)
      lines.fail("E_SIZE", fmt::format("a schedule may have at most {} tasks", kMostTasks));
    Row row{};
    row.line = static_cast<std::uint32_t>(std::min<std::size_t>(lines.line(), 0xffffffff));
    row.worker = fields.whole(kWorker, 0, kMostWorkers - 1);
    row.begin = fields.length(kBegin);
    row.end = fields.length(kEnd);
    row.finish = fields.has(kFinish) ? fields.length(kFinish) : kNone;
    if (fields.has(kChunk)) chunks.add(lines, fields.whole(kChunk, 0, 0xffffffff), row.begin);
    if (fields.has(kOrder)) {
      row.order = fields.whole(kOrder, 1, kMostTasks);
    } else {
      if (tasks_of.size() <= row.worker) tasks_of.resize(row.worker + std::size_t{1});
      row.order = ++tasks_of[row.worker];
    }
    schedule.add(row);
  }
  schedule.timed_ = fields.has(kFinish) && !schedule.rows_.empty();
  schedule.sort();
  schedule.covered_ = covered(schedule.rows_);
  return schedule;
}

ScheduleFile ScheduleFile::open(const std::string& path, double unit) {
  const auto input = traces::open_to_read(path);
  return read(*input, path, unit);
}

void ScheduleFile::sort() {
  const auto before = [](const Row& a, const Row& b) {
    return a.worker != b.worker ? a.worker < b.worker : a.order != b.order ? a.order < b.order : a.line < b.line;
  };
  if (!std::is_sorted(rows_.begin(), rows_.end(), before)) std::sort(rows_.begin(), rows_.end(), before);
  long double work = 0;  // of the worker so far: no digits are lost
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool first = i == 0 || rows_[i - 1].worker != rows_[i].worker;
    const std::uint32_t expected = first ? 1 : rows_[i - 1].order + 1;
    const Row& row = rows_[i];
    if (row.order < expected)
      fail(row, "E_ORDER",
           fmt::format("worker {} has two tasks of order {}, the other in line {}; number them 1, 2, 3, ...",
                       row.worker, row.order, rows_[i - 1].line));
    if (row.order > expected)
      fail(row, "E_ORDER",
           fmt::format("worker {} has a task of order {} but none of order {}; number them 1, 2, 3, ...", row.worker,
                       row.order, expected));
    if (!first && !(row.finish >= rows_[i - 1].finish) && !std::isnan(row.finish))
      fail(row, "E_FINISH",
           fmt::format("worker {} finishes task {} at {}, before its previous task at {}", row.worker, row.order,
                       length(row.finish), length(rows_[i - 1].finish)));
    if (row.end > rows_[last_].end) last_ = i;
    work = (first ? 0 : work) + (static_cast<long double>(row.end) - row.begin);
    if (timed_) take_finish(i, static_cast<double>(work));
  }
}

std::size_t ScheduleFile::end_of_worker(std::size_t first) const {
  std::size_t end = first;
  while (end < rows_.size() && rows_[end].worker == rows_[first].worker) ++end;
  return end;
}

void ScheduleFile::take_finish(std::size_t at, double work) {
  const Row& row = rows_[at];
  // |finish - (work + order x startup)| <= kAgreement x (work + order x startup)
  const double least = (row.finish / (1 + kAgreement) - work) / row.order;
  const double most = (row.finish / (1 - kAgreement) - work) / row.order;
  if (at == 0 || least > least_.startup_cost) least_ = {least, at, work};
  if (at == 0 || most < most_.startup_cost) most_ = {most, at, work};
}

ScheduleFile::Misfit ScheduleFile::wrong_finish(double startup_cost) const {
  const Limit& limit = startup_cost < least_.startup_cost ? least_ : most_;
  const Row& row = rows_[limit.row];
  return misfit(
      row, "startup", "E_FINISH",
      fmt::format("task {} of worker {} finishes at {} here, but at {} with a start-up cost of {} before each "
                  "task and no waiting; use the start-up cost with which the file was made, or leave out "
                  "the column",
                  row.order, row.worker, length(row.finish), length(limit.work + row.order * startup_cost),
                  length(startup_cost)));
}

std::optional<ScheduleFile::Misfit> ScheduleFile::misfit(const heuristics::WorksharingProblem& problem) const {
  if (least_workers() > problem.workers)
    return misfit(rows_[rows_.size() - 1], "workers", "E_WORKER",
                  fmt::format("worker {} needs at least {} workers, not {} (workers are numbered from 0)",
                              rows_.back().worker, least_workers(), problem.workers));
  if (least_work() > problem.work * (1 + kRounding))
    return misfit(rows_[last_], "work", "E_RANGE",
                  fmt::format("the chunk ends at {}, beyond the work of {}; both must use the same unit",
                              length(least_work()), length(problem.work)));
  const double startup_cost = problem.startup_cost;
  if (timed_ && !(startup_cost >= least_.startup_cost && startup_cost <= most_.startup_cost))
    return wrong_finish(startup_cost);
  return std::nullopt;
}

std::vector<double> ScheduleFile::boundaries(double work) const {
  std::vector<double> places = {0};
  if (least_work() < work) places.push_back(work);
  places.reserve(2 * rows_.size() + 2);
  for (const Row& row : rows_) {
    places.push_back(row.begin);
    places.push_back(row.end);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

std::vector<Task> ScheduleFile::tasks_on(const std::vector<double>& boundaries) const {
  std::vector<Task> tasks;
  tasks.reserve(rows_.size());
  std::size_t visits = 0;
  const auto piece = [&](double place) {
    return static_cast<std::uint32_t>(std::lower_bound(boundaries.begin(), boundaries.end(), place) -
                                      boundaries.begin());
  };
  for (const Row& row : rows_) {
    const std::uint32_t first = piece(row.begin);
    tasks.push_back({first, piece(row.end) - first});
    visits += tasks.back().pieces;
    if (visits > kMostVisits)
      traces::fail_trace(file_, 0, "E_SIZE",
                         fmt::format("overlapping chunks cut one another into more than {} parts in total; use fewer "
                                     "chunks, or let more of them begin at the same places",
                                     kMostVisits));
  }
  return tasks;
}

heuristics::Plan ScheduleFile::plan(const heuristics::WorksharingProblem& problem) const {
  if (const auto wrong = misfit(problem)) throw InputError(wrong->problem);
  std::vector<double> places = boundaries(problem.work);
  const std::vector<Task> tasks = tasks_on(places);
  std::vector<double> sizes(places.size() - 1);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = places[i + 1] - places[i];
  ListPool pool;
  std::size_t first = 0;
  heuristics::Plan plan;
  for (std::size_t worker = 0; worker < problem.workers; ++worker) {
    const std::size_t end = first < rows_.size() && rows_[first].worker == worker ? end_of_worker(first) : first;
    const std::span<const Task> own = std::span(tasks).subspan(first, end - first);
    const FinishTimes times = back_to_back(own, sizes, problem.startup_cost);
    std::vector<double> finish(times.begin(), times.end());
    // Of the file where it has all digits: whoever wrote it may have summed in another order, or known the sizes better
    // than as differences of places.
    double rounding = 0;
    for (std::size_t i = first; timed_ && i < end; ++i) {
      double& time = finish[i - first];
      rounding += 0x1p-52 * rows_[i].end;
      if (std::abs(rows_[i].finish - time) <= kSameTime / 10 * time + rounding) time = rows_[i].finish;
    }
    for (std::size_t i = first; i < end; ++i)
      plan.chunk_size = std::max(plan.chunk_size, rows_[i].end - rows_[i].begin);
    pool.add(own, std::move(finish));
    first = end;
  }
  plan.chunks = count_distinct(tasks);
  plan.schedule = std::make_shared<const Schedule>(std::move(pool).schedule(std::move(places)));
  plan.expected_work = expected_work(*plan.schedule, problem.risks());
  return plan;
}

}  // namespace coterie::sim
