#pragma once

// Simulations of patterns for people; what ORCS prints is found in it line by line.

#include <span>
#include <string>

#include "evaluator/metrics/application_time.h"
#include "evaluator/scoring/simulation_report.h"

namespace pssp {

/// Several lines, with a line end.
std::string to_text_report(const SimulationReport& report);

/// Likewise the estimate of an application's time (metrics/application_time.h). The bandwidths of
/// all parts are filled in.
std::string to_text_report(std::span<const CommunicationPart> parts);

}  // namespace pssp
