#pragma once

namespace coterie::sim {

/// The sources of the page, which CMake builds into the program.
extern const char* const kPageHtml;
extern const char* const kPageCss;
extern const char* const kPageJs;
/// How strategies are drawn, in JSON.
extern const char* const kStyles;
/// uPlot, which draws its curves.
extern const char* const kPlotCss;
extern const char* const kPlotJs;
extern const char* const kPlotLicence;

}  // namespace coterie::sim
