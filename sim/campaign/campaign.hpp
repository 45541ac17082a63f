#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/campaign/catalogue.hpp"
#include "sim/input/risks.hpp"
#include "sim/input/toml_document.hpp"
#include "sim/model_interface/model.hpp"

namespace coterie::sim {

/// What the command line sets above the campaign file.
struct CampaignOverrides {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> instances;      ///< in place of precision, too
  std::vector<std::string> settings;           ///< KEY=VALUE, the value in TOML or a bare word; axes by their name
  std::optional<double> precision;             ///< in place of instances, too
  std::optional<std::uint64_t> max_instances;  ///< with precision
};

/// What results keep of instances.
enum class Output {
  kRatios,     ///< each ratio
  kStatistics  ///< moments and histograms of them
};

/// The length of a block of instances. Work is dealt out in blocks, a campaign with `precision` ends with one, and
/// statistics are put together of whole ones; no result hangs on it otherwise.
constexpr std::uint64_t kBlockInstances = 250;

/// A campaign, read, checked and expanded: what is run.
struct Campaign {
  std::string title;
  const Catalogue* catalogue = &Catalogue::own();  ///< in which its names were looked up
  const Model* model = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t instances = 0;      ///< per configuration; with `precision`, at most
  std::optional<double> precision;  ///< half-width of the 95 % interval of every mean ratio
  bool common_random_numbers = false;
  Sampling sampling = Sampling::kRandom;
  VarianceReduction variance_reduction = VarianceReduction::kNone;
  std::vector<std::string> strategies;
  std::optional<std::string> baseline;
  Output output = Output::kRatios;
  int deflate = 0;                 ///< of ratios
  std::vector<std::string> swept;  ///< axes with more than one value
  std::vector<Configuration> configurations;
  std::string text;  ///< the file as it was, for the result
  std::string path;
  std::vector<std::string> settings;  ///< what --set changed, as given
  std::shared_ptr<RiskLibrary> risks;
  std::shared_ptr<ScheduleLibrary> schedules;

  /// With `precision`, at most.
  std::uint64_t total_instances() const { return instances * configurations.size(); }
  /// Everything that decides the numbers, as JSON for the result file and `validate`.
  nlohmann::ordered_json resolved() const;
};

/// Reads and checks a campaign file. Throws InputError with the place of what is wrong, RuntimeError where the file
/// cannot be read. The catalogue must outlive the campaign.
Campaign read_campaign(const std::string& path, const CampaignOverrides& overrides = {},
                       const Catalogue& catalogue = Catalogue::own());
/// The same from text, as stored in a result; `path` stands for the file, in messages and for relative paths.
Campaign parse_campaign(const std::string& text, const std::string& path, const CampaignOverrides& overrides = {},
                        const Catalogue& catalogue = Catalogue::own());

}  // namespace coterie::sim
