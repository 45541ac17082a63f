#include "sim/terminal/campaign_overrides.hpp"

#include "sim/terminal/known_names.hpp"

namespace coterie::sim {

namespace po = boost::program_options;

void add_overrides(Options& options, const Catalogue& catalogue) {
  options.add()("seed", po::value<std::string>(), "use this seed instead of the campaign's")(
      "instances", po::value<std::string>(), "instances per configuration instead of the campaign's")(
      "precision", po::value<std::string>(),
      "run until the 95 % interval of every mean ratio extends at most this far to each side")(
      "max-instances", po::value<std::string>(),
      "with a precision: run at most this many instances of a configuration")(
      "set", po::value<std::vector<std::string>>()->composing(),
      "KEY=VALUE: use this instead of what the campaign says");
  std::vector<std::string> keys = {"title=", "baseline=", "strategies="};
  for (const std::string& axis : axis_names(catalogue)) keys.push_back(axis + "=");
  options.propose("set", keys);
}

CampaignOverrides overrides_of(const Options& options) {
  CampaignOverrides overrides;
  if (options.has("seed")) overrides.seed = static_cast<std::uint64_t>(options.integer("seed", 0));
  if (options.has("instances")) overrides.instances = static_cast<std::uint64_t>(options.integer("instances", 1));
  if (options.has("precision")) overrides.precision = options.number("precision");
  if (options.has("max-instances"))
    overrides.max_instances = static_cast<std::uint64_t>(options.integer("max-instances", 1));
  overrides.settings = options.texts("set");
  return overrides;
}

}  // namespace coterie::sim
