#include "sim/campaign/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/infinity.hpp"
#include "core/table.hpp"
#include "heuristics/worksharing/no_replication.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/campaign/provenance.hpp"
#include "sim/campaign/version.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/platform_laws.hpp"
#include "sim/models/background_jobs.hpp"
#include "sim/sampling/background.hpp"
#include "sim/solve/problems.hpp"
#include "traces/readers/formats.hpp"

namespace coterie::sim {
namespace {

using heuristics::alone;
using heuristics::no_replication_plan;

/// Nobody is interrupted.
class NoRisk final : public Risk {
 public:
  double probability(double) const override { return 0; }
  double quantile(double) const override { return kInfinity; }
  std::string text() const override { return "never"; }
};

Extension extension(const std::string& strategy, const std::string& risk) {
  Extension mine;
  mine.program = "mine";
  mine.version = "2";
  mine.strategies.push_back({strategy, "as no-replication", "mine", alone<no_replication_plan>});
  RiskKind kind;
  kind.name = risk;
  kind.summary = "no interruption";
  kind.make = [](const Expression&) -> RiskPtr { return std::make_shared<NoRisk>(); };
  mine.risks.push_back(kind);
  return mine;
}

constexpr const char* kCampaign =
    "instances = 1\nstrategies = [\"plain\"]\n"
    "[grid]\nworkers = 2\nwork = 1\nchunks = 4\nstartup = 0\nrisk = \"never\"\n";

TEST(Catalogue, KnowsTheRowsOfAnExtensionBehindItsOwn) {
  const Catalogue catalogue(extension("plain", "never"));

  EXPECT_EQ(catalogue.strategies().size(), heuristics::worksharing_strategies().size() + 1);
  EXPECT_EQ(catalogue.strategies().back().name, "plain");
  EXPECT_EQ(catalogue.model("worksharing").strategies()[catalogue.strategies().size() - 1].name, "plain");
  EXPECT_EQ(catalogue.risks().back().name, "never");
  EXPECT_THROW(Catalogue::own().strategy("plain"), InputError);
}

TEST(Catalogue, CampaignsNameWhatTheirCatalogueHasAndNothingElse) {
  const Catalogue catalogue(extension("plain", "never"));

  const Campaign campaign = parse_campaign(kCampaign, "c.toml", {}, catalogue);
  const TrialRequest request{campaign.configurations[0], 1, campaign.strategies, *campaign.risks};

  EXPECT_EQ(campaign.model->prepare(request)->facts()[0].expected, 1);
  EXPECT_THROW(parse_campaign(kCampaign, "c.toml"), InputError);
}

TEST(Catalogue, ResultsOfAnotherVersionAreNotTakenOver) {
  const Catalogue catalogue(extension("plain", "never"));
  Extension changed = extension("plain", "never");
  changed.version = "3";
  const Catalogue later(changed);
  const Campaign now = parse_campaign(kCampaign, "c.toml", {}, later);

  const Provenance stored = Provenance::of(parse_campaign(kCampaign, "c.toml", {}, catalogue), {});

  EXPECT_EQ(stored.coterie_version, version() + ", mine 2");
  EXPECT_THAT(differences(stored, now, {}), testing::ElementsAre(testing::HasSubstr("mine 2, now")));
  EXPECT_THAT(differences(stored, stored.parse(catalogue), {}), testing::IsEmpty());
  EXPECT_EQ(Catalogue::own().version(), version());
}

TEST(Catalogue, RefusesNamesThatAreThereOrCannotBeWritten) {
  for (const char* strategy : {"greedy", "file", "omniscient", "", "Plain", "two words"})
    EXPECT_THROW(Catalogue{extension(strategy, "never")}, InputError) << strategy;
  for (const char* risk : {"linear", "trace", "mix", "same", "none", "capacity", "f(x)"})
    EXPECT_THROW(Catalogue{extension("plain", risk)}, InputError) << risk;
  Extension twice = extension("plain", "never");
  twice.strategies.push_back(twice.strategies.front());
  EXPECT_THROW(Catalogue{twice}, InputError);
}

TEST(Catalogue, NoTableNamesARowTwice) {
  const auto once = [](std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    return !names.empty() && std::adjacent_find(names.begin(), names.end()) == names.end();
  };
  EXPECT_TRUE(once(names_in(platform_laws())));
  EXPECT_TRUE(once(names_in(background_kinds())));
  EXPECT_TRUE(once(names_in(job_laws())));
  EXPECT_TRUE(once(names_in(traces::trace_formats())));
  EXPECT_TRUE(once(names_in(solvable_problems())));
  EXPECT_TRUE(once(names_in(verbs())));
  std::vector<std::string> risks = names_in(parametric_risks());
  for (const CompositeRisk& kind : composite_risks()) risks.push_back(kind.name);
  EXPECT_TRUE(once(risks));
}

TEST(Catalogue, AnExtensionSaysItsProgramAndVersion) {
  Extension nameless = extension("plain", "never");
  nameless.program = "coterie";
  EXPECT_THROW(Catalogue{nameless}, InputError);
  Extension versionless = extension("plain", "never");
  versionless.version = "";
  EXPECT_THROW(Catalogue{versionless}, InputError);
}

}  // namespace
}  // namespace coterie::sim
