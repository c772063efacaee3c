#pragma once

// Events for the beginning and the end of each fault, so that the history shows what was broken
// last night.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/counters/event.h"
#include "monitor/counters/incident.h"

namespace pssp {

class IncidentEvents {
 public:
  /// The events that follow from the faults of a sweep: at most 20 of each kind, of which the last
  /// one states the number of further faults. A fault that began before the first call has no event
  /// for its beginning. O(faults log faults).
  std::vector<MonitorEvent> add(const std::vector<FabricFault>& faults, std::int64_t time_ms);

 private:
  struct Open {
    PortKey at;
    FaultKind kind = FaultKind::errors;
    std::string summary;
    std::int64_t since_ms = 0;
  };
  std::map<std::string, Open> open_;  // by FabricFault::id
  std::int64_t begun_ms_ = 0;         // time of the first call
};

}  // namespace pssp
