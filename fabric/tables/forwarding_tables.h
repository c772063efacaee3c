#pragma once

// Linear forwarding tables of all switches.

#include "fabric/ids.h"
#include "fabric/tables/switch_lid_table.h"

namespace pssp {

struct ForwardingEntry {
  using Value = PortNumber;
  static constexpr PortNumber none = no_port;
};

/// Entry (switch, LID) is the output port of the switch for packets to that LID, no_port without a
/// route. Entry 0 is always no_port.
using ForwardingTables = SwitchLidTable<ForwardingEntry>;

}  // namespace pssp
