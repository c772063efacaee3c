#pragma once

// Names of states in JSON, metrics and lists.

#include <string_view>

#include "monitor/counters/snapshot.h"

namespace pssp {

std::string_view name_of(NodeKind kind);  ///< "switch", "hca", "router"
std::string_view name_of(LinkState state);
std::string_view name_of(PhysicalState state);
std::string_view name_of(PortStatus status);
std::string_view name_of(CounterUnit unit);  ///< "bytes", "packets", "ticks", "events"

}  // namespace pssp
