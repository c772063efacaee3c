#pragma once

// Dumps of forwarding tables in the format of dump_fts, and the entries that it omits:
// infiniband-diags 44.0 omits the last LID of every switch if the highest LID is a multiple of 64.
// All functions are O(size of the text).

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Whether every table has an end, and there is at least one table.
bool is_whole_dump(std::string_view dump);

/// A table without its last LID.
struct LostEntry {
  std::string route;  ///< directed route to the switch, as in the dump: "0,1,5"
  unsigned lid = 0;
};
std::vector<LostEntry> lost_entries(std::string_view dump);

/// The owner of a LID in the output of ibnetdiscover, as in the destination comment of dump_fts.
/// With an LMC of n, a port has 2^n LIDs. Empty if there is no owner.
std::string lid_owner(std::string_view discovered, unsigned lid);

/// The dump with an additional entry for `lid` at the end of each table whose directed route is in
/// `ports`.
std::string with_entries(std::string_view dump, unsigned lid, const std::string& owner,
                         const std::map<std::string, unsigned>& ports);

}  // namespace pssp
