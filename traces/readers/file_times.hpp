#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "traces/readers/reading_options.hpp"

namespace coterie::traces {

/// The times of a file: all calendar times, or all numbers, which are taken as seconds only if that is plausible.
class FileTimes {
 public:
  explicit FileTimes(const ReadingOptions& options) : options_(&options) {}

  /// In seconds. Throws E_NUMBER by `reader`, a LineReader or CsvReader, at its line.
  template <class Reader>
  double operator()(const Reader& reader, std::string_view field) {
    const auto time = read(field, reader.line());
    if (!time) reader.fail("E_NUMBER", problem_);
    return *time;
  }

 private:
  std::optional<double> read(std::string_view field, std::size_t line);

  const ReadingOptions* options_;
  std::string problem_;
  std::size_t first_line_ = 0;  // the first line that has a time
  bool by_calendar_ = false;
};

}  // namespace coterie::traces
