#pragma once

// Remembers searches for lanes that failed, so that they are not repeated in every sweep: OpenSM
// requests tables after every change, and often gets the same tables.

#include <cstdint>
#include <deque>
#include <optional>

#include "base/digest.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/deadlock/lane_assignment.h"

namespace pssp {

/// Identifies the input of a search by 128 bits: the cabling, the LIDs, the tables and the options.
using SearchDigest = DigestValue;
/// O(LIDs * switches + channels).
SearchDigest digest_of(const Fabric& fabric, const ForwardingTables& tables,
                       const LaneOptions& options);

/// How a search failed.
struct FailedSearch {
  unsigned needed = 0;        ///< LaneAssignment::needed
  bool budget_spent = false;  ///< LaneAssignment::budget_spent
  bool cut_short = false;     ///< stopped by the time limit after `seconds`
  double seconds = 0;
  std::uint64_t bytes_wanted = 0;  ///< LaneAssignment::bytes_wanted
};

class LaneMemory {
 public:
  std::optional<FailedSearch> find(const SearchDigest& digest) const;
  /// Keeps only the latest failures: an engine such as `best` searches for a few tables per
  /// routing.
  void add(const SearchDigest& digest, const FailedSearch& failed);

 private:
  struct Entry {
    SearchDigest digest;
    FailedSearch failed;
  };
  std::deque<Entry> entries_;  // the latest first
};

}  // namespace pssp
