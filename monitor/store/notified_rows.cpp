#include "monitor/store/notified_rows.h"

#include "monitor/store/database.h"

namespace pssp {

void write_notified_rows(SQLite::Database& database, std::span<const NotifiedRecord> records) {
  SQLite::Statement insert(database, "INSERT OR REPLACE INTO notified VALUES(?, ?, ?)");
  SQLite::Statement remove(database, "DELETE FROM notified WHERE receiver = ? AND incident = ?");
  for (const NotifiedRecord& each : records) {
    if (each.body.empty()) {
      run_once_more(remove, each.receiver, each.incident);
    } else {
      run_once_more(insert, each.receiver, each.incident, each.body);
    }
  }
}

std::map<std::string, std::string> read_notified_rows(const std::filesystem::path& file,
                                                      const std::string& receiver) {
  return read_table(file, "notified", [&](SQLite::Database& database) {
    std::map<std::string, std::string> bodies;
    SQLite::Statement rows(database, "SELECT incident, body FROM notified WHERE receiver = ?");
    rows.bind(1, receiver);
    while (rows.executeStep())
      bodies[rows.getColumn(0).getString()] = rows.getColumn(1).getString();
    return bodies;
  });
}

}  // namespace pssp
