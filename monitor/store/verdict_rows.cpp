// Ports are identified by GUID and port number, as in events, because a verdict may outlive the
// sweeps that it is based on.

#include "monitor/store/verdict_rows.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "monitor/counters/node_fit.h"
#include "monitor/store/database.h"

namespace pssp {
namespace {

VerdictRecord verdict_of_row(SQLite::Statement& row) {
  VerdictRecord record;
  record.port = {as_unsigned(row.getColumn(0)),
                 static_cast<PortNumber>(row.getColumn(1).getUInt())};
  record.what = row.getColumn(2).getString();
  const int level = row.getColumn(3).getInt();
  if (level > 0 && level <= static_cast<int>(Level::bad)) record.level = static_cast<Level>(level);
  record.since_ms = row.getColumn(4).getInt64();
  if (!row.getColumn(5).isNull()) record.until_ms = row.getColumn(5).getInt64();
  record.value = row.getColumn(6).getDouble();
  record.limit = row.getColumn(7).getDouble();
  record.reason = row.getColumn(8).getString();
  return record;
}

std::vector<VerdictRecord> select_verdicts(const std::filesystem::path& file, const char* where,
                                           const TimeWindow& window) {
  return read_table(file, "verdict", [&](SQLite::Database& database) {
    SQLite::Statement select(
        database,
        fmt::format("SELECT node_guid, port_number, what, level, since_ms, until_ms, value, "
                    "limit_value, reason FROM verdict WHERE {} ORDER BY node_guid, port_number, "
                    "since_ms, what",
                    where));
    SQLite::bind(select, window.since_ms, window.until_ms);
    std::vector<VerdictRecord> all;
    while (select.executeStep()) all.push_back(verdict_of_row(select));
    return all;
  });
}

}  // namespace

void write_verdict_rows(SQLite::Database& database, std::span<const VerdictRecord> records,
                        std::int64_t oldest_ms) {
  if (records.empty()) return;
  SQLite::Statement enter(database,
                          "INSERT INTO verdict VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO "
                          "UPDATE SET until_ms = excluded.until_ms, value = excluded.value, "
                          "limit_value = excluded.limit_value, reason = excluded.reason");
  for (const VerdictRecord& each : records) {
    enter.reset();
    enter.clearBindings();
    enter.bind(1, as_sql(each.port.node));
    enter.bind(2, static_cast<int>(each.port.number));
    enter.bind(3, each.what);
    enter.bind(4, static_cast<int>(each.level));
    enter.bind(5, each.since_ms);
    if (each.until_ms) enter.bind(6, *each.until_ms);
    enter.bind(7, each.value);
    enter.bind(8, each.limit);
    enter.bind(9, each.reason);
    enter.exec();
  }
  SQLite::Statement forget(database, "DELETE FROM verdict WHERE until_ms < ?");
  run_once_more(forget, oldest_ms);
}

std::vector<VerdictRecord> read_verdict_rows(const std::filesystem::path& file,
                                             const TimeWindow& window) {
  return select_verdicts(
      file, "what <> 'fit' AND (until_ms IS NULL OR until_ms > ?1) AND since_ms < ?2", window);
}

std::vector<VerdictRecord> read_fit_rows(const std::filesystem::path& file,
                                         const TimeWindow& window) {
  static_assert(node_fitness == "fit");
  return select_verdicts(
      file, "what = 'fit' AND (until_ms IS NULL OR until_ms > ?1) AND since_ms < ?2", window);
}

std::vector<VerdictRecord> read_standing_verdicts(const std::filesystem::path& file) {
  return select_verdicts(file, "what <> 'fit' AND until_ms IS NULL AND ?1 < ?2", {});
}

}  // namespace pssp
