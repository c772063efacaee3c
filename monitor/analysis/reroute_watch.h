#pragma once

// Turns successive readings of all tables into completed changes of tables.

#include <cstdint>
#include <optional>

#include "monitor/analysis/reroute.h"
#include "monitor/counters/reroute_record.h"

namespace pssp {

/// Readings may be rare while nothing changes, and should come every few seconds during a change.
class RerouteWatch {
 public:
  /// Takes the next reading. Returns a change that is complete with this reading, that is, if
  /// nothing has changed for two readings. A change of the fabric without a change of tables is not
  /// returned. O(entries).
  std::optional<SeenReroute> add(const LiveTablesPointer& tables);

 private:
  bool collect_changes(const LiveTables& tables);

  LiveTablesPointer calm_, last_;
  std::vector<ChangedBlock> changes_;
  std::int64_t begin_ms_ = 0;
  bool is_changing_ = false;
  unsigned calm_readings_ = 0;
};

/// Summarizes a change. Its times must be nanoseconds since 1970; the resolution is milliseconds.
RerouteRecord record_of(const SeenReroute& reroute, const RerouteImpact& impact);
/// One sentence.
std::string sentence_of(const RerouteRecord& record);

}  // namespace pssp
