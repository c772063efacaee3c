#pragma once

// The JSON of /api/v1/incidents: faults newest first, and congestion by cause.

#include <string>

#include "monitor/api/live_state.h"
#include "monitor/api/query.h"

namespace pssp {

/// What is known beside the sweep.
struct IncidentContext {
  AcknowledgementList acknowledged;  ///< null: none
  bool may_acknowledge = false;      ///< a POST is answered
  std::int64_t now_ms = 0;
};

/// One object. Of each congestion group the first ports only, with their number. Throws ApiError
/// for parameters that are not allowed.
std::string incidents_view(const LiveView& view, const Target& target,
                           const IncidentContext& context);
/// The fault or congestion group with that id, with all ports. Throws ApiError, 404 where no such
/// incident is open.
std::string incident_view(const LiveView& view, const Target& target,
                          const IncidentContext& context, const std::string& id);

}  // namespace pssp
