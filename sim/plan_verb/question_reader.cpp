#include "sim/plan_verb/question_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/infinity.hpp"
#include "core/printable.hpp"
#include "core/rational.hpp"
#include "core/text.hpp"
#include "heuristics/chunks/chunking.hpp"
#include "sim/plan_verb/machine_classes.hpp"
#include "sim/plan_verb/written.hpp"
#include "traces/trace_risk.hpp"

namespace coterie::sim {
namespace {

/// Reads values of what was written, and notes their places.
class ValueReader {
 public:
  ValueReader(Written& written, Places& places) : written_(written), places_(places) {}

  bool has(const std::string& key) const { return written_.has(key); }

  std::string text(const std::string& key) {
    places_[key] = written_.place(key);
    return written_.text(key);
  }
  std::string text(const std::string& key, const std::string& otherwise) { return has(key) ? text(key) : otherwise; }
  std::vector<std::string> texts(const std::string& key) {
    if (!has(key)) return {};
    places_[key] = written_.place(key);
    return written_.texts(key);
  }

  Length length(const std::string& key, ZeroLength zero) {
    return parse_length(text(key), written_.called(key), written_.place(key), zero);
  }
  /// May also be inf.
  std::optional<Length> delay(const std::string& key) {
    if (!has(key)) return std::nullopt;
    if (trimmed(text(key)) == "inf") return Length{kInfinity, true};
    return length(key, ZeroLength::kAllowed);
  }

  double number(const std::string& key, double otherwise, double above, const char* range) {
    if (!has(key)) return otherwise;
    const auto value = parse_number(trimmed(text(key)));
    if (!value || !(*value > above)) fail(key, fmt::format("must be {}, not \"{}\"", range, echoed(text(key))));
    return *value;
  }
  std::size_t whole(const std::string& key, std::size_t least, std::size_t most) {
    const auto value = parse_whole(trimmed(text(key)));
    if (!value || *value < static_cast<long long>(least) || *value > static_cast<long long>(most))
      fail(key, fmt::format("must be a whole number from {} to {}, not \"{}\"", least, most, echoed(text(key))));
    return static_cast<std::size_t>(*value);
  }
  std::string choice(const std::string& key, const std::vector<std::string>& allowed) {
    const std::string word = text(key, allowed.front());
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
      fail(key, fmt::format("must be {}, not \"{}\"", quoted_list(allowed), echoed(word)));
    return word;
  }

  [[noreturn]] void fail(const std::string& key, const std::string& problem) {
    throw InputError(written_.place(key), written_.called(key) + ' ' + problem);
  }
  std::string called(const std::string& key) const { return written_.called(key); }
  Place place(const std::string& key) const { return written_.place(key); }

 private:
  Written& written_;
  Places& places_;
};

/// 95, or 95%: 0.95.
double confidence_of(ValueReader& read) {
  std::string text = read.text("confidence", "95");
  const std::string whole = text;
  if (text.ends_with('%')) text.pop_back();
  const auto percent = parse_number(trimmed(text));
  if (!percent || !(*percent > 0 && *percent < 100))
    read.fail("confidence",
              fmt::format("must be a percentage above 0 and below 100, such as 95, not \"{}\"", echoed(whole)));
  if (*percent < 1)
    read.fail("confidence", fmt::format("{} is less than 1 %; for {} % of the runs write {} {}", whole,
                                        to_text(100 * *percent), read.called("confidence"), to_text(100 * *percent)));
  return *percent / 100;
}

/// 20, 4-40 or auto.
MachineCount count_of(ValueReader& read, std::size_t fewest) {
  const std::string text(trimmed(read.text("count")));
  if (text == "auto") return {fewest, kMostMachines, true};
  const std::size_t dash = text.find('-');
  const auto least = parse_whole(trimmed(text.substr(0, dash)));
  const auto most = dash == text.npos ? least : parse_whole(trimmed(text.substr(dash + 1)));
  const auto fits = [&](const auto& number) {
    return number && *number >= static_cast<long long>(fewest) && *number <= static_cast<long long>(kMostMachines);
  };
  if (!fits(least) || !fits(most))
    read.fail("count", fmt::format("must be a whole number from {} to {}, a range such as 5-50, or auto, not \"{}\"",
                                   fewest, kMostMachines, echoed(text)));
  if (*least > *most) read.fail("count", fmt::format("{}: the smaller number comes first", text));
  return {static_cast<std::size_t>(*least), static_cast<std::size_t>(*most), false};
}

void read_life(ValueReader& read, MachineGroup& group, const std::string& directory) {
  if (read.has("trace") && read.has("risk"))
    read.fail("risk", "and " + read.called("trace") + ": give one of them: how long do the machines stay?");
  if (read.has("trace"))
    group.trace =
        TraceSource{traces::resolved(read.text("trace"), directory), read.text("format", ""), read.texts("options")};
  for (const char* key : {"format", "options", "estimator", "tail", "age"})
    if (read.has(key) && read.has("risk"))
      read.fail(key,
                fmt::format("goes with {}; write it into trace(...) of {}", read.called("trace"), read.called("risk")));
  group.estimator = read.choice("estimator", {"kaplan-meier", "naive"});
  group.tail = read.choice("tail", {"both", "immortal", "gone"});
  if (group.estimator == "naive" && read.has("tail"))
    read.fail("tail", "goes with kaplan-meier; naive takes every end of a spell as an interruption");
  group.age = read.text("age", "0");
  if (group.age != "stationary" && read.has("age"))
    parse_length(group.age, read.called("age"), read.place("age"), ZeroLength::kAllowed);
  group.risk = read.text("risk", "");
  if (!read.has("risk_unit")) return;
  if (!read.has("risk"))
    read.fail("risk_unit", fmt::format("goes with {}: traces are read in seconds", read.called("risk")));
  group.risk_unit = parse_seconds(read.text("risk_unit"), read.called("risk_unit"), read.place("risk_unit"));
}

void read_zones(ValueReader& read, MachineGroup& group) {
  if (read.has("zones") != read.has("common"))
    throw InputError(read.place(read.has("zones") ? "zones" : "common"),
                     fmt::format("{} and {} go together: how many zones are there, and which part of their risk do "
                                 "machines of one zone share (coterie trace info estimates it)?",
                                 read.called("zones"), read.called("common")));
  if (!read.has("zones")) return;
  group.zones = read.whole("zones", 1, 1'000'000);
  const auto common = parse_number(trimmed(read.text("common")));
  if (!common || !(*common >= 0 && *common <= 1))
    read.fail("common", fmt::format("must be from 0 to 1, not {}", echoed(read.text("common"))));
  group.common = *common;
}

/// All but the number of machines.
void read_group(ValueReader& read, MachineGroup& group, const std::string& directory) {
  read_life(read, group, directory);
  read_zones(read, group);
  group.replaced = std::string(trimmed(read.text("replaced", "never")));
  if (read.has("price") && read.text("price").find('=') != std::string::npos)
    read.fail("price",
              "is the price of these machines for an hour, such as 0.30; for spot machines beside machines on demand "
              "write a question file with two tables [[machines]], and say how many there may be of each");
  group.price = read.number("price", 0, 0, "a number above 0");
  group.speed = read.number("speed", 1, 0, "a number above 0");
  if (read.has("billed"))
    group.billed =
        parse_seconds(read.text("billed"), read.called("billed"), read.place("billed"), ZeroLength::kAllowed);
  if (read.has("billed") && !read.has("price"))
    read.fail("billed", fmt::format("goes with {}: what does an hour cost?", read.called("price")));
  group.fallback = read.choice("fallback", {"false", "true"}) == "true";
}

void read_job(ValueReader& read, Question& question) {
  if (!read.has("work"))
    throw InputError(read.place("work"),
                     read.called("work") + " is missing: how long would one machine need for everything, such as 40h?");
  question.work = read.length("work", ZeroLength::kRefused);
  if (read.has("task")) question.task = read.length("task", ZeroLength::kRefused);
  if (read.has("checkpoint")) question.checkpoint = read.length("checkpoint", ZeroLength::kAllowed);
  if (!question.checkpoint && !question.task)
    throw InputError(read.place("checkpoint"),
                     fmt::format("{} is missing: what does each chunk cost at its end, such as 5min? (or {}, if work "
                                 "comes in tasks that cannot be cut)",
                                 read.called("checkpoint"), read.called("task")));
  if (read.has("chunks") && read.text("chunks") != "auto")
    question.chunks = read.whole("chunks", 1, static_cast<std::size_t>(heuristics::Chunking::kMostChunks));
  if (question.checkpoint && question.checkpoint->value == 0 && !question.task && question.chunks == 0)
    read.fail("checkpoint", fmt::format("0: if chunks cost nothing there is in general no best number of them; give "
                                        "the cost of a chunk, {} or {}",
                                        read.called("task"), read.called("chunks")));
  if (read.has("restart")) question.restart = read.length("restart", ZeroLength::kAllowed);
  if (read.has("tries")) question.tries = read.whole("tries", 1, 1'000'000);
  question.start = std::string(trimmed(read.text("start", "")));
  question.deadline = std::string(trimmed(read.text("deadline", "")));
  question.confidence = confidence_of(read);
}

void read_rest(ValueReader& read, Question& question) {
  question.latency = read.delay("latency");
  question.notice = read.delay("notice");
  if (read.has("warning")) question.warning = read.length("warning", ZeroLength::kAllowed);
  for (const std::string& name : read.texts("policy")) question.policies.push_back(name == "queue" ? "central" : name);
  if (read.has("seed")) {
    const auto seed = parse_whole(trimmed(read.text("seed")));
    if (!seed || *seed < 0) read.fail("seed", "must be a whole number of at least 0");
    question.seed = static_cast<std::uint64_t>(*seed);
  }
  if (read.has("runs")) question.runs = read.whole("runs", 2, 1'000'000'000);
  if (read.has("resamples")) question.resamples = read.whole("resamples", 0, 1'000'000);
  if (read.has("jobs_every") != read.has("jobs_last"))
    throw InputError(read.place(read.has("jobs_every") ? "jobs_every" : "jobs_last"),
                     fmt::format("{} and {} go together: how often do background jobs come, and how long do they last?",
                                 read.called("jobs_every"), read.called("jobs_last")));
  if (read.has("jobs_every"))
    question.jobs =
        JobsQuestion{read.length("jobs_every", ZeroLength::kRefused), read.length("jobs_last", ZeroLength::kRefused)};
}

/// The arguments of replay: a trace with its reading options, among them machines=slots.
ReplayQuestion replay_of(ValueReader& read, const std::string& file, const std::string& directory) {
  ReplayQuestion replay{{traces::resolved(file, directory), read.text("format", ""), {}}, {}, false};
  for (const std::string& word : read.texts("options"))
    if (word != "machines=slots" && word != "machines=hosts")
      replay.trace.options.push_back(word);
    else
      replay.slots = word == "machines=slots";
  if (read.has("window")) replay.window = read.length("window", ZeroLength::kRefused);
  return replay;
}

/// Options of earlier versions, and what to say now.
void refuse_old_options(const Options& options) {
  const std::vector<std::pair<const char*, const char*>> kOld = {
      {"availability",
       "say how lost machines are replaced: --replaced 20min, --replaced recorded or --replaced LAW in "
       "place of renewal(...), --replay FILE --window 24h in place of replay(...)"},
      {"horizon", "give a --deadline: work done by then is told"},
      {"lambda", "plan looks at what is done by when; coterie schedule takes --lambda"},
      {"frontier", "the costs and times of all options are in --format json"}};
  for (const auto& [name, advice] : kOld)
    if (options.has(name)) throw InputError(fmt::format("--{} is no option of plan any more: {}", name, advice));
}

std::vector<MachineGroup> groups_of_classes(const Options& options, const MachineGroup& like) {
  std::vector<MachineGroup> groups;
  for (const MachineClass& one : read_machine_classes(options.text("classes"), kMostMachines)) {
    MachineGroup group = like;
    group.name = fmt::format("class-{}", groups.size() + 1);
    group.count = {one.machines, one.machines, false};
    group.trace = TraceSource{one.trace, options.text("trace-format", ""), options.texts("option")};
    if (!one.age.empty()) group.age = one.age;
    for (const char* key : {"trace", "age"}) group.places[key] = {options.text("classes"), one.line};
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace

double confidence_of(const Options& options) {
  WrittenOptions written(options);
  Places places;
  ValueReader read(written, places);
  return confidence_of(read);
}

Question question_of(const Options& options) {
  refuse_old_options(options);
  WrittenOptions written(options);
  Question question;
  ValueReader read(written, question.places);
  const int lives = options.has("trace") + options.has("risk") + options.has("classes");
  if (lives > 1 || (lives == 0 && !options.has("replay")))
    throw InputError(
        "give either --trace FILE or --risk R or --classes FILE (or only --replay FILE): how long do the machines "
        "stay?");
  if (options.has("classes"))
    for (const auto& [name, column] : {std::pair{"age", "age"}, {"machines", "machines"}, {"workers", "machines"}})
      if (options.has(name))
        throw InputError(fmt::format("--{}: with --classes, the column {} of the file says that", name, column));
  MachineGroup group;
  ValueReader of_group(written, group.places);
  read_group(of_group, group, "");
  if (options.has("classes")) {
    question.machines = groups_of_classes(options, group);
  } else {
    if (options.has("workers") && options.has("machines"))
      throw InputError("give either --workers or --machines: how many machines are there?");
    if (!options.has("workers") && !options.has("machines"))
      throw InputError("--machines is missing: a number, or a range such as 5-50 to find how many meet --deadline");
    if (options.has("workers")) {
      const auto workers =
          static_cast<std::size_t>(options.integer("workers", 1, static_cast<long long>(kMostMachines)));
      group.count = {workers, workers, false};
    } else {
      group.count = count_of(of_group, 1);
    }
    question.machines = {group};
  }
  read_job(read, question);
  read_rest(read, question);
  if (options.has("replay")) question.replay = replay_of(read, options.text("replay"), "");
  if (options.has("window") && !options.has("replay"))
    throw InputError("--window goes with --replay FILE: how long are the windows of the recording?");
  return question;
}

namespace {

void require_no_other_question(const Options& options, const std::string& path) {
  const std::set<std::string> kBeside = {"format",    "export",     "explain", "seed",   "instances",
                                         "resamples", "first-part", "plans",   "windows"};
  for (const std::string& name : options.given())
    if (!kBeside.contains(name))
      throw InputError(fmt::format("--{}: the question file {} says that; write it there", name, printable(path)));
}

}  // namespace

Question question_in_file(const Options& options, const std::string& path) {
  require_no_other_question(options, path);
  TomlTable file = TomlTable::read(path);
  for (const auto& [option, key] : {std::pair{"seed", "seed"}, {"instances", "runs"}, {"resamples", "resamples"}})
    if (options.has(option)) file.set(key, options.text(option), {std::string("--") + option});
  std::vector<TomlTable> tables = {file};
  for (const char* name : {"job", "news", "fleet"})
    if (file.has(name)) tables.push_back(file.table(name));
  WrittenTables written(tables);
  Question question;
  question.from_file = true;
  ValueReader read(written, question.places);
  read_job(read, question);
  read_rest(read, question);
  const std::string directory = file.directory();
  for (TomlTable& table : tables) {
    if (!table.has("replay")) continue;
    TomlTable inner = table.table("replay");
    WrittenTables arguments({inner});
    ValueReader of_replay(arguments, question.places);
    if (!of_replay.has("trace")) inner.fail("trace", "is missing: the file of the recording");
    question.replay = replay_of(of_replay, of_replay.text("trace"), directory);
    if (of_replay.choice("machines", {"hosts", "slots"}) == "slots") question.replay->slots = true;
  }
  std::set<std::string> names;
  for (TomlTable& table : file.tables("machines")) {
    WrittenTables group_written({table});
    MachineGroup group;
    ValueReader of_group(group_written, group.places);
    const std::size_t number = question.machines.size() + 1;
    group.name = of_group.text("name", number == 1 ? "machines" : fmt::format("machines-{}", number));
    if (group.name.empty() || !names.insert(group.name).second)
      of_group.fail("name", fmt::format("\"{}\": each group needs a name of its own", echoed(group.name)));
    if (!of_group.has("count")) throw InputError(table.place(), "count is missing: a number, 4-40 or auto");
    group.count = count_of(of_group, 0);
    read_group(of_group, group, directory);
    question.machines.push_back(std::move(group));
  }
  if (question.machines.empty()) throw InputError({path}, "a table [[machines]] is missing: which machines are there?");
  file.finish();
  return question;
}

}  // namespace coterie::sim
