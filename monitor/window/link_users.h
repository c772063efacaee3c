#pragma once

// Who uses one direction of a cable: between switches as attribution has it, at a host by what is
// known of the host.

#include "monitor/analysis/attribution.h"
#include "monitor/window/traffic_window.h"

namespace pssp {

/// Options of an attribution of that window.
AttributionOptions attribution_options(const TrafficWindow& window);

/// Of the cable of a host everything is its job's, where it is in one; where several jobs ran on it
/// one after the other, what was counted in sweeps with one of them alone is that one's for
/// certain. Where it is in no job (storage) those that reach it share, by all counters, within
/// bounds; that is an estimate. `channel` of the result is only set of Place::Kind::channel. Cost
/// as Attribution::shares_of.
ChannelShares users_of(const TrafficWindow& window, const Attribution& attribution,
                       const TrafficWindow::Position& place);

}  // namespace pssp
