#include "sim/background.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/background_law.hpp"
#include "core/table.hpp"
#include "core/text.hpp"

namespace coterie::sim {
namespace {

/// An M/M/1 queue beside the worker, which runs at speed 1/(n+1) while n background jobs are there.
/// [time-varying-2019, Algorithm 3; W^h(k) = k W]
class Mm1Background final : public Background {
 public:
  explicit Mm1Background(const BackgroundLaw& law) : law_(law) {}

  double capacity(double interruption, double enough, Stream& stream) const override {
    BackgroundWalk<Stream> walk(law_, stream);
    double time = 0;
    double work = 0;
    while (true) {
      const double end = std::min(walk.next_change(), interruption);
      work += (end - time) / static_cast<double>(walk.jobs() + 1);
      if (end == interruption || work >= enough) return work;
      time = end;
      walk.advance();
    }
  }

  std::string text() const override {
    return fmt::format("mm1(arrival={}, service={}, initial={})", to_text(law_.arrival), to_text(law_.service),
                       law_.initial);
  }

 private:
  BackgroundLaw law_;
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
  return std::make_shared<Mm1Background>(BackgroundLaw{not_negative(expression, "arrival", 0),
                                                       not_negative(expression, "service", 0),
                                                       static_cast<std::int64_t>(initial)});
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
  const auto& kind = find_row(background_kinds(), expression.name(), "background", expression.place());
  expression.allow_only(names_of(kind.parameters));
  return kind.make(expression);
}

}  // namespace coterie::sim
