#include "sim/solve/problems.hpp"

#include "sim/solve/background_problem.hpp"
#include "sim/solve/heterogeneous_problem.hpp"
#include "sim/solve/listening_workers_problem.hpp"
#include "sim/solve/now_problem.hpp"
#include "sim/solve/one_worker_problem.hpp"
#include "sim/solve/restart_problem.hpp"
#include "sim/solve/return_messages_problem.hpp"
#include "sim/solve/two_workers_problem.hpp"

namespace coterie::sim {

const std::vector<SolvableProblem>& solvable_problems() {
  static const std::vector<SolvableProblem> table = {
      {"now", "a network of workstations: work in a lifespan, or the lifespan for a work [now-2001]",
       "lifespan or work; protocol or start and finish; delta, latency, transit, packaging, capacity, risk; [[worker]] "
       "work_time, packaging, unpackaging, setup_to, setup_from, risk",
       solve_now, draw_now},
      {"return-messages", "a star whose workers return results: orders, shares and throughput [return-messages-2005]",
       "ports; strategy or send and return; lifespan, risk; [[worker]] send, compute, return, risk",
       solve_return_messages, draw_return_messages},
      {"background",
       "a tree of processors and links slowed by background jobs: finish time and shares [time-varying-2019]",
       "tcm, tcp, method, arrival, service, initial, departures, varying, share, share_continues, trials, "
       "fresh_trials, "
       "seed, first; [control] and [[worker]] inverse_speed, inverse_bandwidth, jobs, link_jobs, share, link_share, "
       "share_continues, arrival, service, initial, link_arrival, link_service, link_initial",
       solve_background, draw_background},
      {"heterogeneous", "order and shares for workers that differ in speed, bandwidth and risk [heterogeneous-2011]",
       "work, deployment, order, method (\"replicated\": startup, chunks, rounds); [[worker]] speed, bandwidth, risk",
       solve_heterogeneous},
      {"one-worker", "best chunks for one worker under any risk [worksharing-2013, Section 3]",
       "work, chunks, startup, risk, shape, charged_startup", solve_one_worker},
      {"two-workers", "shared and exclusive chunks for two workers [worksharing-2013, Section 4]",
       "work, chunks, startup, risk, shape, charged_startup, worker_1, worker_2", solve_two_workers},
      {"listening-workers",
       "what it is worth that workers report each chunk: one after another as listed, and upper bounds",
       "work, startup, step, risk; [[worker]] risk", solve_listening_workers},
      {"restart", "how often to save a job that goes on from its last checkpoint on the next machine",
       "work, checkpoint, restart, down, risk, gang, method (\"optimal\", \"young\", \"daly\", \"interval\", "
       "\"table\"), interval, steps, age_step, chunks",
       solve_restart},
  };
  return table;
}

}  // namespace coterie::sim
