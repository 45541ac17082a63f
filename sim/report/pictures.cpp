#include "sim/report/pictures.hpp"

#include <algorithm>
#include <cmath>

namespace coterie::sim {
namespace {

std::vector<Picture> pictures_of(const Campaign& campaign, const std::vector<std::string>& strategies) {
  const auto size = [&](const Configuration& one) { return campaign.model->drawing_size(one); };
  const auto smallest = std::min_element(campaign.configurations.begin(), campaign.configurations.end(),
                                         [&](const auto& a, const auto& b) { return size(a) < size(b); });
  if (!std::isfinite(size(*smallest))) return {};
  return campaign.model->pictures({*smallest, campaign.seed, strategies, *campaign.risks, campaign.schedules.get()});
}

}  // namespace

ReportPictures report_pictures(const ResultFile& result) {
  const Provenance made = result.provenance();  // read here: that the result cannot be read is no reason to go on
  ReportPictures report;
  const auto cannot = [&](const std::exception& error) { report.problem = error.what(); };
  try {
    const Provenance found = made.located(result.path());
    found.require_traces(result.path());
    const Campaign campaign = found.parse(result.catalogue());
    report.risks = campaign.risks;
    report.pictures = pictures_of(campaign, result.strategies());
  } catch (const RuntimeError& error) {
    cannot(error);
  } catch (const InputError& error) {
    cannot(error);
  }
  return report;
}

}  // namespace coterie::sim
