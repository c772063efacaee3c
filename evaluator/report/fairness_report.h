#pragma once

// Fairness among hosts, as text and for spreadsheets.

#include <cstddef>
#include <string>

#include "evaluator/metrics/host_fairness.h"
#include "fabric/fabric.h"

namespace pssp {

/// The measures, and the `top` worst hosts by name. Only rows are indented; ends with a line end.
std::string to_text(const Fabric& fabric, const HostFairness& fairness, std::size_t top);

/// One line per host for spreadsheets and plots: name, description, switch, LID, and flows, mean
/// and standard error as sender and as receiver (RFC 4180 with line feeds). Undefined numbers are
/// empty.
std::string to_csv(const Fabric& fabric, const HostFairness& fairness);

}  // namespace pssp
