#pragma once

// Simulations of patterns as text, including the lines that ORCS prints.

#include <span>
#include <string>

#include "evaluator/metrics/application_time.h"
#include "evaluator/scoring/simulation_report.h"

namespace pssp {

/// Several lines, ending with a line end.
std::string to_text_report(const SimulationReport& report);

/// The same for the estimate of an application's time (metrics/application_time.h). All bandwidths
/// must be set.
std::string to_text_report(std::span<const CommunicationPart> parts);

}  // namespace pssp
