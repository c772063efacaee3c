#pragma once

// Ports that should be up and are not: the monitor has seen them up, and nobody has disabled them.
// There is no limit for how long a port stays in this list.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "monitor/analysis/verdicts.h"
#include "monitor/counters/port_key.h"
#include "monitor/counters/snapshot.h"

namespace pssp {

struct LostLink {
  Verdict verdict;  ///< `port` is an index into the ports of the snapshot's map
  PortKey peer;     ///< the other end before the loss; of no node if it is unknown
};

class LostLinks {
 public:
  /// Adds a lost link that an earlier process had found. `peer` is the other end of the cable; of
  /// no node if it is unknown. Must be called before the first sweep.
  void restore(PortKey port, PortKey peer, Level level, std::string reason);
  /// Takes the next sweep. O(ports) if its map is another object than the one before, else O(lost
  /// links * log(ports)).
  void add(const Snapshot& snapshot);
  /// One end of each cable: the one with the smaller key among those whose nodes are in the fabric.
  /// Disabled ports, and ports whose node is gone, are left out. `bad` between switches, else
  /// `watch`. O(lost links log ports).
  std::vector<LostLink> lost(const Snapshot& snapshot) const;

 private:
  struct Lost {
    PortKey peer;
    std::string peer_name;  ///< sanitized
    Level level = Level::watch;
    std::string reason;  ///< from an earlier process; empty: made from the state of the port
  };

  void miss(const FabricMap& before, std::uint32_t port);
  static std::string reason_of(const Lost& lost, const MapPort& now);

  std::shared_ptr<const FabricMap> map_;
  std::map<PortKey, Lost> lost_;
};

}  // namespace pssp
