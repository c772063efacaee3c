#pragma once

// Up*/down* routing (Schroeder et al.: "Autonet: A High-Speed, Self-Configuring Local Area Network
// Using Point-to-Point Links", IEEE Journal on Selected Areas in Communications, 1991), balanced as
// P-SSSP balances.

#include "fabric/fabric.h"
#include "fabric/paths/up_down_order.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/engines/engine.h"
#include "routing/engines/parts/trees/up_down_search.h"

namespace pssp {

/// Engine "updown". Options: see docs/reference/engines/updown.md.
extern const EngineDescription updown_engine;

/// Tables, and the order by which all their routes are legal.
struct UpDownRouting {
  UpDownOrder order;
  ForwardingTables tables;
};

/// Computes the tables of the engine. The fabric must have LIDs. Throws Stopped.
UpDownRouting route_up_down(const Fabric& fabric, const UpDownOptions& options = {},
                            const StopSignal& stop = {});
/// The same for a given usable order.
UpDownRouting route_up_down(const Fabric& fabric, UpDownOrder order, const StopSignal& stop = {});
/// The same with the options of the engine as text. Throws Error(usage).
UpDownRouting route_up_down(const Fabric& fabric, const EngineOptions& options,
                            const StopSignal& stop = {});

}  // namespace pssp
