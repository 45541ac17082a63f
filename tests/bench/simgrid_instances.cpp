// The instances of the benchmark WholeInstancesOfStaticStrategies/25 in SimGrid, and by the program's own trial, in one
// process: every worker is an actor that executes its tasks one by one, on a host that fails at the worker's
// interruption time. What each worker has completed then must be the same, or it exits with 1. Prints
// JSON: CPU seconds an instance.
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>

#include "heuristics/worksharing/registry.hpp"
#include "sim/campaign/campaign.hpp"

namespace coterie::sim {
namespace {

namespace s4u = simgrid::s4u;

constexpr std::size_t kWorkers = 25;
constexpr std::size_t kChunks = 100;
constexpr double kStartup = 0.001;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Campaign campaign() {
  return parse_campaign(fmt::format("seed = 2013\ninstances = 1000\n"
                                    "strategies = [\"greedy\", \"cyclic-replication\", \"no-replication\", \"brute\"]\n"
                                    "[grid]\nworkers = {}\nwork = 1\nstartup = {}\nchunks = {}\n",
                                    kWorkers, kStartup, kChunks),
                        "simgrid.toml");
}

/// One instance of one strategy: how many tasks each worker completes, begun at the present simulated time.
std::vector<std::size_t> simulate(const std::vector<s4u::Host*>& hosts, const Schedule& schedule,
                                  const std::vector<double>& interruptions) {
  std::vector<std::size_t> done(hosts.size(), 0);
  const double start = s4u::Engine::get_clock();
  for (std::size_t w = 0; w < hosts.size(); ++w) {
    const auto work = [&times = schedule.tasks(w).finish, &count = done[w]] {
      double before = 0;
      for (const double finish : times) {
        s4u::this_actor::execute(finish - before);  // start-up and chunk, at one unit of work a second
        before = finish;
        ++count;
      }
    };
    s4u::Actor::create("worker", hosts[w], work)->set_kill_time(start + interruptions[w]);
  }
  s4u::this_actor::sleep_until(start + 1.5);  // linear risk: all have been interrupted by 1
  return done;
}

int run(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  const std::size_t instances = argc > 1 ? std::stoul(argv[1]) : 20;
  s4u::NetZone* zone = s4u::create_full_zone("workers");
  std::vector<s4u::Host*> hosts;
  for (std::size_t w = 0; w < kWorkers; ++w) hosts.push_back(zone->create_host(fmt::format("worker-{}", w), 1.0));
  s4u::Host* master = zone->create_host("master", 1.0);
  zone->seal();

  const Campaign settings = campaign();
  const Configuration& configuration = settings.configurations.front();
  const auto trial = settings.model->prepare({configuration, settings.seed, settings.strategies, *settings.risks});
  std::vector<heuristics::Plan> plans;
  const heuristics::WorksharingProblem problem{kWorkers, 1.0, kStartup, make_linear_risk(), 1.0};
  for (const std::string& name : settings.strategies)
    plans.push_back(
        heuristics::worksharing_strategy(name).build(problem, {heuristics::Granularity::Kind::kPerUnit, kChunks}));

  std::size_t different = 0;
  double simgrid = 0;
  s4u::Actor::create("master", master, [&] {
    for (std::uint64_t instance = 0; instance < instances; ++instance) {
      const auto replay = trial->replay(instance);
      std::vector<double> interruptions;
      for (const auto& worker : replay["workers"]) interruptions.push_back(worker["interruption"].get<double>());
      for (std::size_t s = 0; s < plans.size(); ++s) {
        const double begin = cpu_seconds();
        const std::vector<std::size_t> done = simulate(hosts, *plans[s].schedule, interruptions);
        simgrid += cpu_seconds() - begin;
        different += done != replay["strategies"][s]["tasks_done"].get<std::vector<std::size_t>>() ? 1 : 0;
      }
    }
  });
  engine.run();

  constexpr std::size_t kBlock = 10'000;
  std::vector<double> reference(kBlock);
  std::vector<double> ratio(kBlock * plans.size());
  const double begin = cpu_seconds();
  std::size_t own = 0;
  for (; cpu_seconds() - begin < 0.2; own += kBlock) trial->run({own, kBlock, reference.data(), ratio.data(), kBlock});
  const double coterie = (cpu_seconds() - begin) / static_cast<double>(own);
  fmt::print("{}\n", nlohmann::json({{"simgrid", simgrid / static_cast<double>(instances)},
                                     {"coterie", coterie},
                                     {"instances", instances},
                                     {"different", different}})
                         .dump());
  return different == 0 ? 0 : 1;
}

}  // namespace
}  // namespace coterie::sim

int main(int argc, char** argv) { return coterie::sim::run(argc, argv); }
