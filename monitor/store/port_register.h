#pragma once

// Assigns each port a permanent position in the history, independent of its LID and of the map.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// Used by the writer. After a transaction was rolled back, the register must be created again.
class PortRegister {
 public:
  static constexpr std::uint32_t not_in_map = std::numeric_limits<std::uint32_t>::max();

  explicit PortRegister(SQLite::Database& database);

  /// Enters new nodes, ports, names and LIDs of the map. Runs inside the caller's transaction.
  void enter(const FabricMap& map, std::int64_t time_ms);

  /// The key of a node in the file; 0 if the node was never entered.
  std::int64_t node_id(Guid guid) const {
    const auto known = nodes_.find(guid);
    return known == nodes_.end() ? 0 : known->second.id;
  }
  /// Positions of the node's ports; of a single port if `number` is not 0.
  std::vector<std::uint32_t> positions_of(Guid node, PortNumber number) const;

  /// By position: index of the port in the map that was entered last, or not_in_map.
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
  std::vector<std::uint32_t> lids_;  // by position: the newest entered LID and LMC (lid_word)
  std::vector<std::uint32_t> map_ports_;
};

}  // namespace pssp
