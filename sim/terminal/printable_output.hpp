#pragma once

#include <iosfwd>
#include <streambuf>
#include <string>
#include <string_view>

#include "sim/terminal/painted.hpp"

namespace coterie::sim {

/// While it lives, all output of a stream reaches its old buffer as printable text (core/printable.hpp) with line ends
/// and tabs, so that nothing from a file or a name can control the terminal. On a terminal, and if the user wants
/// colours, `Painted` text has them. [no-color.org]
class PrintableOutput : public std::streambuf {
 public:
  /// `descriptor`: where the stream goes.
  PrintableOutput(std::ostream& stream, int descriptor);
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

  bool has_colours() const { return has_colours_; }
  /// Writes a part of a line with the codes of its look around it; false if it could not be written.
  bool paint(Look look, std::string_view text);

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  /// Writes what is complete: a character of several bytes may come in pieces, but not at the end.
  bool hand_on(bool end);
  bool write(std::string_view text);

  std::ostream& stream_;
  std::streambuf* target_;
  bool has_colours_;
  std::string waiting_;
};

}  // namespace coterie::sim
