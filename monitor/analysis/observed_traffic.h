#pragma once

// The counters of a window of sweeps, and the hosts of the jobs that ran meanwhile: the input for
// all estimates of whose traffic a channel carries.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// A job with its hosts in the fabric.
struct PlacedJob {
  std::vector<std::uint32_t> hosts;  ///< values of EndPortId, ascending; all end ports of a node
                                     ///< with several
  /// The sweeps in which the job ran.
  std::size_t first_sweep = 0;
  std::size_t end_sweep = std::numeric_limits<std::size_t>::max();
};

/// Bytes of each sweep. The arrays are flat, one sweep after the other; a value below 0 means
/// unknown.
struct ObservedTraffic {
  const Fabric* fabric = nullptr;
  const ForwardingTables* tables = nullptr;
  std::size_t sweeps = 0;
  std::vector<double> sent;      ///< [sweep * end ports + EndPortId]
  std::vector<double> received;  ///< same layout as `sent`
  std::vector<double> channels;  ///< [sweep * channels + ChannelId]
  std::vector<PlacedJob> jobs;
  /// By EndPortId; nonzero if the host serves several jobs although it belongs to one (a login
  /// node, a storage daemon on a compute node). Empty if there is no such host.
  std::vector<std::uint8_t> shared_hosts;
  /// By EndPortId: group of hosts without a job that belong together (a storage system). Numbers
  /// start at 0; at most most_groups. Empty if all such hosts form one group.
  std::vector<std::uint8_t> groups;
  static constexpr std::size_t most_groups = 16;
  /// Upper limit of the bytes of the window on any channel that belong to no host: management
  /// packets, including those that read the counters.
  double management_bytes = 0;
  /// A host that sent and received at most this many bytes in the window counts as quiet: these are
  /// requests that read its counters, and the responses.
  double quiet_bytes = 0;
};

/// Groups hosts by the start of their description up to the first digit or space: oss1 and oss2 are
/// one group, gw1 another. By EndPortId. With more than most_groups different starts, the last
/// group has the rest.
std::vector<std::uint8_t> groups_by_name(const Fabric& fabric);

}  // namespace pssp
