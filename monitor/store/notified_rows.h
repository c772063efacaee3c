#pragma once

// Which incidents have been reported to the receivers of notifications: table `notified`.

#include <filesystem>
#include <map>
#include <span>
#include <string>

namespace SQLite {
class Database;
}

namespace pssp {

struct NotifiedRecord {
  std::string receiver, incident;
  std::string body;  ///< of the notification that the incident began; empty: the incident is over
};

/// Inserts incidents that began and deletes those that are over. Runs inside the caller's
/// transaction. Throws SQLite::Exception.
void write_notified_rows(SQLite::Database& database, std::span<const NotifiedRecord> records);

/// Notification bodies by incident. Empty if an older program wrote the database. Throws
/// Error(unreadable_input).
std::map<std::string, std::string> read_notified_rows(const std::filesystem::path& file,
                                                      const std::string& receiver);

}  // namespace pssp
