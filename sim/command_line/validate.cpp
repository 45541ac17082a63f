#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/engine/parallel.hpp"
#include "sim/files/file_kind.hpp"
#include "sim/input/json_text.hpp"
#include "sim/results/result_file.hpp"
#include "sim/results/result_format.hpp"
#include "sim/run/time_estimate.hpp"
#include "sim/terminal/campaign_overrides.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {

namespace po = boost::program_options;

int validate_verb(const Call& call) {
  Options options(
      "validate CAMPAIGN.toml [--set KEY=VALUE]... [--format table|json]",
      "Checks every key of a campaign and prints the resolved grid, its size, and the time that it will take, measured "
      "on a part of it. Writes nothing.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  options.propose("format", {"table", "json"});
  add_overrides(options, call.catalogue);
  options.positional("CAMPAIGN.toml", 1, 1);
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  if (const std::string& path = options.words().front(); looks_like_result(path)) {
    const ResultFile result(path, call.catalogue);  // says what is broken
    throw InputError(path +
                     ": is a result, not a campaign; coterie show prints what is in it, coterie run runs it again");
  }
  const Campaign campaign = read_campaign(options.words().front(), overrides_of(options), call.catalogue);
  const nlohmann::ordered_json resolved = campaign.resolved();
  if (format == "json") {
    std::cout << json_text(resolved) << '\n';
    return 0;
  }
  for (const auto& [key, value] : resolved.items())
    if (key != "grid")
      std::cout << fmt::format("{:22} {}\n", key,
                               value.is_string() ? printable(value.get<std::string>()) : value.dump());
  for (const auto& [key, value] : resolved["grid"].items()) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i == 12 && value.size() > 14) {
        text += fmt::format(" ... {} (", value.back().is_string() ? printable(value.back().get<std::string>())
                                                                  : to_text(value.back().get<double>()));
        text += fmt::format("{} values)", value.size());
        break;
      }
      text += (i > 0 ? ", " : "") +
              (value[i].is_string() ? printable(value[i].get<std::string>()) : to_text(value[i].get<double>()));
    }
    std::cout << fmt::format("  {:20} {}\n", key, text);
  }
  for (const std::string& note : campaign.notes()) std::cerr << painted_note(printable(note, "\n")) << '\n';
  const double megabytes = 1e-6 * size_of_instances(campaign, campaign.total_instances());
  std::cout << fmt::format("{:22} {}{}, {}\n", "size", campaign.precision ? "at most " : "",
                           counted(campaign.total_instances(), "instance"),
                           campaign.output == Output::kStatistics ? "only statistics are kept"
                                                                  : fmt::format("{:.3g} MB of results", megabytes));
  std::cout << fmt::format("{:22} {}\n", "time", time_text(campaign, missing_rows(campaign, {}, {}), thread_count(0)));
  return 0;
}

}  // namespace coterie::sim
