// A node gets its row when it is first seen, and keeps it. Its ports get consecutive rows, so that
// the ports of a node are mostly in one chunk. Names and LIDs are rows with the time from which
// they are valid.

#include "monitor/store/port_register.h"

#include <algorithm>

#include "monitor/store/database.h"

namespace pssp {
namespace {

std::uint32_t lid_word(std::uint32_t lid, std::uint32_t lmc) noexcept { return lid << 8 | lmc; }

}  // namespace

PortRegister::PortRegister(SQLite::Database& database) : database_(database) { load(); }

void PortRegister::load() {
  std::unordered_map<std::int64_t, Guid> guids;
  SQLite::Statement nodes(database_, "SELECT node_id, guid FROM node");
  while (nodes.executeStep()) {
    const Guid guid = as_unsigned(nodes.getColumn(1));
    guids[nodes.getColumn(0).getInt64()] = guid;
    nodes_[guid].id = nodes.getColumn(0).getInt64();
  }
  SQLite::Statement names(database_, "SELECT node_id, description FROM node_name ORDER BY since");
  while (names.executeStep()) {
    nodes_[guids[names.getColumn(0).getInt64()]].description =
        std::string(as_bytes(names.getColumn(1)));
  }
  SQLite::Statement ports(database_, "SELECT port_id, node_id FROM port ORDER BY node_id, number");
  while (ports.executeStep()) {
    const auto place = static_cast<std::uint32_t>(ports.getColumn(0).getInt64());
    nodes_[guids[ports.getColumn(1).getInt64()]].positions.push_back(place);
    if (map_ports_.size() <= place) map_ports_.resize(place + std::size_t{1}, not_in_map);
  }
  lids_.resize(map_ports_.size());
  SQLite::Statement lids(database_, "SELECT port_id, lid, lmc FROM lid ORDER BY since");
  while (lids.executeStep()) {
    lids_.at(static_cast<std::size_t>(lids.getColumn(0).getInt64())) =
        lid_word(lids.getColumn(1).getUInt(), lids.getColumn(2).getUInt());
  }
}

PortRegister::Node& PortRegister::node_of(const MapNode& node, std::int64_t time_ms) {
  const auto [found, is_new] = nodes_.try_emplace(node.guid);
  Node& known = found->second;
  if (is_new) {
    SQLite::Statement insert(
        database_, "INSERT INTO node(guid, kind, ports, vendor, device) VALUES(?, ?, ?, ?, ?)");
    SQLite::bind(insert, as_sql(node.guid), static_cast<int>(node.kind),
                 static_cast<int>(node.ports), node.vendor, node.device);
    insert.exec();
    known.id = database_.getLastInsertRowid();
  }
  if (is_new || known.description != node.description) {
    SQLite::Statement name(database_, "INSERT OR REPLACE INTO node_name VALUES(?, ?, ?)");
    name.bind(1, known.id);
    name.bind(2, time_ms);
    bind_bytes(name, 3, node.description);
    name.exec();
    known.description = node.description;
  }
  return known;
}

void PortRegister::enter_lid(std::uint32_t place, const MapPort& port, std::int64_t time_ms) {
  const std::uint32_t word = lid_word(port.lid, port.lmc);
  if (port.lid == no_lid || lids_[place] == word) return;
  SQLite::Statement insert(database_, "INSERT OR REPLACE INTO lid VALUES(?, ?, ?, ?)");
  SQLite::bind(insert, static_cast<std::int64_t>(place), time_ms, static_cast<int>(port.lid),
               static_cast<int>(port.lmc));
  insert.exec();
  lids_[place] = word;
}

void PortRegister::enter_ports(Node& known, const FabricMap& map, const MapNode& node,
                               std::int64_t time_ms) {
  for (std::uint32_t i = 0; i < node.ports; ++i) {
    if (i == known.positions.size()) {
      const auto place = static_cast<std::uint32_t>(map_ports_.size());
      SQLite::Statement insert(database_, "INSERT INTO port VALUES(?, ?, ?)");
      SQLite::bind(insert, static_cast<std::int64_t>(place), known.id, static_cast<int>(i + 1));
      insert.exec();
      known.positions.push_back(place);
      map_ports_.push_back(not_in_map);
      lids_.push_back(0);
    }
    map_ports_[known.positions[i]] = node.first_port + i;
    // All ports of a switch share one LID, which is stored for the first port.
    if (i == 0 || node.kind != NodeKind::switch_node) {
      enter_lid(known.positions[i], map.ports[node.first_port + i], time_ms);
    }
  }
}

std::vector<std::uint32_t> PortRegister::positions_of(Guid node, PortNumber number) const {
  const auto found = nodes_.find(node);
  if (found == nodes_.end()) return {};
  const std::vector<std::uint32_t>& all = found->second.positions;
  if (number == 0) return all;
  if (number > all.size()) return {};
  return {all[number - 1U]};
}

void PortRegister::enter(const FabricMap& map, std::int64_t time_ms) {
  std::fill(map_ports_.begin(), map_ports_.end(), not_in_map);
  for (const MapNode& node : map.nodes) {
    enter_ports(node_of(node, time_ms), map, node, time_ms);
  }
}

}  // namespace pssp
