#pragma once

// The users of one direction of a cable. Between switches they come from the attribution; at a
// host, from what is known about the host.

#include "monitor/analysis/attribution.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// Options for the attribution of traffic in this window.
AttributionOptions attribution_options(const TrafficWindow& window);

/// All traffic on the cable of a host belongs to the job of the host. If several jobs ran on the
/// host one after another, a sweep in which only one of them ran belongs to that job with
/// certainty. If the host has no job (storage), the jobs that can reach it share the traffic
/// according to all counters; these shares are estimates with bounds. `channel` of the result is
/// set only for Position::Kind::channel. The cost is that of Attribution::shares_of().
ChannelShares users_of(const TrafficWindow& window, const Attribution& attribution,
                       const TrafficWindow::Position& place);

}  // namespace pssp
