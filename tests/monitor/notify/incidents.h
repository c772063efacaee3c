#pragma once

// Incidents for tests of notifications.

#include <string>

#include "monitor/counters/incident.h"

namespace pssp::test {

/// A cable between ports 3 and 7 of two switches with symbol errors.
inline FabricFault faulty_cable(const std::string& id, const std::string& name = "leaf 1") {
  FabricFault fault;
  fault.id = id;
  fault.kind = FaultKind::errors;
  fault.level = Level::bad;
  fault.end = {{0x10, 3}, name};
  fault.peer = IncidentPort{{0x20, 7}, "spine 2"};
  fault.since_ms = 1'700'000'000'000;
  fault.findings.push_back({fault.end, "symbol_errors", Level::bad, fault.since_ms, 2e-12, 1e-12,
                            "70 in 1 h, a bit error rate of 2e-12, limit 1e-12"});
  fault.advice = "reseat the cable, then swap it";
  fault.jobs = {"4711", "4712"};
  return fault;
}

}  // namespace pssp::test
