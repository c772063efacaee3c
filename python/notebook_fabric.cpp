// The rows are computed once, with the fabric: they take a few percent of its memory, and notebooks
// read the arrays repeatedly. The topology is kept as it was read, because a topology without LIDs
// gets them from a file of tables (fabric/formats/lft_matching.h).

#include "python/notebook_fabric.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_description.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

Fabric with_lids(FabricBuilder builder, unsigned lmc) {
  if (!builder.has_lids()) builder.assign_lids(lmc);
  return std::move(builder).build();
}

}  // namespace

std::shared_ptr<NotebookFabric> NotebookFabric::read(const std::filesystem::path& path,
                                                     std::optional<unsigned> lmc) {
  FabricSources sources = read_fabric_sources({&path, 1});
  if (!sources.topology) {
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("{}: the file contains forwarding tables; expected a topology", path.string()));
  }
  TopologyFile& topology = *sources.topology;
  if (lmc && *lmc > max_lmc) {
    throw Error(ErrorKind::usage, fmt::format("lmc {}: expected 0 .. {}", *lmc, max_lmc));
  }
  if (lmc && topology.builder.has_lids()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("lmc: {} already states the LIDs of its nodes; leave lmc out", path.string()));
  }
  Fabric fabric = with_lids(topology.builder, lmc.value_or(0));
  std::vector<std::string> warnings = topology.warnings;
  return std::make_shared<NotebookFabric>(path.string(), std::move(topology), std::move(fabric),
                                          std::move(warnings));
}

std::shared_ptr<NotebookFabric> NotebookFabric::make(const std::string& specification) {
  TopologyFile topology;
  topology.builder = make_topology(specification);
  Fabric fabric = with_lids(topology.builder, 0);
  return std::make_shared<NotebookFabric>(specification, std::move(topology), std::move(fabric),
                                          std::vector<std::string>());
}

NotebookFabric::NotebookFabric(std::string name, TopologyFile topology, Fabric fabric,
                               std::vector<std::string> warnings)
    : name_(std::move(name)),
      topology_(std::move(topology)),
      fabric_(std::move(fabric)),
      warnings_(std::move(warnings)) {
  list_hosts();
  list_switches();
  list_channels();
  list_destinations();
}

void NotebookFabric::list_hosts() {
  hosts_.resize(fabric_.endpoints().size());
  for (std::size_t rank = 0; rank < hosts_.size(); ++rank) {
    const EndPort& port = fabric_.end_port(fabric_.endpoints()[rank]);
    HostRow& row = hosts_[rank];
    row.guid = port.port_guid;
    row.switch_index = port.attached.value();
    row.lid = port.lid;
    row.lmc = port.lmc;
    row.port = port.switch_port;
    guids_.push_back(row.guid);
    lids_.push_back(row.lid);
  }
}

void NotebookFabric::list_switches() {
  switches_.resize(fabric_.switch_count());
  for (std::size_t s = 0; s < switches_.size(); ++s) {
    const Switch& node = fabric_.switches()[s];
    SwitchRow& row = switches_[s];
    row.guid = node.guid;
    row.hosts = fabric_.endpoints_per_switch()[s];
    row.lid = node.lid;
    row.lmc = node.lmc;
    row.ports = node.ports;
  }
}

void NotebookFabric::list_channels() {
  channels_.resize(fabric_.channel_count());
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    ChannelRow& row = channels_[c];
    row.cost = fabric_.channel_cost()[c];
    row.tail = fabric_.channel_tail()[c];
    row.head = fabric_.channel_head()[c];
    row.reverse = fabric_.channel_reverse()[c];
    row.megabits = fabric_.channel_rate()[c].capacity();
    row.out_port = fabric_.channel_out_port()[c];
    row.in_port = fabric_.channel_in_port()[c];
  }
}

void NotebookFabric::list_destinations() {
  for (const Lid lid : fabric_.lids()) {
    const Delivery delivery = fabric_.delivery(lid);
    if (!delivery.at.valid()) continue;
    destinations_.push_back({delivery.at.value(), lid, delivery.port});
  }
}

std::vector<std::string> NotebookFabric::host_names() const {
  std::vector<std::string> names;
  names.reserve(hosts_.size());
  for (const EndPortId host : fabric_.endpoints())
    names.emplace_back(telling_name(fabric_.end_port(host)));
  return names;
}

std::vector<std::string> NotebookFabric::switch_names() const {
  std::vector<std::string> names;
  names.reserve(switches_.size());
  for (const Switch& each : fabric_.switches()) names.push_back(each.name);
  return names;
}

std::vector<PositionRow> NotebookFabric::coordinates() const {
  require_tree(fabric_, switch_ranks(fabric_));
  const TreeCoordinates tree = tree_coordinates(fabric_);
  std::vector<PositionRow> positions(fabric_.switch_count());
  for (std::size_t s = 0; s < positions.size(); ++s) positions[s] = {tree.level[s], tree.column[s]};
  return positions;
}

}  // namespace pssp
