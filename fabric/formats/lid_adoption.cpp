// Switches and ports of the topology are matched with those of the dump by GUID; if no switch has a
// GUID of the dump, by unique NodeDescription.
//
// ibsim replaces the port GUIDs of a saved topology by node GUID + port number. A dump from ibsim
// follows that rule for all ports, so the rule that fits more of the dump's ports is used for all.

#include "fabric/formats/lid_adoption.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

/// A port with its own LIDs. Port 0 stands for a switch.
struct Position {
  NodeId node;
  PortNumber port = management_port;
};

class LidGiver {
 public:
  LidGiver(FabricBuilder& builder, const LftFile& dump) : builder_(builder), dump_(dump) {}

  std::vector<Guid> run();

 private:
  using Positions = std::unordered_map<Guid, Position>;

  void match_by_guid();
  void match_by_description();
  Positions ports_by_guid(bool as_ibsim) const;
  std::size_t known_ports(const Positions& ports) const;
  void note(Position at, Lid lid) { lids_[{at.node.value(), at.port}].push_back(lid); }
  void set_lids();
  void set_lost_lid();

  FabricBuilder& builder_;
  const LftFile& dump_;
  std::vector<Guid> switch_guids_;
  std::map<std::pair<std::uint32_t, PortNumber>, std::vector<Lid>> lids_;
};

LidGiver::Positions LidGiver::ports_by_guid(bool as_ibsim) const {
  Positions ports;
  for (std::uint32_t n = 0; n < builder_.node_count(); ++n) {
    const NodeId node(n);
    if (builder_.is_switch(node)) {
      ports.try_emplace(builder_.guid(node), Position{node});
      continue;
    }
    for (unsigned p = 1; p <= builder_.ports(node); ++p) {
      const auto port = static_cast<PortNumber>(p);
      if (!builder_.is_connected(node, port)) continue;
      ports.try_emplace(as_ibsim ? builder_.guid(node) + p : builder_.port_guid(node, port),
                        Position{node, port});
    }
  }
  return ports;
}

std::size_t LidGiver::known_ports(const Positions& ports) const {
  return static_cast<std::size_t>(
      std::count_if(dump_.destinations.begin(), dump_.destinations.end(),
                    [&ports](const LftDestination& to) { return ports.contains(to.port_guid); }));
}

void LidGiver::match_by_guid() {
  const Positions stated = ports_by_guid(false);
  const Positions as_ibsim = ports_by_guid(true);
  const Positions& ports = known_ports(as_ibsim) > known_ports(stated) ? as_ibsim : stated;
  for (const LftDestination& to : dump_.destinations) {
    const auto at = ports.find(to.port_guid);
    if (at != ports.end() && builder_.is_switch(at->second.node) == to.is_switch)
      note(at->second, to.lid);
  }
  for (const LftSwitch& from : dump_.switches) {
    const auto at = ports.find(from.guid);
    const bool found = at != ports.end() && builder_.is_switch(at->second.node);
    switch_guids_.push_back(found ? from.guid : 0);
    if (found && from.lid != no_lid) note(at->second, from.lid);
  }
}

void LidGiver::match_by_description() {
  // Nodes with the same description match nothing: their position is none.
  std::unordered_map<std::string_view, Position> switches, ports;
  const auto add = [](auto& positions, std::string_view description, Position place) {
    const auto [other, is_new] = positions.try_emplace(description, place);
    if (!is_new) other->second = {};
  };
  // ibsim uses the name of nodes without a description.
  const auto description_of = [this](NodeId node) -> const std::string& {
    const std::string& text = builder_.description(node);
    return text.empty() ? builder_.name(node) : text;
  };
  for (std::uint32_t n = 0; n < builder_.node_count(); ++n) {
    const NodeId node(n);
    if (builder_.is_switch(node)) {
      add(switches, description_of(node), {node});
      continue;
    }
    for (unsigned p = 1; p <= builder_.ports(node); ++p) {
      const auto port = static_cast<PortNumber>(p);
      if (builder_.is_connected(node, port)) add(ports, description_of(node), {node, port});
    }
  }
  const auto find = [](const auto& positions, std::string_view description) {
    const auto at = positions.find(description);
    return at == positions.end() ? Position{} : at->second;
  };
  std::unordered_map<std::string_view, Guid>
      guid_of_description;  // in the dump: two ports of one description?
  for (const LftDestination& to : dump_.destinations) {
    const Position at = find(to.is_switch ? switches : ports, to.description);
    const Guid first = guid_of_description.try_emplace(to.description, to.port_guid).first->second;
    if (at.node.valid() && first == to.port_guid) note(at, to.lid);
  }
  for (const LftSwitch& from : dump_.switches) {
    const Position at = find(switches, from.description);
    switch_guids_.push_back(at.node.valid() ? builder_.guid(at.node) : 0);
    if (at.node.valid() && from.lid != no_lid) note(at, from.lid);
  }
}

void LidGiver::set_lids() {
  for (auto& [key, lids] : lids_) {
    std::sort(lids.begin(), lids.end());
    lids.erase(std::unique(lids.begin(), lids.end()), lids.end());
    const NodeId node(key.first);
    const std::size_t count = lids.size();
    const bool is_range =
        std::has_single_bit(count) && lids.back() - lids.front() + std::size_t{1} == count;
    if (!is_range) {
      throw Error(
          ErrorKind::mismatch,
          fmt::format(
              "{}: '{}' port {} has {} LIDs from {} to {}; expected 2^LMC consecutive LIDs; if "
              "some belong to virtual ports (SR-IOV), use a topology with LIDs (ibnetdiscover)",
              dump_.name, excerpt(builder_.name(node)), key.second, count, lids.front(),
              lids.back()));
    }
    try {
      builder_.set_lid(node, key.second, lids.front(),
                       static_cast<unsigned>(std::countr_zero(count)));
    } catch (const Error& error) {
      throw Error(ErrorKind::mismatch, fmt::format("{}: {}", dump_.name, error.what()));
    }
  }
}

/// The LID that dump_fts omitted belongs to the only port without a LID.
void LidGiver::set_lost_lid() {
  if (dump_.lost_lid == no_lid) return;
  std::optional<Position> without;
  for (const auto& [guid, place] : ports_by_guid(false)) {
    if (lids_.contains({place.node.value(), place.port})) continue;
    if (without) return;
    without = place;
  }
  if (without) builder_.set_lid(without->node, without->port, dump_.lost_lid, 0);
}

std::vector<Guid> LidGiver::run() {
  if (dump_.destinations.empty()) {
    throw Error(
        ErrorKind::mismatch,
        fmt::format(
            "{} does not state the owners of LIDs, and the topology has no LIDs; use "
            "opensm-lfts.dump or dump_fts without -n, or a topology with LIDs (ibnetdiscover)",
            dump_.name));
  }
  const Positions ports = ports_by_guid(false);
  const bool has_common_guid =
      std::any_of(dump_.switches.begin(), dump_.switches.end(),
                  [&ports](const LftSwitch& from) { return ports.contains(from.guid); });
  if (has_common_guid) {
    match_by_guid();
  } else {
    match_by_description();
  }
  set_lids();
  set_lost_lid();
  return std::move(switch_guids_);
}

}  // namespace

std::vector<Guid> adopt_lids(FabricBuilder& builder, const LftFile& dump) {
  return LidGiver(builder, dump).run();
}

std::vector<std::string> adopt_switch_lids(FabricBuilder& builder, const LftFile& dump,
                                           bool guids_are_made_up) {
  std::unordered_map<Guid, NodeId> without;
  for (std::uint32_t n = 0; n < builder.node_count(); ++n) {
    const NodeId node(n);
    if (builder.is_switch(node) && builder.lid(node, management_port) == no_lid)
      without.try_emplace(builder.guid(node), node);
  }
  std::vector<std::string> given;
  const auto give = [&](Guid guid, Lid lid, std::string_view description) {
    const auto found = without.find(guid);
    if (found == without.end() || lid == no_lid) return;
    const NodeId node = found->second;
    if (guids_are_made_up && builder.description(node) != description) return;
    without.erase(found);
    try {
      builder.set_lid(node, management_port, lid, 0);
    } catch (const Error&) {
      return;  // it is another node's in the topology; the GUID still identifies the switch
    }
    given.push_back(
        fmt::format("'{}' (GUID 0x{:016x}) LID {}", excerpt(builder.name(node)), guid, lid));
  };
  for (const LftSwitch& from : dump.switches) give(from.guid, from.lid, from.description);
  // If the head of a table has no LID, the switch's line as a destination has it.
  for (const LftDestination& to : dump.destinations) {
    if (to.is_switch) give(to.port_guid, to.lid, to.description);
  }
  return given;
}

}  // namespace pssp
