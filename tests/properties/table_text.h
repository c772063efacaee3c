#pragma once

// Random forwarding tables of a plan as text in each notation that the project reads, by code of
// the tests alone, and the entries of texts that the project writes, found without code of the
// readers.

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fabric/formats/lft_file.h"
#include "tests/properties/random_plan.h"

namespace pssp::test {

/// Ports by LID, of each switch by its place in RandomPlan::nodes.
using PlannedTables = std::map<std::size_t, std::map<unsigned, unsigned>>;

/// Entries for nearly all LIDs of the plan and a few that no node of it has, by any port of the
/// switch. The first switch has an entry for each LID of the plan. They lead nowhere in particular.
PlannedTables draw_tables(const RandomPlan& plan, std::uint64_t seed);

/// A dump as dump_fts, opensm-lfts.dump or opensm.fdbs has it.
std::string dump_text(const RandomPlan& plan, const std::vector<std::string>& names,
                      const PlannedTables& tables, LftFormat format);

/// An entry, or a route of a graph: the GUID of the switch, the destination (a LID, or what owns
/// it) and the port.
struct TextEntry {
  Guid at = 0;
  std::uint64_t to = 0;
  unsigned port = 0;
  friend auto operator<=>(const TextEntry&, const TextEntry&) = default;
};
using TextEntries = std::vector<TextEntry>;  // sorted

TextEntries entries_of(const PlannedTables& tables, const RandomPlan& plan);

/// What the lines of dump_fts or opensm-lfts.dump hold.
struct DumpText {
  TextEntries entries;    ///< by LID
  TextEntries routes;     ///< those whose comment names an owner, by the GUID of its port
  std::set<Guid> owners;  ///< that comments name
};
DumpText read_dump(const std::string& text);

/// Of a graph as write_dot() writes it, by GUID of the port of the destination.
TextEntries routes_of_graph(const std::string& text);

}  // namespace pssp::test
