#pragma once

// Discovers the fabric by a walk along directed routes, which need neither LIDs nor forwarding
// tables.

#include <cstddef>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "monitor/discovery/found_fabric.h"
#include "wire/exchange.h"

namespace pssp {

struct WalkOptions {
  std::uint64_t m_key = 0;
  unsigned max_hops = DirectedRoute::most_hops;  ///< 1 .. 63
  /// Largest number of requested ports. No subnet has so many, because it has only 49,151 LIDs.
  /// Without this limit, a node that invents nodes with 254 ports each would exhaust the memory.
  std::size_t most_ports = std::size_t{1} << 21;
};

/// For one thread. The walk consists of many dialogues of an exchange, which may have other
/// dialogues at the same time.
class FabricWalk {
 public:
  /// The exchange must outlive it.
  FabricWalk(Exchange& exchange, const WalkOptions& options);
  FabricWalk(const FabricWalk&) = delete;
  FabricWalk& operator=(const FabricWalk&) = delete;
  ~FabricWalk();

  /// Begins at the port of this program; not while the walk is busy.
  void begin();
  bool busy() const noexcept { return !visits_.empty(); }
  /// True once after the end of a walk.
  bool take_done() { return begun_ && !busy() && std::exchange(begun_, false); }
  /// The discovered nodes, sorted by GUID, without nodes that did not answer.
  std::vector<FoundNode> take_nodes();
  /// Whether the last walk reached most_ports and left out the rest.
  bool was_cut_short() const noexcept { return asked_ports_ > options_.most_ports; }

 private:
  class Visit;
  struct Cable {
    Guid node = 0;  ///< 0: the port of this program is the first
    PortNumber port = 0;
  };

  void visit(const DirectedRoute& route, const Cable& from);
  bool may_ask_port();
  void over(Visit& visit);
  void add_cable(const Cable& near, const Cable& far);
  void join_cables();

  Exchange& exchange_;
  WalkOptions options_;
  std::unordered_map<const Visit*, std::unique_ptr<Visit>> visits_;
  std::vector<std::unique_ptr<Visit>> ended_;  // may be on the stack until the next begin()
  std::map<Guid, FoundNode> nodes_;
  std::map<std::pair<Guid, PortNumber>, Cable> cables_;
  std::size_t asked_ports_ = 0;  // at most one more than the limit
  bool begun_ = false;
};

}  // namespace pssp
