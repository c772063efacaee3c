#include "monitor/store/acknowledgements.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/printable.h"
#include "monitor/store/database.h"
#include "monitor/store/history_writer.h"

namespace pssp {

void keep_acknowledgement(const std::filesystem::path& file, const Acknowledgement& entry) {
  try {
    HistoryOptions options;
    options.file = file;
    const std::unique_ptr<SQLite::Database> database = open_for_writing(options);
    SQLite::Transaction transaction(*database);
    SQLite::Statement remove(*database, "DELETE FROM acknowledgement WHERE until_ms < ?");
    remove.bind(1, entry.since_ms);
    remove.exec();
    SQLite::Statement insert(*database,
                             "INSERT OR REPLACE INTO acknowledgement(incident, comment, since_ms, "
                             "until_ms) VALUES(?, ?, ?, ?)");
    insert.bind(1, entry.incident);
    insert.bind(2, entry.comment);
    insert.bind(3, entry.since_ms);
    insert.bind(4, entry.until_ms);
    insert.exec();
    transaction.commit();
  } catch (const SQLite::Exception& error) {
    throw HistoryFailure(fmt::format("{}: cannot store the acknowledgement: {}",
                                     excerpt(file.string()), error.what()));
  }
}

std::vector<Acknowledgement> read_acknowledgements(const std::filesystem::path& file) {
  return read_table(file, "acknowledgement", [&](SQLite::Database& database) {
    SQLite::Statement select(database,
                             "SELECT incident, comment, since_ms, until_ms FROM acknowledgement "
                             "ORDER BY incident");
    std::vector<Acknowledgement> list;
    while (select.executeStep()) {
      list.push_back({select.getColumn(0).getString(), select.getColumn(1).getString(),
                      select.getColumn(2).getInt64(), select.getColumn(3).getInt64()});
    }
    return list;
  });
}

}  // namespace pssp
