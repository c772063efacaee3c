#pragma once

// Watches the forwarding tables of all switches while a manager may be rewriting them: reads them
// in a cycle, and hands out each block that is not what it was, with the time.

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

/// A block that was read as `before`, and then as `after`. Times are of the exchange's clock.
struct ChangedBlock {
  Guid node = 0;
  std::uint16_t block = 0;
  std::int64_t since_ns = 0;  ///< it was still the old one: the change is between the two times
  std::int64_t time_ns = 0;   ///< it was the new one
  std::array<PortNumber, linear_block_size> before{}, after{};

  std::uint32_t entries() const noexcept;  ///< that differ
};

/// From the first sign that something is going on to the last one. Signs are: a block that changed,
/// a switch that says that a port did, a switch that answers no longer or again, another cabling.
struct Instability {
  std::int64_t first_sign_ns = 0, last_sign_ns = 0;
  /// Requests that travelled by the forwarding tables, as those of a manager's clients do, and got
  /// no answer; the switches that they were for, and from the first of these requests of a switch
  /// to its first answer, the longest time of any.
  std::uint64_t failed_by_lid = 0;
  std::uint32_t unreachable_switches = 0;
  std::int64_t longest_unreachable_ns = 0;
};

/// How often a block was read again.
struct WatchResolution {
  std::uint64_t cycles = 0;               ///< of single switches
  std::int64_t mean_ns = 0, most_ns = 0;  ///< from one reading of a table to the next
  std::uint64_t directed_reads = 0;       ///< blocks that were read along directed routes
};

/// For one thread. Its dialogues share the exchange with whatever else there is, which should give
/// up early: a request that has failed is asked again another way, not the same way.
class TableWatch {
 public:
  using Clock = Exchange::Clock;

  /// All must outlive it; no one else may use the walk.
  TableWatch(Exchange& exchange, FabricWalk& walk, std::uint64_t m_key,
             Exchange::Now now = Clock::now);
  TableWatch(const TableWatch&) = delete;
  TableWatch& operator=(const TableWatch&) = delete;
  ~TableWatch();

  /// What the first walk has found; once.
  void begin(const DiscoveredFabric& found);
  /// Works until `deadline`, or for a moment where nothing is to be waited for. Throws what the
  /// port throws.
  void turn(Clock::time_point deadline);

  /// Every switch was read once, or does not answer.
  bool has_first_tables() const;
  /// In the order in which they were read.
  std::vector<ChangedBlock> take_changes() { return std::exchange(changes_, {}); }
  /// Something is going on.
  bool is_restless() const noexcept { return restless_; }
  /// It began, or was last seen, so long ago; of the last unrest where none is.
  const Instability& instability() const noexcept { return instability_; }
  /// The fabric as the last walks have found it.
  const std::shared_ptr<const FabricMap>& map() const noexcept { return map_; }
  /// All tables as they were read last, for the switches of map().
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
  std::vector<Switch*> idle_;  // circles to be begun at the next turn
  std::vector<ChangedBlock> changes_;

  bool by_route_ = false;  // tables are read along directed routes
  bool wishes_walk_ = false;
  std::int64_t walk_begun_ns_ = 0, next_walk_ns_ = 0;
  std::int64_t walked_ns_ = -1;  // when the last walk began that found the fabric as map_ has it
  bool restless_ = false;
  Instability instability_;
  std::set<Guid> unreachable_;  // in this unrest
  std::uint64_t cycles_ = 0, directed_reads_ = 0;
  std::int64_t cycle_sum_ns_ = 0, longest_cycle_ns_ = 0;
};

}  // namespace pssp
