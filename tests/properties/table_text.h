#pragma once

// Writes random forwarding tables of a plan in each format that the project reads, and extracts the
// entries from text that the project writes. Both use code of the tests alone.

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "fabric/formats/lft_file.h"
#include "tests/properties/random_plan.h"

namespace pssp::test {

/// Output port by switch (index in RandomPlan::nodes) and LID.
using PlannedTables = std::map<std::size_t, std::map<unsigned, unsigned>>;

/// Draws entries for nearly all LIDs of the plan and for a few LIDs without an owner. The first
/// switch has an entry for each LID of the plan. Output ports are random, so the tables need not
/// deliver packets.
PlannedTables draw_tables(const RandomPlan& plan, std::uint64_t seed);

/// The tables in the format of dump_fts, opensm-lfts.dump or opensm.fdbs.
std::string dump_text(const RandomPlan& plan, const std::vector<std::string>& names,
                      const PlannedTables& tables, LftFormat format);

/// An entry of a table or a route of a graph: the GUID of the switch, the destination (a LID, or
/// the GUID of the port that owns it) and the output port.
struct TextEntry {
  Guid at = 0;
  std::uint64_t to = 0;
  unsigned port = 0;
  friend auto operator<=>(const TextEntry&, const TextEntry&) = default;
};
using TextEntries = std::vector<TextEntry>;  // sorted

TextEntries entries_of(const PlannedTables& tables, const RandomPlan& plan);

/// Contents of a dump in the format of dump_fts or opensm-lfts.dump.
struct DumpText {
  TextEntries entries;    ///< destinations are LIDs
  TextEntries routes;     ///< entries whose comment names an owner; destinations are port GUIDs
  std::set<Guid> owners;  ///< port GUIDs in the comments
};
DumpText read_dump(const std::string& text);

/// Routes of a graph that write_dot() wrote; destinations are port GUIDs.
TextEntries routes_of_graph(const std::string& text);

}  // namespace pssp::test
