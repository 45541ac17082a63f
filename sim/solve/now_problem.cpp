#include "sim/solve/now_problem.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

#include "core/text.hpp"
#include "heuristics/now/now_closed_forms.hpp"
#include "heuristics/now/now_network.hpp"
#include "heuristics/return_messages/risk_aware_orders.hpp"
#include "sim/solve/now_diagram.hpp"
#include "sim/solve/worker_numbers.hpp"
#include "sim/solve/worker_risks.hpp"

namespace coterie::sim {
namespace {

using heuristics::Now;
using heuristics::NowOrders;
using heuristics::NowProtocol;

constexpr std::size_t kExactWorkers = 32;   // of any orders: fractions grow with every worker
constexpr std::size_t kMostWorkers = 4000;  // of any orders: one dense system of that size
constexpr std::size_t kMostFed = 1000;      // of which it is told how many the network feeds
constexpr std::size_t kMostFedInAnyOrder = 64;
constexpr const char* kRiskAware = "best-expected";

Now<Rational> read_now(TomlTable& file, std::vector<TomlTable>& workers) {
  Now<Rational> now{read_time(file, "packaging"),
                    read_time(file, "latency"),
                    read_time(file, "transit"),
                    read_time(file, "delta"),
                    {}};
  if (file.has("capacity")) {
    const std::int64_t capacity = file.integer("capacity");
    if (capacity < 1) file.fail("capacity", "must be at least 1: one packet in transit at a time");
    now.transit = heuristics::paced_transit(now.latency, now.transit, static_cast<std::size_t>(capacity));
  }
  for (TomlTable& table : workers) {
    heuristics::NowWorker<Rational> worker;
    worker.work_time = read_time(table, "work_time");
    if (worker.work_time == 0) table.fail("work_time", "must be positive");
    const Rational packaging = worker.work_time * now.packaging;
    worker.packaging = read_time(table, "packaging", packaging);
    worker.unpackaging = read_time(table, "unpackaging", packaging);
    worker.setup_to = read_time(table, "setup_to", Rational(0));
    worker.setup_from = read_time(table, "setup_from", Rational(0));
    now.workers.push_back(worker);
  }
  return now;
}

/// Nothing: chosen by expectation.
std::optional<NowOrders> read_orders(TomlTable& file, std::size_t workers) {
  if (!file.has("protocol") && (file.has("start") || file.has("finish")))
    return NowOrders{read_permutation(file, "start", workers), read_permutation(file, "finish", workers)};
  const std::string protocol = file.text("protocol");
  for (const char* key : {"start", "finish"})
    if (file.has(key)) file.fail(key, "and \"protocol\" exclude each other: the protocol sets the orders");
  if (protocol == "fifo") return heuristics::now_fifo(workers);
  if (protocol == "lifo") return heuristics::now_lifo(workers);
  if (protocol == kRiskAware) return std::nullopt;
  file.fail("protocol",
            fmt::format("must be \"fifo\" or \"lifo\" (\"{}\" with risks; other orders: write start and finish), not "
                        "\"{}\"",
                        kRiskAware, protocol));
}

Now<double> to_doubles(const Now<Rational>& now) {
  Now<double> result{
      to_double(now.packaging), to_double(now.latency), to_double(now.transit), to_double(now.delta), {}};
  for (const auto& worker : now.workers)
    result.workers.push_back({to_double(worker.work_time), to_double(worker.packaging), to_double(worker.unpackaging),
                              to_double(worker.setup_to), to_double(worker.setup_from)});
  return result;
}

void add_value(nlohmann::ordered_json& json, const std::string& key, double value) { json[key] = value; }

void add_value(nlohmann::ordered_json& json, const std::string& key, const Rational& value) {
  json[key] = to_double(value);
  json[key + "_exact"] = to_text(value);
}

/// Null if there is none.
template <class Number>
void add_value(nlohmann::ordered_json& json, const std::string& key, const std::optional<Number>& value) {
  if (value) {
    add_value(json, key, *value);
  } else {
    json[key] = nullptr;
  }
}

/// What is given: the lifespan, or the work to be done in the least lifespan.
struct Asked {
  bool rental;
  Rational value;
};

Asked read_asked(TomlTable& file) {
  if (file.has("lifespan") && file.has("work"))
    file.fail("work", "and \"lifespan\" exclude each other: give one, the other is the answer");
  const bool rental = file.has("work");
  const std::string key = rental ? "work" : "lifespan";
  const Rational value = file.rational(key);
  if (value <= 0) file.fail(key, fmt::format("must be positive, not {}", to_text(value)));
  return {rental, value};
}

/// Everything that the file says.
struct Problem {
  Asked asked;
  Now<Rational> now;
  Now<double> rounded;
  std::vector<RiskPtr> risks;  ///< none: nobody is interrupted
  NowOrders orders;
  std::string choice;  ///< how the orders were chosen; "" where the file gives them
  bool proven = true;
  Place transit = {};  ///< where the file has it
};

/// The answer, and what a picture of it needs.
struct SolvedProtocol {
  nlohmann::ordered_json json;
  NowProtocol<double> protocol;
  double lifespan;
};

const NowProtocol<double>& rounded(const NowProtocol<double>& protocol) { return protocol; }

NowProtocol<double> rounded(const NowProtocol<Rational>& protocol) {
  NowProtocol<double> result;
  for (const Rational& slope : protocol.slopes) result.slopes.push_back(to_double(slope));
  for (const Rational& offset : protocol.offsets) result.offsets.push_back(to_double(offset));
  return result;
}

/// What the network does to the protocol, and what it could feed.
template <class Number>
nlohmann::ordered_json network_answer(const Problem& problem, const Now<Number>& now, const Number& lifespan,
                                      double load, bool feasible, double greatest_work) {
  nlohmann::ordered_json json = {{"transit", problem.rounded.transit}, {"fits", load <= 1}};
  const auto packets = heuristics::packets_in_transit(problem.now.latency, problem.now.transit);
  json["packets_in_transit"] = packets ? nlohmann::ordered_json(to_double(*packets)) : nlohmann::ordered_json();
  json["greatest_work"] = std::isfinite(greatest_work) ? nlohmann::ordered_json(greatest_work) : nullptr;
  json["workers_fed"] = nullptr;
  const std::size_t workers = problem.now.workers.size();
  if (feasible && load <= 1)
    json["workers_fed"] = workers;
  else if (workers <= (heuristics::has_closed_form(problem.orders) ? kMostFed : kMostFedInAnyOrder))
    if (const auto fed = heuristics::workers_fed(now, problem.orders, lifespan, workers - 1))
      json["workers_fed"] = *fed;
  return json;
}

/// Messages of less than one packet would take negative time if further packets took longer than the first.
template <class Number>
void require_lasting_messages(const Now<Number>& now, const std::vector<Number>& shares, const Place& place) {
  for (std::size_t i = 0; i < shares.size(); ++i)
    for (const auto& [packets, what] : {std::pair{shares[i], "the work"}, {now.delta * shares[i], "the results"}})
      if (now.latency + now.transit * (packets - 1) < 0)
        throw InputError(place, fmt::format("\"transit\" is above \"latency\", and {} of worker {} are {} packets, "
                                            "whose message would take negative "
                                            "time; give a transit of at most the latency",
                                            what, i + 1, to_text(static_cast<double>(Number(packets)))));
}

/// From which lifespan on a protocol does more than FIFO and LIFO in the order of the file. Exact only: in doubles, the
/// slopes of two protocols often agree in all digits.
nlohmann::ordered_json overtaken(const Now<Rational>& now, const NowProtocol<Rational>& protocol) {
  nlohmann::ordered_json json;
  for (const auto& [name, orders] :
       {std::pair{"fifo", &heuristics::now_fifo}, std::pair{"lifo", &heuristics::now_lifo}}) {
    const auto other = heuristics::any_now_protocol(now, orders(now.workers.size()));
    std::optional<Rational> from = heuristics::crossover_lifespan(protocol, other);
    if (protocol.slope == other.slope && protocol.offset < other.offset) from = Rational(0);
    add_value(json, name, from);
  }
  return json;
}

template <class Number>
SolvedProtocol answer_of(const Problem& problem, const Now<Number>& now, const Number& asked) {
  const bool closed = heuristics::has_closed_form(problem.orders);
  const NowProtocol<Number> protocol = heuristics::any_now_protocol(now, problem.orders);
  if (protocol.slope == 0 || protocol.slope != protocol.slope)
    throw InputError("the times of the workstations add up beyond the greatest number; take a greater unit of time");
  const bool rental = problem.asked.rental;
  const Number lifespan = rental ? protocol.lifespan(asked) : asked;
  const std::string method =
      fmt::format("now-2001 generic protocol, robust = no negative share (errata now-2001), {}{}{}",
                  closed ? "recurrence of FIFO or LIFO"
                         : (std::is_same_v<Number, double> ? "sweeps or LU decomposition" : "exact elimination"),
                  problem.choice.empty() ? "" : "; ", problem.choice);
  nlohmann::ordered_json json = {{"problem", "now"}, {"method", method}, {"exact", problem.proven}};
  if (rental) {
    add_value(json, "lifespan", lifespan);
  } else {
    add_value(json, "work", protocol.work(lifespan));
  }
  add_values(json, "shares", protocol.shares(lifespan));
  const bool feasible = lifespan > 0 && protocol.feasible(lifespan);
  json["feasible"] = feasible;
  add_value(json, "slope", protocol.slope);
  add_value(json, "offset", protocol.offset);
  add_value(json, "least_lifespan", protocol.least_lifespan());
  if constexpr (std::is_same_v<Number, Rational>) json["overtakes"] = overtaken(now, protocol);
  if (lifespan > 0) {
    const auto load = static_cast<double>(protocol.port_load(lifespan));
    if (!std::isfinite(load))
      throw InputError(fmt::format("the load of the port in a lifespan of {} overflows; take a smaller unit of time",
                                   to_text(static_cast<double>(lifespan))));
    if (feasible) require_lasting_messages(now, protocol.shares(lifespan), problem.transit);
    json["port_load"] = load;
    json["network"] =
        network_answer(problem, now, lifespan, load, feasible, heuristics::greatest_work(protocol, lifespan));
  }
  json["start"] = numbers_from_one(problem.orders.start);
  json["finish"] = numbers_from_one(problem.orders.finish);
  SolvedProtocol solved{std::move(json), rounded(protocol), static_cast<double>(lifespan)};
  if (!problem.risks.empty() && feasible)
    add_returns(solved.json, heuristics::return_plan(problem.rounded, problem.orders, solved.protocol, solved.lifespan),
                problem.risks);
  return solved;
}

void choose_orders(TomlTable& file, Problem& problem) {
  if (problem.risks.empty())
    file.fail("protocol",
              fmt::format("\"{}\" needs risks: write risk = ... at the top or in each [[worker]]", kRiskAware));
  if (problem.asked.rental)
    file.fail("work",
              fmt::format("cannot be given with protocol \"{}\", which chooses orders for a lifespan", kRiskAware));
  if (problem.now.workers.size() > heuristics::kRiskAwareWorkers)
    file.fail("protocol", fmt::format("\"{}\" searches orders of at most {} workers, not {}", kRiskAware,
                                      heuristics::kRiskAwareWorkers, problem.now.workers.size()));
  const auto found = heuristics::best_expected_protocol(problem.rounded, to_double(problem.asked.value), problem.risks);
  if (!found) file.fail("lifespan", "is too short: no protocol found gives every worker a non-negative share");
  problem.orders = found->orders;
  problem.proven = found->proven;
  problem.choice = fmt::format("greatest exact expectation of returned work over {}",
                               found->proven ? "all orders" : "orders (local search, not proven optimal)") +
                   ", if possible those whose messages fit one at a time";
}

Problem read_problem(TomlTable& file, const RiskKinds& laws) {
  const Asked asked = read_asked(file);
  std::vector<TomlTable> workers = read_workers(file);
  Problem problem{asked, read_now(file, workers), {}, read_worker_risks(file, workers, laws), {}, "", true};
  problem.rounded = to_doubles(problem.now);
  problem.transit = file.place("transit");
  const std::optional<NowOrders> orders = read_orders(file, workers.size());
  file.finish();
  if (orders) {
    problem.orders = *orders;
  } else {
    choose_orders(file, problem);
  }
  return problem;
}

SolvedProtocol solve_file(TomlTable& file, const Problem& problem) {
  const std::size_t workers = problem.now.workers.size();
  const bool closed = heuristics::has_closed_form(problem.orders);
  if (!closed && workers > kMostWorkers)
    file.fail("worker",
              fmt::format("is written {} times; orders other than FIFO and LIFO need a dense system of equations, "
                          "which is solved for at most {} workers",
                          workers, kMostWorkers));
  if (workers <= (closed ? heuristics::kExactNowWorkers : kExactWorkers))
    return answer_of(problem, problem.now, problem.asked.value);
  return answer_of(problem, problem.rounded, to_double(problem.asked.value));
}

}  // namespace

nlohmann::ordered_json solve_now(TomlTable& file, const RiskKinds& laws) {
  return solve_file(file, read_problem(file, laws)).json;
}

TimingDiagram draw_now(TomlTable& file, const RiskKinds& laws) {
  const Problem problem = read_problem(file, laws);
  const SolvedProtocol solved = solve_file(file, problem);
  const std::string key = problem.asked.rental ? "work" : "lifespan";
  if (!solved.json["feasible"].get<bool>())
    file.fail(key, "gives some worker a negative share: the protocol is infeasible, so there is no picture");
  const std::vector<double> shares = solved.protocol.shares(solved.lifespan);
  std::string title = fmt::format("now: work {:.10g} in lifespan {:.10g}",
                                  std::accumulate(shares.begin(), shares.end(), 0.0), solved.lifespan);
  if (!solved.json["network"]["fits"].get<bool>())
    title +=
        fmt::format("; cannot be done: messages overlap (port load {:.6g})", solved.json["port_load"].get<double>());
  return now_diagram(problem.rounded, problem.orders, shares, solved.lifespan, title);
}

}  // namespace coterie::sim
