#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

namespace coterie::sim {

enum class Look {
  kHeading,  ///< of a table or section: bold
  kWarning,  ///< yellow
  kError     ///< red
};

/// A text with a look, which shows where a stream has colours (PrintableOutput); elsewhere plain text.
struct Painted {
  Look look;
  std::string_view text;
};
std::ostream& operator<<(std::ostream& stream, const Painted& painted);

/// A text in which lines that begin with certain words have a look.
struct PaintedLines {
  struct Rule {
    std::string_view begin;
    Look look;
  };

  std::string_view text;
  std::vector<Rule> rules;
};
std::ostream& operator<<(std::ostream& stream, const PaintedLines& painted);

/// Prints a line to standard error.
void warn(std::string_view text);

/// A note about a trace, some lines of which may be warnings.
PaintedLines painted_note(std::string_view text);

}  // namespace coterie::sim
