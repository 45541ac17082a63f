#include <fmt/format.h>

#include <filesystem>
#include <iostream>

#include "core/text.hpp"
#include "sim/campaign.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

void add_overrides(Options& options) {
  options.add()("seed", po::value<std::string>(), "seed in place of the campaign's")(
      "instances", po::value<std::string>(), "instances per configuration in place of the campaign's")(
      "set", po::value<std::vector<std::string>>()->composing(), "KEY=VALUE in place of what the campaign says");
}

CampaignOverrides overrides_of(const Options& options) {
  CampaignOverrides overrides;
  if (options.has("seed")) overrides.seed = static_cast<std::uint64_t>(options.integer("seed", 0));
  if (options.has("instances")) overrides.instances = static_cast<std::uint64_t>(options.integer("instances", 1));
  overrides.settings = options.texts("set");
  return overrides;
}

std::string joined(const std::vector<std::string>& arguments) {
  std::string line = "coterie run";
  for (const std::string& argument : arguments) line += " " + argument;
  return line;
}

}  // namespace

int run_verb(const std::vector<std::string>& arguments) {
  Options options("run CAMPAIGN.toml [--output FILE.h5] [--threads N] [--seed S] [--instances N] [--set KEY=VALUE]...",
                  "Runs a campaign and writes a result file; without --output it is named after the campaign.");
  options.add()("output", po::value<std::string>(), "result file")("threads", po::value<std::string>(),
                                                                   "number of threads (default: all cores)")(
      "force", po::bool_switch(), "replace an existing result file")("quiet", po::bool_switch(), "print errors only");
  add_overrides(options);
  options.positional("CAMPAIGN.toml", 1, 1);
  if (!options.parse(arguments)) return 0;
  const std::string path = options.words().front();
  const int threads = options.has("threads") ? static_cast<int>(std::min(options.integer("threads", 1), 4096LL)) : 0;
  const Campaign campaign = read_campaign(path, overrides_of(options));
  const std::string output = options.text("output", std::filesystem::path(path).stem().string() + ".h5");
  const bool quiet = options.flag("quiet");
  if (!quiet)
    for (const std::string& note : campaign.risks->notes()) std::cerr << note << '\n';
  ResultStore store(output, campaign, joined(arguments),
                    options.flag("force") ? ResultStore::IfExists::kReplace : ResultStore::IfExists::kRefuse);
  Progress progress(campaign.configurations.size(), campaign.total_instances(),
                    quiet ? Progress::Style::kQuiet : Progress::Style::kAutomatic);
  run_campaign(campaign, store, threads, progress);
  store.finish();
  if (!quiet)
    std::cerr << fmt::format("{}: {} configurations x {} strategies x {} instances\n", output,
                             campaign.configurations.size(), campaign.strategies.size(), campaign.instances);
  return 0;
}

int validate_verb(const std::vector<std::string>& arguments) {
  Options options("validate CAMPAIGN.toml [--set KEY=VALUE]... [--format table|json]",
                  "Checks every key of a campaign and prints the resolved grid and its size. Runs nothing.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  add_overrides(options);
  options.positional("CAMPAIGN.toml", 1, 1);
  if (!options.parse(arguments)) return 0;
  const std::string format = options.choice("format", {"table", "json"});
  const Campaign campaign = read_campaign(options.words().front(), overrides_of(options));
  const nlohmann::ordered_json resolved = campaign.resolved();
  if (format == "json") {
    std::cout << resolved.dump(2) << '\n';
    return 0;
  }
  for (const auto& [key, value] : resolved.items())
    if (key != "grid")
      std::cout << fmt::format("{:22} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
  for (const auto& [key, value] : resolved["grid"].items()) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i == 12 && value.size() > 14) {
        text += fmt::format(" ... {} (", value.back().is_string() ? value.back().get<std::string>()
                                                                  : to_text(value.back().get<double>()));
        text += fmt::format("{} values)", value.size());
        break;
      }
      text +=
          (i > 0 ? ", " : "") + (value[i].is_string() ? value[i].get<std::string>() : to_text(value[i].get<double>()));
    }
    std::cout << fmt::format("  {:20} {}\n", key, text);
  }
  for (const std::string& note : campaign.risks->notes()) std::cerr << note << '\n';
  const double megabytes = static_cast<double>(campaign.total_instances() * (campaign.strategies.size() + 1)) * 8e-6;
  std::cout << fmt::format("{:22} {} instances, {:.3g} MB of results\n", "size", campaign.total_instances(), megabytes);
  return 0;
}

}  // namespace coterie::sim
