#pragma once

// Settings of the access to a fabric: port, timeouts and intervals.

#include <cstdint>
#include <string>

#include "fabric/nodes/node_name_map.h"
#include "wire/adapter_pair.h"
#include "wire/exchange.h"

namespace pssp {

struct FabricOptions {
  AdapterChoice adapters;
  ExchangeOptions exchange;
  std::uint64_t m_key = 0;
  NodeNameMap labels;          ///< names that replace the descriptions of nodes
  std::string topology_file;   ///< output of ibnetdiscover, used instead of discovery
  bool hosts = true;           ///< false: counters only of switch ports
  unsigned verify_nodes = 30;  ///< number of sweeps between two checks of the GUID of a node
  unsigned interval_s = 10;    ///< interval between sweeps
  unsigned discovery_interval_s = 60;
  unsigned tables_interval_s = 300;  ///< 0: tables are not read
  unsigned manager_interval_s = 10;
};

}  // namespace pssp
