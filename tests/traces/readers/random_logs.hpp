#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <sstream>
#include <string>

#include "traces/readers/formats.hpp"

namespace coterie::traces {

class RandomLogs : public ::testing::Test {
 public:
  static int count() { return std::getenv("COTERIE_FULL") != nullptr ? 10000 : 500; }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  bool chance(double share) { return std::bernoulli_distribution(share)(random_); }
  template <typename List>
  const auto& any(const List& list) {
    return list[below(list.size())];
  }
  /// One byte, somewhere, becomes another one.
  void damage(std::string& text) { text[below(text.size())] = static_cast<char>(below(128)); }

  std::mt19937_64 random_{20260901};
};

inline std::int64_t warned(const AvailabilityTrace& trace, std::string_view code) {
  std::int64_t total = 0;
  for (const auto& [key, count] : trace.warnings)
    if (std::string_view(key).substr(0, key.find(' ')) == code) total += count;
  return total;
}

inline AvailabilityTrace read_log(const std::string& format, const std::string& text, const ReadingOptions& options) {
  std::istringstream input(text);
  return trace_format(format).read(input, "FILE", options);
}

}  // namespace coterie::traces
