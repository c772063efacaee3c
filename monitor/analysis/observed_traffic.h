#pragma once

// What was counted in a window of sweeps, and who computed where meanwhile: all that is known when
// somebody asks whose traffic it is.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// A job with its place in the fabric.
struct PlacedJob {
  std::vector<std::uint32_t> hosts;  ///< EndPortIds, ascending; of a node with several all of them
  /// The sweeps in which it ran.
  std::size_t first_sweep = 0;
  std::size_t end_sweep = std::numeric_limits<std::size_t>::max();
};

/// Bytes of each sweep. Flat arrays, sweep after sweep; below 0: no one knows.
struct ObservedTraffic {
  const Fabric* fabric = nullptr;
  const ForwardingTables* tables = nullptr;
  std::size_t sweeps = 0;
  std::vector<double> sent;      ///< [sweep * end ports + EndPortId]
  std::vector<double> received;  ///< likewise
  std::vector<double> channels;  ///< [sweep * channels + ChannelId]
  std::vector<PlacedJob> jobs;
  /// By EndPortId, not 0: it serves several jobs though it belongs to one (a login node, a storage
  /// daemon beside computation); empty: none does.
  std::vector<std::uint8_t> shared_hosts;
  /// By EndPortId: which hosts without a job belong together (a storage system); empty: all do.
  /// Numbers from 0 on, at most most_groups.
  std::vector<std::uint8_t> groups;
  static constexpr std::size_t most_groups = 16;
  /// At most so many bytes of the window on any channel are of no host: management packets, those
  /// that read the counters included.
  double management_bytes = 0;
  /// So many bytes of the window a host may have sent, and received, without being taken for
  /// anybody's partner: requests that read its counters, and answers to them.
  double quiet_bytes = 0;
};

/// Groups by the description's beginning up to its first digit: oss1 and oss2 are one, gw1 another.
/// By EndPortId; beyond most_groups different beginnings the last group has the rest.
std::vector<std::uint8_t> groups_by_name(const Fabric& fabric);

}  // namespace pssp
