#pragma once

// Changes of the forwarding tables in the history: tables `reroute` and `reroute_job`.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "monitor/counters/reroute_record.h"

namespace SQLite {
class Database;
}

namespace pssp {

/// Inserts the records and deletes rows older than `oldest_ms`. Runs inside the caller's
/// transaction. Throws SQLite::Exception.
void write_reroute_rows(SQLite::Database& database, std::span<const RerouteRecord> records,
                        std::int64_t oldest_ms);

/// The newest `most` changes, oldest first. Empty if an older program wrote the database. Throws
/// Error(unreadable_input).
std::vector<RerouteRecord> read_reroute_rows(const std::filesystem::path& file, std::size_t most);

}  // namespace pssp
