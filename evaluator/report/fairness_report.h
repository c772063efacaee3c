#pragma once

// Fairness among hosts, for people and for spreadsheets.

#include <cstddef>
#include <string>

#include "evaluator/metrics/host_fairness.h"
#include "fabric/fabric.h"

namespace pssp {

/// The measures, and the `top` worst-off hosts by name. Lines without indentation but for the rows,
/// with a line end.
std::string to_text(const Fabric& fabric, const HostFairness& fairness, std::size_t top);

/// All hosts, one a line, for spreadsheets and plots: name, description, switch, LID, and flows,
/// mean and standard error as sender and as receiver (RFC 4180, lines end in a line feed). Numbers
/// that do not exist are empty.
std::string to_csv(const Fabric& fabric, const HostFairness& fairness);

}  // namespace pssp
