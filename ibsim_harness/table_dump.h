#pragma once

// Dumps of forwarding tables as dump_fts prints them, and what it leaves out: infiniband-diags 44.0
// loses the last LID of every switch when the highest LID is a multiple of 64. All functions are
// O(size of the text).

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pssp {

/// Every table that begins also ends, and there is one at least.
bool is_whole_dump(std::string_view dump);

/// A table that lacks its last LID.
struct LostEntry {
  std::string route;  ///< directed route to the switch, as in the dump: "0,1,5"
  unsigned lid = 0;
};
std::vector<LostEntry> lost_entries(std::string_view dump);

/// Who owns a LID in the output of ibnetdiscover, in the words of dump_fts' destination comment. An
/// LMC of n gives a port 2^n LIDs. Empty: no one.
std::string lid_owner(std::string_view discovered, unsigned lid);

/// The dump with an entry for `lid` at the end of each table whose directed route is in `ports`.
std::string with_entries(std::string_view dump, unsigned lid, const std::string& owner,
                         const std::map<std::string, unsigned>& ports);

}  // namespace pssp
