#include "sim/statistics/precision.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"

namespace coterie::sim {
namespace {

constexpr std::uint64_t kFirstGoal = 4 * kBlockInstances;
constexpr std::uint64_t kMostGrowth = 8;         // an early variance may be far off
constexpr double kCaution = 0.95;                // part of what the variance promises that is run before a second look
constexpr std::size_t kSliceValues = 4'000'000;  // ratios held in memory at a time (32 MB)

}  // namespace

PrecisionWatch::PrecisionWatch(double half_width, std::uint64_t most, std::size_t strategies)
    : half_width_(half_width), most_(most), moments_(strategies), sampled_(strategies) {
  std::iota(sampled_.begin(), sampled_.end(), std::size_t{0});
}

void PrecisionWatch::know(std::span<const BoundedNumber> means) {
  std::erase_if(sampled_, [&](std::size_t s) { return !std::isnan(means[s].value); });
  for (const BoundedNumber& mean : means)
    if (!std::isnan(mean.value)) exact_error_ = std::max(exact_error_, mean.error);
}

void PrecisionWatch::add(const double* ratio, std::size_t stride, std::uint64_t instances) {
  for (std::uint64_t i = 0; i < instances && !finished(); ++i) {
    const auto n = static_cast<double>(++seen_);
    for (const std::size_t s : sampled_) moments_[s].add(ratio[s * stride + i]);
    if (seen_ % kBlockInstances == 0 || seen_ == most_)
      reached_ = exact_error_ < half_width_ &&
                 (sampled_.empty() ||
                  (n * half_width_ >= kFewest && student_quantile(n - 1) * greatest_error() < half_width_));
  }
}

/// Standard error of the least precise mean that is sampled.
double PrecisionWatch::greatest_error() const {
  double error = 0;
  for (const std::size_t s : sampled_) error = std::max(error, standard_error(moments_[s]));
  return error;
}

std::uint64_t PrecisionWatch::goal() const {
  if (finished()) return seen_;
  if (seen_ == 0) return std::min(kFirstGoal, most_);
  if (exact_error_ >= half_width_) return most_;
  const auto n = static_cast<double>(seen_);
  const double quotient = seen_ < 2 ? kInfinity : student_quantile(n - 1) * greatest_error() / half_width_;
  const double promised = std::max(n * quotient * quotient, kFewest / half_width_);
  const double next = promised * kCaution > 1.1 * static_cast<double>(seen_) ? promised * kCaution : promised;
  const auto most = static_cast<double>(std::min(most_, kMostGrowth * seen_));
  const auto wanted = static_cast<std::uint64_t>(std::min(next, most));  // NaN cannot be: ratios are numbers
  const std::uint64_t blocks = std::max(wanted, seen_ + 1) / kBlockInstances + 1;
  return std::min(blocks * kBlockInstances, most_);
}

ResultExtent ResultExtent::fixed(const Campaign& campaign, const Shard& shard) {
  ResultExtent extent{campaign.instances, {}, 0};
  for (std::size_t i = 0; i < campaign.configurations.size(); ++i) {
    const InstanceRange share = shard.share(campaign, i);
    extent.done.push_back(share.last - share.first);
  }
  return extent;
}

PrecisionSearch::PrecisionSearch(const Campaign& campaign, const Shard& shard)
    : campaign_(campaign),
      shard_(shard),
      watches_(campaign.configurations.size(),
               PrecisionWatch(*campaign.precision, campaign.instances, campaign.strategies.size())) {
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const InstanceRange share = shard.share(campaign, i);
    open_.push_back(share.first < share.last);
    goals_.push_back(open_.back() ? watches_[i].goal() : 0);
  }
  known_.assign(watches_.size(), 0);
}

std::vector<MissingRows> PrecisionSearch::missing(const std::vector<const RowSource*>& sources) {
  for (;;) {
    std::vector<MissingRows> missing = missing_rows(campaign_, shard_, sources, goals_);
    known_ = goals_;
    for (const MissingRows& rows : missing)
      known_[rows.configuration] = std::min(known_[rows.configuration], rows.first_instance);
    if (!look(sources)) return missing;
  }
}

/// Takes in all rows that are new; returns whether a goal moved.
bool PrecisionSearch::look(const std::vector<const RowSource*>& sources) {
  const std::size_t strategies = campaign_.strategies.size();
  const auto ready = [&](std::size_t i) { return open_[i] && watches_[i].seen() < known_[i]; };
  bool moved = false;
  for (std::size_t first = 0; first < watches_.size();) {
    if (!ready(first)) {
      ++first;
      continue;
    }
    // Neighbours are read together, as they lie together in the files.
    ResultSlice slice{first, 0, watches_[first].seen(), 0, {}, {}};
    std::uint64_t end = known_[first];
    for (std::size_t i = first; i < watches_.size() && ready(i); ++i) {
      const std::uint64_t from = std::min(slice.first_instance, watches_[i].seen());
      const std::uint64_t to = std::max(end, known_[i]);
      if (slice.configurations > 0 && (to - from) * (slice.configurations + 1) * (strategies + 1) > kSliceValues) break;
      slice.first_instance = from;
      end = to;
      ++slice.configurations;
    }
    const std::uint64_t last = end;
    const std::uint64_t fits = kSliceValues / (slice.configurations * (strategies + 1)) + 1;
    for (std::uint64_t at = slice.first_instance; at < last; at += fits) {
      cancellation_point();
      slice.first_instance = at;
      slice.instances = std::min(fits, last - at);
      slice.ratio.assign(slice.configurations * strategies * slice.instances, 0);
      slice.reference.assign(slice.configurations * slice.instances, 0);
      for (const RowSource* source : sources) source->fill(slice);
      for (std::size_t k = 0; k < slice.configurations; ++k) feed(first + k, slice);
    }
    for (std::size_t i = first; i < first + slice.configurations; ++i) {
      open_[i] = !watches_[i].finished();
      if (open_[i] && known_[i] < goals_[i]) continue;  // some are still missing
      goals_[i] = watches_[i].goal();
      moved = true;
    }
    first += slice.configurations;
  }
  return moved;
}

/// Gives a watch what a slice has of its next instances.
void PrecisionSearch::feed(std::size_t configuration, const ResultSlice& slice) {
  PrecisionWatch& watch = watches_[configuration];
  if (watch.finished()) return;
  const std::uint64_t from = watch.seen();
  const std::uint64_t to = std::min(known_[configuration], slice.first_instance + slice.instances);
  if (from < slice.first_instance || from >= to) return;
  const std::size_t row = (configuration - slice.first_configuration) * slice.instances + (from - slice.first_instance);
  if (from == 0 && campaign_.exact_means)
    watch.know(campaign_.model->expected_ratios(campaign_.request(configuration)));
  const std::size_t before = (configuration - slice.first_configuration) * (campaign_.strategies.size() - 1);
  watch.add(slice.ratio.data() + before * slice.instances + row, slice.instances, to - from);
}

std::uint64_t PrecisionSearch::wanted() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t goal : goals_) sum += goal;
  return sum;
}

std::size_t PrecisionSearch::unfinished() const {
  return static_cast<std::size_t>(std::count(open_.begin(), open_.end(), true));
}

ResultExtent PrecisionSearch::extent() const {
  ResultExtent extent{1, {}, 0};
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    extent.done.push_back(open_[i] ? known_[i] : watches_[i].seen());
    extent.instances = std::max(extent.instances, extent.done.back());
    extent.short_of += !open_[i] && watches_[i].finished() && !watches_[i].reached();
  }
  return extent;
}

}  // namespace coterie::sim
