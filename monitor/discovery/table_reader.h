#pragma once

// Reads the forwarding tables of all switches: by LID if possible, otherwise along directed routes,
// for example while a manager rewrites the tables on the path.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "monitor/discovery/live_tables.h"
#include "wire/exchange.h"

namespace pssp {

/// For one thread. 62,000 blocks of 666 switches take about a second of the exchange.
class TableReader {
 public:
  /// The exchange must outlive it.
  TableReader(Exchange& exchange, std::uint64_t m_key);
  TableReader(const TableReader&) = delete;
  TableReader& operator=(const TableReader&) = delete;
  ~TableReader();

  /// First by LID, or only along directed routes, which do not depend on tables.
  enum class PathChoice : std::uint8_t { lid_first, directed };

  /// Begins the reading; not while the reader is busy. `routes`: by node of the map, or empty. A
  /// switch that cannot be reached is not read.
  void begin(std::shared_ptr<const FabricMap> map, std::vector<DirectedRoute> routes,
             PathChoice path = PathChoice::lid_first);
  bool busy() const noexcept { return open_ != 0; }
  /// Once after the end of the reading, the tables since begin(); otherwise null. The tables are
  /// compared with the previous reading; a switch that could not be read keeps its previous table.
  LiveTablesPointer take();

 private:
  class SwitchTables;

  void switch_over(SwitchTables& dialogue);
  void compare(LiveTables& tables) const;

  Exchange& exchange_;
  std::uint64_t m_key_;
  std::vector<DirectedRoute> routes_;
  std::deque<SwitchTables> dialogues_;
  std::shared_ptr<LiveTables> current_;
  LiveTablesPointer previous_;
  std::size_t open_ = 0;
};

}  // namespace pssp
