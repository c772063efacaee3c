#pragma once

// Verdicts in the history: table `verdict`.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "monitor/counters/verdict_record.h"
#include "monitor/store/history_reader.h"

namespace SQLite {
class Database;
}

namespace pssp {

/// Enters what began or ended; what is there already takes its new value and end. Rows that ended
/// before `oldest_ms` go. In the caller's transaction. Throws SQLite::Exception.
void write_verdict_rows(SQLite::Database& database, std::span<const VerdictRecord> records,
                        std::int64_t oldest_ms);

/// Those of ports that stood at some time of the window, by port, then by time. O(rows). Throws
/// Error(unreadable_input); of a database that an older program wrote there are none.
std::vector<VerdictRecord> read_verdict_rows(const std::filesystem::path& file,
                                             const TimeWindow& window);
/// Those without an end.
std::vector<VerdictRecord> read_standing_verdicts(const std::filesystem::path& file);
/// Those of nodes (node_fit.h) that stood at some time of the window.
std::vector<VerdictRecord> read_fit_rows(const std::filesystem::path& file,
                                         const TimeWindow& window);

}  // namespace pssp
