#include "sim/plan_verb/plan_prices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/text.hpp"
#include "sim/plan_verb/plan_machine_count.hpp"
#include "sim/planning/prices.hpp"

namespace coterie::sim {
namespace {

/// --price spot=0.30,on-demand=1.00
Prices prices_of(const Options& options) {
  const std::string text = options.text("price");
  std::map<std::string, double> given;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string name(trimmed(part.substr(0, equals)));
    const auto price = equals == part.npos ? std::nullopt : parse_number(trimmed(part.substr(equals + 1)));
    if ((name != "spot" && name != "on-demand") || !price || !(*price > 0) || !given.emplace(name, *price).second)
      break;
  }
  if (given.size() != 2 || std::count(text.begin(), text.end(), ',') != 1)
    throw InputError(
        fmt::format("--price must be two prices above 0, such as spot=0.30,on-demand=1.00, not \"{}\"", text));
  return {given["spot"], given["on-demand"]};
}

}  // namespace

void refuse_what_prices_do_not_know(const Options& options, const PlanView& view) {
  if (options.has("jobs-every"))
    throw InputError("--price is not available with background jobs; leave out --jobs-every");
  if (options.has("classes")) throw InputError("--price is for spot machines of one kind; leave out --classes");
  if (options.has("strategy")) throw InputError("--price chooses the strategy; leave out --strategy");
  if (view.answer.question.lambda < 1)
    throw InputError("--price does not know --lambda: its mixes may exceed it; leave out --lambda");
  if (asks_how_many(options))
    throw InputError(fmt::format("--price needs one number, the most machines in a mix, not --machines {}",
                                 options.text("machines")));
  if (view.answer.question.if_gone)
    throw InputError(
        "--price: say whether machines that outlast the last interruption stay or leave: --tail immortal or gone");
}

void ask_prices(const Options& options, const Machines& machines, StageLine& stage, PlanView& view) {
  const std::size_t workers = view.answer.question.workers;
  PriceQuestion asked{[&](std::size_t spot) { return machines.question(spot); }, workers, prices_of(options),
                      view.listening_question};
  constexpr std::uint64_t kMostLives = 40'000, kLeastRuns = 200;  // of each of some 30 mixes
  if (!options.has("instances"))
    asked.listening.instances = std::min(asked.listening.instances, std::max(kLeastRuns, kMostLives / workers));
  asked.tell = [&](const std::string& mix) { stage.show(mix); };
  view.prices = price_mixes(asked);
}

}  // namespace coterie::sim
