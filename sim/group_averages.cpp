#include "sim/group_averages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "core/text.hpp"

namespace coterie::sim {

AxisColumns::AxisColumns(const ResultFile& result) {
  const Model& made_by = model(result.file().text_attribute("model"));
  for (const Axis& axis : made_by.axes()) {
    const std::string dataset = axis.name == "chunks" ? "chunks_requested" : axis.name;
    if (!result.file().has(dataset)) continue;
    names_.push_back(axis.name);
    if (axis.kind == Axis::Kind::kText) {
      columns_[axis.name] = result.file().read_texts(dataset);
    } else {
      for (const double value : result.file().read_doubles(dataset)) columns_[axis.name].push_back(to_text(value));
    }
  }
}

const std::vector<std::string>& AxisColumns::column(const std::string& axis) const {
  const auto found = columns_.find(axis);
  if (found == columns_.end())
    throw InputError(
        fmt::format("unknown axis \"{}\"{}; known are {}", axis, suggestion(axis, names_), quoted_list(names_)));
  return found->second;
}

void Average::add(double mean, double standard_error, double freedom) {
  const double square = standard_error * standard_error;
  sum += mean;
  variance += square;
  variance_of_variance += square * square / freedom;
  ++count;
}

double Average::standard_error() const { return std::sqrt(variance) / static_cast<double>(count); }

double Average::half_width() const {
  if (variance == 0) return 0;
  const double freedom = variance * variance / variance_of_variance;
  if (!(freedom > 0)) return std::nan("");
  const boost::math::students_t law(std::min(freedom, 1e9));
  return boost::math::quantile(law, 0.975) * standard_error();
}

Method::Method(const ResultFile& result)
    : sampling(result.sampling()), known(result.controlled() ? result.known_means() : std::vector<Controls::Means>{}) {}

double worth(const Group& group, const Method& method, std::size_t strategy) {
  const double reached = (method.controlled() ? group.controlled : group.ratio)[strategy].variance;
  return group.plain_variance[strategy] > 0 ? group.plain_variance[strategy] / reached : 1;
}

namespace {

/// The reference's mean metric in each configuration.
std::vector<double> reference_means(const ResultFile& result) {
  std::vector<double> means(result.configurations());
  for (std::size_t c = 0; c < means.size(); ++c)
    means[c] = summarise(result.file().read_doubles("reference", {c, 0}, {1, result.instances()})).mean;
  return means;
}

/// One configuration, as far as differences need it.
struct Rows {
  std::vector<std::vector<double>> ratio;  // by strategy
  std::vector<double> reference, capacity;
  const Controls::Means* known = nullptr;  // where means are controlled

  Rows(const ResultFile& result, const Method& method, std::size_t configuration) {
    for (std::size_t s = 0; s < result.strategies().size(); ++s) ratio.push_back(result.ratios(configuration, s));
    if (!method.controlled()) return;
    known = &method.known[configuration];
    reference = result.file().read_doubles("reference", {configuration, 0}, {1, result.instances()});
    capacity = result.file().read_doubles("capacity", {configuration, 0}, {1, result.instances()});
  }
};

/// The mean of the differences of two strategies, instance by instance.
MeanEstimate paired(const Rows& rows, std::size_t s, std::size_t base, Sampling sampling) {
  std::vector<double> difference(rows.ratio[s].size());
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] = rows.ratio[s][i] - rows.ratio[base][i];
  if (sampling == Sampling::kRandom) {
    const auto run =
        std::count_if(difference.begin(), difference.end(), [](double value) { return !std::isnan(value); });
    const Summary summary = summarise(difference);
    return {summary.mean, summary.standard_error, static_cast<double>(run) - 1, summary.standard_error};
  }
  ControlledMean mean({}, sampling);
  for (std::size_t i = 0; i < difference.size(); ++i)
    if (!std::isnan(difference[i])) mean.add(i, difference[i], {});
  return mean.estimate();
}

/// The same by regression on the controls of both.
MeanEstimate controlled_paired(const Rows& rows, std::size_t s, std::size_t base, std::span<const double> expected,
                               Sampling sampling) {
  std::vector<BoundedNumber> means = ratio_control_means(*rows.known, expected[s]);
  means.insert(means.begin() + 1, ratio_control_means(*rows.known, expected[base]).front());
  ControlledMean mean(means, sampling);
  for (std::size_t i = 0; i < rows.ratio[s].size(); ++i) {
    const double ratio = rows.ratio[s][i];
    if (std::isnan(ratio)) continue;
    const auto controls = ratio_controls(*rows.known, ratio, rows.reference[i], rows.capacity[i]);
    const double all[] = {controls[0], rows.ratio[base][i] * rows.reference[i], controls[1], controls[2], controls[3]};
    mean.add(i, ratio - rows.ratio[base][i], all);
  }
  return mean.estimate();
}

void add(Average& average, const MeanEstimate& estimate) {
  average.add(estimate.mean, estimate.standard_error, estimate.freedom);
}

/// The differences to the baseline in one configuration.
void add_differences(const ResultFile& result, const Method& method, std::size_t configuration, std::size_t baseline,
                     std::span<const double> expected, Group& group) {
  const Rows rows(result, method, configuration);
  for (std::size_t s = 0; s < rows.ratio.size(); ++s) {
    add(group.difference[s], paired(rows, s, baseline, method.sampling));
    if (method.controlled())
      add(group.controlled_difference[s], controlled_paired(rows, s, baseline, expected, method.sampling));
  }
}

}  // namespace

std::vector<Group> grouped(const ResultFile& result, const AxisColumns& axes, const std::vector<std::string>& by,
                           const std::vector<std::size_t>& configurations, std::ptrdiff_t baseline,
                           const Method& method) {
  const std::size_t strategies = result.strategies().size();
  const auto table = [&](const char* name, bool there = true) {
    return there ? result.file().read_doubles(name) : std::vector<double>(result.configurations() * strategies);
  };
  const std::vector<double> means = table("mean");
  const std::vector<double> errors = table("standard_error");
  const std::vector<double> deviations = table("stddev");
  const std::vector<double> expected = table("expected_work");
  const std::vector<double> controlled_means = table("controlled_mean", method.controlled());
  const std::vector<double> controlled_errors = table("controlled_standard_error", method.controlled());
  const std::vector<double> reference = reference_means(result);
  const std::vector<std::uint64_t> done = result.instances_done();
  std::vector<Group> groups;
  std::map<std::vector<std::string>, std::size_t> index;
  for (const std::size_t configuration : configurations) {
    std::vector<std::string> key;
    for (const std::string& axis : by) key.push_back(axes.column(axis)[configuration]);
    const auto [entry, fresh] = index.emplace(key, groups.size());
    const std::vector<Average> none(strategies);
    if (fresh)
      groups.push_back(
          {key, none, none, std::vector<double>(strategies, 0.0), 0, none, none, std::vector<double>(strategies, 0.0)});
    Group& group = groups[entry->second];
    group.reference += reference[configuration];
    const auto instances = static_cast<double>(done[configuration]);
    const double independent =
        method.sampling == Sampling::kSobol ? std::min(instances, static_cast<double>(kReplicates)) : instances;
    for (std::size_t s = 0; s < strategies; ++s) {
      const std::size_t at = configuration * strategies + s;
      group.ratio[s].add(means[at], errors[at], independent - 1);
      group.controlled[s].add(controlled_means[at], controlled_errors[at], independent - 1);
      group.plain_variance[s] += deviations[at] * deviations[at] / instances;
      group.expected[s] += expected[at];
    }
    if (baseline >= 0)
      add_differences(result, method, configuration, static_cast<std::size_t>(baseline),
                      std::span(expected).subspan(configuration * strategies, strategies), group);
  }
  return groups;
}

}  // namespace coterie::sim
