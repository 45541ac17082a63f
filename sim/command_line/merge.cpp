#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/files/lock.hpp"
#include "sim/files/output_path.hpp"
#include "sim/results/segments.hpp"
#include "sim/terminal/call_text.hpp"
#include "sim/terminal/extent_text.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

ResultFile shard_in(const std::string& path, const Catalogue& catalogue) {
  const std::string file = followed(path);
  if (const auto parts = PartFolder(file).manifest(); parts && !is_finished(file, parts))
    throw RuntimeError(path + ": this shard is not finished; continue it with coterie run ... --resume");
  ResultFile shard(path, catalogue);
  shard.tell(warn);
  return shard;
}

/// Throws InputError unless the files are all shards of one campaign, each once.
void check_shards(const std::vector<ResultFile>& shards, const Campaign& campaign) {
  std::map<std::uint64_t, std::string> seen;
  std::uint64_t count = 0;
  for (const ResultFile& file : shards) {
    const std::string& path = file.path();
    const Provenance provenance = file.provenance().located(path);
    const Shard& shard = provenance.shard;
    if (shard.whole()) throw InputError(path + ": is a whole result, not a shard");
    if (count == 0) count = shard.count;
    std::vector<std::string> reasons;
    if (shard.count != count) reasons.push_back(fmt::format("it is one of {} shards, not of {}", shard.count, count));
    if (reasons.empty()) reasons = differences(provenance, campaign, shard);
    if (!reasons.empty())
      throw InputError(
          fmt::format("{}: is not a shard of the same campaign as {}:{}", path, shards[0].path(), as_list(reasons)));
    const auto [entry, fresh] = seen.emplace(shard.index, path);
    if (!fresh) throw InputError(fmt::format("{}: is shard {}, and so is {}", path, shard.text(), entry->second));
  }
  std::vector<std::string> missing;
  constexpr std::size_t kMostNamed = 10;
  for (std::uint64_t index = 1; index <= count && missing.size() < kMostNamed; ++index)
    if (!seen.contains(index)) missing.push_back(Shard{index, count}.text());
  const std::uint64_t more = count - seen.size() - missing.size();
  if (!missing.empty())
    throw InputError(fmt::format("missing: {} {}{}", missing.size() == 1 ? "shard" : "shards", fmt::join(missing, ", "),
                                 more == 0 ? "" : fmt::format(" and {} more", more)));
}

/// Raises the limit of open files where the system allows it: all shards stay open until the end.
void allow_open_files(std::size_t files) {
  constexpr rlim_t kOthers = 64;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= files + kOthers) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, files + kOthers);
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

int merge_verb(const Call& call) {
  Options options(
      "merge PART.h5... --output FILE.h5",
      "Joins the result files of all shards of a campaign. Every dataset is the same as in an unsharded run.");
  options.add()("output", po::value<std::string>()->required(), "result file")(
      "force", po::bool_switch(), "at the end replace an existing result file, and remove unfinished results");
  options.positional("PART.h5", 1, -1);
  options.file("output", {".h5"});
  if (!options.parse(call)) return 0;
  const std::string output = output_target(options.output("output", kResultFile));
  const RunNote note{call_text(call, "merge")};
  const std::vector<std::string>& paths = options.words();
  protect_inputs(output, paths);
  allow_open_files(paths.size());
  std::vector<ResultFile> shards;
  for (const std::string& path : paths) shards.push_back(shard_in(path, call.catalogue));
  const Campaign campaign = shards[0].provenance().located(paths[0]).parse(call.catalogue);
  check_shards(shards, campaign);
  protect_inputs(output, Provenance::of(campaign, {}).trace_paths());
  const OutputLock lock(output);
  if (std::filesystem::exists(output) && !options.flag("force"))
    throw InputError(output + ": exists already; give --force to replace it, or another --output");
  const PartFolder unfinished(output);
  if (!options.flag("force") && unfinished.manifest())
    throw InputError(unfinished.path() +
                     ": holds unfinished results; give --force to remove them, or name another --output");
  Segments segments(campaign, {});
  for (ResultFile& shard : shards) segments.add(std::move(shard));
  if (!segments.missing().empty()) throw RuntimeError("the shards do not hold all instances: are they damaged?");
  segments.assemble(output, note, 0);
  unfinished.remove();
  std::cerr << fmt::format("{}: {}, {}\n", output, counted(paths.size(), "shard"),
                           extent_text(campaign, segments.extent()));
  return 0;
}

}  // namespace coterie::sim
