#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model_interface/model.hpp"

namespace coterie::sim {

class ScheduleFile;

/// Strategies of worksharing that are made of files, beside those of the catalogue: rows of `coterie list strategies`.
const std::vector<StrategyText>& file_strategies();

/// The schedules of one campaign or question that users bring, by the strategies that name them: file(path=...). Each
/// is read once, by any thread, and shared.
class ScheduleLibrary {
 public:
  /// Relative paths start from `directory`; a unit of work of the problems is `unit` of the files'.
  explicit ScheduleLibrary(std::string directory, double unit = 1) : directory_(std::move(directory)), unit_(unit) {}

  /// Whether a strategy is made of a file, by its text.
  static bool is_file(std::string_view strategy);
  /// The file(...) that a strategy is made of: itself, or what skip(...) has within. Nothing for others.
  static std::optional<std::string> file_in(const std::string& strategy);
  /// A strategy as results name it: files without detours in their paths, others as they are. Opens nothing.
  /// Throws InputError at `place`.
  static std::string canonical(const std::string& strategy, const Place& place = {});

  /// The schedule of file(...). Throws InputError for what it holds, RuntimeError where it cannot be read.
  std::shared_ptr<const ScheduleFile> get(const std::string& strategy, const Place& place = {});
  /// The files read so far, as they were named, with their checksums.
  std::map<std::string, std::string> checksums() const;

 private:
  std::string directory_;
  double unit_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ScheduleFile>> read_;  // by path
  std::map<std::string, std::string> checksums_;
};

}  // namespace coterie::sim
