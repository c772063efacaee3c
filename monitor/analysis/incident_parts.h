#pragma once

// Builds the elements of faults and congestion groups.

#include <string>

#include "monitor/analysis/verdict_watch.h"
#include "monitor/counters/incident.h"

namespace pssp {

IncidentPort incident_port(const FabricMap& map, std::uint32_t port);
/// The node as an IncidentPort with number 0.
IncidentPort incident_node(const FabricMap& map, std::uint32_t node);
/// `measured` is the reason up to its first colon.
IncidentFinding incident_finding(const FabricMap& map, const StandingVerdict& standing);
/// The text after the first colon of a reason; the whole reason if it has no colon.
std::string advice_in(const std::string& reason);

}  // namespace pssp
