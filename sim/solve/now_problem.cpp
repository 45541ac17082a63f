#include "sim/solve/now_problem.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "heuristics/now_protocol.hpp"
#include "sim/solve/worker_numbers.hpp"

namespace coterie::sim {
namespace {

using heuristics::Now;
using heuristics::NowOrders;
using heuristics::NowProtocol;

constexpr std::size_t kExactWorkers = 32;   // fractions grow with every worker
constexpr std::size_t kMostWorkers = 4000;  // one dense system of that size

Now<Rational> read_now(TomlTable& file) {
  Now<Rational> now{read_time(file, "packaging"),
                    read_time(file, "latency"),
                    read_time(file, "transit"),
                    read_time(file, "delta"),
                    {}};
  for (TomlTable& table : read_workers(file)) {
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
  if (now.workers.size() > kMostWorkers)
    file.fail("worker",
              fmt::format("is written {} times; at most {} workers can be solved", now.workers.size(), kMostWorkers));
  return now;
}

std::vector<std::size_t> read_permutation(TomlTable& file, const std::string& key, std::size_t workers) {
  std::vector<std::size_t> order = read_order(file, key, workers);
  if (order.size() != workers) file.fail(key, fmt::format("must name each of the {} workers once", workers));
  return order;
}

NowOrders read_orders(TomlTable& file, std::size_t workers) {
  if (!file.has("protocol") && (file.has("start") || file.has("finish")))
    return {read_permutation(file, "start", workers), read_permutation(file, "finish", workers)};
  const std::string protocol = file.text("protocol");
  for (const char* key : {"start", "finish"})
    if (file.has(key)) file.fail(key, "and \"protocol\" exclude each other: the protocol sets the orders");
  if (protocol == "fifo") return heuristics::now_fifo(workers);
  if (protocol == "lifo") return heuristics::now_lifo(workers);
  file.fail("protocol",
            fmt::format("must be \"fifo\" or \"lifo\", not \"{}\" (other orders: write start and finish)", protocol));
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

/// What is given: the lifespan, or the work to be done in the least lifespan.
struct Asked {
  bool rental;
  Rational value;
};

Asked read_asked(TomlTable& file) {
  if (file.has("lifespan") && file.has("work"))
    file.fail("work", "and \"lifespan\" exclude each other: one is given, the other is the answer");
  const bool rental = file.has("work");
  const std::string key = rental ? "work" : "lifespan";
  const Rational value = file.rational(key);
  if (value <= 0) file.fail(key, fmt::format("must be positive, not {}", to_text(value)));
  return {rental, value};
}

template <class Number>
nlohmann::ordered_json answer_of(const Now<Number>& now, const NowOrders& orders, bool rental, const Number& asked) {
  const NowProtocol<Number> protocol = heuristics::now_protocol(now, orders);
  const Number lifespan = rental ? protocol.lifespan(asked) : asked;
  const std::string method = fmt::format("now-2001 generic protocol, robust = no negative share (errata now-2001), {}",
                                         std::is_same_v<Number, double> ? "LU decomposition" : "exact elimination");
  nlohmann::ordered_json json = {{"problem", "now"}, {"method", method}, {"exact", true}};
  if (rental) {
    add_value(json, "lifespan", lifespan);
  } else {
    add_value(json, "work", protocol.work(lifespan));
  }
  add_values(json, "shares", protocol.shares(lifespan));
  json["feasible"] = lifespan > 0 && protocol.feasible(lifespan);
  add_value(json, "slope", protocol.slope);
  add_value(json, "offset", protocol.offset);
  if (lifespan > 0) json["port_load"] = static_cast<double>(protocol.port_load(lifespan));
  return json;
}

}  // namespace

nlohmann::ordered_json solve_now(TomlTable& file) {
  const Asked asked = read_asked(file);
  const Now<Rational> now = read_now(file);
  const NowOrders orders = read_orders(file, now.workers.size());
  file.finish();
  if (now.workers.size() <= kExactWorkers) return answer_of(now, orders, asked.rental, asked.value);
  return answer_of(to_doubles(now), orders, asked.rental, to_double(asked.value));
}

}  // namespace coterie::sim
