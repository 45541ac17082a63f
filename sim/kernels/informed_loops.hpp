#pragma once

// What the omniscient completes where messages take turns. Part of lane_loops_body.hpp: local to the including file,
// nothing of the standard library.

#include "sim/kernels/lane_vectors.hpp"

namespace coterie::sim {
namespace {

/// slack: how long the master's port is free until each interruption. A message takes its time from the interruptions
/// that are no earlier than its worker's. Each pass takes off the message before and finds what is left for the next.
void bound_informed(const InformedView& view, const double* times, double* slack, double* bound) {
  constexpr double kInfinite = __builtin_inf();
  __builtin_memcpy(slack, times, view.workers * kLanes * sizeof *slack);
  for (std::size_t lane = 0; lane < kLanes; lane += kWidth) {
    Reals total = {};
    Reals message = {};
    Reals served = Reals{} + kInfinite;  // when its worker is interrupted
    for (std::size_t k = 0; k < view.workers; ++k) {
      const Reals time = reals_at(times + std::size_t{view.order[k]} * kLanes + lane);
      Reals left = Reals{} + kInfinite;
      for (std::size_t w = 0; w < view.workers; ++w) {
        double* const place = slack + w * kLanes + lane;
        const Reals until = reals_at(times + w * kLanes + lane);
        const Reals before = reals_at(place);
        const Reals after = before - message;
        const Reals now = until >= served ? (after > 0 ? after : Reals{}) : before;
        __builtin_memcpy(place, &now, sizeof now);
        const Reals least = now < left ? now : left;
        left = until >= time ? least : left;
      }
      const Reals computing = time - view.startup[k];
      Reals alone = (computing > 0 ? computing : Reals{}) / view.process[k];
      const Reals received = time / view.receive[k];
      if (view.overlap) alone = received < alone ? received : alone;
      const Reals share = view.receive[k] * alone <= left ? alone : left / view.receive[k];
      message = share * view.receive[k];
      served = time;
      total += share;
      if (!any((Words)(total < view.work))) break;
    }
    const Reals most = total < view.work ? total : Reals{} + view.work;
    __builtin_memcpy(bound + lane, &most, sizeof most);
  }
}

}  // namespace
}  // namespace coterie::sim
