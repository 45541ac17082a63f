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

/// Settings of the command line that override the campaign file.
struct CampaignOverrides {
  std::optional<std::uint64_t> seed;
  std::optional<std::uint64_t> instances;      ///< also replaces a precision
  std::vector<std::string> settings;           ///< KEY=VALUE, the value in TOML or a bare word; axes by their name
  std::optional<double> precision;             ///< also replaces a number of instances
  std::optional<std::uint64_t> max_instances;  ///< needs a precision
  bool are_stored = false;                     ///< the settings are those of a result, accepted when it was made
};

/// What results keep of single instances.
enum class Output {
  kRatios,     ///< each ratio
  kStatistics  ///< moments and histograms of them
};

/// The length of a block of instances. Work is handed out in blocks, a campaign with `precision` stops at the end of a
/// block, and statistics are made of whole blocks; otherwise no result depends on it.
constexpr std::uint64_t kBlockInstances = 250;

/// A campaign, read, checked and expanded.
struct Campaign {
  std::string title;
  const Catalogue* catalogue = &Catalogue::own();  ///< where its names were looked up
  const Model* model = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t instances = 0;      ///< per configuration; with `precision`, the maximum
  std::optional<double> precision;  ///< half-width of the 95 % interval of every mean ratio
  bool common_random_numbers = false;
  bool exact_means = false;  ///< variance_reduction = "exact": known means (Model::expected_ratios) are computed
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

  /// With `precision`, the maximum.
  std::uint64_t total_instances() const { return instances * configurations.size(); }
  /// The question about one of its configurations.
  TrialRequest request(std::size_t configuration) const;
  /// Everything that determines the numbers, as JSON for the result file and `validate`.
  nlohmann::ordered_json resolved() const;
  /// What users should know about its traces and schedules.
  std::vector<std::string> notes() const;
};

/// Reads and checks a campaign file. Throws InputError with the place of the error, RuntimeError if the file
/// cannot be read. The catalogue must outlive the campaign.
Campaign read_campaign(const std::string& path, const CampaignOverrides& overrides = {},
                       const Catalogue& catalogue = Catalogue::own());
/// The same from text, as stored in a result; `path` stands for the file, in messages and for relative paths.
Campaign parse_campaign(const std::string& text, const std::string& path, const CampaignOverrides& overrides = {},
                        const Catalogue& catalogue = Catalogue::own());

}  // namespace coterie::sim
