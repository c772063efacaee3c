#pragma once

// Changes of forwarding tables in the history: tables `reroute` and `reroute_job`.

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

/// Rows that are older than `oldest_ms` go. In the caller's transaction. Throws SQLite::Exception.
void write_reroute_rows(SQLite::Database& database, std::span<const RerouteRecord> records,
                        std::int64_t oldest_ms);

/// The newest ones, oldest first. Throws Error(unreadable_input); of a database that an older
/// program wrote there are none.
std::vector<RerouteRecord> read_reroute_rows(const std::filesystem::path& file, std::size_t most);

}  // namespace pssp
