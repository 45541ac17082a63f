#include "heuristics/restart/omniscient.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <map>

#include "tests/heuristics/restart/given_times.hpp"

namespace coterie::heuristics {
namespace {

/// A market of whole hours, drawn by itself.
std::vector<UpTime> random_market(boost::random::mt19937& engine, int horizon) {
  boost::random::uniform_int_distribution<int> length(1, 7);
  std::vector<UpTime> times;
  for (int time = boost::random::uniform_int_distribution<int>(0, 3)(engine); time < horizon;) {
    const int end = time + length(engine);
    times.push_back({static_cast<double>(time), static_cast<double>(end)});
    time = end + length(engine) - 1;
  }
  return times;
}

/// The least cost by trying everything in each hour: to be idle, on spot, on-demand. Checkpoints cost whole hours,
/// too, and are made in the last hours of a time on spot; changes are paid in hours in which nothing else is done.
class HourByHour {
 public:
  HourByHour(const MarketJob& job, const std::vector<UpTime>& times) : job_(job) {
    up_.assign(static_cast<std::size_t>(job.deadline) + 1, false);
    last_.assign(up_.size(), false);
    for (const UpTime& one : times)
      for (int t = static_cast<int>(one.begin); t < static_cast<int>(one.end) && t < job.deadline; ++t) {
        up_[static_cast<std::size_t>(t)] = true;
        last_[static_cast<std::size_t>(t)] = t + 1 == static_cast<int>(one.end);
      }
  }
  double least() { return from(0, static_cast<int>(job_.work), 0, false, 0, 0); }

 private:
  /// last: 0 nothing, 1 spot, 2 on-demand; `busy`: hours of the start that are still to pay; `unsaved`: work done on
  /// spot since the last checkpoint.
  double from(int t, int left, int last, bool runs, int busy, int unsaved) {
    if (left == 0) return 0;
    if (t >= static_cast<int>(job_.deadline)) return kInfinity;
    const std::array<int, 6> key = {t, left, last, runs ? 1 : 0, busy, unsaved};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    double best = runs && busy > 0 ? kInfinity : from(t + 1, left, last, false, 0, 0);
    const int checkpoint = static_cast<int>(job_.checkpoint);
    if (up_[static_cast<std::size_t>(t)] && !(runs && last == 2 && busy > 0)) {
      const bool going = runs && last == 1;
      const int start =
          going || last == 0 ? (going ? busy : 0) : static_cast<int>(last == 1 ? job_.restart : job_.change);
      const bool ends = last_[static_cast<std::size_t>(t)];
      if (start > 0) {
        best = std::min(best, 1 + from(t + 1, left, ends && start > 1 ? last : 1, !ends, start - 1, 0));
      } else {
        const int done = going ? unsaved + 1 : 1;
        if (checkpoint == 0)
          best = std::min(best, 1 + from(t + 1, left - 1, 1, !ends, 0, 0));
        else if (!ends && done <= left)
          best = std::min(best, 1 + from(t + 1, left, 1, true, 0, done));
        if (going && unsaved > 0 && checkpoint > 0 && saves(t, checkpoint)) {
          const int after = t + checkpoint;
          best = std::min(
              best, checkpoint + from(after, left - unsaved, 1, !last_[static_cast<std::size_t>(after) - 1], 0, 0));
        }
      }
    }
    if (runs && last == 1 && busy > 0) return known_[key] = best;
    const bool going = runs && last == 2;
    const int start =
        going || last == 0 ? (going ? busy : 0) : static_cast<int>(last == 2 ? job_.restart : job_.change);
    if (start > 0)
      best = std::min(best, job_.price + from(t + 1, left, 2, true, start - 1, 0));
    else
      best = std::min(best, job_.price + from(t + 1, left - 1, 2, true, 0, 0));
    return known_[key] = best;
  }

  bool saves(int t, int checkpoint) const {
    for (int i = 0; i < checkpoint; ++i) {
      if (t + i >= static_cast<int>(job_.deadline) || !up_[static_cast<std::size_t>(t + i)]) return false;
      if (i + 1 < checkpoint && last_[static_cast<std::size_t>(t + i)]) return false;
    }
    return true;
  }

  const MarketJob& job_;
  std::vector<bool> up_, last_;
  std::map<std::array<int, 6>, double> known_;
};

TEST(Omniscient, HasTheLeastCostOfAllThatCanBeDoneHourByHour) {
  boost::random::mt19937 engine(2024);
  const auto draw = [&](int from, int to) { return boost::random::uniform_int_distribution<int>(from, to)(engine); };
  for (int i = 0; i < 400; ++i) {
    MarketJob job;
    job.work = draw(3, 14);
    job.checkpoint = draw(0, 1);
    job.restart = draw(0, 2);
    job.change = job.restart + draw(0, 1);  // or changing twice at once would be a cheaper restart
    job.price = 1 + draw(0, 8) / 4.0;
    job.deadline = job.work + draw(0, 14);
    const std::vector<UpTime> times = random_market(engine, static_cast<int>(job.deadline));
    GivenTimes spot(times);

    const auto [cost, exact] = omniscient_cost(job, spot);

    const double least = HourByHour(job, times).least();
    EXPECT_TRUE(exact);
    EXPECT_NEAR(cost, least, 1e-9) << "work " << job.work << " C " << job.checkpoint << " R " << job.restart << " d "
                                   << job.change << " k " << job.price << " deadline " << job.deadline;
  }
}

TEST(Omniscient, HasTheLeastCostWhereThereIsMoreSpotThanWork) {
  const MarketJob job{9, 0, 1, 0, 16, 4, 1};
  GivenTimes spot({{1, 7}, {8, 9}, {10, 16}});

  const auto [cost, exact] = omniscient_cost(job, spot);

  EXPECT_NEAR(cost, 6 + 1 + 3, 1e-9);  // and not the bound by prices of on-demand below 4, which is 9.82
  EXPECT_TRUE(exact);
}

TEST(Omniscient, FinishesWhenEveryTimeThatIsLongEnoughIsUsedWhole) {
  const MarketJob job{10, 1, 2};
  GivenTimes spot({{0, 6}, {7, 9}, {10, 14}, {20, 40}});
  // 5 by 6, nothing by 9, 1 more by 14; then 2 + 4 + 1.
  EXPECT_DOUBLE_EQ(omniscient_finish(job, spot), 27);
  GivenTimes first({{0, 2}, {3, 100}});  // who does not start in the first has no restart in the second
  EXPECT_DOUBLE_EQ(omniscient_finish(job, first), 3 + 11);
}

}  // namespace
}  // namespace coterie::heuristics
