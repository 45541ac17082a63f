#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/risk.hpp"
#include "core/table.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/json_text.hpp"
#include "sim/input/platform_laws.hpp"
#include "sim/input/risks.hpp"
#include "sim/model_interface/model.hpp"
#include "sim/models/background_jobs.hpp"
#include "sim/sampling/background.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"
#include "traces/readers/formats.hpp"

namespace coterie::sim {
namespace {

/// One entry of a registry, as the table and the JSON show it.
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

/// All rows of a registry.
template <class Row>
nlohmann::ordered_json entries(const std::vector<Row>& rows) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Row& row : rows) {
    std::string source;
    if constexpr (requires { row.source; }) source = row.source;
    list.push_back(entry(row.name, row.summary, row.parameters, source));
  }
  return list;
}

/// Which rows are asked for.
struct Choice {
  const Catalogue& catalogue;
  std::vector<const Model*> models;
};

nlohmann::ordered_json list_models(const Choice& choice) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Model* model : choice.models) {
    std::vector<Parameter> axes;
    for (const Axis& axis : model->axes())
      axes.push_back({axis.name, axis.unit, axis.default_value, axis.range, axis.long_name});
    list.push_back(entry(model->name(), model->words().summary, axes, model->words().source));
    list.back()["ceilings"] = nlohmann::ordered_json::array();
    for (const Ceiling& ceiling : model->words().ceilings)
      list.back()["ceilings"].push_back({{"name", ceiling.name}, {"summary", ceiling.summary}});
  }
  return list;
}

nlohmann::ordered_json list_strategies(const Choice& choice) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Model* model : choice.models)
    for (nlohmann::ordered_json& row : entries(model->strategies())) {
      row["model"] = model->name();
      list.push_back(std::move(row));
    }
  return list;
}

nlohmann::ordered_json list_risks(const Choice& choice) {
  nlohmann::ordered_json list = entries(choice.catalogue.risks());
  for (nlohmann::ordered_json& row : entries(composite_risks())) list.push_back(std::move(row));
  return list;
}

nlohmann::ordered_json list_backgrounds(const Choice&) { return entries(background_kinds()); }
nlohmann::ordered_json list_job_laws(const Choice&) { return entries(job_laws()); }
nlohmann::ordered_json list_platform_laws(const Choice&) { return entries(platform_laws()); }

nlohmann::ordered_json list_formats(const Choice&) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const traces::TraceFormat& format : traces::trace_formats()) {
    std::vector<Parameter> options;
    for (const Parameter& option : traces::ReadingOptions::parameters()) {
      if (std::find(format.options.begin(), format.options.end(), option.name) == format.options.end()) continue;
      options.push_back(option);
      if (const auto own = format.defaults.find(option.name); own != format.defaults.end())
        options.back().default_value = own->second;
    }
    list.push_back(entry(format.name, format.summary, options, ""));
    list.back()["options"] = format.options;
  }
  return list;
}

struct Listing {
  const char* name;
  bool by_model;  ///< --model selects only its rows; otherwise all or none
  nlohmann::ordered_json (*make)(const Choice& choice);
};

const std::vector<Listing>& listings() {
  static const std::vector<Listing> table = {{"models", true, list_models},
                                             {"strategies", true, list_strategies},
                                             {"risks", false, list_risks},
                                             {"backgrounds", false, list_backgrounds},
                                             {"platform-laws", false, list_platform_laws},
                                             {"job-laws", false, list_job_laws},
                                             {"formats", false, list_formats}};
  return table;
}

/// Whether an axis of the model names this list in its range.
bool takes(const Model& model, const std::string& listing) {
  const std::vector<Axis> axes = model.axes();
  return std::any_of(axes.begin(), axes.end(),
                     [&](const Axis& axis) { return axis.range.ends_with("see coterie list " + listing); });
}

/// Rows of a model are printed under its name.
void print_list(const nlohmann::ordered_json& list) {
  std::string model;
  for (const auto& row : list) {
    if (const std::string of = row.value("model", ""); of != model) {
      std::cout << Painted{Look::kHeading, fmt::format("{}{}:\n", model.empty() ? "" : "\n", of)};
      model = of;
    }
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
    if (!row.contains("ceilings")) continue;
    for (const auto& ceiling : row["ceilings"])
      std::cout << fmt::format("    {:14} {} (proven; in results)\n", ceiling["name"].get<std::string>(),
                               ceiling["summary"].get<std::string>());
  }
}

}  // namespace

int list_verb(const Call& call) {
  namespace po = boost::program_options;
  const std::vector<std::string> names = names_in(listings());
  const std::string usage = fmt::format("{}", fmt::join(names, "|"));
  Options options(fmt::format("list {} [--model NAME] [--format table|json]", usage),
                  "Lists what a campaign may name.");
  options.add()("model", po::value<std::string>(), "only this model, its strategies, or what its axes take")(
      "format", po::value<std::string>(), "table (default) or json");
  options.positional("what to list (" + usage + ")", 1, 1);
  options.propose("format", {"table", "json"});
  options.propose("model", names_in(call.catalogue.models()));
  options.propose("", names);
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const Listing& listing = find_row(listings(), options.words().front(), "list");
  Choice choice{call.catalogue, call.catalogue.models()};
  if (options.has("model")) {
    const Model& model = call.catalogue.model(options.text("model"));
    if (!listing.by_model && !takes(model, listing.name))
      throw InputError(fmt::format("--model {0}: none of its axes takes {1} (see coterie list models --model {0})",
                                   model.name(), listing.name));
    choice.models = {&model};
  }
  const nlohmann::ordered_json list = listing.make(choice);
  if (format == "json") {
    std::cout << json_text(list) << '\n';
  } else {
    print_list(list);
  }
  return 0;
}

}  // namespace coterie::sim
