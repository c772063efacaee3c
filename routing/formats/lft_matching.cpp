// A dump belongs to a topology when its switches are the topology's switches and its LIDs lead to
// the topology's ports. How that can be seen depends on what the topology knows.
//
// It has LIDs: a switch of the dump is the one that has its LID, and the GUIDs must agree. What the
// comments of the dump say about the owners of all other LIDs is compared with the topology.
//
// It has none, but GUIDs that occur in the dump: switches are matched by GUID, and the comments say
// which port has which LID. GUIDs that were given by file order occur in any two net files; then
// the descriptions must agree as well.
//
// No switch has a GUID of the dump: the same by NodeDescription, where that is unique.
//
// ibsim replaces the port GUIDs of a saved topology by node GUID + port number. A dump made on it
// follows that rule throughout, so the rule that fits more of the dump's ports is taken for all.
//
// Differences that occur in healthy life are warnings: LIDs of nodes that have left, an island that
// the subnet manager does not see, an adapter that was replaced. All others are errors.

#include "routing/formats/lft_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "routing/formats/cases.h"
#include "routing/support/error.h"

namespace pssp {
namespace {

/// A port that has LIDs of its own. Port 0 stands for a switch.
struct Place {
  NodeId node;
  PortNumber port = management_port;
};

std::string label(const LftSwitch& from) {
  return fmt::format("'{}' (GUID 0x{:016x})", from.description, from.guid);
}

std::string label(const LftDestination& to) {
  return fmt::format("LID {} of '{}' (port GUID 0x{:016x})", to.lid, to.description, to.port_guid);
}

/// Everything that does not match, for one error message.
class Mismatches {
 public:
  explicit Mismatches(std::string_view dump) : dump_(dump) {}

  /// `cases` of `all` are wrong in the way that `what` says.
  void add(const Cases& cases, std::size_t all, std::string_view what) {
    if (cases.count() == 0) return;
    text_ += fmt::format("\n  {} of {} {}: {}", cases.count(), all, what, cases.examples());
  }
  void throw_if_any() const {
    if (text_.empty()) return;
    throw Error(
        ErrorKind::mismatch,
        fmt::format(
            "{} and the topology do not belong together:{}\nTake both from the same fabric at the "
            "same time.",
            dump_, text_));
  }

 private:
  std::string dump_;
  std::string text_;
};

/// Gives a topology without LIDs the LIDs of the dump.
class LidGiver {
 public:
  LidGiver(FabricBuilder& builder, const LftFile& dump) : builder_(builder), dump_(dump) {}

  /// Topology's GUID of each switch of the dump; 0: none.
  std::vector<Guid> run();

 private:
  using Places = std::unordered_map<Guid, Place>;

  void match_by_guid();
  void match_by_description();
  Places ports_by_guid(bool as_ibsim) const;
  std::size_t known_ports(const Places& ports) const;
  void note(Place at, Lid lid) { lids_[{at.node.value(), at.port}].push_back(lid); }
  void set_lids();
  void set_lost_lid();

  FabricBuilder& builder_;
  const LftFile& dump_;
  std::vector<Guid> switch_guids_;
  std::map<std::pair<std::uint32_t, PortNumber>, std::vector<Lid>> lids_;
};

LidGiver::Places LidGiver::ports_by_guid(bool as_ibsim) const {
  Places ports;
  for (std::uint32_t n = 0; n < builder_.node_count(); ++n) {
    const NodeId node(n);
    if (builder_.is_switch(node)) {
      ports.try_emplace(builder_.guid(node), Place{node});
      continue;
    }
    for (unsigned p = 1; p <= builder_.ports(node); ++p) {
      const auto port = static_cast<PortNumber>(p);
      if (!builder_.is_connected(node, port)) continue;
      ports.try_emplace(as_ibsim ? builder_.guid(node) + p : builder_.port_guid(node, port),
                        Place{node, port});
    }
  }
  return ports;
}

std::size_t LidGiver::known_ports(const Places& ports) const {
  return static_cast<std::size_t>(
      std::count_if(dump_.destinations.begin(), dump_.destinations.end(),
                    [&ports](const LftDestination& to) { return ports.contains(to.port_guid); }));
}

void LidGiver::match_by_guid() {
  const Places stated = ports_by_guid(false);
  const Places as_ibsim = ports_by_guid(true);
  const Places& ports = known_ports(as_ibsim) > known_ports(stated) ? as_ibsim : stated;
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
  // Nodes of one description are no match for anything: their place is none.
  std::unordered_map<std::string_view, Place> switches, ports;
  const auto add = [](auto& places, std::string_view description, Place place) {
    const auto [other, is_new] = places.try_emplace(description, place);
    if (!is_new) other->second = {};
  };
  for (std::uint32_t n = 0; n < builder_.node_count(); ++n) {
    const NodeId node(n);
    if (builder_.is_switch(node)) {
      add(switches, builder_.description(node), {node});
      continue;
    }
    for (unsigned p = 1; p <= builder_.ports(node); ++p) {
      const auto port = static_cast<PortNumber>(p);
      if (builder_.is_connected(node, port)) add(ports, builder_.description(node), {node, port});
    }
  }
  const auto find = [](const auto& places, std::string_view description) {
    const auto at = places.find(description);
    return at == places.end() ? Place{} : at->second;
  };
  std::unordered_map<std::string_view, Guid>
      guid_of_description;  // in the dump: two ports of one description?
  for (const LftDestination& to : dump_.destinations) {
    const Place at = find(to.is_switch ? switches : ports, to.description);
    const Guid first = guid_of_description.try_emplace(to.description, to.port_guid).first->second;
    if (at.node.valid() && first == to.port_guid) note(at, to.lid);
  }
  for (const LftSwitch& from : dump_.switches) {
    const Place at = find(switches, from.description);
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
      throw Error(ErrorKind::mismatch, fmt::format("{}: '{}' port {} has {} LIDs from {} to {}; "
                                                   "the LIDs of a port are 2^LMC consecutive ones",
                                                   dump_.name, builder_.name(node), key.second,
                                                   count, lids.front(), lids.back()));
    }
    try {
      builder_.set_lid(node, key.second, lids.front(),
                       static_cast<unsigned>(std::countr_zero(count)));
    } catch (const Error& error) {
      throw Error(ErrorKind::mismatch, fmt::format("{}: {}", dump_.name, error.what()));
    }
  }
}

/// The LID that dump_fts lost belongs to the only port that has none.
void LidGiver::set_lost_lid() {
  if (dump_.lost_lid == no_lid) return;
  std::optional<Place> without;
  for (const auto& [guid, place] : ports_by_guid(false)) {
    if (lids_.contains({place.node.value(), place.port})) continue;
    if (without) return;
    without = place;
  }
  if (without) builder_.set_lid(without->node, without->port, dump_.lost_lid, 0);
}

std::vector<Guid> LidGiver::run() {
  if (dump_.destinations.empty()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("{} does not say whose the LIDs are, and the topology has no LIDs; use "
                            "opensm-lfts.dump or "
                            "dump_fts without -n, or a topology with LIDs (ibnetdiscover)",
                            dump_.name));
  }
  const Places ports = ports_by_guid(false);
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

/// Compares the dump with the finished Fabric and copies the tables.
class Matcher {
 public:
  Matcher(const Fabric& fabric, const LftFile& dump, std::vector<std::string>& warnings)
      : fabric_(fabric), dump_(dump), warnings_(warnings), mismatches_(dump.name) {}

  /// `guids`: the topology's GUID of each switch of the dump where matching gave LIDs to the
  /// topology; else empty.
  ForwardingTables run(const std::vector<Guid>& guids, bool guids_are_made_up);

 private:
  void match_switches(const std::vector<Guid>& guids);
  std::optional<SwitchId> switch_of(const LftSwitch& from, Lid lid) const;
  void check_missing_switches(bool topology_has_lids);
  std::vector<char> switches_within_reach() const;
  bool is_owner(const LftDestination& to) const;
  bool is_described(const LftDestination& to) const;
  void check_owners(bool (Matcher::*agrees)(const LftDestination&) const, std::string_view what);
  void check_ports_without_lid(const std::vector<char>& within_reach, bool topology_has_lids);
  void check_lids(const std::vector<char>& has_entry);
  ForwardingTables copy_tables();
  void warn(const Cases& cases, std::string_view what) {
    if (cases.count() == 0) return;
    warnings_.push_back(
        fmt::format("{}: {} {}: {}", dump_.name, cases.count(), what, cases.examples()));
  }

  const Fabric& fabric_;
  const LftFile& dump_;
  std::vector<std::string>& warnings_;
  Mismatches mismatches_;
  std::vector<SwitchId> switches_;  // by index in the dump
};

/// By LID; by GUID where the dump does not state the switch's LID.
std::optional<SwitchId> Matcher::switch_of(const LftSwitch& from, Lid lid) const {
  if (lid == no_lid) return fabric_.find_switch(from.guid);
  const LidOwner owner = fabric_.owner(lid);
  if (owner.kind != LidOwner::Kind::switch_port0) return std::nullopt;
  const SwitchId s(owner.index);
  return fabric_.switch_at(s).guid == from.guid ? std::optional(s) : std::nullopt;
}

void Matcher::match_switches(const std::vector<Guid>& guids) {
  std::unordered_map<Guid, Lid> lid_of_switch;
  for (const LftDestination& to : dump_.destinations) {
    if (to.is_switch) lid_of_switch.try_emplace(to.port_guid, to.lid);
  }
  Cases unknown;
  for (std::size_t index = 0; index < dump_.switches.size(); ++index) {
    const LftSwitch& from = dump_.switches[index];
    std::optional<SwitchId> found;
    std::string but;
    if (!guids.empty()) {
      found = fabric_.find_switch(guids[index]);
    } else {
      const auto stated = lid_of_switch.find(from.guid);
      const Lid lid =
          from.lid != no_lid || stated == lid_of_switch.end() ? from.lid : stated->second;
      found = switch_of(from, lid);
      const LidOwner owner = fabric_.owner(lid);
      if (owner.kind == LidOwner::Kind::switch_port0) {
        but =
            fmt::format("; the topology's LID {} is {}", lid, fabric_.label(SwitchId(owner.index)));
      } else if (owner.kind == LidOwner::Kind::end_port) {
        but = fmt::format("; the topology's LID {} is {}", lid,
                          fabric_.label(EndPortId(owner.index)));
      }
    }
    switches_.push_back(found.value_or(SwitchId()));
    if (!found) unknown.add(label(from) + but);
  }
  mismatches_.add(unknown, dump_.switches.size(), "switches of the dump are not in the topology");
}

/// Switches that are linked, over any number of switches, with one that the dump has.
std::vector<char> Matcher::switches_within_reach() const {
  std::vector<char> reached(fabric_.switch_count(), 0);
  std::vector<std::uint32_t> frontier;
  for (const SwitchId s : switches_) {
    if (!s.valid() || reached[s.value()] != 0) continue;
    reached[s.value()] = 1;
    frontier.push_back(s.value());
  }
  while (!frontier.empty()) {
    const std::uint32_t s = frontier.back();
    frontier.pop_back();
    for (std::uint32_t c = fabric_.first_channel()[s]; c < fabric_.first_channel()[s + 1]; ++c) {
      const std::uint32_t far = fabric_.channel_head()[c];
      if (reached[far] != 0) continue;
      reached[far] = 1;
      frontier.push_back(far);
    }
  }
  return reached;
}

void Matcher::check_missing_switches(bool topology_has_lids) {
  std::vector<char> has_table(fabric_.switch_count(), 0);
  for (const SwitchId s : switches_) {
    if (s.valid()) has_table[s.value()] = 1;
  }
  const std::vector<char> within_reach = switches_within_reach();
  Cases missing, on_islands;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (has_table[s] != 0) continue;
    const Switch& of = fabric_.switch_at(SwitchId(s));
    (within_reach[s] != 0 ? missing : on_islands)
        .add(fmt::format("{} (GUID 0x{:016x})", fabric_.label(SwitchId(s)), of.guid));
  }
  mismatches_.add(missing, fabric_.switch_count(), "switches of the topology are not in the dump");
  warn(on_islands,
       "switch(es) of the topology without a table, which the subnet manager does not reach");
  check_ports_without_lid(within_reach, topology_has_lids);
}

/// Every port that the subnet manager reaches has a LID. Where the topology states LIDs, a port
/// without one was not up when it was saved.
void Matcher::check_ports_without_lid(const std::vector<char>& within_reach,
                                      bool topology_has_lids) {
  Cases without;
  for (std::uint32_t e = 0; e < fabric_.end_port_count(); ++e) {
    const EndPort& port = fabric_.end_port(EndPortId(e));
    if (port.lid != no_lid || !port.attached.valid() || within_reach[port.attached.value()] == 0)
      continue;
    without.add(
        fmt::format("{} (port GUID 0x{:016x})", fabric_.label(EndPortId(e)), port.port_guid));
  }
  if (topology_has_lids) {
    warn(without, "cabled adapter port(s) without a LID in the topology");
  } else {
    mismatches_.add(without, fabric_.end_port_count(),
                    "cabled adapter ports have no LID in the dump");
  }
}

/// Whether the topology agrees that the LID is that port's: by the GUID of the port, or its node's
/// as ibsim derives it, or the description.
bool Matcher::is_owner(const LftDestination& to) const {
  const LidOwner owner = fabric_.owner(to.lid);
  if (owner.kind == LidOwner::Kind::switch_port0)
    return fabric_.switch_at(SwitchId(owner.index)).guid == to.port_guid;
  const EndPort& port = fabric_.end_port(EndPortId(owner.index));
  return port.port_guid == to.port_guid || port.node_guid + port.port == to.port_guid ||
         (!to.description.empty() && port.description == to.description);
}

/// Whether the description is the owner's, as far as ibsim keeps descriptions.
bool Matcher::is_described(const LftDestination& to) const {
  constexpr std::size_t kept = 63;
  const LidOwner owner = fabric_.owner(to.lid);
  const std::string_view description = owner.kind == LidOwner::Kind::switch_port0
                                           ? fabric_.switch_at(SwitchId(owner.index)).description
                                           : fabric_.end_port(EndPortId(owner.index)).description;
  return to.description.empty() ||
         description.substr(0, kept) == std::string_view(to.description).substr(0, kept);
}

/// Single ports may have changed since; when more than one in ten has, it is another fabric.
void Matcher::check_owners(bool (Matcher::*agrees)(const LftDestination&) const,
                           std::string_view what) {
  constexpr std::size_t tolerated_part = 10;
  Cases wrong;
  std::size_t compared = 0;
  for (const LftDestination& to : dump_.destinations) {
    if (to.port_guid == 0 || fabric_.owner(to.lid).kind == LidOwner::Kind::none) continue;
    ++compared;
    if (!(this->*agrees)(to)) wrong.add(label(to));
  }
  if (wrong.count() * tolerated_part > compared) {
    mismatches_.add(wrong, compared, what);
  } else {
    warn(wrong, what);
  }
}

/// LIDs that the dump routes and nobody owns, and LIDs of the topology that the dump does not
/// route.
void Matcher::check_lids(const std::vector<char>& has_entry) {
  Cases unknown, unrouted;
  std::size_t routed = 0;
  for (unsigned lid = first_unicast_lid; lid <= last_unicast_lid; ++lid) {
    const bool is_owned = fabric_.owner(static_cast<Lid>(lid)).kind != LidOwner::Kind::none;
    if (has_entry[lid] != 0) ++routed;
    if (has_entry[lid] != 0 && !is_owned) unknown.add(std::to_string(lid));
    if (has_entry[lid] == 0 && is_owned) unrouted.add(std::to_string(lid));
  }
  constexpr std::string_view unknown_what =
      "LIDs that the dump routes belong to nobody in the topology";
  constexpr std::string_view unrouted_what = "LIDs of the topology have no entry in the dump";
  if (2 * unknown.count() > routed) {
    mismatches_.add(unknown, routed, unknown_what);
  } else {
    warn(unknown, unknown_what);
  }
  if (2 * unrouted.count() > fabric_.lids().size())
    mismatches_.add(unrouted, fabric_.lids().size(), unrouted_what);
  else
    warn(unrouted, unrouted_what);
}

ForwardingTables Matcher::copy_tables() {
  ForwardingTables tables(fabric_.switch_count(), fabric_.max_lid());
  std::vector<char> has_entry(last_unicast_lid + 1, 0);
  Cases beyond;
  for (std::size_t index = 0; index < dump_.switches.size(); ++index) {
    const LftSwitch& from = dump_.switches[index];
    const SwitchId s = switches_[index];
    for (const LftEntry entry : from.entries) {
      has_entry[entry.lid] = 1;
      if (!s.valid() || fabric_.owner(entry.lid).kind == LidOwner::Kind::none) continue;
      tables.set(s, entry.lid, entry.port);
    }
    if (!s.valid()) continue;
    const unsigned ports = fabric_.switch_at(s).ports;
    const auto wrong = std::find_if(from.entries.begin(), from.entries.end(),
                                    [ports](const LftEntry& entry) { return entry.port > ports; });
    if (wrong == from.entries.end()) continue;
    beyond.add(fmt::format("{} sends LID {} to port {} of {}", label(from), wrong->lid, wrong->port,
                           ports));
  }
  mismatches_.add(beyond, dump_.switches.size(),
                  "switches have entries for ports that they do not have");
  check_lids(has_entry);
  return tables;
}

ForwardingTables Matcher::run(const std::vector<Guid>& guids, bool guids_are_made_up) {
  match_switches(guids);
  check_missing_switches(guids.empty());
  if (guids.empty()) {
    check_owners(&Matcher::is_owner, "LIDs lead to another port in the dump than in the topology");
  } else if (guids_are_made_up) {
    check_owners(&Matcher::is_described,
                 "ports have another description in the dump than in the topology, which states no "
                 "GUIDs");
  }
  ForwardingTables tables = copy_tables();
  mismatches_.throw_if_any();
  return tables;
}

}  // namespace

MatchedTables match_tables(TopologyFile topology, const LftFile& dump,
                           const BuilderOptions& options) {
  std::vector<std::string> warnings = std::move(topology.warnings);
  warnings.insert(warnings.end(), dump.warnings.begin(), dump.warnings.end());
  const bool made_up = topology.has_made_up_guids;
  std::vector<Guid> guids;
  if (!topology.builder.has_lids()) guids = LidGiver(topology.builder, dump).run();
  Fabric fabric = std::move(topology.builder).build(options);
  ForwardingTables tables = Matcher(fabric, dump, warnings).run(guids, made_up);
  return {std::move(fabric), std::move(tables), std::move(warnings)};
}

}  // namespace pssp
