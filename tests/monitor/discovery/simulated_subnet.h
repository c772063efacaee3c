#pragma once

// A small subnet without ibsim. It answers the subnet management requests of discovery, by LID and
// along directed routes, with data that a test provides.

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "monitor/counters/fabric_map.h"
#include "tests/monitor/simulated_port.h"
#include "wire/subnet/port_info.h"

namespace pssp::test {

struct SimulatedNode {
  Guid guid = 0;
  bool is_switch = false;
  unsigned ports = 1;
  std::string description;
  Lid lid = no_lid;  ///< of an adapter: LID of port 1; further ports have the next LIDs
  std::vector<PortNumber> table;       ///< of a switch, by LID; its size is a multiple of 64
  std::optional<ManagerInfo> manager;  ///< the subnet manager here, which answers SMInfo
  std::set<PortNumber> down;           ///< ports whose link is not up
};

class SimulatedSubnet final : public SimulatedPort {
 public:
  /// A node and one of its ports.
  using End = std::pair<std::size_t, PortNumber>;

  /// Returns the number of the node.
  std::size_t add(SimulatedNode node);
  void cable(End a, End b);
  SimulatedNode& node(std::size_t at) { return nodes_[at]; }

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds) override;

  End own{0, 1};             ///< the port from which requests are sent
  Lid manager_lid = no_lid;  ///< in the PortInfo of every port
  bool lids_work = true;     ///< false: requests by LID get no answer
  std::set<std::size_t> silent;
  std::map<std::pair<std::size_t, std::uint16_t>, unsigned> asked;  ///< count by node and attribute
  std::set<std::uint64_t> keys;                                     ///< M_Keys of the requests

 private:
  std::optional<End> find(const Destination& to) const;
  MadData answer_of(const End& end, std::uint16_t attribute, std::uint32_t modifier) const;
  MadData port_info(const End& end, PortNumber port) const;

  std::vector<SimulatedNode> nodes_;
  std::map<End, End> cables_;
};

}  // namespace pssp::test
