#pragma once

// Stores the forwarding tables of a fabric: each version as the blocks that changed, and each
// distinct block once for all versions and switches.

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
  /// Loads which blocks the newest version has. O(blocks). `ports` must outlive the writer.
  TableWriter(SQLite::Database& database, const PortRegister& ports);

  /// Writes the changed blocks as a new version. If nothing changed, updates the time at which the
  /// newest version was last seen. Switches that were not read keep their entries. Runs inside the
  /// caller's transaction; if that is rolled back, the writer must be created again. O(blocks).
  void enter(const LiveTables& tables, std::int64_t generation, std::int64_t age_ms);

 private:
  std::int64_t entered(std::string_view block);
  std::size_t enter_switch(std::span<const PortNumber> entries, std::int64_t node,
                           std::int64_t version);

  SQLite::Database& database_;
  const PortRegister& ports_;
  SQLite::Statement find_block_, insert_block_, insert_change_;
  /// By node_id << 16 | block: key of the block in lft_block.
  std::unordered_map<std::int64_t, std::int64_t> current_;
  std::int64_t version_ = 0;
  std::uint64_t hash_ = 0;  // digest of the tables of that version; 0: unknown
};

}  // namespace pssp
