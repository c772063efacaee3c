#pragma once

// The JSON of /api/v1/incidents: faults newest first, and congestion by cause.

#include <string>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// The data of a response besides the incidents of the sweep.
struct IncidentContext {
  AcknowledgementList acknowledged;  ///< null: none
  bool may_acknowledge = false;      ///< true if a POST is accepted
  std::int64_t now_ms = 0;
};

/// One object. Each congestion group has only its first ports, and their total number. Throws
/// ApiError for parameters that are not allowed.
std::string incidents_view(const LiveView& view, const Target& target,
                           const IncidentContext& context);
/// Throws ApiError 404 if no incident with that id is open.
void require_open_incident(const LiveView& view, const std::string& id);
/// The fault or congestion group with that id, with all ports. Throws like require_open_incident().
std::string incident_view(const LiveView& view, const Target& target,
                          const IncidentContext& context, const std::string& id);

}  // namespace pssp
