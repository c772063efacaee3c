#pragma once

// A fabric with tables whose nodes are measured, from the command line to the links that flows
// cross.

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

/// Of the files, tables and topology. Throws Error as the readers do, and Error(usage) where a name
/// fits no node, unless these are skipped.
std::unique_ptr<const MeasuredFabric> read_measured_fabric(const std::vector<std::string>& files,
                                                           const NodeChoiceOptions& options);

}  // namespace pssp
