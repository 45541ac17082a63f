#include "sim/solve/two_workers_problem.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/errors.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "heuristics/two_workers.hpp"
#include "sim/solve/problem_risk.hpp"

namespace coterie::sim {
namespace {

using heuristics::TwoWorkerSolution;

struct Shape {
  std::string name;
  bool linear_only;
  TwoWorkerSolution (*solve)(double work, std::int64_t chunks, const RiskPtr& risk);
};

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> table = {
      {"best", false, heuristics::best_hybrid},
      {"algorithm-1", true,
       [](double work, std::int64_t chunks, const RiskPtr& risk) {
         return heuristics::algorithm_1(work, chunks, *risk->linear_rate());
       }},
      {"printed-algorithm-1", true,
       [](double work, std::int64_t chunks, const RiskPtr& risk) {
         return heuristics::printed_algorithm_1(work, chunks, *risk->linear_rate());
       }},
      {"symmetric-single-chunk", true,
       [](double work, std::int64_t, const RiskPtr& risk) {
         return heuristics::symmetric_single_chunk(work, *risk->linear_rate());
       }},
      {"mirrored", false, heuristics::mirrored_chunks},
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

}  // namespace

nlohmann::ordered_json solve_two_workers(TomlTable& file, const RiskKinds& laws) {
  const double work = file.number("work");
  if (!(work >= 0) || std::isinf(work)) file.fail("work", "must be finite and not negative");
  const Shape& shape = read_shape(file);
  const bool single = shape.name == "symmetric-single-chunk";
  const std::int64_t chunks = single ? file.integer("chunks", 1) : file.integer("chunks");
  if (chunks < 1) file.fail("chunks", "must be at least 1");
  if (file.number("startup", 0) != 0)
    file.fail("startup",
              "must be 0: the results for two workers are for the model without start-up cost "
              "[worksharing-2013, Section 4]; `coterie schedule` takes a start-up cost");
  const RiskPtr risk = read_risk(file, laws);
  if (shape.linear_only && !risk->linear_rate())
    file.fail("risk", fmt::format("must be linear(kappa=...) for shape \"{}\", not {} (shapes \"best\" and "
                                  "\"mirrored\" take any risk)",
                                  shape.name, echoed(risk->text())));
  file.finish();

  TwoWorkerSolution solution;
  try {
    solution = shape.solve(work, chunks, risk);
  } catch (const InputError& error) {
    throw InputError(file.place(), error.what());
  }
  return {{"problem", "two-workers"},
          {"method", solution.method},
          {"exact", solution.exact},
          {"worker_1", list_of(solution.chunks[0])},
          {"worker_2", list_of(solution.chunks[1])},
          {"expected_work", solution.expected_work},
          {"expected_work_limit", heuristics::mirrored_limit(work, *risk)}};
}

}  // namespace coterie::sim
