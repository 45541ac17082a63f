#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/risk.hpp"
#include "core/text.hpp"
#include "sim/command_line/options.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/platform_laws.hpp"
#include "sim/input/risks.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/models/background_jobs.hpp"
#include "sim/sampling/background.hpp"
#include "traces/readers/formats.hpp"

namespace coterie::sim {
namespace {

/// One thing of a registry, as the table and the JSON show it.
nlohmann::ordered_json entry(const std::string& name, const std::string& summary,
                             const std::vector<Parameter>& parameters, const std::string& source) {
  nlohmann::ordered_json json = {{"name", name}, {"summary", summary}};
  if (!source.empty()) json["source"] = source;
  json["parameters"] = nlohmann::ordered_json::array();
  for (const Parameter& parameter : parameters)
    json["parameters"].push_back({{"name", parameter.name},
                                  {"unit", parameter.unit},
                                  {"default", parameter.default_value},
                                  {"range", parameter.range},
                                  {"meaning", parameter.meaning}});
  return json;
}

nlohmann::ordered_json list_models(const Catalogue& catalogue) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Model* model : catalogue.models()) {
    std::vector<Parameter> axes;
    for (const Axis& axis : model->axes())
      axes.push_back({axis.name, axis.unit, axis.default_value, axis.range, axis.long_name});
    list.push_back(entry(model->name(), model->summary(), axes, model->source()));
  }
  return list;
}

nlohmann::ordered_json list_strategies(const Catalogue& catalogue) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Model* model : catalogue.models())
    for (const StrategyText& strategy : model->strategies()) {
      list.push_back(entry(strategy.name, strategy.summary, strategy.parameters, strategy.source));
      list.back()["model"] = model->name();
    }
  return list;
}

nlohmann::ordered_json list_risks(const Catalogue& catalogue) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const RiskKind& kind : catalogue.risks())
    list.push_back(entry(kind.name, kind.summary, kind.parameters, kind.source));
  for (const CompositeRisk& kind : composite_risks())
    list.push_back(entry(kind.name, kind.summary, kind.parameters, kind.source));
  return list;
}

/// A registry of laws of background jobs.
template <class Kind>
nlohmann::ordered_json list_laws(const std::vector<Kind>& kinds) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Kind& kind : kinds) list.push_back(entry(kind.name, kind.summary, kind.parameters, kind.source));
  return list;
}

nlohmann::ordered_json list_backgrounds(const Catalogue&) { return list_laws(background_kinds()); }
nlohmann::ordered_json list_job_laws(const Catalogue&) { return list_laws(job_laws()); }

nlohmann::ordered_json list_platform_laws(const Catalogue&) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PlatformLawKind& kind : platform_laws())
    list.push_back(entry(kind.name, kind.summary, kind.parameters, ""));
  return list;
}

nlohmann::ordered_json list_formats(const Catalogue&) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const traces::TraceFormat& format : traces::trace_formats()) {
    std::vector<Parameter> options;
    for (const Parameter& option : traces::ReadingOptions::parameters())
      if (std::find(format.options.begin(), format.options.end(), option.name) != format.options.end())
        options.push_back(option);
    list.push_back(entry(format.name, format.summary, options, ""));
    list.back()["options"] = format.options;
  }
  return list;
}

struct Listing {
  const char* name;
  nlohmann::ordered_json (*make)(const Catalogue& catalogue);
};

const std::vector<Listing>& listings() {
  static const std::vector<Listing> table = {
      {"models", list_models},           {"strategies", list_strategies},       {"risks", list_risks},
      {"backgrounds", list_backgrounds}, {"platform-laws", list_platform_laws}, {"job-laws", list_job_laws},
      {"formats", list_formats}};
  return table;
}

void print_table(const nlohmann::ordered_json& list) {
  for (const auto& row : list) {
    std::cout << fmt::format("{:20} {}", row["name"].get<std::string>(), row["summary"].get<std::string>());
    if (row.contains("source")) std::cout << fmt::format(" [{}]", row["source"].get<std::string>());
    std::cout << '\n';
    for (const auto& parameter : row["parameters"]) {
      const auto field = [&](const char* key) { return parameter[key].get<std::string>(); };
      std::string facts = field("default").empty() ? "required" : "default " + field("default");
      if (!field("range").empty()) facts += "; " + field("range");
      if (!field("unit").empty() && field("unit") != "1") facts += "; in " + field("unit");
      std::cout << fmt::format("    {:14} {} ({})\n", field("name"), field("meaning"), facts);
    }
  }
}

}  // namespace

int list_verb(const Call& call) {
  namespace po = boost::program_options;
  std::vector<std::string> names;
  std::string usage;
  for (const Listing& listing : listings()) {
    names.push_back(listing.name);
    if (!usage.empty()) usage += '|';
    usage += listing.name;
  }
  Options options(fmt::format("list {} [--format table|json]", usage),
                  "What a campaign may name: from the registries.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  options.positional("what to list (" + usage + ")", 1, 1);
  options.propose("format", {"table", "json"});
  options.propose("", names);
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  for (const Listing& listing : listings()) {
    if (options.words().front() != listing.name) continue;
    const nlohmann::ordered_json list = listing.make(call.catalogue);
    if (format == "json") {
      std::cout << json_text(list) << '\n';
    } else {
      print_table(list);
    }
    return 0;
  }
  throw InputError(fmt::format("cannot list \"{}\"{}; there are {}", options.words().front(),
                               suggestion(options.words().front(), names), quoted_list(names)));
}

}  // namespace coterie::sim
