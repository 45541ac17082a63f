#include "sim/run/replay.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"

namespace coterie::sim {

Replay::Replay(const ResultFile& result, std::size_t configuration)
    : result_(result),
      configuration_(configuration),
      campaign_(result.campaign()),
      request_(campaign_.request(configuration)) {
  if (fmt::format("{:016x}", request_.configuration.identity) != result.file().read_texts("identity")[configuration])
    throw RuntimeError(result.path() +
                       ": the configuration's identity differs from the stored one: an input file changed");
  trial_ = campaign_.model->prepare(request_);
}

nlohmann::ordered_json Replay::operator()(std::uint64_t instance) const {
  if (!was_run(instance))
    throw InputError(fmt::format("--instance {0}: was not run; this file has {2} instances of configuration {1}",
                                 instance, configuration_, result_.instances_done().at(configuration_)));
  nlohmann::ordered_json answer;
  for (const Axis& axis : campaign_.model->axes())
    answer["configuration"][axis.name] = axis_json(axis, request_.configuration.values.at(axis.name));
  answer["instance"] = instance;
  answer.update(trial_->replay(instance));
  auto& strategies = answer["strategies"];
  for (std::size_t s = 0; s < strategies.size() && !result_.statistics(); ++s)
    require_stored(strategies[s]["name"].get<std::string>() + " gives",
                   result_.file().read_doubles("ratio", {configuration_, s, instance}, {1, 1, 1}).front(),
                   strategies[s]["ratio"].get<double>());
  return answer;
}

bool Replay::was_run(std::uint64_t instance) const {
  if (!result_.statistics())
    return !std::isnan(result_.file().read_doubles("reference", {configuration_, instance}, {1, 1}).front());
  const InstanceRange share = result_.provenance().shard.share(campaign_, configuration_);
  return instance >= share.first && instance < share.last;
}

void Replay::require_stored(const std::string& what, double stored, double again) const {
  if (stored != again)
    throw RuntimeError(fmt::format("{}: {} {}, but the file holds {}: made by another build, or an input changed",
                                   result_.path(), what, to_text(again), to_text(stored)));
}

}  // namespace coterie::sim
