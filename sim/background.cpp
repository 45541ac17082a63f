#include "sim/background.hpp"

#include <fmt/format.h>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/uniform_01.hpp>
#include <cmath>

#include "core/text.hpp"

namespace coterie::sim {
namespace {

/// Jobs arrive at rate `arrival` and are served one at a time at rate `service`; a worker with n of them runs at speed
/// 1/(n+1). [time-varying-2019, Algorithm 3; W^h(k) = k W]
class Mm1Background final : public Background {
 public:
  Mm1Background(double arrival, double service, double initial)
      : arrival_(arrival), service_(service), initial_(static_cast<std::size_t>(initial)) {}

  double capacity(double interruption, double enough, Stream& stream) const override {
    boost::random::exponential_distribution<double> unit(1.0);
    boost::random::uniform_01<double> uniform;
    double time = 0;
    double work = 0;
    std::size_t jobs = initial_;
    while (true) {
      const double rate = arrival_ + (jobs > 0 ? service_ : 0);
      const double hold = rate > 0 ? unit(stream) / rate : std::numeric_limits<double>::infinity();
      const double speed = 1 / static_cast<double>(jobs + 1);
      if (time + hold >= interruption) return work + (interruption - time) * speed;
      work += hold * speed;
      if (work >= enough) return work;
      time += hold;
      const double up = uniform(stream);
      jobs = up * rate < arrival_ ? jobs + 1 : jobs - 1;
    }
  }

  std::string text() const override {
    return fmt::format("mm1(arrival={}, service={}, initial={})", to_text(arrival_), to_text(service_),
                       to_text(static_cast<double>(initial_)));
  }

 private:
  double arrival_;
  double service_;
  std::size_t initial_;
};

double not_negative(const Expression& expression, const std::string& key, double otherwise) {
  const double value = expression.number(key, otherwise);
  if (!(value >= 0))
    throw InputError(expression.place(), fmt::format("{}: {} must not be negative", expression.name(), key));
  return value;
}

std::shared_ptr<const Background> make_none(const Expression&) { return nullptr; }

std::shared_ptr<const Background> make_mm1(const Expression& expression) {
  const double initial = not_negative(expression, "initial", 0);
  if (initial != std::floor(initial) || initial > 1e6)
    throw InputError(expression.place(), "mm1: initial must be a whole number of jobs, at most 1000000");
  expression.number("arrival");
  expression.number("service");
  return std::make_shared<Mm1Background>(not_negative(expression, "arrival", 0), not_negative(expression, "service", 0),
                                         initial);
}

}  // namespace

const std::vector<BackgroundKind>& background_kinds() {
  static const std::vector<BackgroundKind> table = {
      {"none", "workers run at full speed", {}, make_none},
      {"mm1",
       "background jobs as an M/M/1 queue; n of them slow a worker to 1/(n+1)",
       {{"arrival", "1/time", "", ">= 0", "jobs that arrive per unit of time"},
        {"service", "1/time", "", ">= 0", "jobs that are served per unit of time"},
        {"initial", "", "0", ">= 0", "jobs present at the start"}},
       make_mm1},
  };
  return table;
}

std::shared_ptr<const Background> make_background(const Expression& expression) {
  std::vector<std::string> names;
  for (const BackgroundKind& kind : background_kinds()) {
    names.push_back(kind.name);
    if (kind.name != expression.name()) continue;
    std::vector<std::string> parameters;
    for (const Parameter& parameter : kind.parameters) parameters.push_back(parameter.name);
    expression.allow_only(parameters);
    return kind.make(expression);
  }
  throw InputError(expression.place(), fmt::format("unknown background \"{}\"{}; known are {}", expression.name(),
                                                   suggestion(expression.name(), names), quoted_list(names)));
}

}  // namespace coterie::sim
