#include "core/wrapped.hpp"

#include "core/text.hpp"

namespace coterie {
namespace {

std::string wrapped_line(std::string_view line, std::size_t columns) {
  if (line.size() <= columns) return std::string(line);
  const std::string indent(line.substr(0, line.find_first_not_of(' ')));
  std::string lines = indent;
  std::size_t column = indent.size();
  bool first = true;  // word of its line
  for (const std::string_view word : split(line.substr(indent.size()), ' ')) {
    if (!first && column + 1 + word.size() > columns) {
      lines += '\n' + indent;
      column = indent.size();
      first = true;
    }
    if (!first) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    first = false;
  }
  return lines;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  std::string result;
  for (const std::string_view line : split(text, '\n')) {
    if (line.data() != text.data()) result += '\n';
    result += wrapped_line(line, columns);
  }
  return result;
}

std::string hanging(std::string_view label, std::size_t indent, std::string_view text, std::size_t columns) {
  std::string result(label);
  if (label.size() >= indent) return result + '\n' + hanging("", indent, text, columns);
  std::string lines = wrapped(std::string(indent, ' ') + std::string(text), columns);
  return lines.replace(0, label.size(), result);
}

}  // namespace coterie
