#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/chunks/worksharing_problem.hpp"

namespace coterie::sim {

/// A user's schedule: a CSV with a header and one row per task, as written by `coterie schedule --format csv` and
/// `coterie plan --export`. Columns, in any order:
///   worker        0 or more
///   begin, end    the chunk, a part of the work: 0 <= begin < end
///   order         the worker's 1st, 2nd, ... task, without gaps (optional: the order of the rows)
///   finish        when the task is done (optional): must agree, within 1e-9, with the worker running its tasks back to
///                 back with a start-up cost before each; the written number is used if it has all digits
///   chunk         a number (optional): rows with the same number have the same begin; output is renumbered by pieces
/// Chunks may overlap in any way, differ between workers and leave parts of the work to nobody (all of it if there is
/// only the header). Lengths are in units of work; the file does not name the unit.
class ScheduleFile {
 public:
  static constexpr std::size_t kMostTasks = 10'000'000;
  static constexpr std::size_t kMostVisits = 100'000'000;  ///< of pieces by tasks: where all boundaries cut all chunks

  /// Reads all of `input`; `file` names it in messages; one unit of the problem is `unit` units of the file. Throws
  /// InputError `FILE:LINE: CODE: problem` if it is not such a schedule.
  static ScheduleFile read(std::istream& input, const std::string& file, double unit = 1);
  /// The same for a file. Throws RuntimeError if it cannot be read.
  static ScheduleFile open(const std::string& path, double unit = 1);

  std::size_t tasks() const { return rows_.size(); }
  std::size_t least_workers() const { return rows_.empty() ? 0 : rows_.back().worker + std::size_t{1}; }
  /// The greatest end, in units of the problem.
  double least_work() const { return rows_.empty() ? 0 : rows_[last_].end; }

  /// How much of the work some worker runs, in units of the problem.
  double covered_work() const { return covered_; }

  /// Why this schedule does not fit a problem.
  struct Misfit {
    std::string axis;     ///< "workers", "work" or "startup"
    std::string problem;  ///< "FILE:LINE: CODE: ..."
  };
  std::optional<Misfit> misfit(const heuristics::WorksharingProblem& problem) const;

  /// The schedule and its exact expected work. Throws InputError for a misfit.
  heuristics::Plan plan(const heuristics::WorksharingProblem& problem) const;

 private:
  struct Row {
    std::uint32_t worker;
    std::uint32_t order;
    std::uint32_t line;
    double begin, end;
    double finish;  // NaN where the file does not say it
  };

  explicit ScheduleFile(std::string file, double unit) : file_(std::move(file)), unit_(unit) {}
  static double covered(std::vector<Row> rows);
  [[noreturn]] void fail(const Row& row, const char* code, const std::string& problem) const;
  Misfit misfit(const Row& row, const char* axis, const char* code, const std::string& problem) const;
  /// A length as the file would write it.
  std::string length(double value) const;
  /// Adds a row, in the units of the file.
  void add(Row row);
  /// Sorts rows by worker and task; no task may be missing.
  void sort();
  /// One past the last row of the worker whose first row is `first`.
  std::size_t end_of_worker(std::size_t first) const;
  /// Narrows down the start-up costs that fit the finish of row `at`, with which the worker has done `work` in total.
  void take_finish(std::size_t at, double work);
  Misfit wrong_finish(double startup_cost) const;
  std::vector<double> boundaries(double work) const;
  std::vector<Task> tasks_on(const std::vector<double>& boundaries) const;

  std::string file_;
  double unit_;
  std::vector<Row> rows_;
  std::size_t last_ = 0;  // the row with the greatest end
  double covered_ = 0;
  bool timed_ = false;  // finish is given
  struct Limit {
    double startup_cost;
    std::size_t row;  // that sets it
    double work;      // of its worker, up to its end
  };
  Limit least_{0, 0, 0}, most_{0, 0, 0};  // start-up costs that all finish times are right for
};

}  // namespace coterie::sim
