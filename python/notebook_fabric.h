#pragma once

// A fabric for notebooks: the topology as it was read, and the parts of the fabric as array rows.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/topology_file.h"

namespace pssp {

/// An endpoint of traffic.
struct HostRow {
  Guid guid = 0;                   ///< GUID of the port
  std::uint32_t switch_index = 0;  ///< switch at the other end of the cable
  Lid lid = no_lid;                ///< the first of 2^lmc
  std::uint8_t lmc = 0;
  PortNumber port = no_port;  ///< port of that switch
};

struct SwitchRow {
  Guid guid = 0;
  std::uint32_t hosts = 0;  ///< number of hosts at this switch
  Lid lid = no_lid;
  std::uint8_t lmc = 0;
  std::uint8_t ports = 0;
};

/// One direction of a cable between switches.
struct ChannelRow {
  double cost = 1;  ///< reference rate / rate
  std::uint32_t tail = 0, head = 0;
  std::uint32_t reverse = 0;   ///< the other direction
  std::uint32_t megabits = 0;  ///< 0: not stated
  PortNumber out_port = no_port, in_port = no_port;
};

/// A LID in use, and where packets for it leave the switches.
struct DestinationRow {
  std::uint32_t switch_index = 0;
  Lid lid = no_lid;
  PortNumber port = no_port;  ///< 0: the switch itself
};

/// Position of a switch in a tree.
struct PositionRow {
  std::uint32_t level = 0, column = 0;
};

/// Immutable. Tables of the fabric share ownership of it.
class NotebookFabric : public std::enable_shared_from_this<NotebookFabric> {
 public:
  /// Reads a topology file of any format; ignores routes in a graph. A topology without LIDs gets
  /// the LIDs of an empty subnet, 2^lmc per adapter port, as in route_lft. Throws the errors of the
  /// readers, and Error(usage) if `lmc` is given although the file states LIDs.
  static std::shared_ptr<NotebookFabric> read(const std::filesystem::path& path,
                                              std::optional<unsigned> lmc);
  /// Generates a fabric from a specification (topologies/registry.h). Throws Error(usage).
  static std::shared_ptr<NotebookFabric> make(const std::string& specification);
  /// `fabric` is `topology` with LIDs; `warnings` are those of the reader.
  NotebookFabric(std::string name, TopologyFile topology, Fabric fabric,
                 std::vector<std::string> warnings);

  const std::string& name() const noexcept { return name_; }
  /// The topology as it was read; without LIDs if the file has none.
  const TopologyFile& topology() const noexcept { return topology_; }
  const Fabric& fabric() const noexcept { return fabric_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  std::span<const HostRow> hosts() const noexcept { return hosts_; }
  std::span<const SwitchRow> switches() const noexcept { return switches_; }
  std::span<const ChannelRow> channels() const noexcept { return channels_; }
  std::span<const DestinationRow> destinations() const noexcept { return destinations_; }
  std::span<const Guid> guids() const noexcept { return guids_; }  ///< GUIDs of the hosts
  std::span<const Lid> lids() const noexcept { return lids_; }     ///< LIDs of the hosts
  /// Descriptions of the hosts; the name of a host whose description is generic.
  std::vector<std::string> host_names() const;
  std::vector<std::string> switch_names() const;

  /// Positions by switch. Throws Error(unsuitable_topology) if the fabric is not a tree.
  std::vector<PositionRow> coordinates() const;

 private:
  void list_hosts();
  void list_switches();
  void list_channels();
  void list_destinations();

  std::string name_;
  TopologyFile topology_;
  Fabric fabric_;
  std::vector<std::string> warnings_;
  std::vector<HostRow> hosts_;
  std::vector<SwitchRow> switches_;
  std::vector<ChannelRow> channels_;
  std::vector<DestinationRow> destinations_;
  std::vector<Guid> guids_;
  std::vector<Lid> lids_;
};

}  // namespace pssp
