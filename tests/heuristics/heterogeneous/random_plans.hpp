#pragma once

#include <algorithm>

#include "heuristics/heterogeneous/message_plan.hpp"
#include "tests/heuristics/heterogeneous/exact_loss.hpp"

namespace coterie::heuristics {

/// Any plan at all: some pieces, some messages, no piece twice for a worker. Risks reach 1 in a part of them.
inline MessagePlan random_plan(exact::RandomPlatforms& random, std::size_t workers) {
  MessagePlan plan;
  const std::uint32_t pieces = 1 + random.below(6);
  for (std::uint32_t i = 0; i < pieces; ++i) plan.piece_sizes.push_back(0.01 + 0.3 * random.uniform());
  std::vector<std::vector<bool>> has(workers, std::vector<bool>(pieces, false));
  for (std::uint32_t m = random.below(8); m-- > 0;) {
    Message message{random.below(static_cast<std::uint32_t>(workers)), {}};
    for (std::uint32_t k = 1 + random.below(3); k-- > 0;) {
      const std::uint32_t piece = random.below(pieces);
      if (has[message.worker][piece]) continue;
      has[message.worker][piece] = true;
      message.pieces.push_back(piece);
    }
    if (!message.pieces.empty()) plan.messages.push_back(message);
  }
  return plan;
}

}  // namespace coterie::heuristics
