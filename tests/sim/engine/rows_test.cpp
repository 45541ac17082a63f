#include "sim/engine/rows.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace coterie::sim {
namespace {

Campaign campaign_of(std::size_t configurations, std::size_t strategies, std::uint64_t instances) {
  Campaign campaign;
  campaign.instances = instances;
  campaign.configurations.resize(configurations);
  for (std::size_t s = 0; s < strategies; ++s) campaign.strategies.push_back("s" + std::to_string(s));
  return campaign;
}

double value_of(std::size_t configuration, std::size_t column, std::uint64_t instance) {
  return static_cast<double>(configuration * 1'000'000 + column * 10'000 + instance);
}

ResultRow row_of(std::size_t configuration, std::size_t column, std::uint64_t first, std::uint64_t instances) {
  const auto values = std::make_shared<double[]>(instances);
  for (std::uint64_t i = 0; i < instances; ++i) values[i] = value_of(configuration, column, first + i);
  return {{configuration, column, first, instances, {}}, values};
}

/// The same with measures, each 0.1 above the kind before.
ResultRow measured_row_of(std::size_t configuration, std::size_t column, std::uint64_t first, std::uint64_t instances) {
  if (column == kReferenceColumn) return row_of(configuration, column, first, instances);
  const std::size_t stride = instances + 3;
  const auto values = std::make_shared<double[]>(kRowKinds.size() * stride);
  for (std::size_t kind = 0; kind < kRowKinds.size(); ++kind)
    for (std::uint64_t i = 0; i < instances; ++i)
      values[kind * stride + i] = value_of(configuration, column, first + i) + 0.1 * static_cast<double>(kind);
  return {{configuration, column, first, instances, {}}, values, kRowKinds.size(), stride};
}

// Whatever rows are known, in however many sources: known cells and the cells of what is missing are together all cells
// of the shard; no known strategy is computed again unless the reference beside it is missing.
RC_GTEST_PROP(MissingRows, AreExactlyTheCellsThatNoSourceHas, ()) {
  const auto configurations = *rc::gen::inRange<std::size_t>(1, 4);
  const auto strategies = *rc::gen::inRange<std::size_t>(1, 4);
  const auto instances = *rc::gen::inRange<std::uint64_t>(1, 30);
  const Campaign campaign = campaign_of(configurations, strategies, instances);
  const auto count = *rc::gen::inRange<std::uint64_t>(1, 3);
  const Shard shard{*rc::gen::inRange<std::uint64_t>(1, count + 1), count};
  std::vector<std::vector<std::vector<bool>>> known(configurations,
                                                    std::vector(strategies + 1, std::vector<bool>(instances, false)));
  std::vector<std::unique_ptr<MemoryRows>> sources;
  for (int source = *rc::gen::inRange(0, 3); source > 0; --source) {
    std::vector<ResultRow> rows;
    for (int row = *rc::gen::inRange(0, 8); row > 0; --row) {
      const auto c = *rc::gen::inRange<std::size_t>(0, configurations);
      const auto column = *rc::gen::inRange<std::size_t>(0, strategies + 1);
      const auto first = *rc::gen::inRange<std::uint64_t>(0, instances);
      const auto length = *rc::gen::inRange<std::uint64_t>(1, instances - first + 1);
      rows.push_back(row_of(c, column, first, length));
      for (std::uint64_t i = first; i < first + length; ++i) known[c][column][i] = true;
    }
    sources.push_back(std::make_unique<MemoryRows>(std::move(rows)));
  }
  std::vector<const RowSource*> list;
  for (const auto& source : sources) list.push_back(source.get());

  auto computed = std::vector(configurations, std::vector(strategies + 1, std::vector<bool>(instances, false)));
  for (const MissingRows& rows : missing_rows(campaign, shard, list)) {
    RC_ASSERT(rows.instances > 0 && !rows.strategies.empty());
    for (std::uint64_t i = rows.first_instance; i < rows.first_instance + rows.instances; ++i) {
      if (rows.reference) computed[rows.configuration][kReferenceColumn][i] = true;
      for (const std::size_t s : rows.strategies) {
        RC_ASSERT(!computed[rows.configuration][column_of(s)][i]);
        computed[rows.configuration][column_of(s)][i] = true;
      }
    }
  }

  for (std::size_t c = 0; c < configurations; ++c) {
    const InstanceRange share = shard.share(campaign, c);
    for (std::uint64_t i = 0; i < instances; ++i) {
      const bool wanted = share.first <= i && i < share.last;
      const bool no_reference = !known[c][kReferenceColumn][i];
      RC_ASSERT(computed[c][kReferenceColumn][i] == (wanted && no_reference));
      for (std::size_t s = 0; s < strategies; ++s)
        RC_ASSERT(computed[c][column_of(s)][i] == (wanted && (no_reference || !known[c][column_of(s)][i])));
    }
  }
}

TEST(MissingRows, OfManyShortRowsAreFoundInOnePass) {  // 5e11 steps if every row were compared with all
  constexpr std::uint64_t kInstances = 400'000;
  const Campaign campaign = campaign_of(1, 2, kInstances);
  std::vector<ResultRow> rows;
  for (std::uint64_t i = 0; i < kInstances; ++i)
    for (std::size_t column = 0; column < 3; ++column)
      if (i % 100'000 != 99'999 || column == 1) rows.push_back(row_of(0, column, i, 1));
  MemoryRows known;
  known.add(std::move(rows));
  const std::vector<MissingRows> missing = missing_rows(campaign, {}, {&known});
  ASSERT_EQ(missing.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(missing[k].first_instance, 100'000 * k + 99'999);
    EXPECT_EQ(missing[k].instances, 1u);
    EXPECT_TRUE(missing[k].reference);
  }
}

RC_GTEST_PROP(MemoryRows, FillEverySliceWithItsCells, ()) {
  const std::size_t configurations = 4, strategies = 2;
  const std::uint64_t instances = 20;
  std::vector<ResultRow> rows;
  for (std::size_t c = 0; c < configurations; ++c)
    for (std::size_t column = 0; column <= strategies; ++column) {
      const auto middle = *rc::gen::inRange<std::uint64_t>(1, instances);
      rows.push_back(measured_row_of(c, column, middle, instances - middle));
      rows.push_back(measured_row_of(c, column, 0, middle));
    }
  MemoryRows source;
  while (!rows.empty()) {  // a few at a time, from anywhere
    const auto at = static_cast<std::ptrdiff_t>(*rc::gen::inRange<std::size_t>(0, rows.size()));
    const auto end = std::min<std::ptrdiff_t>(at + 3, static_cast<std::ptrdiff_t>(rows.size()));
    source.add({rows.begin() + at, rows.begin() + end});
    rows.erase(rows.begin() + at, rows.begin() + end);
  }
  RC_ASSERT(std::is_sorted(source.spans().begin(), source.spans().end()));
  ResultSlice slice;
  slice.first_configuration = *rc::gen::inRange<std::size_t>(0, configurations);
  slice.configurations = *rc::gen::inRange<std::size_t>(1, configurations - slice.first_configuration + 1);
  slice.first_instance = *rc::gen::inRange<std::uint64_t>(0, instances);
  slice.instances = *rc::gen::inRange<std::uint64_t>(1, instances - slice.first_instance + 1);
  const auto kinds = *rc::gen::element<std::size_t>(1, kRowKinds.size());  // that the slice holds
  for (std::size_t kind = 0; kind < kinds; ++kind)
    (slice.*kRowKinds[kind].values).assign(slice.configurations * strategies * slice.instances, -1);
  slice.reference.assign(slice.configurations * slice.instances, -1);

  source.fill(slice);

  for (std::size_t c = 0; c < slice.configurations; ++c)
    for (std::uint64_t i = 0; i < slice.instances; ++i) {
      const std::size_t configuration = slice.first_configuration + c;
      const std::uint64_t instance = slice.first_instance + i;
      RC_ASSERT(slice.reference[c * slice.instances + i] == value_of(configuration, kReferenceColumn, instance));
      for (std::size_t s = 0; s < strategies; ++s)
        for (std::size_t kind = 0; kind < kinds; ++kind)
          RC_ASSERT((slice.*kRowKinds[kind].values)[(c * strategies + s) * slice.instances + i] ==
                    value_of(configuration, column_of(s), instance) + 0.1 * static_cast<double>(kind));
    }
}

}  // namespace
}  // namespace coterie::sim
