#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/campaign/campaign.hpp"
#include "sim/campaign/provenance.hpp"
#include "sim/files/hdf5_file.hpp"

namespace coterie::sim {

/// An existing result, read.
class ResultFile {
 public:
  /// Throws RuntimeError for a file that is not a result of coterie, or has a newer major format. The names in its
  /// campaign are looked up in the catalogue, which must outlive this.
  explicit ResultFile(const std::string& path, const Catalogue& catalogue = Catalogue::own(),
                      Hdf5File::Mode mode = Hdf5File::Mode::kRead);

  const Hdf5File& file() const { return file_; }
  const std::string& path() const { return path_; }
  const Catalogue& catalogue() const { return *catalogue_; }
  /// Calls `warn`, if it is given, with what a user should know of the file.
  void tell(const std::function<void(const std::string&)>& warn) const;
  const std::vector<std::string>& strategies() const { return strategies_; }
  std::size_t configurations() const { return shape_[0]; }
  std::size_t instances() const { return shape_[2]; }
  /// Whether it keeps statistics instead of single ratios.
  bool statistics() const { return statistics_; }
  bool complete() const;
  /// The number of instances that were run, by configuration.
  std::vector<std::uint64_t> instances_done() const;
  Provenance provenance() const;
  /// The campaign again, with the overrides it was run with.
  Campaign campaign(const std::string& beside = {}) const;
  /// Not for statistics.
  std::vector<double> ratios(std::size_t configuration, std::size_t strategy) const;

 private:
  std::string path_;
  const Catalogue* catalogue_;
  Hdf5File file_;
  std::vector<std::string> strategies_;
  std::vector<hsize_t> shape_;
  bool statistics_ = false;
};

}  // namespace coterie::sim
