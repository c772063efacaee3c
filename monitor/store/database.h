#pragma once

// The SQLite file: whose it is, how it is opened, and how its tables come about.

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

/// Brings a database to version `to` of its tables.
struct Migration {
  std::int64_t to = 0;
  std::string_view sql;
};
/// In ascending order; the last one makes what this program uses.
std::span<const Migration> history_migrations();

enum class FileState : std::uint8_t { none, ours };
/// Looks at the first bytes alone. Throws Error(unreadable_input) where the file cannot be read, is
/// no database, or is another program's.
FileState look_at(const std::filesystem::path& file);

/// Which file a name stands for, by device and number; nothing where there is none.
using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;
std::optional<FileIdentity> identity_of(const std::filesystem::path& file);
/// A file of ours whose name stands for another one now, or for none: what look_at() keeps of it.
void forget_check(const FileIdentity& identity);
/// To be called before the database is closed whose name stands for another file now, which has a
/// log of its own: SQLite would write that log into the file that it has open, and remove it.
void leave_log_alone(SQLite::Database& database);

/// Runs the steps that the database lacks, each in a transaction of its own; before the first one
/// of a database that has tables already, it is copied to FILE.before-vN, N the version it had.
/// Throws Error(unreadable_input) where it is newer than the last step, SQLite::Exception.
void migrate(SQLite::Database& database, const std::filesystem::path& file,
             std::span<const Migration> steps);

/// Creates what is missing, with mode 0640: who talks to whom is not for everybody. Throws as
/// look_at() and migrate() do.
std::unique_ptr<SQLite::Database> open_for_writing(const HistoryOptions& options);
/// Throws Error(unreadable_input) where there is no file, too.
std::unique_ptr<SQLite::Database> open_for_reading(const std::filesystem::path& file);

/// What SQLite says of a file that was to be read, as Error(unreadable_input).
[[noreturn]] void fail_to_read(const std::filesystem::path& file, const SQLite::Exception& error);
/// Opens the file for one look: what `action` makes of the database, or what it has by itself where
/// the file is of a version that has no such table. Throws as open_for_reading(), and
/// Error(unreadable_input) where SQLite fails.
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

/// Does SQLite say that the file itself is broken?
bool is_damage(const SQLite::Exception& error);
/// Renames the file, and what belongs to it, to FILE.damaged-TIME; returns that name. Throws
/// Error(output).
std::string set_aside(const std::filesystem::path& file);

/// Names of the tables of a level, and of those that it is made of.
struct LevelTables {
  const char *period, *period_id, *sample;
  std::int64_t length_ms;
};
/// Of raw: the sweeps, of no fixed length.
const LevelTables& tables_of(HistoryLevel level);

/// The key of a row of samples. Keys ascend as rows are written, so that no index is needed: what
/// is new is at the end, what is old at the beginning.
constexpr std::int64_t place_of(std::int64_t period, std::size_t chunk) noexcept {
  return period << 16 | static_cast<std::int64_t>(chunk);
}

/// SQLite's integers are signed; GUIDs and counters keep their bits.
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
/// Runs a statement that returns nothing, once more.
template <class... Values>
void run_once_more(SQLite::Statement& statement, const Values&... values) {
  statement.reset();
  SQLite::bind(statement, values...);
  statement.exec();
}
/// The first column of the first row; `none` where there is none, or it is null.
std::int64_t number_of(SQLite::Database& database, const char* query, std::int64_t none = 0);

}  // namespace pssp
