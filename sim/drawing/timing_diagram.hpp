#pragma once

#include <string>
#include <vector>

namespace coterie::sim {

/// What a bar of a timing diagram stands for; each kind has one colour and one line in the legend.
enum class BarKind { kSend, kCompute, kReturn, kPackaging, kSetUp, kJob, kWasted };

/// What happens in a row from `begin` to `end`.
struct TimingBar {
  double begin = 0;
  double end = 0;
  BarKind kind = BarKind::kCompute;
  std::string label;  ///< written into the bar if there is room; always in its tooltip
};

/// The number of background jobs from `time` on, until the next step.
struct JobStep {
  double time = 0;
  double jobs = 0;
};

/// A worker, a link or a port.
struct TimingRow {
  std::string name;             ///< to the left of the row
  std::vector<TimingBar> bars;  ///< in any order; bars of one row should not overlap
  std::vector<JobStep> jobs;    ///< by increasing time; drawn as a stair above the bars
};

/// Who does what when, drawn as in the papers' figures: rows over one time axis from 0 to `end`.
struct TimingDiagram {
  std::string title;
  std::string caption;  ///< below the axis, beside "time"
  double end = 0;       ///< positive and finite
  std::vector<TimingRow> rows;
};

/// The greatest number of rows that a picture may have.
inline constexpr std::size_t kMostDiagramRows = 400;

/// The picture as the text of an SVG file, the same bytes for the same diagram. Throws InputError for a diagram of more
/// than kMostDiagramRows rows, or whose end is not positive and finite.
std::string timing_diagram_svg(const TimingDiagram& diagram);

}  // namespace coterie::sim
