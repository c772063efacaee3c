#pragma once

// From readings of all tables, one after the other, to changes of tables that are over.

#include <cstdint>
#include <optional>

#include "monitor/analysis/reroute.h"
#include "monitor/counters/reroute_record.h"

namespace pssp {

/// Readings may come as rarely as they like while nothing changes, and should come every few
/// seconds while something does.
class RerouteWatch {
 public:
  /// The next reading. A change that is over with it: nothing has changed for two readings. A
  /// fabric that changes and whose tables do not, is none. O(entries).
  std::optional<SeenReroute> add(const LiveTablesPointer& tables);

 private:
  bool collect_changes(const LiveTables& tables);

  LiveTablesPointer calm_, last_;
  std::vector<ChangedBlock> changes_;
  std::int64_t begin_ms_ = 0;
  bool is_changing_ = false;
  unsigned calm_readings_ = 0;
};

/// In numbers; times of the changes are milliseconds since 1970, as nanoseconds.
RerouteRecord record_of(const SeenReroute& reroute, const RerouteImpact& impact);
/// One sentence.
std::string sentence_of(const RerouteRecord& record);

}  // namespace pssp
