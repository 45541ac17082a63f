#include "sim/terminal/call_text.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"

namespace coterie::sim {
namespace {

/// Quoted so that a shell reads it as the same word.
std::string shell_word(const std::string& word) {
  if (!word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@%") ==
          std::string::npos)
    return word;
  if (printable(word) != word) {  // $'...' says it in letters
    std::string text;
    for (const char c : word)
      text += c >= ' ' && c < 0x7F && c != '\'' && c != '\\' ? std::string(1, c)
                                                             : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return "$'" + text + "'";
  }
  std::string text = "'";
  for (const char c : word) c == '\'' ? text.append("'\\''") : text.append(1, c);
  return text + "'";
}

}  // namespace

std::string call_text(const Call& call, const std::string& verb) {
  std::string line = call.catalogue.program() + " " + verb;
  for (const std::string& argument : call.arguments) line.append(" ").append(shell_word(argument));
  return line;
}

}  // namespace coterie::sim
