#pragma once

// Computes the congestion of the flows of a phase on their paths through given tables.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/structured_suite/lid_use.h"
#include "routing/structured_suite/patterns.h"

namespace pssp {

/// Congestion of the flows of a phase that arrive (structured_suite.h defines congestion).
struct PhaseTime {
  double largest = 0;
  double sum = 0;
  double bandwidth = 0;  ///< sum of 1 / congestion
  std::size_t routed = 0;
};

/// Follows the flows of one phase after another. Each object must be used by one thread.
class FlowFollower {
 public:
  /// All arguments except `hosts` must outlive the object. Flows contain positions in `hosts`.
  FlowFollower(const Fabric& fabric, const ForwardingTables& tables,
               const std::vector<EndPortId>& hosts, const LidUse& use);

  /// All flows run at the same time. O(hops of all flows).
  PhaseTime follow(std::span<const HostFlow> flows);

 private:
  struct End {
    std::uint32_t at;  // switch
    Lid lid;
    PortNumber port;
    std::uint32_t lids;  // number of LIDs over which flows to the host are striped
    std::uint64_t part;  // units of a flow for each of these LIDs
    double cost;
  };
  /// The part of a flow to one LID.
  struct PathChoice {
    bool arrives;
    std::size_t end;  // in channels_
  };

  struct Behind {
    std::uint32_t channel, head;
  };
  /// The walk of a part to one LID.
  struct Walk {
    const PortNumber* entries;  // for the LID, at the first switch; null: no switch has an entry
    const End* to;
    std::uint32_t at;  // switch
    std::uint32_t hops;
    bool goes_on, arrives;
  };
  static constexpr std::size_t side_by_side = 8;

  void index_ports();
  void find_paths(std::span<const HostFlow> flows);
  void take_walks(std::size_t count);
  bool step(Walk& walk, std::uint32_t* channels) const;
  void count_at_ends(std::span<const HostFlow> flows);
  double congestion_at_ends(const HostFlow& flow) const;
  double congestion_of(const PathChoice& path, std::size_t begin, double at_ends) const;

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  bool is_free_;
  double units_;
  bool is_uniform_;                      // all channels cost 1
  std::size_t ports_ = 0;                // all ports with channels have smaller numbers
  std::vector<Behind> behind_;           // by SwitchId and port
  std::vector<End> ends_;                // by position in the host order
  std::vector<std::uint32_t> sent_;      // flows of the current phase that arrive, by source
  std::vector<std::uint32_t> received_;  // the same, by destination
  std::vector<std::uint64_t> load_;      // units of flows of the current phase, by ChannelId
  std::vector<std::uint32_t> channels_;  // of all paths of the phase
  std::array<Walk, side_by_side> walks_{};
  std::size_t most_hops_;              // a path with more hops than switches is a loop
  std::vector<std::uint32_t> walked_;  // channels of each walk, most_hops_ apart
  std::vector<PathChoice> paths_;
};

}  // namespace pssp
