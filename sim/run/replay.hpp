#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/campaign/campaign.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/results/result_file.hpp"

namespace coterie::sim {

/// One configuration of a result, whose instances are run again, alone, and compared with what the file holds.
class Replay {
 public:
  /// Throws RuntimeError where an input file of the campaign changed. `result` must outlive it.
  Replay(const ResultFile& result, std::size_t configuration);

  /// What happened in the instance, as `Trial::replay` tells it, with the values of the configuration's axes. Throws
  /// InputError where it was not run, RuntimeError where the file holds something else.
  nlohmann::ordered_json operator()(std::uint64_t instance) const;

 private:
  bool was_run(std::uint64_t instance) const;
  void require_stored(const std::string& what, double stored, double again) const;

  const ResultFile& result_;
  std::size_t configuration_;
  Campaign campaign_;
  TrialRequest request_;
  std::unique_ptr<const Trial> trial_;
};

}  // namespace coterie::sim
