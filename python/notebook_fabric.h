#pragma once

// A fabric as a notebook has it: what was read, and its parts as rows of arrays.

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
  Guid guid = 0;                   ///< of the port
  std::uint32_t switch_index = 0;  ///< that it is cabled to
  Lid lid = no_lid;                ///< the first of 2^lmc
  std::uint8_t lmc = 0;
  PortNumber port = no_port;  ///< of that switch
};

struct SwitchRow {
  Guid guid = 0;
  std::uint32_t hosts = 0;  ///< cabled to it
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

/// A switch's place in a tree.
struct PositionRow {
  std::uint32_t level = 0, column = 0;
};

/// Immutable; shared by all that was made from it.
class NotebookFabric : public std::enable_shared_from_this<NotebookFabric> {
 public:
  /// Of a file of any kind; routes that a graph may have are passed over. A topology that states no
  /// LIDs gets those of an empty subnet, 2^lmc an adapter's port, as route_lft has it. Throws what
  /// the readers throw; Error(usage) for an lmc beside LIDs that are stated.
  static std::shared_ptr<NotebookFabric> read(const std::filesystem::path& path,
                                              std::optional<unsigned> lmc);
  /// Of a specification (topologies/registry.h). Throws Error(usage).
  static std::shared_ptr<NotebookFabric> make(const std::string& specification);
  /// `fabric` is `topology` with LIDs; what reading said is in `warnings`.
  NotebookFabric(std::string name, TopologyFile topology, Fabric fabric,
                 std::vector<std::string> warnings);

  const std::string& name() const noexcept { return name_; }
  /// As it was read, without LIDs where the file has none.
  const TopologyFile& topology() const noexcept { return topology_; }
  const Fabric& fabric() const noexcept { return fabric_; }
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  std::span<const HostRow> hosts() const noexcept { return hosts_; }
  std::span<const SwitchRow> switches() const noexcept { return switches_; }
  std::span<const ChannelRow> channels() const noexcept { return channels_; }
  std::span<const DestinationRow> destinations() const noexcept { return destinations_; }
  std::span<const Guid> guids() const noexcept { return guids_; }  ///< of the hosts
  std::span<const Lid> lids() const noexcept { return lids_; }     ///< of the hosts
  /// What the hosts, the switches are called: description, or name where that says nothing.
  std::vector<std::string> host_names() const;
  std::vector<std::string> switch_names() const;

  /// By switch. Throws Error(unsuitable_topology) where the fabric is no tree.
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
