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

/// One configuration of a result, whose instances can be run again singly and are compared with the file.
class Replay {
 public:
  /// Throws RuntimeError if an input file of the campaign changed. `result` must outlive it.
  Replay(const ResultFile& result, std::size_t configuration);

  /// What happened in the instance, as `Trial::replay` reports it, with the values of the configuration's axes. Throws
  /// InputError if it was not run, RuntimeError if the file holds another result.
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
