// opensm 3.3.23 (and .24) finds the switch of a table by its GUID, and the LID of an entry by the
// port GUID in the entry's comment. An entry without a comment uses its written LID; tables and
// entries of unknown objects are ignored, and missing LIDs get no route. The log mentions none of
// this, so it must be detected before opensm gets the file.

#include "tools/deploy_tables/handed_over.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr std::size_t most_named = 5;

struct LidRange {
  Lid base = no_lid;
  std::uint8_t lmc = 0;
};

/// LIDs of a port by its GUID; for a switch, its node GUID.
std::optional<LidRange> lids_of(const Fabric& fabric, Guid port_guid) {
  if (const auto s = fabric.find_switch(port_guid)) {
    const Switch& found = fabric.switch_at(*s);
    if (found.lid != no_lid) return LidRange{found.lid, found.lmc};
  }
  if (const auto e = fabric.find_end_port(port_guid)) {
    const EndPort& found = fabric.end_port(*e);
    if (found.lid != no_lid) return LidRange{found.lid, found.lmc};
  }
  return std::nullopt;
}

/// By LID of the file: the LID in the fabric; no_lid if its owner is missing there.
std::vector<Lid> lids_in(const LftFile& file, const Fabric& fabric) {
  std::vector<Lid> to(std::size_t{last_unicast_lid} + 1);
  for (std::size_t lid = 0; lid < to.size(); ++lid) {
    to[lid] = lid <= fabric.max_lid() ? static_cast<Lid>(lid) : no_lid;
  }
  std::unordered_map<Guid, Lid> base;  // the lowest comes first
  for (const LftDestination& each : file.destinations) {
    if (each.port_guid == 0) continue;
    const Lid first = base.try_emplace(each.port_guid, each.lid).first->second;
    const unsigned path = static_cast<unsigned>(each.lid) - first;
    const std::optional<LidRange> own = lids_of(fabric, each.port_guid);
    const bool is_there = own && path < (1U << own->lmc);
    to[each.lid] = is_there ? static_cast<Lid>(own->base + path) : no_lid;
  }
  return to;
}

/// "A, B and 3 more"
std::string some_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most_named, names.size()); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  if (names.size() <= most_named) return text;
  return text + fmt::format(" and {} more", names.size() - most_named);
}

void require_notation(const LftFile& file) {
  if (file.format == LftFormat::dump_fts || file.format == LftFormat::opensm_lfts) return;
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: opensm cannot read tables in this format; expected tables of pssp "
                          "route, dump_fts or opensm-lfts.dump (use pssp convert)",
                          file.name));
}

[[noreturn]] void fail_as_untrusted(const LftFile& file, std::string_view what, std::size_t common,
                                    std::size_t in_file, std::size_t in_fabric) {
  throw Error(ErrorKind::mismatch, fmt::format("{}: of its {} {}, {} are in the fabric, which "
                                               "has {}: the tables belong to another fabric",
                                               file.name, in_file, what, common, in_fabric));
}

/// The parts of a fabric in a file, and those missing.
struct Found {
  std::size_t wanted = 0;            ///< number of objects in the fabric
  std::vector<std::string> missing;  ///< of these, missing in the file, by name
  std::size_t in_file = 0;
  std::size_t common() const { return wanted - missing.size(); }
  std::size_t odd() const { return in_file - common(); }
};

/// Throws if there is no common switch.
Found find_switches(const LftFile& file, const Fabric& fabric) {
  std::unordered_set<Guid> known;
  for (const LftSwitch& each : file.switches) known.insert(each.guid);
  Found found{fabric.switch_count(), {}, file.switches.size()};
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    if (known.contains(fabric.switch_at(SwitchId(s)).guid)) continue;
    found.missing.push_back(printable(fabric.label(SwitchId(s))));
  }
  if (found.common() == 0) {
    fail_as_untrusted(file, "switches", found.common(), found.in_file, found.wanted);
  }
  return found;
}

/// Returns the number of switches in the file that the fabric lacks.
std::size_t require_switches(const LftFile& file, const Fabric& fabric) {
  const Found found = find_switches(file, fabric);
  if (found.missing.empty()) return found.odd();
  throw Error(ErrorKind::verification_failed,
              fmt::format("{}: {} of {} switches have no table: {}; the file is cut off, or the "
                          "fabric has grown: compute new tables",
                          file.name, found.missing.size(), found.wanted, some_of(found.missing)));
}

void require_guids(const LftFile& file) {
  std::vector<std::uint8_t> has_guid(std::size_t{last_unicast_lid} + 1, 0);
  for (const LftDestination& each : file.destinations) {
    has_guid[each.lid] = each.port_guid != 0 ? 1 : 0;
  }
  std::size_t without = 0;
  Lid example = no_lid;
  for (const LftSwitch& each : file.switches) {
    each.entries.for_each([&](Lid lid, PortNumber) {
      if (has_guid[lid] != 0) return;
      has_guid[lid] = 1;
      ++without;
      if (example == no_lid) example = lid;
    });
  }
  if (without == 0) return;
  throw Error(ErrorKind::verification_failed,
              fmt::format("{}: {} LIDs have no port GUID in the comments of their entries, the "
                          "first is 0x{:04x}; opensm would use these entries for any port that has "
                          "such a LID: write the tables with pssp route or dump_fts (without -n)",
                          file.name, without, example));
}

/// By the GUIDs in comments. Throws if fewer than half are common, or if a port has another number
/// of LIDs.
Found find_ports(const LftFile& file, const Fabric& fabric) {
  std::unordered_map<Guid, std::uint32_t> lids;
  for (const LftDestination& each : file.destinations) ++lids[each.port_guid];
  Found found{0, {}, lids.size()};
  const auto look_for = [&](Guid guid, unsigned lmc, const std::string& label) {
    ++found.wanted;
    const auto at = lids.find(guid);
    if (at == lids.end()) {
      found.missing.push_back(printable(label));
    } else if (at->second != 1U << lmc) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("{}: {} has {} LIDs in these tables and {} in the fabric; compute "
                              "new tables with the LMC of the fabric",
                              file.name, printable(label), at->second, 1U << lmc));
    }
  };
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Switch& each = fabric.switch_at(SwitchId(s));
    if (each.lid != no_lid) look_for(each.guid, each.lmc, fabric.label(SwitchId(s)));
  }
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& each = fabric.end_port(EndPortId(e));
    const bool counts = each.lid != no_lid && each.attached.valid();
    if (counts) look_for(each.port_guid, each.lmc, fabric.label(EndPortId(e)));
  }
  if (2 * found.common() < found.wanted) {
    fail_as_untrusted(file, "ports", found.common(), found.in_file, found.wanted);
  }
  return found;
}

/// Returns the number of ports in the file that the fabric lacks.
std::size_t require_ports(const LftFile& file, const Fabric& fabric) {
  const Found found = find_ports(file, fabric);
  if (found.missing.empty()) return found.odd();
  throw Error(ErrorKind::verification_failed,
              fmt::format("{}: {} of {} ports of the fabric have no entry: {}; opensm would assign "
                          "them a LID, but no route: compute new tables",
                          file.name, found.missing.size(), found.wanted, some_of(found.missing)));
}

}  // namespace

ForwardingTables handed_over(const LftFile& file, const Fabric& fabric) {
  const std::vector<Lid> to = lids_in(file, fabric);
  ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  for (const LftSwitch& each : file.switches) {
    const std::optional<SwitchId> s = fabric.find_switch(each.guid);
    if (!s) continue;
    each.entries.for_each([&](Lid lid, PortNumber port) {
      if (to[lid] != no_lid) tables.set(*s, to[lid], port);
    });
  }
  return tables;
}

std::vector<std::string> require_whole(const LftFile& file, const Fabric& fabric) {
  require_notation(file);
  if (file.lost_lid != no_lid) {
    throw Error(ErrorKind::verification_failed,
                fmt::format("{}: the entries of LID {} are missing, because dump_fts loses them; "
                            "use opensm-lfts.dump, or compute new tables",
                            file.name, file.lost_lid));
  }
  const std::size_t odd_switches = require_switches(file, fabric);
  require_guids(file);
  const std::size_t odd_ports = require_ports(file, fabric);
  std::vector<std::string> warnings = file.warnings;
  if (odd_switches + odd_ports != 0) {
    warnings.push_back(fmt::format(
        "{}: {} switches and {} ports of this file are not in the fabric; opensm ignores them",
        file.name, odd_switches, odd_ports));
  }
  return warnings;
}

void require_of_fabric(const LftFile& file, const Fabric& fabric) {
  find_switches(file, fabric);
  const bool names_ports = std::ranges::any_of(
      file.destinations, [](const LftDestination& each) { return each.port_guid != 0; });
  if (names_ports) find_ports(file, fabric);
}

}  // namespace pssp
