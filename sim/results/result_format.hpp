#pragma once

#include <hdf5.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/engine/rows.hpp"
#include "sim/model_interface/metric.hpp"
#include "sim/statistics/statistics.hpp"

namespace coterie::sim {

// How results lie in their files.

inline const std::vector<std::int64_t> kFormat = {1, 0};
inline constexpr const char* kExpectedRatio = "expected_ratio";
inline constexpr const char* kExpectedRatioError = "expected_ratio_error";

/// `chunks` is what a strategy chose; this is the name of what the campaign asked for.
std::string dataset_name(const Axis& axis);

/// Data stored by configuration and instance.
struct InstanceColumn {
  const char* name;
  std::string (*unit)(const Metric&);
  std::string (*long_name)(const Metric&);
  bool by_strategy;  ///< a row for each strategy
  std::vector<double> ResultSlice::*values;
  bool (*stored)(const Campaign&) = nullptr;  ///< null: always
};

/// What is known about one strategy in one configuration.
struct Outcome {
  const Summary& summary;
  const StrategyFacts& facts;
  const BoundedNumber& exact;  ///< mean; NaN if unknown
};

/// Data stored by configuration and strategy.
struct ResultColumn {
  const char* name;
  const char* unit;  ///< null: that of the model's metric
  const char* long_name;
  double (*value)(const Outcome&);
  bool (*stored)(const Campaign&) = nullptr;  ///< null: always
};

/// The data of both kinds in the results of a campaign, in the order in which they are written.
std::vector<InstanceColumn> instance_columns(const Campaign& campaign);
std::vector<ResultColumn> result_columns(const Campaign& campaign);

/// The size in bytes of what a result keeps of so many instances, before compression; statistics do not count.
double size_of_instances(const Campaign& campaign, std::uint64_t instances);

/// The shape of a dataset in a result; `ratio` is the shape of the ratios.
std::vector<hsize_t> shape_of(const std::string& name, const std::vector<hsize_t>& ratio);

/// Data on pairs of strategies in results with statistics: configuration x strategy x other.
struct PairColumn {
  const char* name;
  const char* long_name;
  double (*value)(const MeanEstimate& difference);
};
const std::vector<PairColumn>& pair_columns();
inline constexpr const char* kReferenceMean = "reference_mean";

/// The names along the dimension of series: those of TotalSeries.
std::vector<std::string> series_names(const Campaign& campaign);

/// The shape of a dataset in a result with statistics; `nodes` as in the file.
std::vector<hsize_t> statistics_shape_of(const std::string& name, const std::vector<hsize_t>& ratio, hsize_t nodes);

}  // namespace coterie::sim
