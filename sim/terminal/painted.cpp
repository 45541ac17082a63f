#include "sim/terminal/painted.hpp"

#include <algorithm>
#include <iostream>

#include "sim/terminal/printable_output.hpp"

namespace coterie::sim {

std::ostream& operator<<(std::ostream& stream, const Painted& painted) {
  auto* output = dynamic_cast<PrintableOutput*>(stream.rdbuf());
  if (output == nullptr || !output->has_colours()) return stream << painted.text;
  if (!stream) return stream;
  // Line by line, as pagers need it.
  for (std::size_t at = 0; at < painted.text.size();) {
    const std::size_t end = std::min(painted.text.find('\n', at), painted.text.size());
    if (end > at && !output->paint(painted.look, painted.text.substr(at, end - at))) stream.setstate(std::ios::badbit);
    if (end < painted.text.size()) stream << '\n';
    at = end + 1;
  }
  return stream;
}

std::ostream& operator<<(std::ostream& stream, const PaintedLines& painted) {
  for (std::size_t at = 0; at < painted.text.size();) {
    const std::size_t end = std::min(painted.text.find('\n', at), painted.text.size() - 1) + 1;
    const std::string_view line = painted.text.substr(at, end - at);
    const auto rule = std::find_if(painted.rules.begin(), painted.rules.end(),
                                   [&](const PaintedLines::Rule& one) { return line.starts_with(one.begin); });
    if (rule == painted.rules.end())
      stream << line;
    else
      stream << Painted{rule->look, line};
    at = end;
  }
  return stream;
}

void warn(std::string_view text) { std::cerr << Painted{Look::kWarning, text} << '\n'; }

PaintedLines painted_note(std::string_view text) { return {text, {{"  warning: ", Look::kWarning}}}; }

}  // namespace coterie::sim
