#include "sim/input/risk_table.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "sim/input/risks.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class RiskTableTest : public testing::Test {
 protected:
  RiskTableTest() : directory_(own_path("")) { std::filesystem::create_directories(directory_); }
  ~RiskTableTest() override { std::filesystem::remove_all(directory_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(directory_ / name) << text; }

  /// The message about a file with this text, without the path.
  std::string refusal(const std::string& text) const {
    write("law.csv", text);
    const std::string path = (directory_ / "law.csv").string();
    try {
      read_risk_table(path, "");
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith(path + ":"));
      return std::string(error.what()).substr(path.size() + 1);
    }
    return "read";
  }

  std::filesystem::path directory_;
};

TEST_F(RiskTableTest, IsReadWithAndWithoutHeaderAndOrigin) {
  write("all.csv", "# my law\ntime,probability\n0,0\n1, 0.5\n2,1\n");
  write("rows.csv", "1,0.5\r\n2,1");
  for (const char* name : {"all.csv", "rows.csv"}) {
    const RiskPtr risk = read_risk_table((directory_ / name).string(), "mine");
    EXPECT_EQ(risk->probability(1.5), 0.75) << name;
    EXPECT_EQ(risk->horizon(), 2) << name;
    EXPECT_EQ(risk->text(), "mine");
  }
}

TEST_F(RiskTableTest, SaysWhatIsWrongAndWhere) {
  EXPECT_THAT(refusal("time,prob\n1,1\n"), StartsWith("1: E_HEADER"));
  EXPECT_THAT(refusal("time,probability\n1,1,1\n"), StartsWith("2: E_FIELDS"));
  EXPECT_THAT(refusal("1,0.5\nx,1\n"), StartsWith("2: E_NUMBER"));
  EXPECT_THAT(refusal("1,0.5\n2,nan\n"), StartsWith("2: E_NUMBER"));
  EXPECT_THAT(refusal("1,0.5\ninf,1\n"), StartsWith("2: E_NUMBER"));
  EXPECT_THAT(refusal("1,0.5\n1,1\n"), StartsWith("2: E_ORDER"));
  EXPECT_THAT(refusal("0,0.5\n1,1\n"), StartsWith("1: E_ORDER"));
  EXPECT_THAT(refusal("1,0.5\n2,0.25\n"), StartsWith("2: E_NUMBER"));
  EXPECT_THAT(refusal("1,0.5\n2,1.5\n"), StartsWith("2: E_NUMBER"));
  EXPECT_THAT(refusal("1,0\n2,0\n"), HasSubstr("E_EMPTY"));
  EXPECT_THAT(refusal(""), HasSubstr("E_EMPTY"));
}

TEST_F(RiskTableTest, EntersIdentitiesByItsContent) {
  write("a.csv", "1,0.5\n2,1\n");
  write("b.csv", "1,0.5\n2,1\n");
  write("c.csv", "1,0.25\n2,1\n");
  RiskLibrary library(directory_.string());
  const auto canonical = [&](const std::string& text) { return library.resolve(text)->canonical(); };
  EXPECT_EQ(canonical("cdf(file=a.csv)"), canonical("cdf(file=b.csv)"));
  EXPECT_NE(canonical("cdf(file=a.csv)"), canonical("cdf(file=c.csv)"));
  EXPECT_EQ(library.get("cdf(file=a.csv)")->text(), "cdf(file=a.csv)");
  EXPECT_THAT(canonical("mix(1 : linear, 1 : cdf(file=a.csv))"), HasSubstr(canonical("cdf(file=b.csv)")));
  EXPECT_EQ(library.checksums().size(), 3u);
  EXPECT_THROW(library.get("cdf(file=a.csv, unit=h)"), InputError);
  EXPECT_THROW(library.get("cdf(file=missing.csv)"), RuntimeError);
}

}  // namespace
}  // namespace coterie::sim
