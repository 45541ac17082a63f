// Problem files: whatever the bytes, an answer with its three keys or InputError; RuntimeError only where a trace does
// not exist.
#include <nlohmann/json.hpp>

#include "core/table.hpp"
#include "fuzz/fuzz_input.hpp"
#include "sim/solve/problems.hpp"

namespace coterie::fuzz {
namespace {

int run(const FuzzInput& input) {
  // Problems of many chunks or trials are allowed and take longer than a fuzzer waits.
  std::size_t digits = 0;
  for (const char c : input.text) {
    digits = c >= '0' && c <= '9' ? digits + 1 : 0;
    if (digits > 2) return 0;
  }
  try {
    sim::TomlTable file = sim::TomlTable::parse(input.text, "/nonexistent/problem.toml");
    const auto& row = find_row(sim::solvable_problems(), file.text("problem"), "problem", file.place("problem"));
    const nlohmann::ordered_json answer = row.solve(file, parametric_risks());
    require(answer.contains("problem") && answer.contains("method") && answer.contains("exact"));
  } catch (const InputError&) {
  } catch (const RuntimeError&) {
  }
  return 0;
}

}  // namespace
}  // namespace coterie::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return coterie::fuzz::run(coterie::fuzz::FuzzInput(data, size));
}
