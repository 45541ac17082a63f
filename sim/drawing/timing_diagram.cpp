#include "sim/drawing/timing_diagram.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/errors.hpp"
#include "core/text.hpp"
#include "sim/drawing/svg.hpp"

namespace coterie::sim {
namespace {

struct Look {
  BarKind kind;
  const char* name;
  const char* fill;
};

/// Light enough for black labels, and distinct for the colour-blind. [Okabe and Ito 2008]
constexpr std::array<Look, 7> kLooks = {{{BarKind::kSend, "send", "#56b4e9"},
                                         {BarKind::kCompute, "compute", "#a6d9a0"},
                                         {BarKind::kReturn, "return", "#e69f00"},
                                         {BarKind::kPackaging, "package or unpack", "#d9c8e8"},
                                         {BarKind::kSetUp, "set up", "#707070"},
                                         {BarKind::kJob, "background job", "#d0d0d0"},
                                         {BarKind::kWasted, "wasted computation", "#f0b8b0"}}};

const Look& look_of(BarKind kind) {
  return *std::find_if(kLooks.begin(), kLooks.end(), [&](const Look& look) { return look.kind == kind; });
}

constexpr double kTop = 34;
constexpr double kWidth = 900;   // of the axis
constexpr double kLetter = 6.2;  // about the width of a letter at this size

double text_width(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

class DiagramPicture {
 public:
  explicit DiagramPicture(const TimingDiagram& diagram) : diagram_(diagram), scale_(kWidth / diagram.end) {
    double longest_name = 0;
    for (const TimingRow& row : diagram.rows) {
      longest_name = std::max(longest_name, text_width(row.name));
      for (const JobStep& step : row.jobs) most_jobs_ = std::max(most_jobs_, step.jobs);
    }
    left_ = longest_name + 24;
    bar_height_ = 18;
    row_height_ = most_jobs_ > 0 ? 54 : 26;
  }

  std::string text() const {
    const double bottom = kTop + row_height_ * static_cast<double>(diagram_.rows.size());
    std::string svg = svg_begin(left_ + kWidth + 30, bottom + 64, left_, diagram_.title);
    for (std::size_t k = 0; k < diagram_.rows.size(); ++k)
      svg += row(diagram_.rows[k], kTop + row_height_ * static_cast<double>(k));
    svg += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"black\"/>\n", left_, bottom + 2, left_ + kWidth);
    svg += svg_axis_numbers(left_, bottom + 16, kWidth, diagram_.end);
    svg += svg_text(left_, bottom + 34, Anchor::kStart,
                    diagram_.caption.empty() ? "time" : fmt::format("time; {}", diagram_.caption));
    return svg + legend(bottom + 46) + svg_end();
  }

 private:
  double x(double time) const { return left_ + time * scale_; }

  std::string row(const TimingRow& row, double top) const {
    const double base = top + row_height_ - 4;  // bars stand on it, 4 pixels above the next row
    std::string svg =
        fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#cccccc\"/>\n", left_, base, left_ + kWidth);
    svg += svg_text(left_ - 8, base - 5, Anchor::kEnd, row.name);
    if (!row.jobs.empty()) svg += stair(row, base - bar_height_ - 1);
    for (const TimingBar& bar : row.bars) {
      if (!(bar.end > bar.begin)) continue;
      const double width = (bar.end - bar.begin) * scale_;
      const Look& look = look_of(bar.kind);
      svg += svg_box(x(bar.begin), base - bar_height_, width, bar_height_,
                     fmt::format("fill=\"{}\" stroke=\"black\" stroke-width=\"{}\"", look.fill, width < 3 ? 0 : 0.6),
                     fmt::format("{}: {}{}{}, from {:.6g} to {:.6g}", row.name, look.name, bar.label.empty() ? "" : " ",
                                 bar.label, bar.begin, bar.end));
      if (!bar.label.empty() && text_width(bar.label) + 4 < width)
        svg += svg_text(x(bar.begin) + width / 2, base - 5, Anchor::kMiddle, bar.label);
    }
    return svg;
  }

  /// The number of jobs as a stair, scaled so that its maximum is as high as the row.
  std::string stair(const TimingRow& row, double base) const {
    const double unit = (row_height_ - bar_height_ - 10) / std::max(1.0, most_jobs_);
    std::string path = fmt::format("M{:.2f} {:.2f}", x(row.jobs.front().time), base);
    for (std::size_t k = 0; k < row.jobs.size(); ++k) {
      if (row.jobs[k].time >= diagram_.end) break;
      const double until = k + 1 < row.jobs.size() ? std::min(row.jobs[k + 1].time, diagram_.end) : diagram_.end;
      path += fmt::format("V{:.2f}H{:.2f}", base - row.jobs[k].jobs * unit, x(until));
    }
    return fmt::format(
        "<path d=\"{}V{:.2f}Z\" fill=\"#eeeeee\" stroke=\"#909090\"><title>{}: background jobs, at most {}</title>"
        "</path>\n",
        path, base, svg_escaped(row.name),
        to_text(std::max_element(row.jobs.begin(), row.jobs.end(), [](auto& a, auto& b) {
                  return a.jobs < b.jobs;
                })->jobs));
  }

  /// The kinds that occur, in the order of the table.
  std::string legend(double y) const {
    std::string svg;
    double at = left_;
    const auto entry = [&](const char* name, const char* fill) {
      svg += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"12\" height=\"10\" fill=\"{}\" stroke=\"black\" "
          "stroke-width=\"0.6\"/>\n",
          at, y, fill);
      svg += svg_text(at + 17, y + 9, Anchor::kStart, name);
      at += 17 + text_width(name) + 18;
    };
    for (const Look& look : kLooks) {
      const auto drawn = [&](const TimingBar& bar) { return bar.kind == look.kind && bar.end > bar.begin; };
      const bool occurs = std::any_of(diagram_.rows.begin(), diagram_.rows.end(), [&](const TimingRow& row) {
        return std::any_of(row.bars.begin(), row.bars.end(), drawn);
      });
      if (occurs) entry(look.name, look.fill);
    }
    if (most_jobs_ > 0) entry("number of background jobs", "#eeeeee");
    return svg;
  }

  const TimingDiagram& diagram_;
  double scale_;
  double left_ = 0;
  double row_height_ = 0;
  double bar_height_ = 0;
  double most_jobs_ = 0;
};

}  // namespace

std::string timing_diagram_svg(const TimingDiagram& diagram) {
  if (!(diagram.end > 0) || !std::isfinite(diagram.end))
    throw InputError(
        fmt::format("a timing diagram needs an end that is positive and finite, not {}", to_text(diagram.end)));
  constexpr double kMostRatio = 1e12;  // times further apart cannot be shown in one picture
  for (const TimingRow& row : diagram.rows)
    for (const TimingBar& bar : row.bars)
      if (diagram.end < 1e-300 || diagram.end > 1e300 || !(std::abs(bar.begin) <= kMostRatio * diagram.end) ||
          !(std::abs(bar.end) <= kMostRatio * diagram.end))
        throw InputError(fmt::format("a bar from {} to {} cannot be drawn in a timing diagram from 0 to {}",
                                     to_text(bar.begin), to_text(bar.end), to_text(diagram.end)));
  if (diagram.rows.size() > kMostDiagramRows)
    throw InputError(fmt::format("a timing diagram of {} rows would be unreadable; at most {} are drawn",
                                 diagram.rows.size(), kMostDiagramRows));
  return DiagramPicture(diagram).text();
}

}  // namespace coterie::sim
