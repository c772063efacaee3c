#pragma once

// Selects the examined faults.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "tools/fault_impact/options.h"

namespace pssp {

/// A link between switches or a switch; the other one is empty.
struct Fault {
  std::string name;
  std::vector<ChannelId> links;
  std::vector<SwitchId> switches;
};

/// In the order of the fabric's channels and switches, or of the files; distinct. Throws
/// Error(unreadable_input) with file and line if a file names an unknown link or switch.
std::vector<Fault> choose_faults(const Fabric& fabric, const FaultOptions& options);

}  // namespace pssp
