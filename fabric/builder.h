#pragma once

// Collects nodes and links in any order and builds a Fabric. The readers and the OpenSM plugin
// share it, so it alone defines which fabrics are valid.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabric/adapter_kind.h"
#include "fabric/fabric.h"

namespace pssp {

/// Handle of a node in a builder, in the order of addition.
using NodeId = Id<struct NodeTag>;

/// The far end of a cable, and the rate towards it.
struct CableEnd {
  NodeId node;
  PortNumber port = no_port;
  LinkRate rate;
};

struct BuilderOptions {
  /// Kinds of end ports that are endpoints besides hosts. All kinds are routed.
  EndpointRoles roles = {};
  /// All nodes, each once, in the order in which the fabric numbers switches and adapters. End
  /// ports of a switch are then ordered by EndPortId, and its channels by the far end's SwitchId,
  /// parallel ones by the port of the lower SwitchId. Empty: by GUID and by port.
  std::vector<NodeId> numbering = {};
  /// With `numbering`: cables, each given by one of its ports, that are ordered after all parallel
  /// cables.
  std::vector<std::pair<NodeId, PortNumber>> last_of_parallel = {};
};

/// All functions throw Error(unreadable_input) for impossible fabrics: two nodes with one GUID, two
/// owners of one LID, a LID outside 0x0001-0xBFFF, a port number beyond the node's, a port with two
/// cables. The caller adds the location to messages: readers prefix file and line.
class FabricBuilder {
 public:
  /// `ports`: 1 .. 254. An empty name becomes "S-<guid>". Surrounding blanks of a description are
  /// removed.
  NodeId add_switch(Guid guid, unsigned ports, std::string name, std::string description);
  /// Channel adapter, aggregation node or router. `ports`: 1 .. 254.
  NodeId add_adapter(Guid node_guid, unsigned ports, EndPortKind kind, std::string name,
                     std::string description);

  /// The node type of an adapter, from a file.
  void set_node_type(NodeId node, std::string type);
  /// GUID of an adapter's port. Default: node GUID + port number, as in ibsim.
  void set_port_guid(NodeId node, PortNumber port, Guid guid);
  /// Base LID and LMC; port is 0 for a switch.
  void set_lid(NodeId node, PortNumber port, unsigned lid, unsigned lmc);
  /// A working cable between two ports. Repeating it from the other end is permitted (the faster
  /// rate counts). A cable between two ports of one switch, or between two adapters, carries no
  /// routes: the Fabric lists it in loop_cables() or back_to_back_cables().
  void connect(NodeId a, PortNumber port_a, NodeId b, PortNumber port_b, LinkRate rate);

  std::size_t node_count() const noexcept { return nodes_.size(); }
  bool is_switch(NodeId node) const noexcept { return nodes_[node.value()].is_switch; }
  EndPortKind kind(NodeId adapter) const noexcept { return nodes_[adapter.value()].kind; }
  unsigned ports(NodeId node) const noexcept { return nodes_[node.value()].ports; }
  Guid guid(NodeId node) const noexcept { return nodes_[node.value()].guid; }
  const std::string& name(NodeId node) const noexcept { return nodes_[node.value()].name; }
  const std::string& description(NodeId node) const noexcept {
    return nodes_[node.value()].description;
  }
  Guid port_guid(NodeId node, PortNumber port) const;
  /// Base LID; port is 0 for a switch. no_lid if none was set.
  Lid lid(NodeId node, PortNumber port) const;
  unsigned lmc(NodeId node, PortNumber port) const;
  bool has_lids() const noexcept { return lid_count_ != 0; }
  bool is_connected(NodeId node, PortNumber port) const;
  std::optional<NodeId> find_node(Guid guid) const;
  /// None if there is no cable.
  std::optional<CableEnd> far_end(NodeId node, PortNumber port) const;
  /// The rate of most cables of hosts, or of all adapters if no host's is known; the faster one of
  /// a tie; unknown if none is known.
  LinkRate most_frequent_host_rate() const;

  /// Change existing cables: the rate of one direction; all unknown rates; removal of a cable.
  void set_rate(NodeId node, PortNumber port, LinkRate rate);
  void state_missing_rates(LinkRate rate);
  void disconnect(NodeId node, PortNumber port);
  /// Removes the LIDs of all nodes.
  void clear_lids();

  /// If no node has a LID, gives every switch and every cabled adapter port the LID that OpenSM
  /// would assign in a new subnet. The port of the subnet manager (the first added adapter, its
  /// first cabled port) gets the first, followed by all other ports in ascending order of their
  /// GUID, read as a little-endian number (the order of OpenSM's tables on x86 and arm64). Each
  /// adapter port gets 2^lmc LIDs, aligned to 2^lmc, a switch one. Throws Error(unreadable_input)
  /// if the LID space is too small.
  void assign_lids(unsigned lmc = 0);

  /// Sorts, numbers and indexes. Afterwards, the builder is empty. O(nodes log nodes + ports).
  Fabric build(const BuilderOptions& options = {}) &&;

 private:
  struct Cable {
    NodeId node;  // far end
    PortNumber port = no_port;
    LinkRate rate;
  };
  struct Port {
    Guid guid = 0;
    Lid lid = no_lid;
    std::uint8_t lmc = 0;
    Cable cable;
  };
  struct Node {
    Guid guid = 0;
    unsigned ports = 0;
    bool is_switch = false;
    EndPortKind kind = EndPortKind::channel_adapter;
    std::uint32_t first_port = 0;  // index of port 0 in ports_
    std::string name, description, configured_type;
  };

  /// The numbers of nodes and ports in the Fabric.
  struct Numbering {
    std::vector<std::uint32_t> switch_of_node;    // SwitchId by NodeId
    std::vector<std::uint32_t> end_port_of_port;  // EndPortId by index in ports_
    std::vector<std::size_t> last_of_parallel;    // indices in ports_ of both ends, ascending
    bool is_by_guid = true;                       // ports are ordered by their numbers
  };

  NodeId add_node(Node node);
  std::size_t port_index(NodeId node, PortNumber port) const;
  Port& port_at(NodeId node, PortNumber port);
  const Port& port_at(NodeId node, PortNumber port) const;
  std::vector<char> nodes_connected_with(NodeId start) const;
  std::vector<std::uint32_t> numbered(const BuilderOptions& options, bool switches) const;
  std::vector<PortNumber> cabled_ports(const Node& node, const Numbering& numbering) const;
  void lay_out_adapter(const Node& node, Numbering& numbering, Fabric& fabric) const;
  void lay_out_switch(const Node& node, const Numbering& numbering, Fabric& fabric) const;
  void lay_out_unrouted_cables(const std::vector<std::uint32_t>& nodes, const Numbering& numbering,
                               Fabric& fabric) const;

  std::vector<Node> nodes_;
  std::vector<Port> ports_;  // ports + 1 entries per node
  std::unordered_map<Guid, NodeId> node_by_guid_;
  std::vector<NodeId> lid_owner_;  // by LID, grown as needed
  std::size_t lid_count_ = 0;
};

}  // namespace pssp
