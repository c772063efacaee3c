#pragma once

// What a webhook or a mail says about an incident.

#include <cstdint>
#include <string>

#include "monitor/counters/incident.h"

namespace pssp {

struct Notification {
  std::string incident;     ///< FabricFault::id or CongestionGroup::id
  bool is_cleared = false;  ///< else the incident has begun
  std::string body;         ///< JSON object (docs/reference/monitor.md, "Notifications")
};

/// "L1 port 5 - S0 port 4: link down"
std::string summary_of(const FabricFault& fault);
/// `page_url` is where users find the pages of the monitor; empty: the body has no link. Times are
/// milliseconds since 1970.
Notification opened(const FabricFault& fault, const std::string& page_url, std::int64_t time_ms);
Notification opened(const CongestionGroup& group, const std::string& page_url,
                    std::int64_t time_ms);
/// `opened_body` is the body that said that the incident has begun.
Notification cleared(const std::string& incident, const std::string& opened_body,
                     std::int64_t time_ms);

}  // namespace pssp
