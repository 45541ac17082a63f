#include "sim/terminal/printable_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <ostream>

#include "core/printable.hpp"
#include "core/utf8.hpp"
#include "sim/engine/progress.hpp"

namespace coterie::sim {
namespace {

constexpr std::size_t kHandedOnTogether = 1 << 16;  // bytes

/// How many bytes at the end may be the start of an incomplete character.
std::size_t begun(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xC0) == 0x80) continue;
    const bool lead = byte >= 0xC2 && byte <= 0xF4;
    return lead && utf8_character(text, text.size() - back).bytes == 0 ? back : 0;
  }
  return 0;
}

/// Codes of a terminal. [ECMA-48, SGR]
constexpr std::string_view kEnd = "\x1b[0m";
std::string_view begin_of(Look look) {
  return look == Look::kHeading ? "\x1b[1m" : look == Look::kWarning ? "\x1b[33m" : "\x1b[31m";
}

bool wants_colours() {
  const char* no_colour = std::getenv("NO_COLOR");
  return no_colour == nullptr || *no_colour == '\0';
}

}  // namespace

PrintableOutput::PrintableOutput(std::ostream& stream, int descriptor)
    : stream_(stream), target_(stream.rdbuf(this)), has_colours_(is_terminal(descriptor) && wants_colours()) {}

PrintableOutput::~PrintableOutput() {
  hand_on(true);
  stream_.rdbuf(target_);
}

bool PrintableOutput::hand_on(bool end) {
  const std::size_t whole = waiting_.size() - (end ? 0 : begun(waiting_));
  const std::string text = printable(std::string_view(waiting_).substr(0, whole), "\n\t");
  waiting_.erase(0, whole);
  return write(text);
}

bool PrintableOutput::write(std::string_view text) {
  return target_->sputn(text.data(), static_cast<std::streamsize>(text.size())) ==
         static_cast<std::streamsize>(text.size());
}

bool PrintableOutput::paint(Look look, std::string_view text) {
  return hand_on(true) && write(begin_of(look)) && write(printable(text, "\t")) && write(kEnd);
}

PrintableOutput::int_type PrintableOutput::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char one = traits_type::to_char_type(character);
  return xsputn(&one, 1) == 1 ? character : traits_type::eof();
}

std::streamsize PrintableOutput::xsputn(const char* text, std::streamsize size) {
  waiting_.append(text, static_cast<std::size_t>(size));
  return waiting_.size() < kHandedOnTogether || hand_on(false) ? size : 0;
}

int PrintableOutput::sync() { return hand_on(false) && target_->pubsync() == 0 ? 0 : -1; }

}  // namespace coterie::sim
