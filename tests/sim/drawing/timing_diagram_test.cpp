#include "sim/drawing/timing_diagram.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/errors.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;
using testing::Not;

TimingDiagram small() {
  return {"two <rows>",
          "a caption",
          4,
          {{"port", {{0, 1, BarKind::kSend, "P1"}, {3, 4, BarKind::kReturn, "P1"}}, {}},
           {"P1", {{1, 3, BarKind::kCompute, "share"}, {2, 2, BarKind::kSetUp, "nothing"}}, {{0, 1}, {2, 0}}}}};
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(TimingDiagram, DrawsEachBarOnceAndItsKindInTheLegend) {
  const std::string svg = timing_diagram_svg(small());

  EXPECT_EQ(count(svg, "<title>port: "), 2U);
  EXPECT_THAT(svg, HasSubstr("<title>P1: compute share, from 1 to 3</title>"));
  EXPECT_THAT(svg, Not(HasSubstr("nothing")));  // no width
  for (const char* name : {">send<", ">compute<", ">return<", ">number of background jobs<"})
    EXPECT_EQ(count(svg, name), 1U) << name;
  EXPECT_THAT(svg, Not(HasSubstr(">set up<")));
  EXPECT_THAT(svg, HasSubstr("two &lt;rows&gt;"));
  EXPECT_THAT(svg, HasSubstr("time; a caption"));
}

/// A bar is as wide as its share of the time.
TEST(TimingDiagram, IsToScale) {
  const std::string svg = timing_diagram_svg(small());

  EXPECT_EQ(count(svg, "width=\"225.00\""), 2U);  // a quarter of 900
  EXPECT_EQ(count(svg, "width=\"450.00\""), 1U);
}

TEST(TimingDiagram, RefusesWhatCannotBeDrawn) {
  TimingDiagram diagram = small();
  for (const double end : {0.0, -1.0, kInfinity}) {
    diagram.end = end;
    EXPECT_THROW(timing_diagram_svg(diagram), InputError);
  }
  diagram = small();
  diagram.rows.resize(kMostDiagramRows + 1);
  EXPECT_THROW(timing_diagram_svg(diagram), InputError);
}

}  // namespace
}  // namespace coterie::sim
