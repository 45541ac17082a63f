#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/models/saving.hpp"

namespace coterie::sim {
namespace {

Configuration configuration(const std::string& risk) {
  Configuration one;
  one.values.set({"work", "0.7", "0.7", 0.7, {}});
  one.values.set({"risk", risk, risk, std::nan(""), {}});
  return one;
}

TEST(OwnModel, ReplaysWhatItRan) {
  constexpr std::size_t kInstances = 60;
  const Model& model = saving_model();
  const std::vector<std::string> strategies = {"ten-times", "never"};
  RiskLibrary risks(".");
  Configuration one = configuration("linear");
  model.validate(one, risks);
  const auto trial = model.prepare({one, 1, strategies, risks});
  std::vector<double> reference(kInstances);
  std::vector<double> ratio(strategies.size() * kInstances);
  trial->run({0, kInstances, reference.data(), ratio.data(), kInstances});

  std::set<double> of_never;
  for (std::size_t i = 0; i < kInstances; ++i) {
    const nlohmann::ordered_json replay = trial->replay(i);
    EXPECT_EQ(replay["reference"], reference[i]);
    for (std::size_t s = 0; s < strategies.size(); ++s) {
      EXPECT_EQ(replay["strategies"][s]["name"], strategies[s]);
      EXPECT_EQ(replay["strategies"][s]["ratio"], ratio[s * kInstances + i]);
    }
    of_never.insert(ratio[kInstances + i]);
  }
  EXPECT_EQ(of_never, (std::set<double>{0, 1}));  // but for one case in 10^9: 0.7^60
}

TEST(OwnModel, RefusesAWorkerThatIsNeverInterrupted) {
  Configuration never = configuration("none");
  RiskLibrary risks(".");
  EXPECT_THROW(saving_model().validate(never, risks), InputError);
}

}  // namespace
}  // namespace coterie::sim
