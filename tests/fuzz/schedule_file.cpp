// Schedules of users: whatever the bytes, a schedule or InputError; what is read has a sound expected work, comes back
// the same when it is written, and no line of it is ignored.
#include "sim/input/schedule_file.hpp"

#include <sstream>

#include "fuzz/fuzz_input.hpp"
#include "sim/drawing/schedule_view.hpp"

namespace coterie::fuzz {
namespace {

sim::ScheduleFile read(const std::string& text, double unit = 1) {
  std::istringstream stream(text);
  return sim::ScheduleFile::read(stream, "FILE", unit);
}

int run(const FuzzInput& input) {
  const double unit = input.chooses(0) ? 3 : 1;
  accepts([&] {
    const sim::ScheduleFile file = read(input.text, unit);
    heuristics::WorksharingProblem problem;
    problem.workers = file.least_workers();
    problem.work = file.least_work();
    problem.startup_cost = input.chooses(1) ? 0.25 : 0;
    problem.risk = make_linear_risk();
    require(!accepts([&] { read(input.text + "\n!?\n", unit); }));
    if (problem.workers > 1000) return;  // allowed, and takes longer than a fuzzer waits
    const heuristics::Plan plan = file.plan(problem);
    require(plan.expected_work >= 0 && plan.expected_work <= plan.schedule->deployed_work() * (1 + 1e-9));
    require(plan.schedule->deployed_work() <= problem.work * (1 + 1e-9));
    const std::string csv = sim::schedule_csv({"", problem, plan});
    const heuristics::Plan again = read(csv).plan(problem);
    require(sim::schedule_csv({"", problem, again}) == csv && again.expected_work == plan.expected_work);
  });
  return 0;
}

}  // namespace
}  // namespace coterie::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return coterie::fuzz::run(coterie::fuzz::FuzzInput(data, size));
}
