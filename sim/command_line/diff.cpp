#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/printable.hpp"
#include "core/text.hpp"
#include "sim/command_line/verbs.hpp"
#include "sim/input/json_text.hpp"
#include "sim/results/paired_difference.hpp"
#include "sim/results/result_averages.hpp"
#include "sim/results/row_reader.hpp"
#include "sim/terminal/options.hpp"
#include "sim/terminal/painted.hpp"

namespace coterie::sim {
namespace {

namespace po = boost::program_options;

/// What differs between two results besides their values: a name and both values.
struct Change {
  std::string name, before, after;
};

/// The leaves of a JSON object that differ, by their paths.
void compare(const std::string& path, const nlohmann::ordered_json& a, const nlohmann::ordered_json& b,
             std::vector<Change>& changes) {
  if (a == b) return;
  if (!a.is_object() || !b.is_object()) {
    const auto text = [](const nlohmann::ordered_json& value) { return value.is_null() ? "-" : value.dump(); };
    changes.push_back({path, text(a), text(b)});
    return;
  }
  nlohmann::ordered_json keys = a;
  keys.update(b);
  for (const auto& [key, value] : keys.items())
    compare(path.empty() ? key : path + "." + key, a.value(key, nlohmann::ordered_json()),
            b.value(key, nlohmann::ordered_json()), changes);
}

std::vector<Change> question_changes(const ResultFile& a, const ResultFile& b) {
  std::vector<Change> changes;
  compare("", a.provenance().resolved_json(a.path()), b.provenance().resolved_json(b.path()), changes);
  return changes;
}

std::vector<Change> program_changes(const Provenance& a, const Provenance& b) {
  const auto files = [](const Provenance& of) {
    std::string text;
    for (const std::string& line : of.trace_checksums) text += (text.empty() ? "" : ", ") + line;
    return text.empty() ? "-" : text;
  };
  std::vector<Change> changes = {{"version", a.coterie_version, b.coterie_version},
                                 {"revision", a.git_revision, b.git_revision},
                                 {"compiler", a.compiler, b.compiler},
                                 {"flags", a.flags, b.flags},
                                 {"libraries", a.libraries, b.libraries},
                                 {"files", files(a), files(b)}};
  std::erase_if(changes, [](const Change& change) { return change.before == change.after; });
  return changes;
}

using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// The configurations of both results that agree in every axis that varies in one of them.
Pairs common_configurations(const ResultFile& a, const ResultFile& b) {
  const std::vector<AxisColumn> of_a = axis_columns(a), of_b = axis_columns(b);
  const auto column = [](const std::vector<AxisColumn>& columns, const std::string& name) -> const AxisColumn* {
    for (const AxisColumn& one : columns)
      if (one.axis->name == name) return &one;
    return nullptr;
  };
  std::vector<std::pair<const AxisColumn*, const AxisColumn*>> varied;
  for (const AxisColumn& one : of_a) {
    const AxisColumn* other = column(of_b, one.axis->name);
    if (other && (one.texts.size() > 1 || other->texts.size() > 1)) varied.emplace_back(&one, other);
  }
  std::map<std::vector<std::string>, std::size_t> places;
  for (std::size_t c = 0; c < a.configurations(); ++c) {
    std::vector<std::string> key;
    for (const auto& [one, other] : varied) key.push_back(one->texts[one->code[c]]);
    places.emplace(std::move(key), c);
  }
  Pairs pairs;
  for (std::size_t c = 0; c < b.configurations(); ++c) {
    std::vector<std::string> key;
    for (const auto& [one, other] : varied) key.push_back(other->texts[other->code[c]]);
    if (const auto found = places.find(key); found != places.end()) pairs.emplace_back(found->second, c);
  }
  return pairs;
}

/// One strategy of both results, over their common configurations.
struct Comparison {
  std::string strategy;
  Average before, after, difference;
  std::uint64_t compared = 0, equal = 0;  ///< instances
  std::size_t plans = 0;                  ///< configurations whose exact expected metric differs beyond rounding,
  double most = 0;                        ///< and by how much of it at most
};

/// The ratios of one strategy in both files, instance by instance.
class RatioPairs {
 public:
  RatioPairs(const ResultFile& a, const ResultFile& b)
      : pieces_{InstancePieces(a), InstancePieces(b)},
        readers_{RowReader(a, "ratio", a.strategies().size()), RowReader(b, "ratio", b.strategies().size())} {}

  MeanEstimate difference(std::pair<std::size_t, std::size_t> configuration,
                          std::pair<std::size_t, std::size_t> strategy, Comparison& into) {
    PairedDifference difference(false);
    const std::size_t instances = std::min(pieces_[0].instances, pieces_[1].instances);
    for (std::size_t i = 0; i < instances;) {
      auto before = rest(0, configuration.first, i, strategy.first);
      auto after = rest(1, configuration.second, i, strategy.second);
      const std::size_t count = std::min({before.size(), after.size(), instances - i});
      before = before.first(count);
      after = after.first(count);
      for (std::size_t k = 0; k < count; ++k) {
        if (std::isnan(before[k]) || std::isnan(after[k])) continue;
        ++into.compared;
        into.equal += std::memcmp(&before[k], &after[k], sizeof(double)) == 0 ? 1 : 0;
      }
      difference.take(after, before);
      i += count;
    }
    return difference.estimate();
  }

 private:
  std::span<const double> rest(std::size_t side, std::size_t configuration, std::size_t instance,
                               std::size_t strategy) {
    const std::size_t step = pieces_[side].step;
    return readers_[side].row(configuration, instance / step, strategy).subspan(instance % step);
  }

  InstancePieces pieces_[2];
  RowReader readers_[2];
};

std::vector<Comparison> comparisons(const ResultFile& a, const ResultFile& b, const Pairs& pairs, bool paired) {
  const std::vector<MeanEstimate> means_a = mean_estimates(a), means_b = mean_estimates(b);
  const std::vector<double> expected_a = a.file().read_doubles("expected_work");
  const std::vector<double> expected_b = b.file().read_doubles("expected_work");
  const Errors errors = std::max(errors_of(a), errors_of(b));
  std::vector<Comparison> list;
  for (std::size_t s = 0; s < a.strategies().size(); ++s) {
    const auto found = std::find(b.strategies().begin(), b.strategies().end(), a.strategies()[s]);
    if (found == b.strategies().end()) continue;
    const auto t = static_cast<std::size_t>(found - b.strategies().begin());
    Comparison one{a.strategies()[s], Average(errors), Average(errors), Average(errors)};
    std::optional<RatioPairs> ratios;
    if (paired) ratios.emplace(a, b);
    for (const auto& [c, d] : pairs) {
      const std::size_t at = c * a.strategies().size() + s, other = d * b.strategies().size() + t;
      const MeanEstimate &before = means_a[at], &after = means_b[other];
      if (std::isnan(before.mean) || std::isnan(after.mean)) continue;  // not run
      one.before.add(before);
      one.after.add(after);
      const MeanEstimate apart = {after.mean - before.mean, std::hypot(before.standard_error, after.standard_error),
                                  std::min(before.freedom, after.freedom), before.bound + after.bound};
      const bool exact = before.is_exact() && after.is_exact();
      const MeanEstimate sampled = ratios ? ratios->difference({c, d}, {s, t}, one) : apart;
      one.difference.add(exact ? apart : sampled);
      const double change = std::abs(expected_b[other] - expected_a[at]) / std::abs(expected_a[at]);
      if (change > kRounding) {
        ++one.plans;
        one.most = std::max(one.most, change);
      }
    }
    list.push_back(std::move(one));
  }
  return list;
}

void print_changes(const char* heading, const std::vector<Change>& changes) {
  std::cout << Painted{Look::kHeading, fmt::format("{}\n", heading)};
  if (changes.empty()) std::cout << "  the same\n";
  for (const Change& change : changes)
    std::cout << fmt::format("  {}: {} -> {}\n", printable(change.name), printable(change.before),
                             printable(change.after));
}

void print_comparison(const Comparison& one, std::size_t width, bool paired) {
  std::cout << fmt::format("  {:{}} {:>8.3f} {:>8.3f}", one.strategy, width, 100 * one.before.mean(),
                           100 * one.after.mean());
  if (paired && one.compared > 0 && one.equal == one.compared) {
    std::cout << fmt::format("  all {} common values are equal", one.compared);
  } else {
    const double mean = 100 * one.difference.mean(), half_width = 100 * one.difference.half_width();
    std::cout << fmt::format("  {:>+9.4f}", mean);
    if (!std::isnan(half_width)) std::cout << fmt::format("  [{:+.4f}, {:+.4f}]", mean - half_width, mean + half_width);
    if (paired) std::cout << fmt::format("  {} of {} common values are equal", one.equal, one.compared);
  }
  if (one.plans > 0)
    std::cout << fmt::format("; expectation differs in {}, by at most {:.2g} %", counted(one.plans, "configuration"),
                             100 * one.most);
  std::cout << '\n';
}

nlohmann::ordered_json json_of(const std::vector<Change>& changes) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Change& change : changes)
    list.push_back({{"name", change.name}, {"before", change.before}, {"after", change.after}});
  return list;
}

nlohmann::ordered_json json_of(const Comparison& one, bool paired) {
  const double half_width = one.difference.half_width();
  nlohmann::ordered_json json = {{"strategy", one.strategy},
                                 {"configurations", one.difference.count()},
                                 {"before", one.before.mean()},
                                 {"after", one.after.mean()},
                                 {"difference", one.difference.mean()},
                                 {"difference_low", one.difference.mean() - half_width},
                                 {"difference_high", one.difference.mean() + half_width},
                                 {"expectations_changed", one.plans},
                                 {"expectation_change", one.most}};
  if (paired) {
    json["values"] = one.compared;
    json["equal_values"] = one.equal;
  }
  return json;
}

}  // namespace

int diff_verb(const Call& call) {
  Options options("diff A.h5 B.h5 [--format table|json]",
                  "Shows how the campaigns, the programs and the mean ratios of two results differ. Configurations are "
                  "compared that agree in every axis that varies. Differences (B - A) are paired instance by instance "
                  "where both results have the same seed and random numbers.");
  options.add()("format", po::value<std::string>(), "table (default) or json");
  options.positional("FILE.h5", 2, 2);
  options.propose("format", {"table", "json"});
  if (!options.parse(call)) return 0;
  const std::string format = options.choice("format");
  const ResultFile a(options.words()[0], call.catalogue), b(options.words()[1], call.catalogue);
  for (const ResultFile* file : {&a, &b}) file->tell(warn);
  const Pairs pairs = common_configurations(a, b);
  const auto identities_a = a.file().read_texts("identity"), identities_b = b.file().read_texts("identity");
  const bool paired = !a.statistics() && !b.statistics() && a.provenance().seed == b.provenance().seed &&
                      std::all_of(pairs.begin(), pairs.end(), [&](const auto& pair) {
                        return identities_a[pair.first] == identities_b[pair.second];
                      });
  const std::vector<Change> question = question_changes(a, b);
  const std::vector<Change> program = program_changes(a.provenance(), b.provenance());
  const std::vector<Comparison> results = comparisons(a, b, pairs, paired);
  if (format == "json") {
    nlohmann::ordered_json answer = {{"question", json_of(question)},
                                     {"program", json_of(program)},
                                     {"configurations", pairs.size()},
                                     {"configurations_only_before", a.configurations() - pairs.size()},
                                     {"configurations_only_after", b.configurations() - pairs.size()},
                                     {"paired", paired},
                                     {"strategies", nlohmann::ordered_json::array()}};
    for (const Comparison& one : results) answer["strategies"].push_back(json_of(one, paired));
    std::cout << json_text(answer) << '\n';
    return 0;
  }
  print_changes("campaign", question);
  print_changes("program", program);
  std::cout << Painted{Look::kHeading, "results\n"};
  std::cout << fmt::format(
      "  {} in both, {} only in {}, {} only in {}; {}\n", counted(pairs.size(), "configuration"),
      a.configurations() - pairs.size(), printable(a.path()), b.configurations() - pairs.size(), printable(b.path()),
      paired ? "instances are the same" : "instances are not the same, so differences are not paired");
  if (pairs.empty() || results.empty()) {
    std::cout << "  nothing can be compared: no configuration or no strategy is in both\n";
    return 0;
  }
  std::size_t width = 12;
  for (const Comparison& one : results) width = std::max(width, one.strategy.size());
  std::cout << fmt::format("  {:{}} {:>8} {:>8}  {:>9}  95 % interval, in points; mean ratios in per cent\n", "", width,
                           "A", "B", "B - A");
  for (const Comparison& one : results) print_comparison(one, width, paired);
  return 0;
}

}  // namespace coterie::sim
