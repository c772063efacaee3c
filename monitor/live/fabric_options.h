#pragma once

// How a fabric is watched: from which port, how patiently, how often.

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
  NodeNameMap labels;          ///< names in the place of what nodes call themselves
  std::string topology_file;   ///< output of ibnetdiscover, read instead of discovering
  bool hosts = true;           ///< false: only ports of switches are asked for counters
  unsigned verify_nodes = 30;  ///< sweeps, after which a node is asked for its GUID again
  unsigned interval_s = 10;    ///< of sweeps
  unsigned discovery_interval_s = 60;
  unsigned tables_interval_s = 300;  ///< 0: tables are not read
  unsigned manager_interval_s = 10;
};

}  // namespace pssp
