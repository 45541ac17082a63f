#include "sim/planning/words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "core/wrapped.hpp"

namespace coterie::sim {

std::string share_text(double share) {
  if (share <= 0 || share >= 1) return share <= 0 ? "0 %" : "100 %";
  if (share < 0.001) return "<0.1 %";
  return share > 0.999 ? ">99.9 %" : fmt::format("{:.1f} %", 100 * share);
}

std::string asked_share_text(double share) {
  constexpr double kExact = 1e10;  // 0.9995 x 100 has a rounding error
  return to_text(std::round(100 * share * kExact) / kExact) + " %";
}

std::string percent_text(double share) { return fmt::format("{:.3g} %", 100 * share); }

std::string paragraph(const std::string& text, std::size_t indent) {
  constexpr char kGlue = '\x01';  // no line breaks between a number and its %
  std::string glued = text;
  for (std::size_t at = glued.find(" %"); at != glued.npos; at = glued.find(" %", at)) glued[at] = kGlue;
  glued = indent == 0 ? wrapped(glued)
                      : hanging(std::string(trimmed(glued.substr(0, indent))), indent, glued.substr(indent));
  std::replace(glued.begin(), glued.end(), kGlue, ' ');
  return glued + '\n';
}

}  // namespace coterie::sim
