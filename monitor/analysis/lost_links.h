#pragma once

// Ports that should be up and are not: those that were up while the monitor looked, and are down
// now without anybody having switched them off. They are missed however long they are down.

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
  Verdict verdict;  ///< `port` is of the snapshot's map
  PortKey peer;     ///< the other end that it had; of no node if it is unknown
};

class LostLinks {
 public:
  /// What an earlier process missed. `peer`: the other end of the cable; of no node if it is
  /// unknown. Before the first sweep.
  void restore(PortKey port, PortKey peer, Level level, std::string reason);
  /// The next sweep. O(ports) where its map is another one than that before, else O(lost links log
  /// ports).
  void add(const Snapshot& snapshot);
  /// Of each cable one end: that with the smaller key of those whose nodes are there. Ports whose
  /// node is gone, and those that somebody disabled, are left out. `bad` between switches, else
  /// `watch`. O(lost links log ports).
  std::vector<LostLink> lost(const Snapshot& snapshot) const;

 private:
  struct Lost {
    PortKey peer;
    std::string peer_name;  ///< may be shown
    Level level = Level::watch;
    std::string reason;  ///< of an earlier process; else it is made of the state
  };

  void miss(const FabricMap& before, std::uint32_t port);
  static std::string reason_of(const Lost& lost, const MapPort& now);

  std::shared_ptr<const FabricMap> map_;
  std::map<PortKey, Lost> lost_;
};

}  // namespace pssp
