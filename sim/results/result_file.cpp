#include "sim/results/result_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/printable.hpp"
#include "sim/results/result_format.hpp"
#include "sim/results/totals_tables.hpp"
#include "sim/statistics/precision.hpp"

namespace coterie::sim {

ResultFile::ResultFile(const std::string& path, const Catalogue& catalogue, Hdf5File::Mode mode)
    : path_(path), catalogue_(&catalogue), file_(path, mode) {
  if (!file_.has_attribute("filetype") || file_.text_attribute("filetype") != "coterie-result")
    throw RuntimeError(path + ": is not a coterie result");
  if (const auto version = file_.integers_attribute("format_version"); version != kFormat)
    throw RuntimeError(
        fmt::format("{}: has result format {}, but this program reads {} only: use the program that "
                    "wrote it, or run its campaign again",
                    path, fmt::join(version, "."), fmt::join(kFormat, ".")));
  statistics_ = file_.has_attribute("output");
  strategies_ = file_.read_texts("strategy");
  if (statistics_) {
    shape_ = file_.shape("mean");
    shape_.push_back(static_cast<hsize_t>(file_.integers_attribute("instances").at(0)));
  } else {
    shape_ = file_.shape("ratio");
  }
  if (shape_.size() != 3 || shape_[1] != strategies_.size())
    throw RuntimeError(path + ": is damaged: ratio is not configuration x strategy x instance");
  const std::vector<hsize_t> nodes = statistics_ ? file_.shape(kNodes) : std::vector<hsize_t>{0};
  for (const std::string& name : file_.datasets()) {
    const std::vector<hsize_t> wanted =
        statistics_ ? statistics_shape_of(name, shape_, nodes.at(0)) : shape_of(name, shape_);
    if (const auto shape = file_.shape(name); shape != wanted)
      throw RuntimeError(fmt::format("{}: is damaged: dataset \"{}\" is {}, not {}", path, echoed(name),
                                     fmt::join(shape, " x "), fmt::join(wanted, " x ")));
  }
}

void ResultFile::tell(const std::function<void(const std::string&)>& warn) const {
  if (!file_.sealed() && warn)
    warn(path_ +
         ": is no longer sealed: another program opened it for writing, or cut it off; only HDF5's own checksums "
         "guard it now");
}

Campaign ResultFile::campaign(const std::string& beside) const {
  Provenance found = provenance().located(path_);
  if (!beside.empty()) found = found.located(beside);
  Campaign made = found.parse(*catalogue_);
  if (made.configurations.size() != configurations() || made.strategies != strategies_)
    throw RuntimeError(path_ + ": is damaged: its shape does not match its campaign");
  return made;
}

bool ResultFile::complete() const {
  return file_.has_attribute("complete") && file_.integers_attribute("complete") == std::vector<std::int64_t>{1};
}

Provenance ResultFile::provenance() const {
  Provenance read;
  Provenance::for_each_text(read, [&](const char* name, auto& value) {
    if constexpr (std::is_same_v<decltype(value), std::string&>) {
      value = file_.text_attribute(name);
    } else {
      value = file_.texts_attribute(name);
      std::erase(value, "");  // an empty list is stored as one empty text
    }
  });
  read.seed = static_cast<std::uint64_t>(file_.integers_attribute("seed").front());
  read.instances = instances();
  if (file_.has_attribute("precision")) {
    read.precision = file_.double_attribute("precision");
    read.instances = static_cast<std::uint64_t>(file_.integers_attribute("max_instances").at(0));
  }
  if (file_.has_attribute("shard")) read.shard = Shard::parse(file_.text_attribute("shard"));
  if (!file_.sealed()) {  // its texts have no checksums
    try {
      read.located(path_).parse(*catalogue_);
    } catch (const InputError& error) {
      throw RuntimeError(fmt::format("{}: its campaign cannot be read: {}", path_, error.what()));
    }
  }
  return read;
}

std::vector<std::uint64_t> ResultFile::instances_done() const {
  std::vector<std::uint64_t> done;
  for (const double count : file_.read_doubles("instances_done")) {
    if (!(count >= 0 && count <= static_cast<double>(instances())))
      throw RuntimeError(path_ + ": is damaged: instances_done is out of bounds");
    done.push_back(static_cast<std::uint64_t>(count));
  }
  return done;
}

std::vector<double> ResultFile::ratios(std::size_t configuration, std::size_t strategy) const {
  return file_.read_doubles("ratio", {configuration, strategy, 0}, {1, 1, instances()});
}

}  // namespace coterie::sim
