// The first hundred bytes of a SQLite file hold an application number and a version of the tables.
// They are read before SQLite opens the file, because opening a database can change it and files of
// other programs must not be touched.
//
// A new database is created in one transaction of the rollback journal and switched to the
// write-ahead log afterwards. If the process is killed in between, SQLite rolls the file back to an
// empty one; it never lacks its application number.

#include "monitor/store/database.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr std::string_view magic{"SQLite format 3\0", 16};
constexpr std::size_t header_size = 100, application_offset = 68;
constexpr int wait_for_others_ms = 5'000;

constexpr std::string_view first_tables = R"sql(
CREATE TABLE node(
  node_id INTEGER PRIMARY KEY, guid INTEGER NOT NULL UNIQUE, kind INTEGER NOT NULL,
  ports INTEGER NOT NULL, vendor INTEGER NOT NULL, device INTEGER NOT NULL);
CREATE TABLE node_name(
  node_id INTEGER NOT NULL REFERENCES node, since INTEGER NOT NULL, description BLOB NOT NULL,
  PRIMARY KEY(node_id, since)) WITHOUT ROWID;
CREATE TABLE port(
  port_id INTEGER PRIMARY KEY, node_id INTEGER NOT NULL REFERENCES node, number INTEGER NOT NULL,
  UNIQUE(node_id, number));
CREATE TABLE lid(
  port_id INTEGER NOT NULL REFERENCES port, since INTEGER NOT NULL, lid INTEGER NOT NULL,
  lmc INTEGER NOT NULL, PRIMARY KEY(port_id, since)) WITHOUT ROWID;
CREATE TABLE topology(
  generation INTEGER PRIMARY KEY, hash INTEGER NOT NULL UNIQUE, map BLOB NOT NULL, net BLOB);
CREATE TABLE topology_use(
  since INTEGER NOT NULL, generation INTEGER NOT NULL REFERENCES topology);
CREATE TABLE sweep(
  sweep_id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, age_ms INTEGER NOT NULL,
  duration_us INTEGER NOT NULL, generation INTEGER NOT NULL, asked INTEGER NOT NULL,
  answered INTEGER NOT NULL, mads INTEGER NOT NULL, timed_out INTEGER NOT NULL,
  implausible INTEGER NOT NULL, late INTEGER NOT NULL);
CREATE TABLE sample(
  place INTEGER PRIMARY KEY, data BLOB NOT NULL,
  sweep_id INTEGER AS (place >> 16), chunk INTEGER AS (place & 65535));
CREATE TABLE period_5min(
  period_id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
  age_ms INTEGER NOT NULL, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
  generation INTEGER NOT NULL, chunks INTEGER NOT NULL, done INTEGER NOT NULL);
CREATE TABLE sample_5min(
  place INTEGER PRIMARY KEY, data BLOB NOT NULL,
  period_id INTEGER AS (place >> 16), chunk INTEGER AS (place & 65535));
CREATE TABLE period_hour(
  period_id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
  age_ms INTEGER NOT NULL, first_id INTEGER NOT NULL, last_id INTEGER NOT NULL,
  generation INTEGER NOT NULL, chunks INTEGER NOT NULL, done INTEGER NOT NULL);
CREATE TABLE sample_hour(
  place INTEGER PRIMARY KEY, data BLOB NOT NULL,
  period_id INTEGER AS (place >> 16), chunk INTEGER AS (place & 65535));
CREATE TABLE event(
  event_id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, age_ms INTEGER NOT NULL,
  kind TEXT NOT NULL, node_guid INTEGER, port_number INTEGER, text TEXT NOT NULL);
CREATE INDEX event_time ON event(time_ms);
)sql";

constexpr std::string_view verdict_table = R"sql(
CREATE TABLE verdict(
  node_guid INTEGER NOT NULL, port_number INTEGER NOT NULL, what TEXT NOT NULL,
  level INTEGER NOT NULL, since_ms INTEGER NOT NULL, until_ms INTEGER, value REAL NOT NULL,
  limit_value REAL NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY(node_guid, port_number, what, level, since_ms)) WITHOUT ROWID;
CREATE INDEX verdict_until ON verdict(until_ms);
)sql";

/// Forwarding tables and jobs. `job.gone_ms` is the time at which the job was last listed; null
/// means that it is still listed. `job_source.stale_since` is 0 while the source answers.
constexpr std::string_view tables_and_jobs = R"sql(
CREATE TABLE tables(
  version INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, seen_ms INTEGER NOT NULL,
  age_ms INTEGER NOT NULL, generation INTEGER NOT NULL, switches INTEGER NOT NULL,
  unread INTEGER NOT NULL, changed_blocks INTEGER NOT NULL);
CREATE TABLE lft_block(hash INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE table_block(
  node_id INTEGER NOT NULL, block INTEGER NOT NULL, version INTEGER NOT NULL,
  hash INTEGER NOT NULL, PRIMARY KEY(node_id, block, version)) WITHOUT ROWID;
CREATE TABLE job(
  job_key INTEGER PRIMARY KEY, source TEXT NOT NULL, job_id BLOB NOT NULL, name BLOB NOT NULL,
  user BLOB NOT NULL, state BLOB NOT NULL, start_s INTEGER, end_s INTEGER,
  seen_ms INTEGER NOT NULL, gone_ms INTEGER, age_ms INTEGER NOT NULL);
CREATE INDEX job_by_id ON job(job_id);
CREATE INDEX job_by_end ON job(gone_ms);
CREATE TABLE job_node(
  job_key INTEGER NOT NULL, place INTEGER NOT NULL, name BLOB NOT NULL, node_id INTEGER,
  PRIMARY KEY(job_key, place)) WITHOUT ROWID;
CREATE TABLE job_source(
  source TEXT PRIMARY KEY, seen_ms INTEGER NOT NULL, stale_since INTEGER NOT NULL,
  problem TEXT NOT NULL) WITHOUT ROWID;
)sql";

/// Named periods.
constexpr std::string_view recording_table = R"sql(
CREATE TABLE recording(
  recording_id INTEGER PRIMARY KEY, name TEXT NOT NULL, command TEXT NOT NULL,
  start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL);
)sql";

constexpr std::string_view reroute_tables = R"sql(
CREATE TABLE reroute(
  reroute_id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
  entries INTEGER NOT NULL, blocks INTEGER NOT NULL, switches INTEGER NOT NULL,
  flows INTEGER NOT NULL, moved INTEGER NOT NULL, longer INTEGER NOT NULL, lost INTEGER NOT NULL,
  gained INTEGER NOT NULL, no_route INTEGER NOT NULL, in_loop INTEGER NOT NULL,
  no_route_ms INTEGER NOT NULL, loop_ms INTEGER NOT NULL, problem TEXT NOT NULL);
CREATE TABLE reroute_job(
  reroute_id INTEGER NOT NULL, place INTEGER NOT NULL, job_id BLOB NOT NULL,
  flows INTEGER NOT NULL, moved INTEGER NOT NULL, longer INTEGER NOT NULL, lost INTEGER NOT NULL,
  PRIMARY KEY(reroute_id, place)) WITHOUT ROWID;
)sql";

constexpr std::string_view acknowledgement_table = R"sql(
CREATE TABLE acknowledgement(
  incident TEXT PRIMARY KEY, comment TEXT NOT NULL, since_ms INTEGER NOT NULL,
  until_ms INTEGER NOT NULL) WITHOUT ROWID;
)sql";

/// `body` is the notification that the receiver got when the incident began.
constexpr std::string_view notified_table = R"sql(
CREATE TABLE notified(
  receiver TEXT NOT NULL, incident TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY(receiver, incident)) WITHOUT ROWID;
)sql";

constexpr std::array<Migration, 7> all_migrations{{{1, first_tables},
                                                   {2, verdict_table},
                                                   {3, tables_and_jobs},
                                                   {4, recording_table},
                                                   {5, reroute_tables},
                                                   {6, acknowledgement_table},
                                                   {7, notified_table}}};

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view what) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: {}; the file was not changed. Expected a database of pssp monitor; "
                          "choose another name",
                          excerpt(file.string()), what));
}

std::uint32_t big_endian_at(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

bool is_empty(SQLite::Database& database) {
  return number_of(database, "SELECT count(*) FROM sqlite_master") == 0;
}

/// SQLite creates files with the permissions that the umask allows, which usually lets everybody
/// read them. It treats an empty file like a missing one, and gives the journal files beside it the
/// same mode.
void create_for_group(const std::filesystem::path& file) {
  constexpr mode_t for_group = S_IRUSR | S_IWUSR | S_IRGRP;
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, for_group);
  if (fd >= 0) close(fd);
}

/// Copies the database before its tables change. An existing copy stays: an earlier attempt made it
/// from the same version.
void keep_copy(SQLite::Database& database, const std::filesystem::path& file,
               std::int64_t version) {
  const std::string copy = fmt::format("{}.before-v{}", file.string(), version + 1);
  if (std::filesystem::exists(copy)) return;
  create_for_group(copy);
  SQLite::Statement vacuum(database, "VACUUM INTO ?");
  vacuum.bind(1, copy);
  vacuum.exec();
}

/// These settings take effect only if they are made before the first table is created.
void prepare_new(SQLite::Database& database) {
  database.exec("PRAGMA page_size = 32768; PRAGMA auto_vacuum = INCREMENTAL");
}

/// Checks small files completely. For large files the check would take minutes; there, damage is
/// detected when the damaged page is read.
void look_for_damage(SQLite::Database& database) {
  constexpr std::int64_t quickly_read = std::int64_t{64} << 20;
  if (number_of(database, "PRAGMA page_count") * number_of(database, "PRAGMA page_size") >
      quickly_read) {
    return;
  }
  SQLite::Statement check(database, "PRAGMA quick_check(1)");
  if (check.executeStep() && check.getColumn(0).getString() != "ok") {
    throw SQLite::Exception(check.getColumn(0).getString(), SQLITE_CORRUPT);
  }
}

}  // namespace

std::span<const Migration> history_migrations() { return all_migrations; }

namespace {

/// When a process closes any descriptor of a file, POSIX releases all locks that the process holds
/// on that file. Opening and closing the file of an open database would therefore drop SQLite's
/// locks. The next program that closes the database would believe that it is the last user and
/// delete the log that this process still writes. Therefore each file of ours that was checked
/// stays open, once per file.
class CheckedFiles {
 public:
  bool knows(const std::filesystem::path& file) {
    const std::optional<FileIdentity> identity = identity_of(file);
    const std::lock_guard lock(mutex_);
    return identity && readers_.contains(*identity);
  }
  void keep(const std::filesystem::path& file, std::unique_ptr<FileReader> reader) {
    const std::optional<FileIdentity> identity = identity_of(file);
    const std::lock_guard lock(mutex_);
    if (identity) readers_.try_emplace(*identity, std::move(reader));
  }

  void forget(const FileIdentity& identity) {
    const std::lock_guard lock(mutex_);
    readers_.erase(identity);
  }

 private:
  std::mutex mutex_;
  std::map<FileIdentity, std::unique_ptr<FileReader>> readers_;
};

CheckedFiles& checked_files() {
  static CheckedFiles files;
  return files;
}

}  // namespace

std::optional<FileIdentity> identity_of(const std::filesystem::path& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) != 0) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

void forget_check(const FileIdentity& identity) { checked_files().forget(identity); }

void leave_log_alone(SQLite::Database& database) {
  sqlite3_db_config(database.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
}

FileState check_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored) && !ignored) return FileState::none;
  if (!std::filesystem::is_regular_file(file, ignored)) refuse(file, "not a regular file");
  if (checked_files().knows(file)) return FileState::ours;
  auto reader = std::make_unique<FileReader>(file);
  const std::string_view head = reader->peek(header_size);
  if (head.empty()) return FileState::none;
  // SQLite may have been interrupted while it created the file; it can then recover the file from
  // the journal.
  if (std::filesystem::exists(file.string() + "-journal", ignored)) return FileState::ours;
  if (head.size() < header_size || head.substr(0, magic.size()) != magic) {
    refuse(file, "not an SQLite database");
  }
  if (big_endian_at(head, application_offset) != history_application_id) {
    refuse(file, "belongs to another program");
  }
  checked_files().keep(file, std::move(reader));
  return FileState::ours;
}

void migrate(SQLite::Database& database, const std::filesystem::path& file,
             std::span<const Migration> steps) {
  const bool is_new = is_empty(database);
  const std::int64_t version = number_of(database, "PRAGMA user_version");
  const std::int64_t wanted = steps.back().to;
  if (!is_new && number_of(database, "PRAGMA application_id") != history_application_id) {
    refuse(file, "belongs to another program");
  }
  if (version > wanted) {
    refuse(file, fmt::format("written by a newer version of this program (database version {}, "
                             "supported version {})",
                             version, wanted));
  }
  if (version == wanted) return;
  if (!is_new) keep_copy(database, file, version);
  for (const Migration& step : steps) {
    if (step.to <= version) continue;
    SQLite::Transaction all(database, SQLite::TransactionBehavior::IMMEDIATE);
    database.exec(std::string(step.sql));
    database.exec(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                              history_application_id, step.to));
    all.commit();
  }
}

std::unique_ptr<SQLite::Database> open_for_writing(const HistoryOptions& options) {
  const FileState state = check_file(options.file);
  create_for_group(options.file);
  auto database = std::make_unique<SQLite::Database>(
      options.file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, wait_for_others_ms);
  if (state == FileState::none) prepare_new(*database);
  migrate(*database, options.file, history_migrations());
  database->exec("PRAGMA journal_mode = WAL");
  database->exec(options.full_sync ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  database->exec(
      "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384;"
      "PRAGMA journal_size_limit = 33554432");
  look_for_damage(*database);
  return database;
}

std::unique_ptr<SQLite::Database> open_for_reading(const std::filesystem::path& file) {
  try {
    if (check_file(file) == FileState::none) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("{}: no such database; create one with pssp monitor serve or record",
                              excerpt(file.string())));
    }
    const auto open = [&](const std::string& uri) {
      auto database = std::make_unique<SQLite::Database>(
          uri, SQLite::OPEN_READONLY | SQLite::OPEN_URI, wait_for_others_ms);
      if (number_of(*database, "PRAGMA user_version") > history_migrations().back().to) {
        refuse(file, "written by a newer version of this program");
      }
      return database;
    };
    std::string uri = "file:";
    for (const char c : std::filesystem::absolute(file).string()) {
      // Characters with a special meaning in a URI.
      uri += c == '?' || c == '#' || c == '%' ? fmt::format("%{:02x}", static_cast<unsigned>(c))
                                              : std::string(1, c);
    }
    try {
      return open(uri);
    } catch (const SQLite::Exception& error) {
      // In WAL mode readers need an index file beside the log, which cannot be created in a
      // read-only folder. Without a log nobody is writing, so the file can be opened as immutable.
      if (error.getErrorCode() != SQLITE_CANTOPEN ||
          std::filesystem::exists(file.string() + "-wal")) {
        throw;
      }
      return open(uri + "?immutable=1");
    }
  } catch (const SQLite::Exception& error) {
    fail_to_read(file, error);
  }
}

void fail_to_read(const std::filesystem::path& file, const SQLite::Exception& error) {
  throw Error(ErrorKind::unreadable_input,
              fmt::format("{}: cannot be read: {}", excerpt(file.string()), error.what()));
}

bool is_damage(const SQLite::Exception& error) {
  return error.getErrorCode() == SQLITE_CORRUPT || error.getErrorCode() == SQLITE_NOTADB;
}

std::string set_aside(const std::filesystem::path& file) {
  const auto now =
      std::chrono::time_point_cast<std::chrono::seconds>(std::chrono::system_clock::now());
  const std::string base = fmt::format("{}.damaged-{:%Y%m%dT%H%M%SZ}", file.string(), now);
  std::string name = base;
  for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("{}-{}", base, i);
  try {
    std::filesystem::rename(file, name);
    for (const char* part : {"-wal", "-shm"}) {
      if (std::filesystem::exists(file.string() + part)) {
        std::filesystem::rename(file.string() + part, name + part);
      }
    }
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorKind::output,
                fmt::format("{}: the database is damaged, and cannot be renamed to {}: {}",
                            excerpt(file.string()), excerpt(name), error.code().message()));
  }
  return name;
}

const LevelTables& tables_of(HistoryLevel level) {
  static constexpr std::array<LevelTables, history_levels> all{{
      {"sweep", "sweep_id", "sample", 0},
      {"period_5min", "period_id", "sample_5min", five_minutes_ms},
      {"period_hour", "period_id", "sample_hour", hour_ms},
  }};
  return all[static_cast<std::size_t>(level)];
}

std::int64_t number_of(SQLite::Database& database, const char* query, std::int64_t none) {
  SQLite::Statement statement(database, query);
  if (!statement.executeStep() || statement.getColumn(0).isNull()) return none;
  return statement.getColumn(0).getInt64();
}

}  // namespace pssp
