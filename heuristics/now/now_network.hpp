#pragma once

#include <cstddef>
#include <optional>

#include "heuristics/now/now_protocol.hpp"

namespace coterie::heuristics {

/// Time between packets of a message in a network in which at most `capacity` packets are in transit at a time: every
/// packet is for the latency, so no fewer than latency / capacity apart when evenly spaced, and the network's own
/// transit time if that is longer. 1 is the network without pipelining; latency / transit and more is no limit. (A
/// sender that stalls instead of pacing is never later, and earlier only by a part of a latency a message.) [now-2001,
/// "The Model, 3": network capacity]
template <class Number>
Number paced_transit(const Number& latency, const Number& transit, std::size_t capacity);

/// The capacity that a network needs so as not to slow packets `transit` apart: how many are in transit at a time, the
/// latency over the transit time, rounded up. Nothing where packets follow at once (transit 0).
template <class Number>
std::optional<Number> packets_in_transit(const Number& latency, const Number& transit);

/// What fits through the network in a lifespan, one message at a time, with a message to and from each workstation of
/// the protocol: no protocol of these does more. 0 where not even the fixed part of their messages fits; infinite where
/// messages take no time.
template <class Number>
double greatest_work(const NowProtocol<Number>& protocol, const Number& lifespan);

/// How many workstations the network can feed: the most, from the first of the start-up order on, for which the
/// protocol (the same orders without the others) has no negative share in this lifespan and messages that fit into it
/// one at a time, as the strict single port demands: port_load <= 1. Nothing where that is true of not even one.
std::optional<std::size_t> workers_fed(const Now<double>& now, const NowOrders& orders, double lifespan);

}  // namespace coterie::heuristics
