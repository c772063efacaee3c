// Ages are not measured with the wall clock: a clock that is set a year ahead by mistake would
// delete a year of history. Each sweep has the age of the file at that time (history_writer.cpp),
// which grows with the monotonic clock.
//
// Rows are deleted from the beginning of a table, sweep by sweep. Keys ascend with time, so a
// deletion touches neighboring pages only. Finer rows are deleted only after they have been summed
// into the next coarser level. The exception is a file that is too large: then the oldest rows of
// the finest level are deleted in any case.

#include "monitor/store/retention.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "monitor/store/database.h"

namespace pssp {
namespace {

constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

std::int64_t page_count(SQLite::Database& database) {
  return number_of(database, "PRAGMA page_count");
}
std::int64_t free_pages(SQLite::Database& database) {
  return number_of(database, "PRAGMA freelist_count");
}

std::int64_t newest_age(SQLite::Database& database) {
  return number_of(database, "SELECT age_ms FROM sweep ORDER BY sweep_id DESC LIMIT 1");
}

/// Last sweep or period of `level` that is completely summed into the next coarser level.
std::int64_t last_summed(SQLite::Database& database, HistoryLevel level) {
  if (level == HistoryLevel::hour) return never;
  const HistoryLevel next =
      level == HistoryLevel::raw ? HistoryLevel::five_minutes : HistoryLevel::hour;
  const std::string query =
      fmt::format("SELECT max(last_id) FROM {} WHERE done = chunks", tables_of(next).period);
  return number_of(database, query.c_str());
}

}  // namespace

std::uint64_t used_bytes(SQLite::Database& database) {
  return static_cast<std::uint64_t>((page_count(database) - free_pages(database)) *
                                    number_of(database, "PRAGMA page_size"));
}

/// Deletes one sweep or period if it is older than `before_age`. The newest two of a level stay.
bool Retention::delete_oldest(HistoryLevel level, std::int64_t before_age) {
  const LevelTables& tables = tables_of(level);
  SQLite::Statement oldest(
      database_, fmt::format("SELECT {0}, age_ms, (SELECT max({0}) FROM {1}) FROM {1} ORDER BY {0} "
                             "LIMIT 1",
                             tables.period_id, tables.period));
  if (!oldest.executeStep() || oldest.getColumn(1).getInt64() >= before_age) return false;
  const std::int64_t id = oldest.getColumn(0).getInt64();
  const std::int64_t newest = oldest.getColumn(2).getInt64();
  if (id + 2 > newest) return false;
  if (before_age != never && id > last_summed(database_, level)) return false;
  SQLite::Statement samples(database_,
                            fmt::format("DELETE FROM {} WHERE place < ?", tables.sample));
  run_once_more(samples, place_of(id + 1, 0));
  SQLite::Statement period(
      database_, fmt::format("DELETE FROM {} WHERE {} <= ?", tables.period, tables.period_id));
  run_once_more(period, id);
  return true;
}

bool Retention::delete_old() {
  const std::int64_t now = newest_age(database_);
  return delete_oldest(HistoryLevel::raw, now - options_.raw_hours * hour_ms) ||
         delete_oldest(HistoryLevel::five_minutes, now - options_.five_minutes_days * day_ms) ||
         delete_oldest(HistoryLevel::hour, now - options_.longest_kept_ms());
}

bool Retention::make_room() {
  // Stops slightly below the limit, to leave room for the next sweeps.
  if (used_bytes(database_) <= options_.max_bytes - options_.max_bytes / 32) return false;
  for (const HistoryLevel level :
       {HistoryLevel::raw, HistoryLevel::five_minutes, HistoryLevel::hour}) {
    if (!delete_oldest(level, never)) continue;
    const std::int64_t age = newest_age(database_);
    if (last_reported_age_ < 0 || age - last_reported_age_ >= hour_ms) {
      last_reported_age_ = age;
      MonitorEvent event;
      event.kind = EventKind::history_shortened;
      event.time_ms =
          number_of(database_, "SELECT time_ms FROM sweep ORDER BY sweep_id DESC LIMIT 1");
      event.text = fmt::format(
          "the oldest data of level {} is deleted early, because the database has reached its "
          "limit of {} bytes",
          name_of(level), options_.max_bytes);
      events_.push_back(std::move(event));
    }
    return true;
  }
  return false;
}

/// Returns free pages to the file system if the file is too large or a quarter of it is unused.
bool Retention::shrink() {
  constexpr std::int64_t few_pages = 256, at_a_time = 64;
  const std::int64_t pages = page_count(database_), unused = free_pages(database_);
  const bool too_large = static_cast<std::uint64_t>(pages) *
                             static_cast<std::uint64_t>(number_of(database_, "PRAGMA page_size")) >
                         options_.max_bytes;
  if (unused == 0 || (!too_large && (unused < few_pages || unused < pages / 4))) return false;
  SQLite::Statement vacuum(database_, fmt::format("PRAGMA incremental_vacuum({})", at_a_time));
  // Each row of the result stands for one freed page.
  while (vacuum.executeStep()) {
  }
  return free_pages(database_) < unused;
}

/// Deletes jobs that ended and tables that were replaced before `before_age`. For each block of the
/// tables, only the row that the oldest remaining version uses and newer rows stay.
void Retention::delete_old_state(std::int64_t before_age) {
  SQLite::Statement jobs(database_,
                         "DELETE FROM job WHERE gone_ms IS NOT NULL AND job_key IN (SELECT job_key "
                         "FROM job ORDER BY job_key LIMIT 1000) AND age_ms < ?");
  run_once_more(jobs, before_age);
  if (jobs.getChanges() != 0) {
    database_.exec("DELETE FROM job_node WHERE job_key NOT IN (SELECT job_key FROM job)");
  }
  // The last version before that time was still in force after it.
  SQLite::Statement tables(database_,
                           "DELETE FROM tables WHERE version < (SELECT max(version) FROM tables "
                           "WHERE age_ms < ?)");
  run_once_more(tables, before_age);
  if (tables.getChanges() == 0) return;
  database_.exec(
      "DELETE FROM table_block WHERE version < (SELECT max(version) FROM table_block AS later "
      "WHERE "
      "later.node_id = table_block.node_id AND later.block = table_block.block AND later.version "
      "<= (SELECT min(version) FROM tables));"
      "DELETE FROM lft_block WHERE hash NOT IN (SELECT hash FROM table_block)");
}

/// Every ten minutes, deletes events older than the oldest hours, and maps that are no longer
/// referenced.
void Retention::delete_leftovers() {
  const std::int64_t age = newest_age(database_);
  if (last_leftovers_age_ >= 0 && age - last_leftovers_age_ < 10 * minute_ms) return;
  last_leftovers_age_ = age;
  SQLite::Statement events(
      database_,
      "DELETE FROM event WHERE event_id IN (SELECT event_id FROM event ORDER BY event_id LIMIT "
      "1000) AND age_ms < ?");
  run_once_more(events, age - options_.longest_kept_ms());
  // Limits the events of a fabric that flaps for a long time to the newest million.
  database_.exec("DELETE FROM event WHERE event_id <= (SELECT max(event_id) FROM event) - 1000000");
  delete_old_state(age - options_.longest_kept_ms());
  database_.exec(
      "CREATE TEMP TABLE IF NOT EXISTS used(generation INTEGER PRIMARY KEY);"
      "DELETE FROM used;"
      "INSERT OR IGNORE INTO used SELECT generation FROM sweep;"
      "INSERT OR IGNORE INTO used SELECT generation FROM period_5min;"
      "INSERT OR IGNORE INTO used SELECT generation FROM period_hour;"
      "INSERT OR IGNORE INTO used SELECT generation FROM topology_use WHERE rowid = (SELECT "
      "max(rowid) FROM topology_use);"
      "DELETE FROM topology_use WHERE generation NOT IN (SELECT generation FROM used);"
      "DELETE FROM topology WHERE generation NOT IN (SELECT generation FROM used)");
}

bool Retention::step(std::chrono::milliseconds budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget;
  bool worked = false;
  SQLite::Transaction all(database_, SQLite::TransactionBehavior::IMMEDIATE);
  while (std::chrono::steady_clock::now() < deadline && (delete_old() || make_room() || shrink())) {
    worked = true;
  }
  delete_leftovers();
  all.commit();
  return worked;
}

std::vector<MonitorEvent> Retention::take_events() { return std::exchange(events_, {}); }

}  // namespace pssp
