#pragma once

// The result of the generators: a list of switches, adapters and cables that can be damaged and
// renamed before it becomes a fabric.
//
// A FabricBuilder cannot remove anything, but damage must; therefore this intermediate step exists.
// Nodes get their GUIDs when they are added, so damage does not change GUIDs.

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

/// A node of a plan: 0 .. nodes().size() - 1, in the order of addition.
using PlanNodeId = Id<struct PlanNodeTag>;

struct PlanNode {
  bool is_switch = false;
  bool removed = false;  ///< removed by damage
  unsigned ports = 0;
  Guid guid = 0;
  std::string name;         ///< identifier in a net file
  std::string description;  ///< position in the fabric
};

/// One end of a cable.
struct Plug {
  PlanNodeId node;
  unsigned port = 0;
};

struct Cable {
  Plug a, b;
  LinkRate rate;  ///< if not set, the rate of the whole fabric
};

/// Counts of a plan without its removed nodes.
struct PlanCounts {
  std::size_t switches = 0;
  std::size_t hosts = 0;
  std::size_t switch_cables = 0;  ///< between two switches
  std::size_t host_cables = 0;
};

/// The rule by which the nodes of a plan get LIDs.
enum class LidScheme : std::uint8_t {
  none,
  opensm,       ///< FabricBuilder::assign_lids()
  hosts_first,  ///< adapters in the order of addition from 1 on, then the switches
};

class CablingPlan {
 public:
  /// `name`: identifier in the file; by default "S00000", "S00001" ... Throws Error(usage) if
  /// `ports` is not 1 .. 254.
  PlanNodeId add_switch(unsigned ports, std::string description, std::string name = {});
  /// Adapter without a cable; by default, the name is "H00000" ...
  PlanNodeId add_adapter(unsigned ports, std::string description, std::string name = {});
  /// Adapter with one port, connected to a port of a switch.
  PlanNodeId add_host(Plug at, std::string description, std::string name = {});
  void connect(Plug a, Plug b) { cables_.push_back({a, b, {}}); }

  const std::vector<PlanNode>& nodes() const noexcept { return nodes_; }
  const PlanNode& node(PlanNodeId id) const noexcept { return nodes_[id.value()]; }
  const std::vector<Cable>& cables() const noexcept { return cables_; }
  bool joins_switches(const Cable& cable) const noexcept {
    return node(cable.a.node).is_switch && node(cable.b.node).is_switch;
  }
  PlanCounts counts() const;

  /// Removes a node and its cables. O(cables).
  void remove_node(PlanNodeId id);
  /// Keeps the cables whose flag is set; one flag per cable.
  void keep_cables(const std::vector<bool>& keep);
  /// Moves a cabled host with one port to another switch: to the first free port, or to an
  /// additional port. Throws Error(usage) if the switch cannot have more ports. O(cables).
  void move_host(PlanNodeId host, PlanNodeId to);
  /// Sets another identifier in the file, which is also the description.
  void rename(PlanNodeId id, const std::string& name);
  /// Sets the rate of all cables at nodes whose flag is set; one flag per node.
  void set_rate(const std::vector<bool>& at, LinkRate rate);
  /// Numbers the ports of each switch in random order; cables stay at their physical ports.
  void permute_ports(Random& random);
  /// Gives all nodes new GUIDs, in random order of switches and adapters.
  void shuffle_guids(Random& random);

  /// Cables without a rate get `rate`. Each cabled adapter port gets 2^lmc LIDs. Throws
  /// Error(usage) if there are not enough LIDs.
  FabricBuilder to_builder(LinkRate rate, LidScheme lids, unsigned lmc) const;

 private:
  PlanNodeId add_node(PlanNode node);
  void assign_hosts_first_lids(FabricBuilder& builder, const std::vector<NodeId>& handles,
                               unsigned lmc) const;

  std::vector<PlanNode> nodes_;
  std::vector<Cable> cables_;
  // The first GUIDs of ibsim 0.10 for a file without GUIDs.
  Guid next_switch_guid_ = 0x200000, next_adapter_guid_ = 0x100000;
  std::size_t switch_count_ = 0, adapter_count_ = 0;
};

/// Throws Error(usage) with `what` if there are not enough LIDs for this many switches and adapter
/// ports. Generators call this function first, so that absurd sizes fail at once.
void require_lid_space(std::string_view what, std::uint64_t switches, std::uint64_t adapter_ports);

/// a * b, or the largest number on overflow.
std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) noexcept;

}  // namespace pssp
