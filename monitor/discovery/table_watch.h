#pragma once

// Watches the forwarding tables of all switches while a manager may rewrite them: reads the tables
// in a cycle, and returns each changed block with the time.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "monitor/discovery/fabric_walk.h"
#include "monitor/discovery/live_tables.h"
#include "wire/exchange.h"
#include "wire/subnet/port_info.h"

namespace pssp {

/// A block that changed from `before` to `after`. Times are those of the exchange's clock.
struct ChangedBlock {
  Guid node = 0;
  std::uint16_t block = 0;
  // The change is between these two times.
  std::int64_t since_ns = 0;  ///< last reading of the old block
  std::int64_t time_ns = 0;   ///< first reading of the new block
  std::array<PortNumber, linear_block_size> before{}, after{};

  std::uint32_t entries() const noexcept;  ///< number of different entries
};

/// From the first sign of a change to the last one. Signs are a changed block, a port state change
/// in SwitchInfo, a switch that stops or resumes answering, and another cabling.
struct Instability {
  std::int64_t first_sign_ns = 0, last_sign_ns = 0;
  /// Number of failed requests that were sent through the forwarding tables, like the requests of a
  /// manager's clients; number of switches with such requests; and the longest time from the first
  /// such request of a switch to its first answer.
  std::uint64_t failed_by_lid = 0;
  std::uint32_t unreachable_switches = 0;
  std::int64_t longest_unreachable_ns = 0;
};

/// Statistics of the readings.
struct WatchResolution {
  std::uint64_t cycles = 0;               ///< of single switches
  std::int64_t mean_ns = 0, most_ns = 0;  ///< between two readings of a table
  std::uint64_t directed_reads = 0;       ///< number of blocks that were read along directed routes
};

/// For one thread. Its dialogues share the exchange with other dialogues. The exchange should make
/// few retries, because the watch repeats a failed request along another route.
class TableWatch {
 public:
  using Clock = Exchange::Clock;

  /// All arguments must outlive the object; only this object may use the walk.
  TableWatch(Exchange& exchange, FabricWalk& walk, std::uint64_t m_key,
             Exchange::Now now = Clock::now);
  TableWatch(const TableWatch&) = delete;
  TableWatch& operator=(const TableWatch&) = delete;
  ~TableWatch();

  /// The result of the first walk; once.
  void begin(const DiscoveredFabric& found);
  /// Works until `deadline`, or for a short time if there is nothing to wait for. Throws the errors
  /// of the port.
  void turn(Clock::time_point deadline);

  /// Whether every switch was read once or does not answer.
  bool has_first_tables() const;
  /// In the order of the readings.
  std::vector<ChangedBlock> take_changes() { return std::exchange(changes_, {}); }
  /// Whether a change is in progress.
  bool is_restless() const noexcept { return restless_; }
  /// The current period of change, or else the last one.
  const Instability& instability() const noexcept { return instability_; }
  /// The fabric according to the last walks.
  const std::shared_ptr<const FabricMap>& map() const noexcept { return map_; }
  /// The last reading of all tables, for the switches of map().
  LiveTablesPointer tables() const;
  WatchResolution resolution() const;

 private:
  class PollCycle;
  class Probe;
  struct Switch;

  void take_map(const DiscoveredFabric& found);
  void end_walk();
  void begin_cycles();
  void cycle_over(Switch& of);
  void probe_over(Switch& of);
  void take_block(Switch& of, std::uint16_t block, const MadData& data);
  void take_switch_info(Switch& of, const SwitchInfo& info);
  void answered_by_lid(Switch& of);
  void failed_by_lid(Switch& of, std::int64_t asked_ns);
  void failed_by_route(Switch& of);
  void sign();
  void sign_at(std::int64_t now);
  void calm_down();
  std::int64_t now_ns() const;

  Exchange& exchange_;
  FabricWalk& walk_;
  std::uint64_t m_key_;
  Exchange::Now now_;

  std::shared_ptr<const FabricMap> map_;
  std::uint64_t last_walk_hash_ = 0;
  std::map<Guid, std::unique_ptr<Switch>> switches_;
  std::vector<Switch*> idle_;  // their next cycles start at the next turn
  std::vector<ChangedBlock> changes_;

  bool by_route_ = false;  // whether tables are read along directed routes
  bool wishes_walk_ = false;
  std::int64_t walk_begun_ns_ = 0, next_walk_ns_ = 0;
  std::int64_t walked_ns_ = -1;  // start of the last walk that found the fabric of map_
  bool restless_ = false;
  Instability instability_;
  std::set<Guid> unreachable_;  // in the current period of change
  std::uint64_t cycles_ = 0, directed_reads_ = 0;
  std::int64_t cycle_sum_ns_ = 0, longest_cycle_ns_ = 0;
};

}  // namespace pssp
