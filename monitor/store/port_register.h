#pragma once

// Which place in the history a port has, whatever its LID and whichever map it is in.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// For the writer. What a failed transaction took back it does not know: it is made again then.
class PortRegister {
 public:
  static constexpr std::uint32_t not_in_map = std::numeric_limits<std::uint32_t>::max();

  explicit PortRegister(SQLite::Database& database);

  /// Enters what is new of the map, inside the caller's transaction: nodes, ports, names, LIDs.
  void enter(const FabricMap& map, std::int64_t time_ms);

  /// The key of a node in the file; 0: it was never entered.
  std::int64_t node_id(Guid guid) const {
    const auto known = nodes_.find(guid);
    return known == nodes_.end() ? 0 : known->second.id;
  }
  /// Of the node's ports, or of that one alone (0: all of them).
  std::vector<std::uint32_t> positions_of(Guid node, PortNumber number) const;

  /// By place: index of the port in the map that was entered last, or not_in_map.
  const std::vector<std::uint32_t>& map_ports() const noexcept { return map_ports_; }

 private:
  struct Node {
    std::int64_t id = 0;
    std::string description;
    std::vector<std::uint32_t> positions;  // by port number - 1
  };

  void load();
  Node& node_of(const MapNode& node, std::int64_t time_ms);
  void enter_ports(Node& known, const FabricMap& map, const MapNode& node, std::int64_t time_ms);
  void enter_lid(std::uint32_t place, const MapPort& port, std::int64_t time_ms);

  SQLite::Database& database_;
  std::unordered_map<Guid, Node> nodes_;
  std::vector<std::uint32_t> lids_;  // by place: LID and LMC, as they were entered last
  std::vector<std::uint32_t> map_ports_;
};

}  // namespace pssp
