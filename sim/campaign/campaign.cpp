#include "sim/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <unordered_map>

#include "core/cancellation.hpp"
#include "core/expression.hpp"
#include "core/printable.hpp"
#include "core/stream.hpp"
#include "core/table.hpp"
#include "core/text.hpp"
#include "sim/campaign/grid.hpp"
#include "sim/model_interface/schedule_library.hpp"

namespace coterie::sim {
namespace {

constexpr std::int64_t kMostInstances = 1'000'000'000;
constexpr std::int64_t kMostCounted = 100'000'000'000;  // if no instances are kept
constexpr std::int64_t kMaxInstances = 1'000'000;       // of a campaign with a precision and no cap

std::uint64_t checked_instances(const char* key, std::int64_t instances, const Place& place,
                                std::int64_t most = kMostInstances) {
  if (instances < 1 || instances > most)
    throw InputError(place, fmt::format("{} must be from 1 to {}, not {}", key, most, instances));
  return static_cast<std::uint64_t>(instances);
}

/// `instances`, or `precision` and `max_instances`; the command line may put one in place of the other.
void read_instances(TomlTable& file, const CampaignOverrides& overrides, Campaign& campaign) {
  if (overrides.instances && (overrides.precision || overrides.max_instances))
    throw InputError(
        "--instances sets a fixed number, --precision and --max-instances let the ratios decide: use one or the other");
  const bool overridden = overrides.instances || overrides.precision;
  if (file.has("precision") && file.has("instances") && !overridden)
    file.fail("precision", "and \"instances\" exclude each other: give only one of them");
  const std::int64_t instances =
      file.has("instances") || !(overridden || file.has("precision")) ? file.integer("instances") : 1;
  const double precision = file.has("precision") ? file.number("precision") : 1;
  if (!(precision > 0) || precision > 1) file.fail("precision", "must be above 0 and at most 1");
  const std::int64_t most = file.integer("max_instances", kMaxInstances);
  const std::uint64_t checked_most = checked_instances("max_instances", most, file.place("max_instances"));
  const std::int64_t most_here = campaign.output == Output::kStatistics ? kMostCounted : kMostInstances;
  const std::uint64_t checked =
      checked_instances("instances", instances, file.place("instances"), overridden ? kMostCounted : most_here);
  if (overrides.precision && !(*overrides.precision > 0 && *overrides.precision <= 1))
    throw InputError(fmt::format("--precision must be above 0 and at most 1, not {}", *overrides.precision));
  if (overrides.precision || (file.has("precision") && !overrides.instances)) {
    campaign.precision = overrides.precision.value_or(precision);
    campaign.instances =
        overrides.max_instances
            ? checked_instances("max_instances", static_cast<std::int64_t>(*overrides.max_instances), {})
            : checked_most;
    return;
  }
  if (overrides.max_instances) throw InputError("--max-instances needs a precision, but the campaign has none");
  if (file.has("max_instances") && !file.has("precision"))
    file.fail("max_instances", "needs \"precision\", but there is none");
  campaign.instances =
      overrides.instances
          ? checked_instances("instances", static_cast<std::int64_t>(*overrides.instances), {}, most_here)
          : checked;
}

/// A strategy that is named with arguments, name(key=value, ...), with those in the order of its row; nothing for
/// others.
std::optional<std::string> with_arguments(const std::string& text, const std::vector<StrategyText>& known,
                                          const Place& place) {
  const std::string name = expression_name(text);
  const auto row = std::find_if(known.begin(), known.end(), [&](const StrategyText& one) { return one.name == name; });
  if (row == known.end() || name == text || row->parameters.empty()) return std::nullopt;
  const Expression expression = Expression::parse(text, place);
  expression.allow_only(names_of(row->parameters));
  std::string arguments;
  for (const Parameter& parameter : row->parameters)
    if (expression.has(parameter.name))
      arguments +=
          fmt::format("{}{}={}", arguments.empty() ? "" : ", ", parameter.name, expression.word(parameter.name));
  return fmt::format("{}({})", name, arguments);
}

std::vector<std::string> read_strategies(TomlTable& file, const Model& model) {
  const std::vector<StrategyText> known = model.strategies();
  std::vector<std::string> names = file.texts("strategies");
  if (names.empty()) file.fail("strategies", "is an empty list: there is nothing to run");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool has_arguments =
        ScheduleLibrary::file_in(names[i]) &&
        std::any_of(known.begin(), known.end(), [](const auto& one) { return ScheduleLibrary::is_file(one.name); });
    const auto named = has_arguments ? std::nullopt : with_arguments(names[i], known, file.place("strategies"));
    if (named) names[i] = *named;
    const std::string row = named                                ? expression_name(names[i])
                            : !has_arguments                     ? names[i]
                            : ScheduleLibrary::is_file(names[i]) ? "file"
                                                                 : "skip(file)";
    if (names[i] == model.reference())
      file.fail("strategies",
                fmt::format("must not name \"{}\": it is the reference and is always included", names[i]));
    if (const std::string why = model.why_no_strategy(row); !why.empty()) file.fail("strategies", why);
    find_row(known, row, "strategy", file.place("strategies"));
    if (has_arguments) names[i] = ScheduleLibrary::canonical(names[i], file.place("strategies"));
    if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
        names.begin() + static_cast<std::ptrdiff_t>(i))
      file.fail("strategies", fmt::format("names \"{}\" twice", names[i]));
  }
  return names;
}

/// A [grid] (and [[case]]) expanded, checked and given identities.
std::vector<Configuration> read_configurations(TomlTable& file, const Model& model) {
  std::vector<Configuration> configurations;
  if (file.has("grid")) {
    TomlTable grid = file.table("grid");
    configurations = expand_grid(grid, model);
  }
  for (TomlTable& table : file.tables("case")) configurations.push_back(read_case(table, model));
  if (!configurations.empty()) return configurations;
  for (const std::string& key : file.keys())
    if (const std::string meant = suggestion(key, {"grid", "case"}); !meant.empty())
      throw InputError(file.place(key), fmt::format("unknown key \"{}\"{}", echoed(key), meant));
  throw InputError(Place{file.place().file}, "there is nothing to run: give a [grid] or at least one [[case]]");
}

/// One of some words, each of which stands for something: the first one where there is none.
template <class Choice>
Choice read_choice(TomlTable& file, const char* key, const std::vector<std::pair<std::string, Choice>>& choices) {
  const std::string word = file.text(key, choices.front().first);
  std::vector<std::string> known;
  for (const auto& choice : choices) {
    if (choice.first == word) return choice.second;
    known.push_back(choice.first);
  }
  std::string list;
  for (std::size_t i = 0; i < known.size(); ++i)
    list += fmt::format("{}\"{}\"", i == 0 ? "" : i + 1 < known.size() ? ", " : " or ", known[i]);
  file.fail(key, fmt::format("must be {}, not \"{}\"{}", list, word, suggestion(word, known)));
}

bool read_exact_means(TomlTable& file) {
  if (file.has("sampling"))
    file.fail("sampling",
              "was removed: instances are always drawn at random; variance_reduction = \"exact\" computes "
              "the means that are known");
  if (file.text("variance_reduction", "none") == "control")
    file.fail("variance_reduction",
              "= \"control\" was removed: write \"exact\", which computes the means that are "
              "known and leaves the others plain");
  return read_choice<bool>(file, "variance_reduction", {{"none", false}, {"exact", true}});
}

/// `output = "statistics"` or "ratios", or the table [output] of how ratios are stored.
void read_output(TomlTable& file, Campaign& campaign) {
  if (!file.has("output")) return;
  const TomlValue::Kind kind = file.value("output").kind;
  if (kind == TomlValue::Kind::kTable) {
    TomlTable output = file.table("output");
    const std::int64_t deflate = output.integer("deflate", 0);
    if (deflate < 0 || deflate > 9) output.fail("deflate", "must be from 0 to 9");
    campaign.deflate = static_cast<int>(deflate);
    return;
  }
  if (kind != TomlValue::Kind::kText)
    file.fail("output", "must be \"ratios\" or \"statistics\", or a table such as {deflate = 4}");
  campaign.output =
      read_choice<Output>(file, "output", {{"ratios", Output::kRatios}, {"statistics", Output::kStatistics}});
}

/// Throws where statistics cannot be all that is kept.
void check_output(const TomlTable& file, const Campaign& campaign) {
  if (campaign.output == Output::kRatios) return;
  const auto refuse = [&](const std::string& why) { file.fail("output", "= \"statistics\" " + why); };
  if (campaign.precision) refuse("needs a fixed number of instances: a run with a precision needs its single ratios");
  if (campaign.model->words().measures)
    refuse(
        fmt::format("is for models that measure only ratios; {} also measures makespans and more, "
                    "which only \"ratios\" keeps",
                    campaign.model->name()));
}

/// Throws at the key that a configuration cannot have.
void check_exact_means(const TomlTable& file, const Campaign& campaign) {
  if (!campaign.exact_means) return;
  for (const Configuration& configuration : campaign.configurations)
    if (const auto why = campaign.model->why_not_exact(configuration))
      file.fail("variance_reduction", "= \"exact\" " + *why);
}

/// Axes with more than one value over the campaign.
std::vector<std::string> swept_axes(const std::vector<Configuration>& configurations, const Model& model) {
  std::vector<std::string> swept;
  for (const Axis& axis : model.axes()) {
    const AxisValue& first = configurations.front().values.at(axis.name);
    const auto differs = [&](const Configuration& other) {
      const AxisValue& value = other.values.at(axis.name);
      return &value != &first && value.canonical != first.canonical;
    };
    if (std::any_of(configurations.begin(), configurations.end(), differs)) swept.push_back(axis.name);
  }
  return swept;
}

/// Where the second of two equal configurations was written.
Place place_of_twin(const Configuration& first, const Configuration& second, const std::string& path) {
  for (const auto& value : second.values) {
    const Place& other = first.place(value->axis);
    if (std::tie(value->place.line, value->place.column) != std::tie(other.line, other.column)) return value->place;
  }
  return Place{path};
}

/// The identity is the hash of "model=...;axis=value;..." over the axes, in the order of their names, that differ from
/// their default; so an axis added later with a default moves nobody. Common random numbers leave out what is swept,
/// and no instance hangs on axes that draw nothing.
void give_identities(Campaign& campaign) {
  std::unordered_map<std::string, const Configuration*> seen;
  const std::string begin = "model=" + campaign.model->name();
  const std::string begin_of_identity = "model=" + campaign.model->instances_of();
  for (Configuration& configuration : campaign.configurations) {
    cancellation_point();
    std::string whole = begin;
    std::string identity = begin_of_identity;
    for (const auto& value : configuration.values) {
      const Axis& axis = *campaign.model->axis(value->axis);
      if (value->canonical == axis.default_value) continue;
      const std::string part = ";" + value->axis + "=" + value->canonical;
      whole += part;
      const bool swept = std::find(campaign.swept.begin(), campaign.swept.end(), value->axis) != campaign.swept.end();
      if (axis.draws && (!campaign.common_random_numbers || !swept)) identity += part;
    }
    configuration.identity = identity_hash(identity);
    configuration.key = fmt::format("{} {:016x}", whole, configuration.identity);
    configuration.canonical = std::move(identity);
    if (const auto [twin, fresh] = seen.emplace(std::move(whole), &configuration); !fresh)
      throw InputError(place_of_twin(*twin->second, configuration, campaign.path),
                       fmt::format("a configuration occurs twice in the campaign: {}", echoed(twin->first)));
  }
}

/// --set KEY=VALUE: "grid.startup" or, for a name that is no key of the campaign itself, "startup" for short.
void apply_settings(TomlTable& file, const CampaignOverrides& overrides) {
  const std::vector<std::string> own = {"title",     "model",
                                        "seed",      "instances",
                                        "precision", "max_instances",
                                        "baseline",  "strategies",
                                        "output",    "common_random_numbers",
                                        "sampling",  "variance_reduction"};
  for (const std::string& setting : overrides.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) throw InputError(fmt::format("--set {}: write KEY=VALUE", setting));
    std::string key(trimmed(std::string_view(setting).substr(0, equals)));
    const std::string value(trimmed(std::string_view(setting).substr(equals + 1)));
    const Place place{"--set " + setting};
    if (std::find(own.begin(), own.end(), key) != own.end()) {
      file.set(key, value, place, overrides.are_stored);
      continue;
    }
    if (key.starts_with("grid.")) key = key.substr(5);
    if (!file.has("grid")) throw InputError(place, fmt::format("the campaign has no [grid] to set \"{}\" in", key));
    if (file.has("case") && !overrides.are_stored)
      throw InputError(place, fmt::format("{} has [[case]] besides [grid], and this would set \"{}\" in [grid] "
                                          "alone; change the file",
                                          file.place().file, key));
    file.table("grid").set(key, value, place, overrides.are_stored);
  }
}

}  // namespace

TrialRequest Campaign::request(std::size_t configuration) const {
  return {configurations[configuration], seed, strategies, *risks, schedules.get()};
}

nlohmann::ordered_json Campaign::resolved() const {
  nlohmann::ordered_json json;
  json["title"] = title;
  json["model"] = model->name();
  json["seed"] = seed;
  if (precision) {
    json["precision"] = *precision;
    json["max_instances"] = instances;
  } else {
    json["instances"] = instances;
  }
  json["common_random_numbers"] = common_random_numbers;
  json["variance_reduction"] = exact_means ? "exact" : "none";
  if (output == Output::kStatistics) json["output"] = "statistics";
  json["strategies"] = strategies;
  if (baseline) json["baseline"] = *baseline;
  json["configurations"] = configurations.size();
  for (const Axis& axis : model->axes()) {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    std::set<std::string_view> seen;
    const AxisValue* last = nullptr;  // the same again, mostly
    for (const Configuration& configuration : configurations) {
      const AxisValue& value = configuration.values.at(axis.name);
      if (&value == last) continue;
      last = &value;
      if (seen.insert(value.text).second) values.push_back(axis_json(axis, value));
    }
    json["grid"][axis.name] = values;
  }
  return json;
}

std::vector<std::string> Campaign::notes() const {
  std::vector<std::string> lines = risks->notes();
  for (std::string& line : schedules->notes()) lines.push_back(std::move(line));
  return lines;
}

Campaign parse_campaign(const std::string& text, const std::string& path, const CampaignOverrides& overrides,
                        const Catalogue& catalogue) {
  TomlTable file = TomlTable::parse(text, path);
  apply_settings(file, overrides);
  Campaign campaign;
  campaign.text = text;
  campaign.settings = overrides.settings;
  campaign.path = path;
  campaign.title = file.text("title", "");
  campaign.catalogue = &catalogue;
  campaign.model = &catalogue.model(file.text("model", "worksharing"), file.place("model"));
  const std::int64_t seed = file.integer("seed", 0);
  if (seed < 0) file.fail("seed", "must not be negative");
  campaign.seed = overrides.seed.value_or(static_cast<std::uint64_t>(seed));
  read_output(file, campaign);
  read_instances(file, overrides, campaign);
  campaign.common_random_numbers = file.boolean("common_random_numbers", false);
  campaign.exact_means = read_exact_means(file);
  check_output(file, campaign);
  campaign.strategies = read_strategies(file, *campaign.model);
  if (file.has("baseline")) {
    campaign.baseline = ScheduleLibrary::canonical(file.text("baseline"), file.place("baseline"));
    if (std::find(campaign.strategies.begin(), campaign.strategies.end(), *campaign.baseline) ==
        campaign.strategies.end())
      file.fail("baseline", fmt::format("must be one of the strategies, {}", quoted_list(campaign.strategies)));
  }
  campaign.configurations = read_configurations(file, *campaign.model);
  file.finish();
  campaign.risks = std::make_shared<RiskLibrary>(file.directory(), catalogue.risks());
  campaign.schedules = std::make_shared<ScheduleLibrary>(file.directory());
  for (const std::string& strategy : campaign.strategies)
    if (const auto brought = ScheduleLibrary::file_in(strategy))
      campaign.schedules->get(*brought, file.place("strategies"));
  for (Configuration& configuration : campaign.configurations) {
    cancellation_point();
    campaign.model->validate(configuration, *campaign.risks);
  }
  check_exact_means(file, campaign);
  campaign.swept = swept_axes(campaign.configurations, *campaign.model);
  give_identities(campaign);
  for (std::size_t i = 0; i < campaign.configurations.size(); ++i) {
    cancellation_point();
    campaign.model->accept(campaign.request(i));
  }
  return campaign;
}

Campaign read_campaign(const std::string& path, const CampaignOverrides& overrides, const Catalogue& catalogue) {
  return parse_campaign(read_text_file(path), path, overrides, catalogue);
}

}  // namespace coterie::sim
