#pragma once

// A fabric in which each end port is measured separately.

#include <memory>
#include <string>
#include <vector>

#include "operations/diagnosis/measured_nodes.h"
#include "operations/diagnosis/rehearsal.h"

namespace pssp::test {

struct DiagnosedFabric {
  Fabric fabric;
  std::unique_ptr<const FlowAlternatives> alternatives;
  std::unique_ptr<const MeasuredNodes> nodes;
  std::vector<MeasuredUnit> units;
};

/// A fabric by make_fabric(), with the tables of an engine.
std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(const std::string& spec,
                                                        const std::string& engine);
/// The same for a given fabric.
std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(Fabric fabric, const std::string& engine);

}  // namespace pssp::test
