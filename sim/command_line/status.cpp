#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <utility>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/output_path.hpp"
#include "sim/input/json_text.hpp"
#include "sim/results/segments.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

constexpr int kIncomplete = 3;

struct Status {
  Provenance provenance;
  std::uint64_t done = 0;      ///< instances, over the configurations
  std::uint64_t total = 0;     ///< of the shard, if it is one; with `precision`, as far as is known by now
  std::size_t parts = 0;       ///< files
  std::uint64_t short_of = 0;  ///< configurations at max_instances that do not reach the precision
  bool sealed = true;
};

/// The status of the campaign that was run last: the one of the parts, if there are any.
Status status_of(const std::string& path, const Catalogue& catalogue, bool verified) {
  const Hdf5File::Mode mode = verified ? Hdf5File::Mode::kVerify : Hdf5File::Mode::kRead;
  const PartFolder folder(followed(path));
  const std::optional<PartManifest> parts = folder.manifest();
  std::optional<ResultFile> result;
  if (std::filesystem::exists(path) && (!parts || parts->extends_result)) {
    result.emplace(path, catalogue, mode);
  } else if (!parts) {
    throw RuntimeError(
        folder.parts().empty()
            ? path + ": does not exist, and neither do parts of it"
            : fmt::format("{}: does not exist, and {} has no manifest.json that says of what its parts are", path,
                          folder.path()));
  } else if (verified && std::filesystem::exists(path)) {
    Hdf5File(path, mode);  // which will be replaced
  }
  const Provenance asked = parts ? parts->provenance : result->provenance();
  const bool complete = result && !parts && asked.shard.whole() && result->complete();
  const std::vector<std::uint64_t> ran = complete ? result->instances_done() : std::vector<std::uint64_t>();
  const Campaign campaign = asked.located(path).parse(catalogue);
  Segments segments(campaign, asked.shard);
  const bool sealed = !result || result->file().sealed();
  if (result) {
    result->tell(warn);
    segments.add(*std::move(result));
  }
  // Parts without a manifest are from a run that was stopped while it removed them.
  if (parts) segments.add_parts(folder, mode);
  Status status{asked, 0, 0, parts ? folder.parts().size() : 0, 0, sealed};
  const std::vector<MissingRows> missing = segments.missing();
  if (!campaign.precision) {
    status.done = status.total = segments.wanted();
    for (const MissingRows& rows : missing) status.done -= rows.instances;
    return status;
  }
  const ResultExtent extent = segments.extent();
  status.short_of = extent.short_of;
  // Whichever build ended the runs, and by whichever rule.
  status.done = status.total = std::accumulate(ran.begin(), ran.end(), std::uint64_t{0});
  if (status.total > 0) return status;
  status.done = std::accumulate(extent.done.begin(), extent.done.end(), std::uint64_t{0});
  status.total = segments.unfinished() == 0 ? status.done : std::max(segments.wanted(), status.done + 1);
  return status;
}

/// The same of a campaign that may be running: asked again where its parts came or went meanwhile.
Status steady_status_of(const std::string& path, const Catalogue& catalogue, bool verified) {
  const auto parts_are_of = [&] {
    const auto parts = PartFolder(followed(path)).manifest();
    return parts ? parts->provenance.text() : std::string();
  };
  for (std::string before = parts_are_of();;) {
    std::optional<Status> status;
    std::exception_ptr problem;
    try {
      status = status_of(path, catalogue, verified);
    } catch (const RuntimeError&) {
      problem = std::current_exception();
    }
    std::string after = parts_are_of();
    if (after == before && problem) std::rethrow_exception(problem);
    if (after == before) return *std::move(status);
    before = std::move(after);
  }
}

}  // namespace

int status_verb(const Call& call) {
  Options options(
      "status FILE.h5 [--verify] [--format table|json]",
      "Shows how much of a result is done, even while it is being computed. Exit code 0: complete; 3: incomplete, or "
      "only a shard.");
  options.add()("verify", po::bool_switch(), "read every value and check the checksums")(
      "format", po::value<std::string>(), "table (default) or json");
  options.positional("FILE.h5", 1, 1);
  options.propose("format", {"table", "json"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const std::string path = options.words().front();
  const Status status = steady_status_of(path, call.catalogue, options.flag("verify"));
  const bool finished = is_finished(path, PartFolder(followed(path)).manifest());
  const Shard& shard = status.provenance.shard;
  const bool complete = finished && status.done == status.total && shard.whole();
  const auto resolved = status.provenance.resolved_json(path);
  nlohmann::ordered_json answer = {
      {"file", path},
      {"title", resolved.at("title")},
      {"complete", complete},
      {"shard", shard.whole() ? nlohmann::ordered_json() : nlohmann::ordered_json(shard.text())},
      {"configurations", resolved.at("configurations")},
      {"strategies", resolved.at("strategies")},
      {"instances", status.provenance.instances},
      {"instances_done", status.done},
      {"instances_total", status.total},
      {"parts", status.parts},
      {"sealed", status.sealed}};
  if (status.provenance.precision) {
    answer["precision"] = *status.provenance.precision;
    answer["configurations_short_of_precision"] = status.short_of;
  }
  if (format == "json") {
    std::cout << json_text(answer) << '\n';
  } else {
    const double percent =
        status.total == 0 ? 100 : 100 * static_cast<double>(status.done) / static_cast<double>(status.total);
    std::cout << fmt::format(
        "{}: {}\n{} of {} done ({:.1f} %){}{}{}\n", printable(path),
        complete                                  ? "complete"
        : finished && status.done == status.total ? "a finished shard; see coterie merge"
                                                  : "incomplete; continue with coterie run ... --resume",
        status.done, counted(status.total, "instance"), std::floor(percent * 10) / 10,
        shard.whole() ? "" : ", shard " + shard.text(),
        status.parts == 0 ? "" : ", " + counted(status.parts, "part file"), status.sealed ? "" : ", not sealed");
  }
  return complete ? 0 : kIncomplete;
}

}  // namespace coterie::sim
