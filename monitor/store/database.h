#pragma once

// Opening, creating and migrating the SQLite file of a history.

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "monitor/store/history_options.h"

namespace pssp {

inline constexpr std::int64_t history_application_id = 0x70737370;  // "pssp"

/// A step that migrates the tables of a database to version `to`.
struct Migration {
  std::int64_t to = 0;
  std::string_view sql;
};
/// In ascending order of `to`; the last step leads to the version that this program uses.
std::span<const Migration> history_migrations();

enum class FileState : std::uint8_t { none, ours };
/// Checks the first bytes of the file only. Throws Error(unreadable_input) if the file cannot be
/// read, is not an SQLite database, or belongs to another program.
FileState check_file(const std::filesystem::path& file);

/// Device and inode number of the file that a name refers to; nothing if there is no such file.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
std::optional<FileIdentity> identity_of(const std::filesystem::path& file);
/// Closes the descriptor that check_file() keeps for a file of ours. Call it when the name of the
/// file refers to another file or to none.
void forget_check(const FileIdentity& identity);
/// Call this before closing a database if its file name now refers to another file that has a log
/// of its own. Otherwise SQLite would copy that log into the database that it has open, and delete
/// the log.
void leave_log_alone(SQLite::Database& database);

/// Runs the steps that the database lacks, each in its own transaction. A database that already has
/// tables is first copied to FILE.before-vN, where N is the version after the present one. Throws
/// Error(unreadable_input) if the database is newer than the last step, and SQLite::Exception.
void migrate(SQLite::Database& database, const std::filesystem::path& file,
             std::span<const Migration> steps);

/// Opens or creates the database. New files get mode 0640, because traffic between hosts is
/// confidential. Throws as check_file() and migrate() do.
std::unique_ptr<SQLite::Database> open_for_writing(const HistoryOptions& options);
/// Also throws Error(unreadable_input) if the file does not exist.
std::unique_ptr<SQLite::Database> open_for_reading(const std::filesystem::path& file);

/// Reports an error of SQLite while reading `file` as Error(unreadable_input).
[[noreturn]] void fail_to_read(const std::filesystem::path& file, const SQLite::Exception& error);
/// Opens the file, runs `action` on the database and closes it. Returns the result of `action`, or
/// an empty result if the version of the file has no such table. Throws as open_for_reading() does,
/// and Error(unreadable_input) if SQLite fails.
template <class Action>
auto read_table(const std::filesystem::path& file, const char* table, const Action& action)
    -> decltype(action(std::declval<SQLite::Database&>())) {
  const std::unique_ptr<SQLite::Database> database = open_for_reading(file);
  try {
    if (!database->tableExists(table)) return {};
    return action(*database);
  } catch (const SQLite::Exception& error) {
    fail_to_read(file, error);
  }
}

/// True if the error means that the file itself is damaged.
bool is_damage(const SQLite::Exception& error);
/// Renames the file and its journal files to FILE.damaged-TIME and returns the new name. Throws
/// Error(output).
std::string set_aside(const std::filesystem::path& file);

/// Names of the tables of a level, and the length of its periods in milliseconds.
struct LevelTables {
  const char *period, *period_id, *sample;
  std::int64_t length_ms;
};
/// The periods of the raw level are sweeps; their length_ms is 0.
const LevelTables& tables_of(HistoryLevel level);

/// The key of a row of samples. Keys ascend in the order of writing, so no index is needed: new
/// rows are appended at the end and old rows are deleted from the beginning.
constexpr std::int64_t place_of(std::int64_t period, std::size_t chunk) noexcept {
  return period << 16 | static_cast<std::int64_t>(chunk);
}

/// SQLite's integers are signed; GUIDs and counters are stored with the same bit pattern.
constexpr std::int64_t as_sql(std::uint64_t value) noexcept {
  return static_cast<std::int64_t>(value);
}
inline std::uint64_t as_unsigned(const SQLite::Column& column) {
  return static_cast<std::uint64_t>(column.getInt64());
}
inline std::string_view as_bytes(const SQLite::Column& column) {
  return {static_cast<const char*>(column.getBlob()), static_cast<std::size_t>(column.getBytes())};
}
inline void bind_bytes(SQLite::Statement& statement, int at, std::string_view bytes) {
  statement.bindNoCopy(at, static_cast<const void*>(bytes.data()), static_cast<int>(bytes.size()));
}
/// Runs a prepared statement that returns no rows.
template <class... Values>
void run_once_more(SQLite::Statement& statement, const Values&... values) {
  statement.reset();
  SQLite::bind(statement, values...);
  statement.exec();
}
/// The first column of the first row; `none` if there is no row or the column is null.
std::int64_t number_of(SQLite::Database& database, const char* query, std::int64_t none = 0);

}  // namespace pssp
