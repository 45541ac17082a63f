#include "sim/solve/background_file.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "core/errors.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

using heuristics::RandomMachine;

/// Calls `make`; what it refuses is said of `what` at `place`.
template <class Make>
auto blaming(const Place& place, const std::string& what, Make make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(place, what + error.what());
  }
}

double positive(TomlTable& table, const std::string& key, double value) {
  if (!(value > 0 && std::isfinite(value)))
    table.fail(key, fmt::format("must be positive and finite, not {}", to_text(value)));
  return value;
}

/// Whether an optional key is written; asks for it either way, so that messages can propose it for a misspelt one.
bool written(TomlTable& table, const std::string& key) {
  if (!table.has(key)) table.text(key, "");
  return table.has(key);
}

std::optional<JobSequence> read_jobs(TomlTable& table, const std::string& key) {
  if (!written(table, key)) return std::nullopt;
  TomlTable jobs = table.table(key);
  const JobSequence sequence{jobs.numbers("times"), jobs.integers("counts")};
  blaming(table.place(key), fmt::format("\"{}\": ", key), [&] { sequence.validate(); });
  return sequence;
}

struct Law {
  BackgroundLaw law;
  Place place;
};

/// The law under `prefix`arrival, ...service and ...initial, each taken from `otherwise` where it is not written.
std::optional<Law> read_law(TomlTable& table, const std::string& prefix, const std::optional<Law>& otherwise,
                            BackgroundLaw::Departures departures) {
  const std::string arrival = prefix + "arrival";
  const std::string service = prefix + "service";
  const std::string initial = prefix + "initial";
  const bool has_arrival = written(table, arrival);
  const bool has_service = written(table, service);
  if (!has_arrival && !has_service && !written(table, initial)) return otherwise;
  Law result = otherwise.value_or(Law{});
  if (!otherwise || has_arrival) result.law.arrival = table.number(arrival);
  if (!otherwise || has_service) result.law.service = table.number(service);
  result.law.initial = table.integer(initial, result.law.initial);
  result.law.departures = departures;
  result.place = table.place(has_arrival ? arrival : has_service ? service : initial);
  blaming(result.place, "", [&] { result.law.validate(); });
  return result;
}

/// What a "share" says: W^h(k) / W^h(1) for k = 1, 2, ...; nothing for equal shares.
struct Levels {
  std::vector<double> multiples;
  Place place;
};

class Reader {
 public:
  explicit Reader(TomlTable& file) : file_(file) {}

  BackgroundFile read() {
    tree().tcm = positive(file_, "tcm", file_.number("tcm", 1));
    tree().tcp = positive(file_, "tcp", file_.number("tcp", 1));
    if (choice("departures", {"full", "shared"}) == "shared") departures_ = BackgroundLaw::Departures::kShared;
    const std::optional<Law> law = read_law(file_, "", std::nullopt, departures_);
    const std::optional<Law> none;
    const bool all_vary = choice("varying", {"all", "workers"}) == "all";

    TomlTable control = file_.table("control");
    const Processor processor = read_processor(control, all_vary ? law : none);
    result_.known.control = processor.known;
    result_.control_jobs = processor.jobs;
    tree().control = processor.random;
    const Connections connections = read_connections(control, all_vary ? law : none);
    if (processor.levels.multiples.empty()) refuse_continuing(control);
    for (TomlTable& worker : file_.tables("worker")) {
      const Processor own = read_processor(worker, law);
      result_.known.processors.push_back(own.known);
      result_.processor_jobs.push_back(own.jobs);
      tree().processors.push_back(own.random);
      add_link(worker, connections, own.levels);
    }
    if (!shared_) refuse_continuing(file_);
    return std::move(result_);
  }

 private:
  struct Processor {
    SpeedProfile known;
    JobSequence jobs;
    RandomMachine random;
    Levels levels;
  };

  /// What [control] says of all links.
  struct Connections {
    std::optional<double> inverse_bandwidth;
    std::optional<JobSequence> jobs;
    std::optional<std::size_t> process;
    Levels levels;
  };

  heuristics::RandomTree& tree() { return result_.random; }

  std::string choice(const std::string& key, const std::vector<std::string>& allowed) {
    const std::string word = file_.text(key, allowed.front());
    for (const std::string& known : allowed)
      if (word == known) return word;
    file_.fail(key, fmt::format("must be {}, not \"{}\"", quoted_list(allowed), word));
  }

  /// The levels under `key`, for a machine of inverse speed `alone`.
  static Levels read_levels(TomlTable& table, const std::string& key, double alone) {
    std::vector<double> levels = table.numbers(key);
    if (levels.empty()) table.fail(key, "must list at least the inverse speed without background jobs");
    const double first = levels.front();
    if (first != alone && first != 1)
      table.fail(key, fmt::format("must begin with the inverse speed without background jobs, {}, or with 1 for "
                                  "multiples of it; not with {}",
                                  to_text(alone), to_text(first)));
    for (double& level : levels) level /= first;
    return {levels, table.place(key)};
  }

  /// Where there is no share that it could be about.
  static void refuse_continuing(TomlTable& table) {
    if (table.has("share_continues"))
      table.fail("share_continues", "has no effect without a share (for links, write it at the top or in [[worker]])");
  }

  SharingRule rule(TomlTable& table, const Levels& levels, double alone) {
    const bool continues = table.boolean("share_continues", file_.boolean("share_continues", true));
    if (levels.multiples.empty()) return SharingRule(alone);
    shared_ = true;
    std::vector<double> values = levels.multiples;
    for (double& value : values) value *= alone;
    return blaming(levels.place, "share ", [&] {
      return SharingRule(values, continues ? SharingRule::Beyond::kLastLevel : SharingRule::Beyond::kRefused);
    });
  }

  SpeedProfile profile(const std::optional<JobSequence>& jobs, const SharingRule& sharing, const Levels& levels,
                       double unit, const Place& machine) {
    result_.has_jobs = result_.has_jobs || jobs.has_value();
    const bool shared = !levels.multiples.empty();
    return blaming(shared ? levels.place : machine, shared ? "share " : "",
                   [&] { return SpeedProfile(jobs.value_or(JobSequence{}), sharing, unit); });
  }

  std::optional<std::size_t> add_process(const std::optional<Law>& law) {
    if (!law) return std::nullopt;
    tree().processes.push_back(law->law);
    result_.law_places.push_back(law->place);
    return tree().processes.size() - 1;
  }

  Processor read_processor(TomlTable& table, const std::optional<Law>& otherwise) {
    const double alone = positive(table, "inverse_speed", table.number("inverse_speed"));
    Levels levels;
    if (written(table, "share")) {
      levels = read_levels(table, "share", alone);
    } else if (written(file_, "share")) {
      levels = read_levels(file_, "share", alone);
    }
    const SharingRule sharing = rule(table, levels, alone);
    const auto jobs = read_jobs(table, "jobs");
    return {profile(jobs, sharing, levels, tree().tcp, table.place("inverse_speed")),
            jobs.value_or(JobSequence{}),
            {sharing, add_process(read_law(table, "", otherwise, departures_))},
            levels};
  }

  Connections read_connections(TomlTable& control, const std::optional<Law>& law) {
    Connections result;
    if (written(control, "inverse_bandwidth"))
      result.inverse_bandwidth = positive(control, "inverse_bandwidth", control.number("inverse_bandwidth"));
    if (written(control, "link_share"))
      result.levels = read_levels(control, "link_share", result.inverse_bandwidth.value_or(1));
    result.jobs = read_jobs(control, "link_jobs");
    connection_law_ = read_law(control, "link_", law, departures_);
    result.process = add_process(connection_law_);
    return result;
  }

  void add_link(TomlTable& worker, const Connections& connections, const Levels& of_processor) {
    const bool own = written(worker, "inverse_bandwidth") || !connections.inverse_bandwidth;
    const double alone = own ? positive(worker, "inverse_bandwidth", worker.number("inverse_bandwidth"))
                             : *connections.inverse_bandwidth;
    const bool of_all = !connections.levels.multiples.empty();
    const Levels levels = written(worker, "link_share") ? read_levels(worker, "link_share", alone)
                          : of_all                      ? connections.levels
                                                        : of_processor;
    if (levels.multiples.empty() && of_processor.multiples.empty()) refuse_continuing(worker);
    const SharingRule sharing = rule(worker, levels, alone);
    auto jobs = read_jobs(worker, "link_jobs");
    if (!jobs) jobs = connections.jobs;
    result_.known.links.push_back(profile(jobs, sharing, levels, tree().tcm, worker.place("inverse_bandwidth")));
    result_.link_jobs.push_back(jobs.value_or(JobSequence{}));
    const bool own_law =
        written(worker, "link_arrival") || written(worker, "link_service") || written(worker, "link_initial");
    const auto process =
        own_law ? add_process(read_law(worker, "link_", connection_law_, departures_)) : connections.process;
    tree().links.push_back({sharing, process});
  }

  TomlTable& file_;
  BackgroundFile result_;
  BackgroundLaw::Departures departures_ = BackgroundLaw::Departures::kFull;
  std::optional<Law> connection_law_;
  bool shared_ = false;  // whether any machine has levels
};

}  // namespace

BackgroundFile read_background_file(TomlTable& file) { return Reader(file).read(); }

}  // namespace coterie::sim
