#pragma once

#include <cstddef>
#include <limits>
#include <optional>

#include "heuristics/now/now_protocol.hpp"

namespace coterie::heuristics {

/// Time between packets of a message in a network in which at most `capacity` packets are in transit at a time. Every
/// packet is in transit for the latency, so evenly spaced packets of a message with more than that are at least latency
/// / capacity apart, or the network's own transit time if that is longer. 1 is the network without pipelining; latency
/// / transit and more is no limit. (A sender that stalls instead of pacing is never later, and earlier by at most part
/// of a latency per message.) [now-2001, "The Model, 3": network capacity]
template <class Number>
Number paced_transit(const Number& latency, const Number& transit, std::size_t capacity);

/// The capacity that a network needs so as not to slow down packets that are `transit` apart: how many are in transit
/// at a time, which is the latency over the transit time, rounded up. Nothing if packets follow at once (transit 0).
template <class Number>
std::optional<Number> packets_in_transit(const Number& latency, const Number& transit);

/// The most work that fits through the network in a lifespan, one message at a time, with a message to and from each
/// workstation of the protocol: no protocol for these workstations does more. 0 if not even the fixed part of their
/// messages fits; infinite if messages take no time.
template <class Number>
double greatest_work(const NowProtocol<Number>& protocol, const Number& lifespan);

/// How many workstations the network can feed: the greatest number, from the first of the start-up order on, for which
/// the protocol (the same orders without the others) fits in this lifespan. At most `most`, and all workstations.
/// Nothing if this fails even for one.
template <class Number>
std::optional<std::size_t> workers_fed(const Now<Number>& now, const NowOrders& orders, const Number& lifespan,
                                       std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace coterie::heuristics
