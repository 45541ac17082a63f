#include "sim/results/totals_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/errors.hpp"

namespace coterie::sim {
namespace {

using Member = double ValueMoments::*;
constexpr Member kMembers[] = {&ValueMoments::count, &ValueMoments::mean, &ValueMoments::squares, &ValueMoments::least,
                               &ValueMoments::greatest};
constexpr std::size_t kMoments = std::size(kMembers);
constexpr int kDeflate = 1;  // most cells are empty

bool is_whole(double value) {
  return value >= 0 && value < 9e15 && value == static_cast<double>(static_cast<std::uint64_t>(value));
}

}  // namespace

const std::vector<std::string>& moment_names() {
  static const std::vector<std::string> names = {"count", "mean", "squares", "least", "greatest"};
  return names;
}

TotalsWriter::TotalsWriter(Hdf5File& file, std::size_t configurations, std::size_t strategies, std::uint64_t nodes)
    : file_(file), series_{strategies}, nodes_(nodes) {
  file.create_doubles(kNodes, {{nodes, kNodeFields}, {}, 0});
  file.create_doubles(kNodeMoments, {{nodes, series_.count(), kMoments}, {}, 0});
  file.create_doubles(
      kHistograms,
      {{configurations, strategies, RatioHistogram::kCounts}, {1, strategies, RatioHistogram::kCounts}, kDeflate});
}

void TotalsWriter::add(const std::vector<RatioTotals>& totals) {
  std::vector<double> nodes;
  std::vector<double> moments;
  std::vector<double> counts;
  const std::uint64_t first_node = nodes_written_;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    for (const auto& [first, node] : totals[i].tree().nodes()) {
      nodes.insert(nodes.end(),
                   {static_cast<double>(written_ + i), static_cast<double>(first), static_cast<double>(node.blocks)});
      for (const ValueMoments& values : node.moments)
        for (const Member member : kMembers) moments.push_back(values.*member);
      ++nodes_written_;
    }
    for (std::size_t s = 0; s < series_.strategies; ++s) {
      if (s < totals[i].histograms().size())
        counts.insert(counts.end(), totals[i].histograms()[s].counts().begin(),
                      totals[i].histograms()[s].counts().end());
      else
        counts.resize(counts.size() + RatioHistogram::kCounts);
    }
  }
  if (nodes_written_ > nodes_) throw std::logic_error("more nodes than were told");
  const std::uint64_t fresh = nodes_written_ - first_node;
  if (fresh > 0) {
    file_.write_doubles(kNodes, nodes, {first_node, 0}, {fresh, kNodeFields});
    file_.write_doubles(kNodeMoments, moments, {first_node, 0, 0}, {fresh, series_.count(), kMoments});
  }
  file_.write_doubles(kHistograms, counts, {written_, 0, 0},
                      {totals.size(), series_.strategies, RatioHistogram::kCounts});
  written_ += totals.size();
}

void write_totals(Hdf5File& file, const std::vector<RatioTotals>& totals, std::size_t strategies) {
  std::uint64_t nodes = 0;
  for (const RatioTotals& one : totals) nodes += one.tree().nodes().size();
  TotalsWriter(file, totals.size(), strategies, nodes).add(totals);
}

std::uint64_t aligned_nodes(std::uint64_t first, std::uint64_t last) {
  std::uint64_t nodes = 0;
  while (first < last) {
    const std::uint64_t fits = std::bit_floor(last - first);
    first += first == 0 ? fits : std::min(fits, first & (~first + 1));
    ++nodes;
  }
  return nodes;
}

TotalsTables::TotalsTables(const Hdf5File& file, std::string path) : file_(file), path_(std::move(path)) {
  const std::vector<hsize_t> histograms = file.shape(kHistograms);
  const std::vector<hsize_t> nodes = file.shape(kNodes);
  if (histograms.size() != 3 || histograms[2] != RatioHistogram::kCounts || nodes.size() != 2 ||
      nodes[1] != kNodeFields)
    damaged("its statistics have the wrong shape");
  strategies_ = histograms[1];
  if (file.shape(kNodeMoments) != std::vector<hsize_t>{nodes[0], TotalSeries{strategies_}.count(), kMoments})
    damaged("its moments have the wrong shape");
  nodes_ = file.read_doubles(kNodes);
  for (std::size_t i = 0; i < nodes_.size(); i += kNodeFields) {
    if (!std::all_of(nodes_.begin() + static_cast<std::ptrdiff_t>(i),
                     nodes_.begin() + static_cast<std::ptrdiff_t>(i + kNodeFields), is_whole) ||
        nodes_[i] >= static_cast<double>(histograms[0]) || (i > 0 && nodes_[i] < nodes_[i - kNodeFields]))
      damaged(fmt::format("its node {} is out of bounds", i / kNodeFields));
    begins_.resize(static_cast<std::size_t>(nodes_[i]) + 1, i / kNodeFields);
  }
  begins_.resize(histograms[0] + 1, nodes[0]);
}

void TotalsTables::damaged(const std::string& what) const {
  throw RuntimeError(fmt::format("{}: is damaged: {}", path_, what));
}

RatioTotals TotalsTables::of(std::size_t configuration) const {
  const std::size_t first = begins_[configuration];
  const std::size_t count = begins_[configuration + 1] - first;
  if (count == 0) return {};
  const std::size_t series = TotalSeries{strategies_}.count();
  const std::vector<double> moments = file_.read_doubles(kNodeMoments, {first, 0, 0}, {count, series, kMoments});
  BlockTree tree;
  double instances = 0;
  for (std::size_t i = 0; i < count; ++i) {
    BlockTree::Moments of_node(series);
    for (std::size_t k = 0; k < series; ++k)
      for (std::size_t member = 0; member < kMoments; ++member)
        of_node[k].*kMembers[member] = moments[(i * series + k) * kMoments + member];
    instances += of_node.front().count;
    const double* const node = nodes_.data() + (first + i) * kNodeFields;
    try {
      tree.add(static_cast<std::uint64_t>(node[1]), static_cast<std::uint64_t>(node[2]), std::move(of_node));
    } catch (const std::logic_error& error) {
      damaged(fmt::format("its node {}: {}", first + i, error.what()));
    }
  }
  const std::vector<double> counts =
      file_.read_doubles(kHistograms, {configuration, 0, 0}, {1, strategies_, RatioHistogram::kCounts});
  std::vector<RatioHistogram> histograms;
  for (std::size_t s = 0; s < strategies_; ++s) {
    std::vector<std::uint64_t> of_strategy;
    for (std::size_t i = 0; i < RatioHistogram::kCounts; ++i) {
      const double value = counts[s * RatioHistogram::kCounts + i];
      if (!is_whole(value)) damaged("its histograms are not counts");
      of_strategy.push_back(static_cast<std::uint64_t>(value));
    }
    histograms.emplace_back(std::move(of_strategy));
    if (static_cast<double>(histograms.back().count()) != instances)
      damaged("its histograms and moments count different instances");
  }
  return {std::move(tree), std::move(histograms)};
}

}  // namespace coterie::sim
