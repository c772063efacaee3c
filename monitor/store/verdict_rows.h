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

/// Inserts verdicts that began or ended. An existing row gets the new value and end. Deletes rows
/// that ended before `oldest_ms`. Runs inside the caller's transaction. Throws SQLite::Exception.
void write_verdict_rows(SQLite::Database& database, std::span<const VerdictRecord> records,
                        std::int64_t oldest_ms);

/// Verdicts on ports that were in force at some time in the window, sorted by port, then by time.
/// Empty if an older program wrote the database. O(rows). Throws Error(unreadable_input).
std::vector<VerdictRecord> read_verdict_rows(const std::filesystem::path& file,
                                             const TimeWindow& window);
/// Verdicts on ports that have not ended.
std::vector<VerdictRecord> read_standing_verdicts(const std::filesystem::path& file);
/// Verdicts on nodes (node_fit.h) that were in force at some time in the window.
std::vector<VerdictRecord> read_fit_rows(const std::filesystem::path& file,
                                         const TimeWindow& window);

}  // namespace pssp
