#include "sim/drawing/svg.hpp"

#include <fmt/format.h>

#include "core/printable.hpp"

namespace coterie::sim {

std::string svg_begin(double width, double height, double left, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
      "font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"18\" "
      "font-size=\"14\">{}</text>\n",
      width, height, left, svg_escaped(title));
}

std::string svg_end() { return "</svg>\n"; }

std::string svg_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : printable(text, "\n\t")) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string svg_box(double x, double y, double width, double height, const std::string& look, const std::string& tip) {
  return fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{}\" {}><title>{}</title></rect>\n", x,
                     y, width, height, look, svg_escaped(tip));
}

std::string svg_text(double x, double y, Anchor anchor, const std::string& text) {
  const char* where = anchor == Anchor::kStart ? "start" : anchor == Anchor::kMiddle ? "middle" : "end";
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, where, svg_escaped(text));
}

std::string svg_axis_numbers(double left, double y, double width, double longest) {
  constexpr int kParts = 5;
  std::string svg;
  for (int tick = 0; tick <= kParts; ++tick)
    svg += svg_text(left + width * tick / kParts, y, Anchor::kMiddle, fmt::format("{:.3g}", longest * tick / kParts));
  return svg;
}

}  // namespace coterie::sim
