#pragma once

#include <iosfwd>
#include <streambuf>
#include <string>
#include <string_view>

#include "sim/command_line/painted.hpp"

namespace coterie::sim {

/// As long as it lives, what a stream is given reaches its old buffer as printable text (core/printable.hpp), with line
/// ends and tabs: whatever came from a file or a name, none of it steers the terminal. Where that is a terminal, and
/// the user wants colours, what is `Painted` has them. [no-color.org]
class PrintableOutput : public std::streambuf {
 public:
  /// `descriptor`: where the stream goes to.
  PrintableOutput(std::ostream& stream, int descriptor);
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

  bool has_colours() const { return has_colours_; }
  /// Hands on a part of a line with the codes of its look around it; false: could not be written.
  bool paint(Look look, std::string_view text);

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  /// Hands on what is whole: a character of several bytes may come in pieces, but not at the end.
  bool hand_on(bool end);
  bool write(std::string_view text);

  std::ostream& stream_;
  std::streambuf* target_;
  bool has_colours_;
  std::string waiting_;
};

}  // namespace coterie::sim
