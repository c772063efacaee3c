#pragma once

// Finds the fabric by a walk along directed routes, which need neither LIDs nor tables.

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
  /// Ports that are asked. No subnet has so many: it has 49,151 LIDs. A node that makes up others
  /// behind itself, each with 254 ports, would be walked through until memory ends.
  std::size_t most_ports = std::size_t{1} << 21;
};

/// For one thread. The walk is a crowd of dialogues of an exchange, which may hold others
/// meanwhile.
class FabricWalk {
 public:
  /// The exchange must outlive it.
  FabricWalk(Exchange& exchange, const WalkOptions& options);
  FabricWalk(const FabricWalk&) = delete;
  FabricWalk& operator=(const FabricWalk&) = delete;
  ~FabricWalk();

  /// Begins at our own port; not while it is busy.
  void begin();
  bool busy() const noexcept { return !visits_.empty(); }
  /// True once when a walk that was begun is over.
  bool take_done() { return begun_ && !busy() && std::exchange(begun_, false); }
  /// What was found, in the order of GUIDs. Nodes that did not answer are not there.
  std::vector<FoundNode> take_nodes();
  /// The last walk left out what was behind most_ports.
  bool was_cut_short() const noexcept { return asked_ports_ > options_.most_ports; }

 private:
  class Visit;
  struct Cable {
    Guid node = 0;  ///< 0: our own port is the first
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
  std::size_t asked_ports_ = 0;  // up to one more than there may be
  bool begun_ = false;
};

}  // namespace pssp
