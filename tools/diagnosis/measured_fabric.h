#pragma once

// A fabric with tables and the measured nodes, from the command line.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "operations/diagnosis/flow_alternatives.h"
#include "operations/diagnosis/measured_nodes.h"
#include "tools/diagnosis/node_choice.h"

namespace pssp {

struct MeasuredFabric {
  FabricInput input;
  std::unique_ptr<const FlowAlternatives> alternatives;
  std::unique_ptr<const MeasuredNodes> nodes;
  std::vector<std::uint32_t> chosen;  ///< nodes, ascending
  std::vector<std::string> warnings;

  /// End ports of the chosen nodes.
  std::vector<std::uint32_t> ranks() const;
};

/// From files with tables and topology. Throws the errors of the readers, and Error(usage) if a
/// name matches no node, unless these are skipped.
std::unique_ptr<const MeasuredFabric> read_measured_fabric(const std::vector<std::string>& files,
                                                           const NodeChoiceOptions& options);

}  // namespace pssp
