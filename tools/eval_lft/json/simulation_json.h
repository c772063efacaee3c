#pragma once

// Simulations of patterns as one JSON object (docs/reference/metrics.md lists its members).

#include <span>
#include <string>
#include <vector>

#include "evaluator/metrics/application_time.h"
#include "evaluator/scoring/simulation_report.h"

namespace pssp {

/// Indented by two, with a line end. Undefined values are null. `warnings` are those of the
/// readers.
std::string to_json_report(const SimulationReport& report,
                           const std::vector<std::string>& warnings);

/// The same for the estimate of an application's time (metrics/application_time.h). All bandwidths
/// must be set.
std::string to_json_report(std::span<const CommunicationPart> parts,
                           const std::vector<std::string>& warnings);

}  // namespace pssp
