#pragma once

// Keeps the forwarding tables of a fabric: each version as the blocks that changed, and each block
// once, whatever versions and switches have it.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>

#include "fabric/ids.h"
#include "monitor/discovery/live_tables.h"
#include "monitor/store/port_register.h"

namespace pssp {

class TableWriter {
 public:
  /// Reads which blocks the newest version has. O(blocks). `ports` must outlive it.
  TableWriter(SQLite::Database& database, const PortRegister& ports);

  /// Enters what changed as a new version; where nothing did, notes that the newest one was seen
  /// again. Inside the caller's transaction; when that fails the writer is to be made again.
  /// Switches that were not read keep what they had. O(blocks).
  void enter(const LiveTables& tables, std::int64_t generation, std::int64_t age_ms);

 private:
  std::int64_t entered(std::string_view block);
  std::size_t enter_switch(std::span<const PortNumber> entries, std::int64_t node,
                           std::int64_t version);

  SQLite::Database& database_;
  const PortRegister& ports_;
  SQLite::Statement find_block_, insert_block_, insert_change_;
  /// By node_id << 16 | block: its row of lft_block.
  std::unordered_map<std::int64_t, std::int64_t> current_;
  std::int64_t version_ = 0;
  std::uint64_t hash_ = 0;  // of the tables of that version; 0: not known
};

}  // namespace pssp
