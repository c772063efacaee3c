#pragma once

// A fabric whose end ports are measured, each by itself.

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

/// Of make_fabric(), with the tables of an engine.
std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(const std::string& spec,
                                                        const std::string& engine);
/// The same of a fabric of one's own.
std::unique_ptr<const DiagnosedFabric> diagnosed_fabric(Fabric fabric, const std::string& engine);

}  // namespace pssp::test
