#include "sim/plan_verb/machine_classes.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "core/input_file.hpp"
#include "core/printable.hpp"
#include "core/text.hpp"
#include "traces/readers/csv_reader.hpp"

namespace coterie::sim {
namespace {

constexpr const char* kCode = "E_CLASSES";

}  // namespace

std::vector<MachineClass> read_machine_classes(const std::string& path, std::size_t most) {
  std::ifstream input = open_plain_file(path);
  traces::CsvReader rows(input, path);
  const std::size_t machines = rows.column("machines");
  const std::size_t trace = rows.column("trace");
  const auto age = rows.find("age");
  for (const std::string& name : rows.names())
    if (name != rows.names()[machines] && name != rows.names()[trace] && !(age && name == rows.names()[*age]))
      rows.fail_header(fmt::format("the columns are machines, trace and perhaps age, not {}", echoed(name)));
  std::vector<MachineClass> classes;
  std::size_t all = 0;
  while (rows.next()) {
    const auto number = parse_integer(trimmed(rows[machines]));
    if (!number || *number < 1 || *number > static_cast<long long>(most))
      rows.fail(kCode,
                fmt::format("machines must be a whole number from 1 to {}, not {}", most, echoed(rows[machines])));
    MachineClass one{static_cast<std::size_t>(*number), std::string(trimmed(rows[trace])), "", rows.line()};
    if (one.trace.empty()) rows.fail(kCode, "trace must be a file");
    one.trace = (std::filesystem::path(path).parent_path() / one.trace).string();
    if (age) one.age = trimmed(rows[*age]);
    all += one.machines;
    if (all > most) rows.fail(kCode, fmt::format("at most {} machines in all", most));
    classes.push_back(std::move(one));
  }
  if (classes.empty()) rows.fail_header("a row for each class of machines is missing");
  return classes;
}

}  // namespace coterie::sim
