// A dump belongs to a topology if its switches are the topology's switches and its LIDs lead to the
// topology's ports. The check depends on the content of the topology.
//
// With LIDs: a switch of the dump is matched by LID, and the GUIDs must agree. The owners of all
// other LIDs in the comments of the dump are compared with the topology. A switch without a LID in
// the topology is matched by GUID, and gets the LID of the dump.
//
// Without LIDs, but with GUIDs of the dump: switches are matched by GUID, and the comments give the
// LIDs of ports. GUIDs assigned by file order occur in any two net files; then the descriptions
// must agree, too.
//
// If no switch has a GUID of the dump: the same by NodeDescription, if unique.
//
// LIDs of virtual ports (SR-IOV) are in the tables of managers that assign them, but not in
// topologies: virtual_ports.h distinguishes them from LIDs of another fabric.
//
// Differences that occur in normal operation are warnings: LIDs of removed nodes, an island that
// the subnet manager does not reach, a replaced adapter. All others are errors.

#include "fabric/formats/lft_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/error.h"
#include "fabric/formats/cases.h"
#include "fabric/formats/lid_adoption.h"
#include "fabric/formats/virtual_ports.h"
#include "fabric/nodes/node_description.h"

namespace pssp {
namespace {

std::string label(const LftSwitch& from) {
  return fmt::format("'{}' (GUID 0x{:016x})", from.description, from.guid);
}

std::string label(const LftDestination& to) {
  return fmt::format("LID {} of '{}' (port GUID 0x{:016x})", to.lid, to.description, to.port_guid);
}

/// Collects all differences for one error message.
class Mismatches {
 public:
  explicit Mismatches(std::string_view dump) : dump_(dump) {}

  /// `cases` of `all` have the error `what`.
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

/// Compares the dump with the completed Fabric and copies the tables.
class Matcher {
 public:
  Matcher(const Fabric& fabric, const LftFile& dump, std::vector<std::string>& warnings)
      : fabric_(fabric), dump_(dump), warnings_(warnings), mismatches_(dump.name) {}

  /// `guids`: the topology's GUID of each switch of the dump if matching assigned the topology's
  /// LIDs; else empty.
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

/// By LID; by GUID if the dump does not specify the switch's LID, or the topology lacks it.
std::optional<SwitchId> Matcher::switch_of(const LftSwitch& from, Lid lid) const {
  const std::optional<SwitchId> by_guid = fabric_.find_switch(from.guid);
  if (lid == no_lid) return by_guid;
  if (by_guid && fabric_.switch_at(*by_guid).lid == no_lid) return by_guid;
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
  Cases unknown, moved;
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
      const std::optional<SwitchId> by_guid = fabric_.find_switch(from.guid);
      if (!found && by_guid) {
        moved.add(fmt::format("{} has LID {} in the dump and {} in the topology", label(from), lid,
                              fabric_.switch_at(*by_guid).lid));
        found = by_guid;
      }
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
  mismatches_.add(moved, dump_.switches.size(),
                  "switches have another LID in the dump than in the topology");
}

/// Switches that are connected, over any number of switches, with a switch of the dump.
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

/// Every port that the subnet manager reaches has a LID. In a topology with LIDs, a port without
/// one was down when the topology was saved.
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

/// Whether the LID belongs to that port in the topology: by the GUID of the port, by its node's as
/// derived by ibsim, or by the description.
bool Matcher::is_owner(const LftDestination& to) const {
  const LidOwner owner = fabric_.owner(to.lid);
  if (owner.kind == LidOwner::Kind::switch_port0)
    return fabric_.switch_at(SwitchId(owner.index)).guid == to.port_guid;
  const EndPort& port = fabric_.end_port(EndPortId(owner.index));
  return port.port_guid == to.port_guid || port.node_guid + port.port == to.port_guid ||
         (!to.description.empty() && port.description == to.description);
}

/// Whether the description is the owner's, within ibsim's limit of descriptions. ibsim uses the
/// name of nodes without a description.
bool Matcher::is_described(const LftDestination& to) const {
  constexpr std::size_t kept = 63;
  const LidOwner owner = fabric_.owner(to.lid);
  const std::string_view description =
      owner.kind == LidOwner::Kind::switch_port0
          ? description_or_name(fabric_.switch_at(SwitchId(owner.index)))
          : description_or_name(fabric_.end_port(EndPortId(owner.index)));
  return to.description.empty() ||
         description.substr(0, kept) == std::string_view(to.description).substr(0, kept);
}

/// Single ports may have changed; if more than one in ten has, it is another fabric.
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

/// LIDs that the dump routes without an owner, and LIDs of the topology that the dump does not
/// route.
void Matcher::check_lids(const std::vector<char>& has_entry) {
  const VirtualPorts virtual_ports(fabric_, dump_, switches_);
  if (virtual_ports.count() != 0) {
    warnings_.push_back(fmt::format(
        "{}: {} LID(s) that the topology does not list belong to virtual ports "
        "(SR-IOV) of {} host(s), such as {}; only routes to the "
        "hosts' own LIDs count",
        dump_.name, virtual_ports.count(), virtual_ports.host_count(), virtual_ports.example()));
  }
  Cases unknown, unrouted;
  std::size_t routed = 0;
  for (unsigned lid = first_unicast_lid; lid <= last_unicast_lid; ++lid) {
    if (virtual_ports.contains(static_cast<Lid>(lid))) continue;
    const bool is_owned = fabric_.owner(static_cast<Lid>(lid)).kind != LidOwner::Kind::none;
    if (has_entry[lid] != 0) ++routed;
    if (has_entry[lid] != 0 && !is_owned) unknown.add(std::to_string(lid));
    if (has_entry[lid] == 0 && is_owned) unrouted.add(std::to_string(lid));
  }
  constexpr std::string_view unknown_what =
      "LIDs that the dump routes have no owner in the topology";
  constexpr std::string_view unrouted_what = "LIDs of the topology have no entry in the dump";
  if (2 * unknown.count() > routed) {
    mismatches_.add(unknown, routed, unknown_what);
  } else {
    warn(unknown, unknown_what);
  }
  if (2 * unrouted.count() > fabric_.lids().size()) {
    mismatches_.add(unrouted, fabric_.lids().size(), unrouted_what);
  } else {
    warn(unrouted, unrouted_what);
  }
}

ForwardingTables Matcher::copy_tables() {
  ForwardingTables tables(fabric_.switch_count(), fabric_.max_lid());
  std::vector<char> has_entry(last_unicast_lid + 1, 0);
  Cases beyond;
  for (std::size_t index = 0; index < dump_.switches.size(); ++index) {
    const LftSwitch& from = dump_.switches[index];
    const SwitchId s = switches_[index];
    const unsigned ports = s.valid() ? fabric_.switch_at(s).ports : 0;
    Lid wrong = no_lid;
    from.entries.for_each([&](Lid lid, PortNumber port) {
      has_entry[lid] = 1;
      if (!s.valid()) return;
      if (fabric_.owner(lid).kind != LidOwner::Kind::none) tables.set(s, lid, port);
      if (port > ports && wrong == no_lid) wrong = lid;
    });
    if (wrong == no_lid) continue;
    beyond.add(fmt::format("{} sends LID {} to port {}, but has {} ports", label(from), wrong,
                           from.entries.at(wrong), ports));
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
  if (!topology.builder.has_lids()) {
    guids = adopt_lids(topology.builder, dump);
  } else {
    Cases given;
    for (const std::string& each : adopt_switch_lids(topology.builder, dump, made_up))
      given.add(each);
    if (given.count() != 0) {
      warnings.push_back(fmt::format(
          "{}: {} switch(es) without a LID in the topology take the LID of the dump: {}", dump.name,
          given.count(), given.examples()));
    }
  }
  Fabric fabric = std::move(topology.builder).build(options);
  ForwardingTables tables = Matcher(fabric, dump, warnings).run(guids, made_up);
  return {std::move(fabric), std::move(tables), std::move(warnings)};
}

}  // namespace pssp
