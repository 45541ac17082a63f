#include "sim/command_line/run_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "core/printable.hpp"
#include "sim/run/time_estimate.hpp"

namespace coterie::sim {
namespace {

/// As a shell reads it again.
std::string quoted(const std::string& word) {
  if (!word.empty() &&
      word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./:,+@%") ==
          std::string::npos)
    return word;
  if (printable(word) != word) {  // $'...' says it in letters
    std::string text;
    for (const char c : word)
      text += c >= ' ' && c < 0x7F && c != '\'' && c != '\\' ? std::string(1, c)
                                                             : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    return "$'" + text + "'";
  }
  std::string text = "'";
  for (const char c : word) c == '\'' ? text.append("'\\''") : text.append(1, c);
  return text + "'";
}

}  // namespace

std::string joined(const Call& call) {
  std::string line = call.catalogue.program() + " run";
  for (const std::string& argument : call.arguments) line.append(" ").append(quoted(argument));
  return line;
}

std::string command_to_go_on(Call call) {
  std::erase(call.arguments, "--force");
  std::erase(call.arguments, "--resume");
  call.arguments.push_back("--resume");
  return joined(call);
}

std::uint64_t instances_of(const std::vector<MissingRows>& gaps) {
  std::uint64_t sum = 0;
  for (const MissingRows& gap : gaps) sum += gap.instances;
  return sum;
}

std::string summary_of(const std::string& output, const Campaign& campaign, const Shard& shard,
                       const ResultExtent& extent) {
  const auto configurations = campaign.configurations.size();
  std::string text = fmt::format("{}: {} configurations x {} strategies x {} instances{}", output, configurations,
                                 campaign.strategies.size(), extent.instances,
                                 shard.whole() ? "" : ", of which shard " + shard.text());
  if (!campaign.precision) return text;
  std::uint64_t least = extent.instances;
  for (const std::uint64_t done : extent.done)
    if (done > 0) least = std::min(least, done);
  text += fmt::format(" at most and {} at least, to be precise to {}", least, *campaign.precision);
  if (extent.short_of > 0)
    text +=
        fmt::format("; {} configurations are not yet, after max_instances = {}", extent.short_of, campaign.instances);
  return text;
}

std::string worth_of(const ResultFile& result) {
  std::string text;
  const std::vector<double> worth = result.worth();
  for (std::size_t s = 0; s < worth.size(); ++s)
    text += fmt::format("{}{:.3g} ({})", s == 0 ? "each instance is worth " : ", ", worth[s], result.strategies()[s]);
  return text.empty() ? text : text + " independent ones with plain means\n";
}

void check_room(const Campaign& campaign, const Shard& shard, const std::string& output, bool quiet) {
  if (campaign.precision) return;  // nobody knows yet
  std::uint64_t instances = 0;
  for (const std::uint64_t done : ResultExtent::fixed(campaign, shard).done) instances += done;
  // The reference is one more, and the capacity where it is a control.
  const std::size_t columns =
      campaign.strategies.size() + (campaign.variance_reduction == VarianceReduction::kControl ? 2 : 1);
  const double gigabytes = 8e-9 * static_cast<double>(instances) * static_cast<double>(columns);
  if (gigabytes < 0.1) return;
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::absolute(output).parent_path();
  const double free = 1e-9 * static_cast<double>(std::filesystem::space(folder, unknown).available);
  if (!unknown && free < gigabytes && campaign.deflate == 0)
    throw RuntimeError(
        fmt::format("{}: {} instances x {} strategies are {:.3g} GB of results, and {:.3g} GB are free in {}; ask for "
                    "fewer, name another --output, or spread them with --shard",
                    output, instances, campaign.strategies.size(), gigabytes, free, folder.string()));
  if (!quiet)
    std::cerr << fmt::format(
        "{}: about {:.3g} GB of results, and as much in {}.parts until the end; {:.3g} GB are free\n", output,
        gigabytes, output, free);
}

void tell_time(const Campaign& campaign, const std::vector<MissingRows>& tasks, int threads) {
  constexpr std::size_t kFewTasks = 20;
  constexpr std::uint64_t kFewValues = 2'000'000;
  std::uint64_t values = 0;
  for (const MissingRows& task : tasks) values += task.instances * (task.strategies.size() + 1);
  if (tasks.size() >= kFewTasks || values >= kFewValues) std::cerr << time_text(campaign, tasks, threads) << '\n';
}

}  // namespace coterie::sim
