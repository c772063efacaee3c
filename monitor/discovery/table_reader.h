#pragma once

// Reads the forwarding tables of all switches: by LID where that works, along directed routes where
// it does not, as while a manager rewrites the very tables that lead there.

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

  /// By LID first, or along directed routes alone, which no wrong table can mislead.
  enum class PathChoice : std::uint8_t { lid_first, directed };

  /// Begins to read; not while it is busy. `routes`: by node of the map, or empty. A switch without
  /// a way is not read.
  void begin(std::shared_ptr<const FabricMap> map, std::vector<DirectedRoute> routes,
             PathChoice path = PathChoice::lid_first);
  bool busy() const noexcept { return open_ != 0; }
  /// What was read since begin(), once, when it is over; else null. Compared with what was read
  /// before; a switch that could not be read this time keeps what it had.
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
