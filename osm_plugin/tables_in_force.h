#pragma once

// What the switches hold when this OpenSM takes over from another one.

#include <opensm/osm_config.h>
// osm_config.h comes first: it decides the layout of the structures in the others.
#include <opensm/osm_sm.h>

#include <optional>

#include "osm_plugin/log_message.h"
#include "osm_plugin/routing_state.h"
#include "routing/options/budget_options.h"

namespace pssp {

struct TablesInForce {
  /// Switches and tables alone. None: there are none, or they could not be read in time.
  std::optional<RoutingState> state;
  LogMessage message;  ///< its text is empty if there is nothing to log
};

/// Asks all switches for their forwarding tables by OpenSM's own requests, and waits for the
/// answers: half of the budget, and the answers to one block of each switch longer at most. Blocks
/// that do not come are empty. What OpenSM thinks that the switches hold is what they hold then. To
/// be called by OpenSM's sweeping thread once the subnet is discovered, without OpenSM's lock.
TablesInForce read_tables_in_force(osm_sm_t& manager, const BudgetOptions& budget);

}  // namespace pssp
