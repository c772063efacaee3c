#include "monitor/store/recordings.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "base/printable.h"
#include "monitor/store/database.h"
#include "monitor/store/history_writer.h"

namespace pssp {

void keep_recording(const std::filesystem::path& file, const Recording& recording) {
  try {
    HistoryOptions options;
    options.file = file;
    const std::unique_ptr<SQLite::Database> database = open_for_writing(options);
    SQLite::Statement insert(
        *database, "INSERT INTO recording(name, command, start_ms, end_ms) VALUES(?, ?, ?, ?)");
    insert.bind(1, recording.name);
    insert.bind(2, recording.command);
    insert.bind(3, recording.start_ms);
    insert.bind(4, recording.end_ms);
    insert.exec();
  } catch (const SQLite::Exception& error) {
    throw HistoryFailure(
        fmt::format("{}: cannot store the recording: {}", excerpt(file.string()), error.what()));
  }
}

std::vector<Recording> read_recordings(const std::filesystem::path& file, std::size_t limit) {
  return read_table(file, "recording", [&](SQLite::Database& database) {
    SQLite::Statement select(database,
                             "SELECT recording_id, name, command, start_ms, end_ms FROM recording "
                             "ORDER BY recording_id DESC LIMIT ?");
    select.bind(1, as_sql(limit));
    std::vector<Recording> list;
    while (select.executeStep()) {
      list.push_back({as_unsigned(select.getColumn(0)), select.getColumn(1).getString(),
                      select.getColumn(2).getString(), select.getColumn(3).getInt64(),
                      select.getColumn(4).getInt64()});
    }
    return list;
  });
}

}  // namespace pssp
