#include "core/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "core/utf8.hpp"

namespace coterie {
namespace {

/// Non-ASCII characters that are invisible, or that change how others are drawn. [Unicode 15, categories Cc, Cf, Zl,
/// Zp]
bool is_hidden(std::uint32_t code) {
  struct Range {
    std::uint32_t first;
    std::uint32_t last;
  };
  // Joiners (U+200C, U+200D) are needed to write some languages.
  constexpr Range kHidden[] = {{0x7F, 0x9F},       {0xAD, 0xAD},      {0x61C, 0x61C},     {0x180E, 0x180E},
                               {0x200B, 0x200B},   {0x200E, 0x200F},  {0x2028, 0x202E},   {0x2060, 0x206F},
                               {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},  {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},
                               {0xE0001, 0xE0001}, {0xE0020, 0xE007F}};
  return std::any_of(std::begin(kHidden), std::end(kHidden),
                     [&](const Range& range) { return code >= range.first && code <= range.last; });
}

std::string escaped_byte(unsigned char byte) {
  if (byte == '\n') return "\\n";
  if (byte == '\r') return "\\r";
  if (byte == '\t') return "\\t";
  return fmt::format("\\x{:02x}", byte);
}

}  // namespace

std::string printable(std::string_view text, std::string_view kept) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x7F) {
      if (byte >= 0x20 || kept.find(text[at]) != std::string_view::npos)
        shown += text[at];
      else
        shown += escaped_byte(byte);
      ++at;
      continue;
    }
    const Utf8Character character = utf8_character(text, at);
    if (character.bytes == 0)
      shown += escaped_byte(byte);
    else if (is_hidden(character.code) && character.code > 0xFFFF)  // as JSON writes it, in two halves
      shown += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + ((character.code - 0x10000) >> 10),
                           0xDC00 + ((character.code - 0x10000) & 0x3FF));
    else if (is_hidden(character.code))
      shown += fmt::format("\\u{:04x}", character.code);
    else
      shown += text.substr(at, character.bytes);
    at += std::max<std::size_t>(character.bytes, 1);
  }
  return shown;
}

std::string echoed(std::string_view text) {
  if (text.size() <= kMostEchoed) return printable(text);
  std::size_t end = kMostEchoed;
  while (end > kMostEchoed - 3 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return printable(text.substr(0, end)) + "...";
}

std::string with_echoed(std::string message, std::string_view text) {
  constexpr std::size_t kLeast = 3;  // so short a text may be one of the program's line ends
  const std::string echo = echoed(text);
  if (text.size() < kLeast || echo == text) return message;
  for (std::size_t at = message.find(text); at != std::string::npos; at = message.find(text, at + echo.size()))
    message.replace(at, text.size(), echo);
  return message;
}

}  // namespace coterie
