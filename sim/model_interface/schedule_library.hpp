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

/// Strategies of worksharing that come from files, besides those of the catalogue: rows of `coterie list strategies`.
const std::vector<StrategyText>& file_strategies();

/// The users' schedules of one campaign or question, by the strategies that name them: file(path=...). Each is read
/// once, by any thread, and shared.
class ScheduleLibrary {
 public:
  /// Relative paths start from `directory`; one unit of work of the problems is `unit` units of the files.
  explicit ScheduleLibrary(std::string directory, double unit = 1) : directory_(std::move(directory)), unit_(unit) {}

  /// Whether a strategy comes from a file, by its text.
  static bool is_file(std::string_view strategy);
  /// The file(...) of a strategy: itself, or the argument of skip(...). Nothing for others.
  static std::optional<std::string> file_in(const std::string& strategy);
  /// A strategy as results name it: files with normalised paths, others unchanged. Opens nothing.
  /// Throws InputError at `place`.
  static std::string canonical(const std::string& strategy, const Place& place = {});

  /// The schedule of file(...). Throws InputError for wrong content, RuntimeError if it cannot be read.
  std::shared_ptr<const ScheduleFile> get(const std::string& strategy, const Place& place = {});
  /// Notes a schedule that leaves some of this work to nobody.
  void check_cover(const std::string& strategy, double work);
  /// A line for each such file.
  std::vector<std::string> notes() const;
  /// The files read so far, as they were named, with their checksums.
  std::map<std::string, std::string> checksums() const;

 private:
  std::string directory_;
  double unit_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const ScheduleFile>> read_;  // by path
  std::map<std::string, std::string> checksums_;
  std::map<std::string, std::string> notes_;  // by path
};

}  // namespace coterie::sim
