#include "heuristics/now/now_sweeps.hpp"

#include <algorithm>
#include <cmath>

#include "core/cancellation.hpp"
#include "core/infinity.hpp"

namespace coterie::heuristics {
namespace {

constexpr double kSettled = 0x1p-49;  // of the greatest

/// A slope and an offset of one worker, solved side by side.
struct SlopeAndOffset {
  double slope = 0;
  double offset = 0;
};

struct SweptWorker {
  double inverse = 0;  // of what multiplies its own share
  double overhead = 0;
  SlopeAndOffset share;
  SlopeAndOffset later;  // of all that finish after it
};

/// Each overhead includes the worker's own messages.
std::vector<SweptWorker> swept_workers(const Now<double>& now, const NowOrders& orders) {
  std::vector<SweptWorker> swept(now.workers.size());
  const double first_packet = now.latency - now.transit;
  double sent = 0;
  for (const std::size_t i : orders.start) {
    const NowWorker<double>& worker = now.workers[i];
    sent += first_packet + worker.setup_to;
    swept[i].overhead = sent;
    swept[i].inverse = 1 / (now.packaging + now.transit * (1 + now.delta) + worker.unpackaging +
                            worker.packaging * now.delta + worker.work_time);
  }
  double returned = 0;
  for (auto i = orders.finish.rbegin(); i != orders.finish.rend(); ++i) {
    returned += first_packet + now.workers[*i].setup_from;
    swept[*i].overhead += returned;
  }
  return swept;
}

/// By how much the shares changed at most, of the greatest.
double sweep(std::vector<SweptWorker>& swept, const NowOrders& orders, double out, double back) {
  SlopeAndOffset later;
  for (auto i = orders.finish.rbegin(); i != orders.finish.rend(); ++i) {
    SweptWorker& worker = swept[*i];
    worker.later = {back * later.slope, back * later.offset};
    later.slope += worker.share.slope;
    later.offset += worker.share.offset;
  }
  SlopeAndOffset before;
  SlopeAndOffset change;
  SlopeAndOffset greatest;
  for (const std::size_t i : orders.start) {
    SweptWorker& worker = swept[i];
    const double slope = (1 - worker.later.slope - out * before.slope) * worker.inverse;
    const double offset = (worker.overhead - worker.later.offset - out * before.offset) * worker.inverse;
    change.slope = std::max(change.slope, std::abs(slope - worker.share.slope));
    change.offset = std::max(change.offset, std::abs(offset - worker.share.offset));
    greatest.slope = std::max(greatest.slope, std::abs(slope));
    greatest.offset = std::max(greatest.offset, std::abs(offset));
    worker.share = {slope, offset};
    before.slope += slope;
    before.offset += offset;
  }
  return std::max(change.slope / greatest.slope, change.offset > 0 ? change.offset / greatest.offset : 0);
}

}  // namespace

bool solve_by_sweeps(const Now<double>& now, const NowOrders& orders, NowProtocol<double>& protocol) {
  std::vector<SweptWorker> swept = swept_workers(now, orders);
  const double out = now.packaging + now.transit;
  const double back = now.transit * now.delta;
  double last = kInfinity;
  for (double change = sweep(swept, orders, out, back); change > kSettled; change = sweep(swept, orders, out, back)) {
    cancellation_point();
    if (!(change <= last / 2)) return false;
    last = change;
  }
  protocol.slopes.resize(swept.size());
  protocol.offsets.resize(swept.size());
  for (std::size_t i = 0; i < swept.size(); ++i) {
    protocol.slopes[i] = swept[i].share.slope;
    protocol.offsets[i] = swept[i].share.offset;
  }
  return true;
}

}  // namespace coterie::heuristics
