#pragma once

// When faults begin and end, as events: so that the history says what was broken last night.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "monitor/counters/event.h"
#include "monitor/counters/incident.h"

namespace pssp {

class IncidentEvents {
 public:
  /// Of the faults of a sweep: at most 20 events of each kind; the last one counts the others. A
  /// fault that stood before the first call has no event when it is first seen. O(faults log
  /// faults).
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
