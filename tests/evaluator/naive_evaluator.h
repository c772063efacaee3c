#pragma once

// Direct, slow implementations of the definitions, with which the tests compare the evaluator.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp::test {

/// Channels between switches on the route from one endpoint to the base LID of another; none if
/// packets do not arrive.
std::optional<std::vector<std::uint32_t>> naive_route(const Fabric& fabric,
                                                      const ForwardingTables& tables,
                                                      std::uint32_t source,
                                                      std::uint32_t destination);

/// Largest congestion on the path of each flow, host links included; infinity without a route.
std::vector<double> naive_congestion(const Fabric& fabric, const ForwardingTables& tables,
                                     std::span<const Flow> flows);

/// Mean of 1 / largest congestion.
double naive_bandwidth(const Fabric& fabric, const ForwardingTables& tables,
                       std::span<const Flow> flows);

/// All bisections of an even number of endpoints.
std::vector<std::vector<Flow>> all_bisections(std::uint32_t endpoints);

}  // namespace pssp::test
