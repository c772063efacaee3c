#pragma once

// Which incidents the receivers of notifications know to have begun: table `notified`.

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
  std::string body;  ///< of the notification that the incident began; empty: it is over
};

/// Enters incidents that began, and deletes those that are over. In the caller's transaction.
/// Throws SQLite::Exception.
void write_notified_rows(SQLite::Database& database, std::span<const NotifiedRecord> records);

/// By incident, the body. Throws Error(unreadable_input); a database that an older program wrote
/// has none.
std::map<std::string, std::string> read_notified_rows(const std::filesystem::path& file,
                                                      const std::string& receiver);

}  // namespace pssp
