#pragma once

// The fabric for all algorithms: an immutable directed multigraph of switches in flat arrays, with
// the end ports at the switches.
//
// Channels are grouped by source switch (compressed sparse rows), so that the channels out of a
// switch are one contiguous range of ChannelIds. A channel is one direction of one physical link;
// parallel links are separate channels. Only links between switches have ChannelIds: the link
// between an end port and its switch carries only the traffic of that end port, and is described by
// the EndPort.
//
// Switches and end ports are numbered by ascending GUID, independent of the order in the input. So
// a fabric read from a file and the same fabric found by the subnet manager are equal, and an
// engine computes the same tables for both. Engines for trees use copies in another numbering,
// which follows the structure (routing/trees/numbered_tree.h).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/ids.h"
#include "fabric/link_rate.h"

namespace pssp {

struct Switch {
  Guid guid = 0;            ///< node GUID, which is also the GUID of its port 0
  std::uint8_t ports = 0;   ///< number of external ports, 1 .. 254
  Lid lid = no_lid;         ///< base LID of port 0; no_lid if the topology has no LIDs
  std::uint8_t lmc = 0;     ///< 2^lmc LIDs lead to port 0 (0 unless an enhanced port 0)
  std::string name;         ///< identifier in the topology file, or "S-<guid>"
  std::string description;  ///< NodeDescription
};

enum class EndPortKind : std::uint8_t {
  channel_adapter,   ///< a host or storage adapter
  aggregation_node,  ///< the SHARP adapter inside a switch: has a LID, but is not an endpoint
  router,            ///< leads to another subnet: also has a LID, but is not an endpoint
};

struct EndPort {
  Guid node_guid = 0;
  Guid port_guid = 0;
  PortNumber port = 1;  ///< port number on its node
  EndPortKind kind = EndPortKind::channel_adapter;
  std::uint32_t host = 0;            ///< ports of one node share it: 0 .. Fabric::host_count() - 1
  Lid lid = no_lid;                  ///< base LID
  std::uint8_t lmc = 0;              ///< 2^lmc LIDs lead here
  SwitchId attached;                 ///< none: the port is dead, or not cabled to a switch
  PortNumber switch_port = no_port;  ///< port of the attached switch
  LinkRate rate;
  std::string name;             ///< identifier of the node in the topology file, or "H-<guid>"
  std::string description;      ///< NodeDescription
  std::string configured_type;  ///< from a file (formats/node_types_file.h); usually empty
};

/// What is connected to a port of a switch.
struct PortTarget {
  enum class Kind : std::uint8_t {
    none,        ///< nothing, a dead link, or an end of a LoopCable
    channel,     ///< another switch; index is a ChannelId
    end_port,    ///< index is an EndPortId
    management,  ///< port 0, the switch itself
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  friend bool operator==(const PortTarget&, const PortTarget&) = default;
};

/// The owner of a LID.
struct LidOwner {
  enum class Kind : std::uint8_t { none, switch_port0, end_port };
  Kind kind = Kind::none;
  std::uint32_t index = 0;  ///< SwitchId or EndPortId
};

/// Where packets for a LID leave the switches.
struct Delivery {
  SwitchId at;  ///< last switch; none: the LID has no owner, or its port is not cabled to a switch
  PortNumber port = no_port;  ///< out port there; management_port for the switch's own LID
};

/// A cable with both ends at one switch; `a` equals `b` for a loopback plug. Carries no routes.
struct LoopCable {
  SwitchId at;
  PortNumber a = no_port, b = no_port;  ///< a <= b
  LinkRate rate;
};

/// A cable between two adapters. Carries no routes.
struct BackToBackCable {
  EndPortId a, b;  ///< a <= b
  LinkRate rate;
};

class FabricBuilder;

/// Immutable; can be read by any number of threads. Built by FabricBuilder.
class Fabric {
 public:
  std::size_t switch_count() const noexcept { return switches_.size(); }
  std::size_t end_port_count() const noexcept { return end_ports_.size(); }
  std::size_t channel_count() const noexcept { return channel_head_.size(); }
  /// Number of adapters and routers, independent of their numbers of ports.
  std::size_t host_count() const noexcept { return host_count_; }
  /// False for a copy with another numbering (BuilderOptions::numbering).
  bool is_numbered_by_guid() const noexcept { return is_numbered_by_guid_; }

  const Switch& switch_at(SwitchId s) const noexcept { return switches_[s.value()]; }
  const EndPort& end_port(EndPortId e) const noexcept { return end_ports_[e.value()]; }
  std::span<const Switch> switches() const noexcept { return switches_; }
  std::span<const EndPort> end_ports() const noexcept { return end_ports_; }

  /// Channels out of switch s are first_channel()[s] .. first_channel()[s + 1] - 1, by ascending
  /// out port if the fabric is numbered by GUID. switch_count() + 1 entries.
  std::span<const std::uint32_t> first_channel() const noexcept { return first_channel_; }
  /// Switch that the channel leads to / comes from, by channel.
  std::span<const std::uint32_t> channel_head() const noexcept { return channel_head_; }
  std::span<const std::uint32_t> channel_tail() const noexcept { return channel_tail_; }
  /// Output port at the tail / input port at the head.
  std::span<const PortNumber> channel_out_port() const noexcept { return channel_out_port_; }
  std::span<const PortNumber> channel_in_port() const noexcept { return channel_in_port_; }
  /// The opposite direction of the same link.
  std::span<const std::uint32_t> channel_reverse() const noexcept { return channel_reverse_; }
  std::span<const LinkRate> channel_rate() const noexcept { return channel_rate_; }
  /// reference_capacity() / capacity of the channel: what one route adds to the channel's load.
  /// Exactly 1 in a fabric of equal links. Links with unknown rate have cost 1.
  std::span<const double> channel_cost() const noexcept { return channel_cost_; }
  /// The same for the link of an end port.
  double end_port_cost(EndPortId e) const noexcept { return end_port_cost_[e.value()]; }
  /// Mbit/s of the most frequent rate of links of end ports (the faster one of a tie): the unit of
  /// bandwidth. 0 if no rate is known.
  std::uint32_t reference_capacity() const noexcept { return reference_capacity_; }

  /// What is connected to a port; Kind::none for invalid port numbers. O(1).
  PortTarget behind(SwitchId s, PortNumber port) const noexcept {
    const std::uint32_t first = first_port_[s.value()];
    if (port >= first_port_[s.value() + 1] - first) return {};
    return port_targets_[first + port];
  }

  /// Cables without routes, in the order of their switches and end ports.
  std::span<const LoopCable> loop_cables() const noexcept { return loop_cables_; }
  std::span<const BackToBackCable> back_to_back_cables() const noexcept {
    return back_to_back_cables_;
  }

  /// End ports cabled to switch s, by ascending switch port if the fabric is numbered by GUID.
  std::span<const EndPortId> end_ports_of(SwitchId s) const noexcept {
    return std::span(attached_).subspan(
        first_attached_[s.value()], first_attached_[s.value() + 1] - first_attached_[s.value()]);
  }

  /// Whether the end port takes part in traffic: attached to a switch, with a LID unless the fabric
  /// has no LIDs, and a host or of a requested kind (adapter_kind.h). A port without a LID can
  /// neither receive nor answer.
  bool is_endpoint(EndPortId e) const noexcept { return is_endpoint_[e.value()] != 0; }
  /// End ports that take part in traffic, ascending.
  std::span<const EndPortId> endpoints() const noexcept { return endpoints_; }
  /// Number of endpoints cabled to each switch.
  std::span<const std::uint32_t> endpoints_per_switch() const noexcept {
    return endpoints_per_switch_;
  }
  /// End ports of all kinds at each switch that can send: all except those without a LID in a
  /// fabric with LIDs.
  std::span<const std::uint32_t> senders_per_switch() const noexcept { return senders_per_switch_; }
  /// End ports that would take part in traffic if they had a LID.
  std::size_t endpoints_without_lid() const noexcept { return endpoints_without_lid_; }

  /// Highest LID in use, no_lid if the topology has none.
  Lid max_lid() const noexcept { return max_lid_; }
  bool has_lids() const noexcept { return max_lid_ != no_lid; }
  LidOwner owner(Lid lid) const noexcept { return lid <= max_lid_ ? owners_[lid] : LidOwner{}; }
  Delivery delivery(Lid lid) const noexcept {
    return lid <= max_lid_ ? deliveries_[lid] : Delivery{};
  }
  /// Whether the LID belongs to an endpoint.
  bool is_endpoint_lid(Lid lid) const noexcept {
    const LidOwner found = owner(lid);
    return found.kind == LidOwner::Kind::end_port && is_endpoint(EndPortId(found.index));
  }
  /// LIDs in use, ascending.
  std::span<const Lid> lids() const noexcept { return lids_; }

  std::optional<SwitchId> find_switch(Guid guid) const;
  /// By GUID of the port.
  std::optional<EndPortId> find_end_port(Guid port_guid) const;

  /// "name (description)" for messages; without the description if it adds nothing.
  std::string label(SwitchId s) const;
  std::string label(EndPortId e) const;
  /// "tail[out port] -> head[in port]".
  std::string channel_label(ChannelId c) const;

 private:
  friend class FabricBuilder;
  Fabric() = default;

  // Steps of building that use only arrays filled before; is_endpoint_ depends only on kinds until
  // index_endpoints() checks cables and LIDs.
  void index_channels();
  void index_endpoints();
  void index_lids();

  std::vector<Switch> switches_;
  std::vector<EndPort> end_ports_;
  std::size_t host_count_ = 0;
  bool is_numbered_by_guid_ = true;

  std::vector<std::uint32_t> first_channel_, channel_head_, channel_tail_, channel_reverse_;
  std::vector<PortNumber> channel_out_port_, channel_in_port_;
  std::vector<LinkRate> channel_rate_;
  std::vector<double> channel_cost_, end_port_cost_;
  std::uint32_t reference_capacity_ = 0;

  std::vector<std::uint32_t> first_port_;  // by switch, into port_targets_; ports + 1 entries each
  std::vector<PortTarget> port_targets_;
  std::vector<std::uint32_t> first_attached_;
  std::vector<EndPortId> attached_;
  std::vector<LoopCable> loop_cables_;
  std::vector<BackToBackCable> back_to_back_cables_;

  std::vector<std::uint8_t> is_endpoint_;
  std::vector<EndPortId> endpoints_;
  std::vector<std::uint32_t> endpoints_per_switch_, senders_per_switch_;
  std::size_t endpoints_without_lid_ = 0;

  Lid max_lid_ = no_lid;
  std::vector<LidOwner> owners_;
  std::vector<Delivery> deliveries_;
  std::vector<Lid> lids_;
  std::unordered_map<Guid, SwitchId> switch_by_guid_;
  std::unordered_map<Guid, EndPortId> end_port_by_guid_;
};

}  // namespace pssp
