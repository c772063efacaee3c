#pragma once

// The content of a notification about an incident, for webhooks and mail.

#include <cstdint>
#include <string>

#include "monitor/counters/incident.h"

namespace pssp {

struct Notification {
  std::string incident;     ///< FabricFault::id or CongestionGroup::id
  bool is_cleared = false;  ///< true: the incident has ended; false: it has begun
  std::string body;         ///< JSON object (docs/reference/monitor.md, "Notifications")
};

/// "L1 port 5 - S0 port 4: link down"
std::string summary_of(const FabricFault& fault);
/// The notification that an incident has begun. `page_url` is the address of the monitor's pages;
/// if it is empty, the body has no link. Times are milliseconds since 1970.
Notification opened(const FabricFault& fault, const std::string& page_url, std::int64_t time_ms);
Notification opened(const CongestionGroup& group, const std::string& page_url,
                    std::int64_t time_ms);
/// The notification that an incident has ended. `opened_body` is the body that announced it.
Notification cleared(const std::string& incident, const std::string& opened_body,
                     std::int64_t time_ms);

}  // namespace pssp
