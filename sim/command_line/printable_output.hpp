#pragma once

#include <iosfwd>
#include <streambuf>
#include <string>

namespace coterie::sim {

/// As long as it lives, what a stream is given reaches its old buffer as printable text (core/printable.hpp), with line
/// ends and tabs: whatever came from a file or a name, none of it steers the terminal.
class PrintableOutput : public std::streambuf {
 public:
  explicit PrintableOutput(std::ostream& stream);
  ~PrintableOutput() override;
  PrintableOutput(const PrintableOutput&) = delete;
  PrintableOutput& operator=(const PrintableOutput&) = delete;

 protected:
  int_type overflow(int_type character) override;
  std::streamsize xsputn(const char* text, std::streamsize size) override;
  int sync() override;

 private:
  /// Hands on what is whole: a character of several bytes may come in pieces, but not at the end.
  bool hand_on(bool end);

  std::ostream& stream_;
  std::streambuf* target_;
  std::string waiting_;
};

}  // namespace coterie::sim
