#include "sim/model_interface/schedule_library.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/expression.hpp"
#include "core/input_file.hpp"
#include "core/text.hpp"
#include "sim/input/schedule_file.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

constexpr const char* kName = "file";

std::string path_of(const std::string& strategy, const Place& place) {
  const Expression expression = Expression::parse(strategy, place);
  expression.allow_only(names_of(file_strategies().front().parameters));
  return std::filesystem::path(expression.word("path")).lexically_normal().string();
}

}  // namespace

const std::vector<StrategyText>& file_strategies() {
  static const std::vector<StrategyText> table = {
      {kName,
       "your own schedule: file(path=FILE.csv)",
       "yours",
       {{"path", "", "", "a CSV with the columns worker, begin, end",
         "who runs what in which order; relative paths start "
         "from the campaign's folder"}}},
  };
  return table;
}

bool ScheduleLibrary::is_file(std::string_view strategy) { return expression_name(strategy) == kName; }

std::optional<std::string> ScheduleLibrary::file_in(const std::string& strategy) {
  if (is_file(strategy)) return strategy;
  if (expression_name(strategy) != "skip" || !strategy.ends_with(')')) return std::nullopt;
  const std::size_t begin = strategy.find('(') + 1;
  std::string within(trimmed(std::string_view(strategy).substr(begin, strategy.size() - 1 - begin)));
  if (!is_file(within)) return std::nullopt;
  return within;
}

std::string ScheduleLibrary::canonical(const std::string& strategy, const Place& place) {
  const std::optional<std::string> file = file_in(strategy);
  if (!file) return strategy;
  const std::string text = fmt::format("{}(path={})", kName, traces::quoted_if_needed(path_of(*file, place)));
  return *file == strategy ? text : fmt::format("skip({})", text);
}

std::shared_ptr<const ScheduleFile> ScheduleLibrary::get(const std::string& strategy, const Place& place) {
  const std::string path = path_of(strategy, place);
  const std::lock_guard lock(mutex_);
  auto& schedule = read_[path];
  if (schedule) return schedule;
  const std::string file = traces::resolved(path, directory_);
  try {
    require_plain_file(file, "a schedule is read twice; save it to a file first");
    schedule = std::make_shared<const ScheduleFile>(ScheduleFile::open(file, unit_));
    checksums_[path] = traces::file_checksum(file);
  } catch (const RuntimeError& error) {
    throw RuntimeError(place.file.empty() ? error.what() : fmt::format("{}: {}", place.text(), error.what()));
  }
  return schedule;
}

void ScheduleLibrary::check_cover(const std::string& strategy, double work) {
  constexpr double kRounding = 1e-9;
  const double covered = get(strategy)->covered_work();
  if (covered >= work * (1 - kRounding)) return;
  const std::string path = path_of(strategy, {});
  const std::lock_guard lock(mutex_);
  notes_.emplace(path, fmt::format("{}\n  warning: its chunks cover {} of the work of {}: nobody runs the rest", path,
                                   to_text(covered * unit_), to_text(work * unit_)));
}

std::vector<std::string> ScheduleLibrary::notes() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& [path, line] : notes_) lines.push_back(line);
  return lines;
}

std::map<std::string, std::string> ScheduleLibrary::checksums() const {
  const std::lock_guard lock(mutex_);
  return checksums_;
}

}  // namespace coterie::sim
