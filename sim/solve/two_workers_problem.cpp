#include "sim/solve/two_workers_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "heuristics/worksharing/two_worker_shape.hpp"
#include "heuristics/worksharing/two_workers.hpp"
#include "sim/solve/initiation_answer.hpp"
#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

using heuristics::TwoWorkerSolution;
using heuristics::WorkInterval;

constexpr const char* kGiven = "given";

/// What is asked, whatever the shape.
struct Question {
  double work = 0;
  std::optional<std::int64_t> chunks;
  double startup = 0;
  RiskPtr risk;
};

struct Shape {
  std::string name;
  bool linear_only;
  bool free_only;  ///< without start-up cost
  TwoWorkerSolution (*solve)(const Question& question);
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> table = {
      {"best", false, false,
       [](const Question& q) { return heuristics::best_two_workers(q.work, q.chunks, q.startup, q.risk); }},
      {"algorithm-1", true, true,
       [](const Question& q) { return heuristics::algorithm_1(q.work, *q.chunks, *q.risk->linear_rate()); }},
      {"printed-algorithm-1", true, true,
       [](const Question& q) { return heuristics::printed_algorithm_1(q.work, *q.chunks, *q.risk->linear_rate()); }},
      {"symmetric-single-chunk", true, true,
       [](const Question& q) { return heuristics::symmetric_single_chunk(q.work, *q.risk->linear_rate()); }},
      {"mirrored", false, true,
       [](const Question& q) { return heuristics::mirrored_chunks(q.work, *q.chunks, q.risk); }},
      {kGiven, false, false, nullptr},
  };
  return table;
}

nlohmann::ordered_json list_of(const std::vector<heuristics::WorkInterval>& chunks) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& chunk : chunks) list.push_back({chunk.begin, chunk.end});
  return list;
}

const Shape& read_shape(TomlTable& file) {
  const std::string name = file.text("shape", shapes().front().name);
  std::vector<std::string> known;
  for (const Shape& row : shapes()) {
    if (row.name == name) return row;
    known.push_back(row.name);
  }
  file.fail("shape", fmt::format("must be {}, not \"{}\"{}", quoted_list(known), name, suggestion(name, known)));
}

std::optional<std::int64_t> read_chunks(TomlTable& file, const Shape& shape, double startup) {
  if (shape.name == kGiven) return std::nullopt;  // the lists say how many
  if (!file.has("chunks")) {
    if (shape.name == "symmetric-single-chunk") return 1;
    if (!shape.free_only && startup > 0) return std::nullopt;
  }
  const std::int64_t chunks = file.integer("chunks");
  if (chunks < 1) file.fail("chunks", "must be at least 1");
  return chunks;
}

Question read_question(TomlTable& file, const RiskKinds& laws, const Shape& shape) {
  Question question;
  question.work = file.number("work");
  if (!(question.work >= 0) || std::isinf(question.work)) file.fail("work", "must be finite and not negative");
  question.startup = file.number("startup", 0);
  if (!(question.startup >= 0) || std::isinf(question.startup)) file.fail("startup", "must be finite and not negative");
  if (shape.free_only && question.startup > 0)
    file.fail("startup", fmt::format("must be 0 for shape \"{}\", which is for the model without start-up cost "
                                     "[worksharing-2013, Section 4]; shape \"best\" allows one",
                                     shape.name));
  question.chunks = read_chunks(file, shape, question.startup);
  question.risk = read_risk(file, laws);
  if (shape.linear_only && !question.risk->linear_rate())
    file.fail("risk", fmt::format("must be linear(kappa=...) for shape \"{}\", not {} (shapes \"best\" and "
                                  "\"mirrored\" take any risk)",
                                  shape.name, echoed(question.risk->text())));
  return question;
}

/// [[begin, end], ...] within the work, in order of execution.
std::vector<WorkInterval> read_list(TomlTable& file, const std::string& key, double work) {
  constexpr double kLeast = 1e-9;  // of the work: less would drown in rounding
  constexpr std::size_t kMost = 100'000;
  std::vector<WorkInterval> list;
  const TomlValue value = file.value(key);
  if (value.kind != TomlValue::Kind::kList) file.fail(key, "must be a list of [begin, end]");
  if (value.list.size() > kMost) file.fail(key, fmt::format("has more than {} chunks", kMost));
  for (const TomlValue& pair : value.list) {
    const bool numbers = pair.kind == TomlValue::Kind::kList && pair.list.size() == 2 && pair.list[0].is_number() &&
                         pair.list[1].is_number();
    if (!numbers)
      throw InputError(pair.place, fmt::format("\"{}\" must be a list of [begin, end], two numbers each", key));
    const WorkInterval chunk{pair.list[0].number, pair.list[1].number};
    if (!(chunk.begin >= 0 && chunk.end <= work))
      throw InputError(pair.place, fmt::format("chunk [{}, {}] of \"{}\" must lie within [0, {}], the work",
                                               pair.list[0].text, pair.list[1].text, key, to_text(work)));
    if (!(chunk.end - chunk.begin >= kLeast * work) || !(chunk.end > chunk.begin))
      throw InputError(pair.place,
                       fmt::format("chunk [{}, {}] of \"{}\" must end after its start, by {} of the work or "
                                   "more",
                                   pair.list[0].text, pair.list[1].text, key, kLeast));
    list.push_back(chunk);
  }
  return list;
}

nlohmann::ordered_json characteristics(const heuristics::TwoWorkerChunks& chunks, double work) {
  const heuristics::TwoWorkerShape shape = heuristics::shape_of(chunks, work);
  return {{"maximal_deployment", shape.maximal_deployment},
          {"local_first", shape.local_first},
          {"mirrored", shape.mirrored}};
}

TwoWorkerSolution evaluate_given(const Question& question, const heuristics::TwoWorkerChunks& chunks) {
  TwoWorkerSolution solution;
  solution.chunks = chunks;
  solution.work = question.work;
  solution.startup = question.startup;
  solution.expected_work = heuristics::expected_work_of(chunks, question.startup, question.risk);
  solution.method = "exact value of the given chunks; Theorem 5 of worksharing-2013 (errata B5) applies under any risk";
  return solution;
}

InitiationCase known_of(const Question& question, const TwoWorkerSolution& solution, double bound, bool is_optimal) {
  InitiationCase known;
  known.startup = question.startup;
  known.expected_work = solution.expected_work;
  known.bound = bound;
  known.is_optimal = is_optimal;
  known.distinct_chunks = heuristics::distinct_chunks(solution.chunks, question.work);
  if (question.chunks) known.most_distinct = 2 * static_cast<std::size_t>(*question.chunks);
  known.free_bound = heuristics::two_worker_bound(question.work, std::nullopt, 0, question.risk);
  return known;
}

}  // namespace

nlohmann::ordered_json solve_two_workers(TomlTable& file, const RiskKinds& laws) {
  const Shape& shape = read_shape(file);
  const Question question = read_question(file, laws, shape);
  const std::optional<double> charged_startup = read_charged_startup(file, question.startup);
  heuristics::TwoWorkerChunks given;
  if (shape.solve == nullptr)
    given = {read_list(file, "worker_1", question.work), read_list(file, "worker_2", question.work)};
  file.finish();

  TwoWorkerSolution solution;
  try {
    solution = shape.solve != nullptr ? shape.solve(question) : evaluate_given(question, given);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  // Symmetric schedules are proven best among their like only.
  const bool of_all = solution.exact && shape.name != "symmetric-single-chunk";
  const double bound =
      of_all ? solution.expected_work
             : heuristics::two_worker_bound(question.work, question.chunks, question.startup, question.risk);
  nlohmann::ordered_json answer = {
      {"problem", "two-workers"},
      {"method", solution.method},
      {"exact", solution.exact},
      {"worker_1", list_of(solution.chunks[0])},
      {"worker_2", list_of(solution.chunks[1])},
      {"expected_work", solution.expected_work},
      {"expected_work_bound", bound},
      {"expected_work_limit", heuristics::mirrored_limit(question.work, *question.risk)},
      {"theorem_1", theorem_1_answer(known_of(question, solution, bound, of_all), charged_startup)},
      {"theorem_5", characteristics(solution.chunks, question.work)}};
  if (shape.solve == nullptr) {
    const TwoWorkerSolution improved =
        heuristics::improved_by_theorem_5(given, question.work, question.startup, question.risk);
    answer["improved"] = {{"method", improved.method},
                          {"worker_1", list_of(improved.chunks[0])},
                          {"worker_2", list_of(improved.chunks[1])},
                          {"expected_work", improved.expected_work},
                          {"theorem_5", characteristics(improved.chunks, question.work)}};
  }
  return answer;
}

}  // namespace coterie::sim
