// What a campaign file means, and what is said of one that means nothing.
#include "sim/campaign/campaign.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "core/stream.hpp"
#include "tests/own_path.hpp"

namespace coterie::sim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const std::string kHead = "instances = 10\nstrategies = [\"greedy\"]\n[grid]\n";
const std::string kRest = "startup = 0.1\n";

Campaign parse(const std::string& text, const CampaignOverrides& overrides = {}) {
  return parse_campaign(text, "campaign.toml", overrides);
}

Campaign grid(const std::string& text, const CampaignOverrides& overrides = {}) {
  return parse(kHead + text, overrides);
}

std::vector<double> numbers(const Campaign& campaign, const std::string& axis) {
  std::vector<double> values;
  for (const Configuration& configuration : campaign.configurations) values.push_back(configuration.number(axis));
  return values;
}

std::string message(const std::string& text, const CampaignOverrides& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string grid_message(const std::string& text) { return message(kHead + text); }

// ---- ranges, multiples, products ----

TEST(Grid, ReadsRangesAndMultiplesOfAxesBefore) {
  EXPECT_THAT(numbers(grid("workers = 4\nwork = \"1..workers\"\n" + kRest), "work"), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(numbers(grid("workers = 4\nwork = \"1..9:2\"\n" + kRest), "work"), ElementsAre(1, 3, 5, 7, 9));
  EXPECT_THAT(numbers(grid("workers = 4\nwork = \"1..8:2\"\n" + kRest), "work"), ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(numbers(grid("workers = 4\nwork = \"2 .. 2\"\n" + kRest), "work"), ElementsAre(2));
  EXPECT_THAT(numbers(grid("workers = [10, 25]\nwork = \"0.3 workers\"\n" + kRest), "work"), ElementsAre(3, 7.5));
  EXPECT_THAT(numbers(grid("workers = 10\nwork = \"0.3*workers\"\n" + kRest), "work"), ElementsAre(3));
  EXPECT_THAT(numbers(grid("workers = 10\nwork = \"0.1 workers..0.3 workers\"\n" + kRest), "work"),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(grid("workers = 10\nwork = [1, \"2..3\", \"workers\"]\n" + kRest), "work"),
              ElementsAre(1, 2, 3, 10));
  EXPECT_THAT(numbers(grid("workers = \"5..20:5\"\nwork = 1\n" + kRest), "workers"), ElementsAre(5, 10, 15, 20));
  EXPECT_THAT(numbers(grid("workers = 3\nwork = \"1/3\"\n" + kRest), "work"), ElementsAre(1.0 / 3));
  EXPECT_THAT(numbers(grid("workers = 3\nwork = \"1e0..1e1:4.5\"\n" + kRest), "work"), ElementsAre(1, 5.5, 10));
}

// Each value is the double that its decimal digits are, not a sum of rounded steps.
TEST(Grid, KeepsDecimalStepsExact) {
  EXPECT_THAT(numbers(grid("workers = 5\nwork = \"0.1..0.9:0.1\"\n" + kRest), "work"),
              ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9));
  EXPECT_THAT(numbers(grid("workers = 100\nwork = \"0.29 workers\"\n" + kRest), "work"), ElementsAre(29));
}

TEST(Grid, IsTheProductOfItsAxesTheLastOneFastest) {
  const Campaign campaign = grid("startup = [0.1, 0.2]\nwork = \"1..workers\"\nworkers = [1, 2]\n");

  EXPECT_THAT(numbers(campaign, "workers"), ElementsAre(1, 1, 2, 2, 2, 2));
  EXPECT_THAT(numbers(campaign, "work"), ElementsAre(1, 1, 1, 1, 2, 2));
  EXPECT_THAT(numbers(campaign, "startup"), ElementsAre(0.1, 0.2, 0.1, 0.2, 0.1, 0.2));
  EXPECT_THAT(campaign.swept, ElementsAre("workers", "work", "startup"));
  EXPECT_EQ(campaign.total_instances(), 60u);
}

TEST(Grid, HasDefaults) {
  const Configuration configuration = grid("workers = 2\nwork = 1\nstartup = 0.1\n").configurations.front();

  EXPECT_EQ(configuration.text("chunks"), "auto");
  EXPECT_EQ(configuration.text("risk"), "linear(kappa=1)");
  EXPECT_EQ(configuration.number("lambda"), 1);
  EXPECT_EQ(configuration.text("background"), "none");
}

TEST(Grid, TakesCasesBesidesAndWithoutAGrid) {
  const std::string head = "instances = 1\nstrategies = [\"brute\"]\n";
  const std::string cases =
      "[[case]]\nworkers = 7\nwork = \"0.5 workers\"\nstartup = 0.1\nchunks = 3\n[[case]]\nworkers = 8\nwork = 1\n"
      "startup = 0.2\n";
  const Campaign alone = parse(head + cases);
  const Campaign beside = parse(head + "[grid]\nworkers = [1, 2]\nwork = 1\nstartup = 0.1\n" + cases);

  EXPECT_THAT(numbers(alone, "workers"), ElementsAre(7, 8));
  EXPECT_THAT(numbers(alone, "work"), ElementsAre(3.5, 1));
  EXPECT_THAT(numbers(beside, "workers"), ElementsAre(1, 2, 7, 8));
}

// ---- identities ----

TEST(Identity, IsTheDocumentedHashOfWhatDiffersFromTheDefaults) {
  const Campaign campaign = grid("workers = 5\nwork = 2\nstartup = 0.01\nchunks = 47\nrisk = \"weibull(shape=.5)\"\n");
  const std::string text = "model=worksharing;chunks=47;risk=weibull(shape=0.5, scale=1);startup=0.01;work=2;workers=5";

  EXPECT_EQ(campaign.configurations.front().canonical, text);
  EXPECT_EQ(campaign.configurations.front().identity, identity_hash(text));
}

TEST(Identity, DoesNotDependOnThePositionNorOnTheOrderOfTheKeys) {
  const Campaign one = grid("workers = [5, 10, 25]\nwork = [1, 2]\nstartup = 0.1\n");
  const Campaign other = grid("startup = 0.1\nwork = [2, 1]\nworkers = [25, 5, 10]\n");
  const auto identities = [](const Campaign& campaign) {
    std::vector<std::uint64_t> list;
    for (const Configuration& configuration : campaign.configurations) list.push_back(configuration.identity);
    std::sort(list.begin(), list.end());
    return list;
  };

  const auto distinct = [&](const Campaign& campaign) {
    const auto list = identities(campaign);
    return std::set(list.begin(), list.end()).size();
  };

  EXPECT_EQ(identities(one), identities(other));
  EXPECT_EQ(distinct(one), 6u);
}

// Several ways to write the same: the same instances.
TEST(Identity, DoesNotDependOnHowAValueIsWritten) {
  const auto identity = [](const std::string& text) {
    return grid("workers = 5\nwork = 1\n" + text).configurations.front().identity;
  };
  const std::uint64_t plain = identity("startup = 0.1\n");

  EXPECT_EQ(identity("startup = 1e-1\n"), plain);
  EXPECT_EQ(identity("startup = \"1/10\"\n"), plain);
  for (const char* risk : {"linear", "linear()", "linear(kappa=1)", " linear( kappa = 1.0 ) ", "linear(kappa=1e0)"})
    EXPECT_EQ(identity("startup = 0.1\nrisk = \"" + std::string(risk) + "\"\n"), plain) << risk;
  EXPECT_EQ(identity("startup = 0.1\nlambda = 1.0\nbackground = \"none()\"\nchunks = \"auto\"\n"), plain);
  EXPECT_EQ(identity("startup = 0.1\nchunks = \"+047\"\n"), identity("startup = 0.1\nchunks = 47\n"));
  EXPECT_EQ(identity("startup = 0.1\nbackground = \"mm1(arrival=.1, service=.5)\"\n"),
            identity("startup = 0.1\nbackground = \"mm1(service=0.50, initial=0, arrival=0.1)\"\n"));
  EXPECT_NE(identity("startup = 0.1\nrisk = \"linear(kappa=2)\"\n"), plain);
}

TEST(Identity, IsSharedAlongSweptAxesWithCommonRandomNumbers) {
  const std::string common = "common_random_numbers = true\n";
  const Campaign campaign = parse(common + kHead + "workers = 5\nwork = [1, 2]\nstartup = [0.1, 0.2]\n");
  const Campaign apart = grid("workers = 5\nwork = [1, 2]\nstartup = [0.1, 0.2]\n");

  for (const Configuration& configuration : campaign.configurations)
    EXPECT_EQ(configuration.canonical, "model=worksharing;workers=5");
  EXPECT_NE(apart.configurations[0].identity, apart.configurations[1].identity);
}

// ---- what the command line sets ----

TEST(Settings, ReplaceWhatTheFileSays) {
  const std::string text = kHead + "workers = 5\nwork = 1\nstartup = 0.1\n";
  const Campaign campaign = parse(text, {7,
                                         3,
                                         {"startup=[0.2, 0.3]", "grid.work=2", "title=a title",
                                          "strategies=[\"brute\"]", "risk=weibull(shape=0.5)"},
                                         {},
                                         {}});

  EXPECT_EQ(campaign.seed, 7u);
  EXPECT_EQ(campaign.instances, 3u);
  EXPECT_EQ(campaign.title, "a title");
  EXPECT_THAT(campaign.strategies, ElementsAre("brute"));
  EXPECT_THAT(numbers(campaign, "startup"), ElementsAre(0.2, 0.3));
  EXPECT_THAT(numbers(campaign, "work"), ElementsAre(2, 2));
  EXPECT_EQ(campaign.configurations[0].text("risk"), "weibull(shape=0.5)");
  EXPECT_EQ(campaign.text, text);
}

TEST(Settings, AreCheckedAsTheFileIs) {
  const std::string text = kHead + "workers = 5\nwork = 1\nstartup = 0.1\n";
  const auto say = [&](const std::string& setting) { return message(text, {{}, {}, {setting}, {}, {}}); };

  EXPECT_THAT(say("workrs=5"), HasSubstr("unknown key \"workrs\" in [grid] (did you mean \"workers\"?)"));
  EXPECT_THAT(say("workers"), HasSubstr("write KEY=VALUE"));
  EXPECT_THAT(say("=5"), HasSubstr("write KEY=VALUE"));
  EXPECT_THAT(say("workers=0"), StartsWith("--set workers=0: "));
  EXPECT_THAT(say("workers=nan"), HasSubstr("nan"));
  EXPECT_THAT(say("strategies=greedy"), HasSubstr("must be a list"));
  EXPECT_THAT(say("work=1\nstartup=7"), HasSubstr("not an earlier axis of numbers"));  // no second key is smuggled in
  EXPECT_THAT(say("workers=[1, 0]"), StartsWith("--set workers=[1, 0]: "));
  EXPECT_THAT(message("instances = 1\nstrategies = [\"brute\"]\n[[case]]\nworkers = 1\nwork = 1\nstartup = 1\n",
                      {{}, {}, {"work=2"}, {}, {}}),
              HasSubstr("no [grid]"));
}

TEST(Settings, ReplaceValuesByTablesAndTablesByValues) {
  const std::string rest = "workers = 5\nwork = 1\nstartup = 0.1\n";
  const auto set = [](const std::string& setting) { return CampaignOverrides{{}, {}, {setting}, {}, {}}; };

  for (const char* output : {"", "output = \"statistics\"\n", "output = {deflate = 2, more = 3}\n"}) {
    const std::string text = output + kHead + rest;
    const Campaign table = parse(text, set("output={deflate=4}"));
    EXPECT_EQ(table.deflate, 4) << output;
    EXPECT_EQ(table.output, Output::kRatios) << output;
    const Campaign word = parse(text, set("output=statistics"));
    EXPECT_EQ(word.deflate, 0) << output;
    EXPECT_EQ(word.output, Output::kStatistics) << output;
    EXPECT_THAT(message(text, set("output={deflate=10}")),
                StartsWith("--set output={deflate=10}: \"deflate\" must be"));
    EXPECT_THAT(message(text, set("output={deflat=4}")),
                StartsWith("--set output={deflat=4}: unknown key \"deflat\" in [output]"));
  }
}

// ---- bad input, with its place ----

TEST(BadCampaign, IsRefusedWithItsPlace) {
  EXPECT_EQ(message("instances = 1\nstrategies = [\"greedy\"]\ntitel = \"x\"\n[grid]\nworkers = 1\nwork = 1\n" + kRest),
            "campaign.toml:3:1: unknown key \"titel\" (did you mean \"title\"?)");
  EXPECT_EQ(grid_message("workrs = 1\n"),
            "campaign.toml:4:1: unknown key \"workrs\" in [grid] (did you mean \"workers\"?)");
  EXPECT_THAT(grid_message("workers = 1\nwork = 1\n"),
              StartsWith("campaign.toml:3:1: \"startup\" is missing in [grid]"));
  EXPECT_THAT(message("instances = 1\nstrategies = [\"greedy\"]\n"), HasSubstr("there is nothing to run"));
  EXPECT_THAT(message("strategies = [\"greedy\"]\n[grid]\nworkers = 1\nwork = 1\n" + kRest),
              StartsWith("campaign.toml: \"instances\" is missing"));
  EXPECT_THAT(message("instances = 1\n[grid]\nworkers = 1\nwork = 1\n" + kRest),
              StartsWith("campaign.toml: \"strategies\" is missing"));
  EXPECT_THAT(message("instances = 1\nstrategies = [\"greedy\"]\n[[case]]\nworkers = [1, 2]\nwork = 1\nstartup = 1\n"),
              StartsWith("campaign.toml:4:1: \"workers\" in [[case]] must be one value"));
  EXPECT_THAT(message("instances = 1\nstrategies = [\"greedy\"]\n[[case]]\nworkers = 1\n"),
              StartsWith("campaign.toml:3:1: \"work\" is missing in [[case]]"));
  EXPECT_THAT(
      message("instances = 1\nstrategies = [\"greedy\"]\n[[case]]\nworkers = 1\nwork = 1\nstartup = 1\nx = 2\n"),
      StartsWith("campaign.toml:7:1: unknown key \"x\" in [[case]]"));
  EXPECT_THAT(message("this is no TOML"), StartsWith("campaign.toml:1:"));
  EXPECT_THAT(message(""), StartsWith("campaign.toml: "));
}

TEST(BadCampaign, NamesTheAxisAndWhatWouldBeRight) {
  const auto say = [](const std::string& line) {
    std::string text;
    for (const char* part : {"workers = 5\n", "work = 1\n", "startup = 0.1\n"})
      if (line.substr(0, 4) != std::string(part).substr(0, 4) || line[4] != part[4]) text += part;
    return grid_message(text + line + "\n");
  };

  EXPECT_THAT(say("workers = 0"), HasSubstr("workers must be a whole number from 1 to"));
  EXPECT_THAT(say("workers = -3"), HasSubstr("workers must be"));
  EXPECT_THAT(say("workers = 2.5"), HasSubstr("\"workers\" must be a whole number, not 2.5"));
  EXPECT_THAT(say("workers = 1e300"), HasSubstr("workers must be"));
  EXPECT_THAT(say("workers = inf"), HasSubstr("workers must be"));
  EXPECT_THAT(say("workers = nan"), HasSubstr("not nan"));
  EXPECT_THAT(say("workers = true"), HasSubstr("\"workers\" must be a whole number"));
  EXPECT_THAT(say("workers = 1979-05-27"), HasSubstr("dates"));
  EXPECT_THAT(say("workers = []"), HasSubstr("is an empty list"));
  EXPECT_THAT(say("workers = [[1]]"), HasSubstr("\"workers\" must be"));
  EXPECT_THAT(say("workers = {a = 1}"), HasSubstr("\"workers\" must be"));
  EXPECT_THAT(say("workers = \"many\""), HasSubstr("names \"many\", which is not an earlier axis of numbers"));
  EXPECT_THAT(say("workers = \"work\""), HasSubstr("not an earlier axis of numbers"));
  EXPECT_THAT(say("workers = \"workers\""), HasSubstr("not an earlier axis of numbers"));
  EXPECT_THAT(say("workers = \"\""), HasSubstr("is not a number"));
  EXPECT_THAT(say("workers = \"..\""), HasSubstr("is not a number"));
  EXPECT_THAT(say("work = 0"), HasSubstr("work must be positive and finite, not 0"));
  EXPECT_THAT(say("work = -1"), HasSubstr("work must be positive"));
  EXPECT_THAT(say("work = inf"), HasSubstr("work must be positive and finite, not inf"));
  EXPECT_THAT(say("work = \"inf\""), HasSubstr("\"work\""));
  EXPECT_THAT(say("work = \"1..0\""), HasSubstr("is empty"));
  EXPECT_THAT(say("work = \"1..2:0\""), HasSubstr("step above 0"));
  EXPECT_THAT(say("work = \"1..2:-1\""), HasSubstr("step above 0"));
  EXPECT_THAT(say("work = \"1..3..5\""), HasSubstr("is not a number"));
  EXPECT_THAT(say("work = \"1..2:1:1\""), HasSubstr("is not a number"));
  EXPECT_THAT(say("work = \"1..1e9\""), HasSubstr("more than 1000000 values"));
  EXPECT_THAT(say("work = \"1..1e300\""), HasSubstr("more than 1000000 values"));
  EXPECT_THAT(say("work = \"3 chunks\""), HasSubstr("not an earlier axis of numbers"));
  EXPECT_THAT(say("startup = -0.1"), HasSubstr("startup must be finite and not negative, not -0.1"));
  EXPECT_THAT(say("startup = inf"), HasSubstr("startup must be finite"));
  EXPECT_THAT(say("startup = 0"), HasSubstr("give a whole number of chunks"));
  EXPECT_THAT(say("lambda = 0"), HasSubstr("lambda must be above 0 and at most 1, not 0"));
  EXPECT_THAT(say("lambda = 1.01"), HasSubstr("lambda must be above 0 and at most 1"));
  EXPECT_THAT(say("chunks = 0"), HasSubstr("chunks must be a whole number of at least 1"));
  EXPECT_THAT(say("chunks = -1"), HasSubstr("chunks must be"));
  EXPECT_THAT(say("chunks = 1.5"), HasSubstr("\"chunks\" must be"));
  EXPECT_THAT(say("chunks = \"automatic\""), HasSubstr("chunks must be"));
  EXPECT_THAT(say("chunks = \"\""), HasSubstr("must not be empty"));
  EXPECT_THAT(say("chunks = 100000000"), HasSubstr("chunks"));
  EXPECT_THAT(say("risk = \"linaer\""), HasSubstr("unknown risk \"linaer\" (did you mean \"linear\"?)"));
  EXPECT_THAT(say("risk = \"linear(kapa=1)\""), HasSubstr("did you mean \"kappa\"?"));
  EXPECT_THAT(say("risk = \"linear(kappa=0)\""), HasSubstr("kappa must be greater than 0"));
  EXPECT_THAT(say("risk = \"linear(kappa=nan)\""), HasSubstr("is not a number"));
  EXPECT_THAT(say("risk = \"linear(\""), HasSubstr("parentheses"));
  EXPECT_THAT(say("risk = 3"), HasSubstr("unknown risk"));
  EXPECT_THAT(say("risk = \"trace()\""), HasSubstr("file"));
  EXPECT_THAT(say("background = \"mm2\""), HasSubstr("unknown background \"mm2\""));
  EXPECT_THAT(say("background = \"mm1(arrival=-1, service=1)\""), HasSubstr("arrival"));
  EXPECT_THAT(say("background = \"mm1(arrival=1)\""), HasSubstr("\"service\" is missing"));
  EXPECT_THAT(say("background = \"mm1(arrival=1, service=1, initial=0.5)\""), HasSubstr("initial"));
  EXPECT_THAT(say("background = \"none(x=1)\""), HasSubstr("it takes no arguments"));
}

TEST(BadCampaign, PointsAtTheLineOfTheAxis) {
  EXPECT_THAT(grid_message("workers = 5\nwork = -1\nstartup = 0.1\n"), StartsWith("campaign.toml:5:"));
  EXPECT_THAT(grid_message("workers = 5\nwork = 1\nstartup = 0.1\nrisk = [\n  \"linear\",\n  \"linaer\",\n]\n"),
              StartsWith("campaign.toml:9:3: "));
}

TEST(BadCampaign, StrategiesAreKnownOnceAndSome) {
  const auto say = [](const std::string& line) {
    return message(line + "instances = 1\n[grid]\nworkers = 1\nwork = 1\nstartup = 0.1\n");
  };

  EXPECT_THAT(say("strategies = []\n"), StartsWith("campaign.toml:1:1: \"strategies\" is an empty list"));
  EXPECT_THAT(say("strategies = [\"greddy\"]\n"), HasSubstr("(did you mean \"greedy\"?)"));
  EXPECT_THAT(say("strategies = [\"brute\", \"brute\"]\n"), HasSubstr("names \"brute\" twice"));
  EXPECT_THAT(say("strategies = [\"omniscient\"]\n"), HasSubstr("it is the reference"));
  EXPECT_THAT(say("strategies = \"greedy\"\n"), HasSubstr("must be a list"));
  EXPECT_THAT(say("strategies = [1]\n"), HasSubstr("texts in quotes"));
  EXPECT_THAT(say("strategies = [\"brute\"]\nbaseline = \"greedy\"\n"),
              StartsWith("campaign.toml:2:1: \"baseline\" must be one of the strategies"));
}

TEST(BadCampaign, HeadIsChecked) {
  const auto say = [](const std::string& line) {
    return message(line + "strategies = [\"brute\"]\n[grid]\nworkers = 1\nwork = 1\nstartup = 0.1\n");
  };

  EXPECT_THAT(say("instances = 0\n"), HasSubstr("instances must be from 1 to"));
  EXPECT_THAT(say("instances = 10000000000\n"), HasSubstr("instances must be from 1 to"));
  EXPECT_THAT(say("instances = 1.5\n"), HasSubstr("must be a whole number, not 1.5"));
  EXPECT_THAT(say("instances = 1e99\n"), HasSubstr("must be a whole number"));
  EXPECT_EQ(say("instances = 1e4\n"), "accepted");
  EXPECT_THAT(say("instances = 1\nseed = -1\n"), HasSubstr("\"seed\" must not be negative"));
  EXPECT_THAT(say("instances = 1\nseed = 99999999999999999999\n"), StartsWith("campaign.toml:2:"));
  EXPECT_THAT(say("instances = 1\nmodel = \"worksharin\"\n"), HasSubstr("did you mean \"worksharing\"?"));
  EXPECT_THAT(say("instances = 1\ntitle = 7\n"), HasSubstr("must be a text in quotes, not 7"));
  EXPECT_THAT(say("instances = 1\ncommon_random_numbers = 1\n"), HasSubstr("must be true or false"));
  EXPECT_THAT(say("instances = 1\noutput = {deflate = 10}\n"), HasSubstr("must be from 0 to 9"));
  EXPECT_THAT(say("instances = 1\noutput = {deflat = 1}\n"), HasSubstr("unknown key \"deflat\""));
  EXPECT_THAT(say("instances = 1\ncase = 3\n"), HasSubstr("[[case]]"));
  EXPECT_THAT(message("instances = 1\nstrategies = [\"brute\"]\ngrid = 3\n"), HasSubstr("\"grid\" must be a table"));
}

TEST(BadCampaign, NoConfigurationStandsTwice) {
  EXPECT_THAT(grid_message("work = 1\nworkers = [5,\n5]\nstartup = 0.1\n"),
              AllOf(StartsWith("campaign.toml:6:"), HasSubstr("occurs twice")));
  EXPECT_THAT(grid_message("workers = 5\nwork = 1\nstartup = 0.1\nrisk = [\"linear\", \"linear(kappa=1)\"]\n"),
              HasSubstr("occurs twice"));
  EXPECT_THAT(grid_message("workers = 5\nwork = [1, 1.0]\nstartup = 0.1\n"), HasSubstr("occurs twice"));
  EXPECT_THAT(message("common_random_numbers = true\n" + kHead + "workers = [5, 5]\nwork = 1\nstartup = 0.1\n"),
              HasSubstr("occurs twice"));
}

TEST(BadCampaign, HugeGridsAreRefusedBeforeTheyAreMade) {
  // 5e29 of them: made one by one, they would not be refused before memory or patience end.
  const std::string axis = "\"1..1000000\"";
  EXPECT_THAT(grid_message("workers = " + axis + "\nwork = " + axis + "\nstartup = [0.1, 0.2]\nlambda = " + axis +
                           "\nchunks = " + axis),
              HasSubstr("more than 1000000 configurations"));
  // An axis that names another: counted, not made.
  EXPECT_THAT(grid_message("workers = \"1..2000\"\nwork = \"1..workers\"\nstartup = [0.1, 0.2]\n"),
              HasSubstr("more than 1000000 configurations"));
  std::string many = axis;
  for (int i = 0; i < 1000; ++i) many += ", " + axis;
  EXPECT_THAT(grid_message("workers = 2\nstartup = 0\nwork = [" + many + "]\n"),
              HasSubstr("\"work\" has more than 1000000 values"));
}

// ---- traces ----

class TraceCampaign : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = own_path("");
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Campaign with_trace(const std::string& content, const std::string& name = "lab.durations") {
    std::ofstream(folder_ / name) << content;
    return parse_campaign(
        kHead + "workers = 2\nwork = 1\nstartup = 0.1\nrisk = \"trace(file=" + name + ", format=durations)\"\n",
        (folder_ / "campaign.toml").string());
  }

  std::string refused(const std::string& content) {
    try {
      with_trace(content);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }

  std::filesystem::path folder_;
};

TEST_F(TraceCampaign, FindsTheTraceBesideTheCampaignAndKnowsItByItsContents) {
  const Campaign one = with_trace("1\n2\n4\n", "one.durations");
  const Campaign same = with_trace("1\n2\n4\n", "same.durations");
  const Campaign other = with_trace("1\n2\n5\n", "other.durations");

  EXPECT_EQ(one.configurations[0].identity, same.configurations[0].identity);
  EXPECT_NE(one.configurations[0].identity, other.configurations[0].identity);
  EXPECT_EQ(one.risks->checksums().size(), 1u);
}

TEST_F(TraceCampaign, SaysWhichLineOfATraceIsWrong) {
  EXPECT_THAT(refused("1\n2\nx\n"), HasSubstr("lab.durations:3"));
  EXPECT_THAT(refused("1\n-2\n"), HasSubstr("lab.durations:2"));
  EXPECT_THAT(refused(""), HasSubstr("lab.durations"));
}

TEST_F(TraceCampaign, RefusesATraceThatIsNotThere) {
  try {
    parse_campaign(kHead + "workers = 2\nwork = 1\nstartup = 0.1\nrisk = \"trace(file=gone, format=durations)\"\n",
                   (folder_ / "campaign.toml").string());
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("gone"));
  }
}

}  // namespace
}  // namespace coterie::sim
