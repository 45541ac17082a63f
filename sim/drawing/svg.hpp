#pragma once

#include <string>

namespace coterie::sim {

/// Shared by all pictures: the text of an SVG file, with coordinates in pixels.

/// The start of a picture on white, with its title at x = `left`. svg_end closes it.
std::string svg_begin(double width, double height, double left, const std::string& title);
std::string svg_end();

/// `text` escaped for SVG: &, <, > and quotes.
std::string svg_escaped(const std::string& text);

/// A rectangle with a tooltip. `look`: its attributes, such as fill="white".
std::string svg_box(double x, double y, double width, double height, const std::string& look, const std::string& tip);

enum class Anchor { kStart, kMiddle, kEnd };
std::string svg_text(double x, double y, Anchor anchor, const std::string& text);

/// Six numbers from 0 to `longest` under an axis that is `width` long and starts at `left`; y is their baseline.
std::string svg_axis_numbers(double left, double y, double width, double longest);

}  // namespace coterie::sim
