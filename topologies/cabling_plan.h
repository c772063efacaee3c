#pragma once

// What the generators draw: a list of switches, adapters and cables that can still be damaged and
// renamed before it becomes a fabric.
//
// A FabricBuilder only grows, and damage needs to take things away again; hence this step in
// between. GUIDs are given when a node is drawn, so a fabric keeps them however much of it is
// broken afterwards.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/builder.h"
#include "fabric/ids.h"
#include "fabric/link_rate.h"

namespace pssp {

class Random;

/// A node of a plan: 0 .. nodes().size() - 1, in the order of drawing.
using PlanNodeId = Id<struct PlanNodeTag>;

struct PlanNode {
  bool is_switch = false;
  bool removed = false;  ///< taken out by damage
  unsigned ports = 0;
  Guid guid = 0;
  std::string name;         ///< identifier in a net file
  std::string description;  ///< where it stands
};

/// One end of a cable.
struct Plug {
  PlanNodeId node;
  unsigned port = 0;
};

struct Cable {
  Plug a, b;
  LinkRate rate;  ///< not stated: that of the whole fabric
};

/// Numbers of a plan without its removed nodes.
struct PlanCounts {
  std::size_t switches = 0;
  std::size_t hosts = 0;
  std::size_t switch_cables = 0;  ///< between two switches
  std::size_t host_cables = 0;
};

/// How the nodes of a plan get LIDs.
enum class LidScheme : std::uint8_t {
  none,
  opensm,       ///< FabricBuilder::assign_lids()
  hosts_first,  ///< adapters in the order of drawing from 1 on, then the switches
};

class CablingPlan {
 public:
  /// `name`: identifier in the file; by default "S00000", "S00001" ... Throws Error(usage) when
  /// `ports` is not 1 .. 254.
  PlanNodeId add_switch(unsigned ports, std::string description, std::string name = {});
  /// Adapter without a cable; name by default "H00000" ...
  PlanNodeId add_adapter(unsigned ports, std::string description, std::string name = {});
  /// One-port adapter behind a port of a switch.
  PlanNodeId add_host(Plug at, std::string description, std::string name = {});
  void connect(Plug a, Plug b) { cables_.push_back({a, b, {}}); }

  const std::vector<PlanNode>& nodes() const noexcept { return nodes_; }
  const PlanNode& node(PlanNodeId id) const noexcept { return nodes_[id.value()]; }
  const std::vector<Cable>& cables() const noexcept { return cables_; }
  bool joins_switches(const Cable& cable) const noexcept {
    return node(cable.a.node).is_switch && node(cable.b.node).is_switch;
  }
  PlanCounts counts() const;

  /// Takes a node and its cables out. O(cables).
  void remove_node(PlanNodeId id);
  /// Keeps the cables whose flag is set; one flag a cable.
  void keep_cables(const std::vector<bool>& keep);
  /// Plugs a cabled host of one port into another switch: into its first free port, or one more
  /// than it has. Throws Error(usage) where there cannot be more. O(cables).
  void move_host(PlanNodeId host, PlanNodeId to);
  /// Another identifier in the file, which is its description, too.
  void rename(PlanNodeId id, const std::string& name);
  /// Of all cables at nodes whose flag is set; one flag a node.
  void set_rate(const std::vector<bool>& at, LinkRate rate);
  /// Gives the ports of each switch other numbers, at random among all that it has; cables stay in
  /// their sockets.
  void permute_ports(Random& random);
  /// Gives all nodes new GUIDs, switches and adapters mixed at random.
  void shuffle_guids(Random& random);

  /// Cables without a rate of their own get `rate`. Each cabled adapter port gets 2^lmc LIDs.
  /// Throws Error(usage) when there are too few LIDs.
  FabricBuilder to_builder(LinkRate rate, LidScheme lids, unsigned lmc) const;

 private:
  PlanNodeId add_node(PlanNode node);
  void assign_hosts_first_lids(FabricBuilder& builder, const std::vector<NodeId>& handles,
                               unsigned lmc) const;

  std::vector<PlanNode> nodes_;
  std::vector<Cable> cables_;
  // Where ibsim 0.10 starts to count when a file names no GUIDs.
  Guid next_switch_guid_ = 0x200000, next_adapter_guid_ = 0x100000;
  std::size_t switch_count_ = 0, adapter_count_ = 0;
};

/// Throws Error(usage), naming `what`, when so many switches and adapter ports cannot all have a
/// LID. Generators call it before they draw, so that absurd sizes fail at once.
void require_lid_space(std::string_view what, std::uint64_t switches, std::uint64_t adapter_ports);

/// a * b, or the largest number where that is too much.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

}  // namespace pssp
