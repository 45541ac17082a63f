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

/// A text with a look, where a stream has colours (PrintableOutput); elsewhere the text alone.
struct Painted {
  Look look;
  std::string_view text;
};
std::ostream& operator<<(std::ostream& stream, const Painted& painted);

/// A text in which the lines that begin with one of the words have a look.
struct PaintedLines {
  struct Rule {
    std::string_view begin;
    Look look;
  };

  std::string_view text;
  std::vector<Rule> rules;
};
std::ostream& operator<<(std::ostream& stream, const PaintedLines& painted);

/// A line of standard error.
void warn(std::string_view text);

/// A note on a trace, of which some lines may be warnings.
PaintedLines painted_note(std::string_view text);

}  // namespace coterie::sim
