// Jobs are identified by the scheduler's job id, not by rows of table `job`: reroutes are kept as
// long as events, and jobs may be deleted earlier.

#include "monitor/store/reroute_rows.h"

#include <algorithm>

#include "monitor/store/database.h"

namespace pssp {
namespace {

void insert_jobs(SQLite::Database& database, std::int64_t reroute,
                 std::span<const JobRerouteRecord> jobs) {
  SQLite::Statement insert(database, "INSERT INTO reroute_job VALUES(?, ?, ?, ?, ?, ?, ?)");
  std::int64_t place = 0;
  for (const JobRerouteRecord& job : jobs) {
    insert.reset();
    insert.bind(1, reroute);
    insert.bind(2, place++);
    bind_bytes(insert, 3, job.id);
    insert.bind(4, as_sql(job.flows));
    insert.bind(5, as_sql(job.moved));
    insert.bind(6, as_sql(job.longer));
    insert.bind(7, as_sql(job.lost));
    insert.exec();
  }
}

RerouteRecord reroute_of_row(SQLite::Statement& row) {
  RerouteRecord record;
  int at = 1;
  record.begin_ms = row.getColumn(at++).getInt64();
  record.end_ms = row.getColumn(at++).getInt64();
  for (std::uint64_t* const number :
       {&record.entries, &record.blocks, &record.switches, &record.flows, &record.moved,
        &record.longer, &record.lost, &record.gained, &record.no_route, &record.loop}) {
    *number = as_unsigned(row.getColumn(at++));
  }
  record.no_route_ms = row.getColumn(at++).getInt64();
  record.loop_ms = row.getColumn(at++).getInt64();
  record.problem = row.getColumn(at).getString();
  return record;
}

void read_jobs_of(SQLite::Statement& select, std::int64_t reroute, RerouteRecord& record) {
  select.reset();
  select.bind(1, reroute);
  while (select.executeStep()) {
    record.jobs.push_back({std::string(as_bytes(select.getColumn(0))),
                           as_unsigned(select.getColumn(1)), as_unsigned(select.getColumn(2)),
                           as_unsigned(select.getColumn(3)), as_unsigned(select.getColumn(4))});
  }
}

}  // namespace

void write_reroute_rows(SQLite::Database& database, std::span<const RerouteRecord> records,
                        std::int64_t oldest_ms) {
  if (records.empty()) return;
  SQLite::Statement insert(database,
                           "INSERT INTO reroute(time_ms, end_ms, entries, blocks, switches, flows, "
                           "moved, longer, lost, gained, no_route, in_loop, no_route_ms, loop_ms, "
                           "problem) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  for (const RerouteRecord& each : records) {
    insert.reset();
    int at = 1;
    insert.bind(at++, each.begin_ms);
    insert.bind(at++, each.end_ms);
    for (const std::uint64_t number :
         {each.entries, each.blocks, each.switches, each.flows, each.moved, each.longer, each.lost,
          each.gained, each.no_route, each.loop}) {
      insert.bind(at++, as_sql(number));
    }
    insert.bind(at++, each.no_route_ms);
    insert.bind(at++, each.loop_ms);
    insert.bind(at, each.problem);
    insert.exec();
    insert_jobs(database, database.getLastInsertRowid(), each.jobs);
  }
  SQLite::Statement jobs(database,
                         "DELETE FROM reroute_job WHERE reroute_id IN (SELECT reroute_id FROM "
                         "reroute WHERE time_ms < ?)");
  run_once_more(jobs, oldest_ms);
  SQLite::Statement forget(database, "DELETE FROM reroute WHERE time_ms < ?");
  run_once_more(forget, oldest_ms);
}

std::vector<RerouteRecord> read_reroute_rows(const std::filesystem::path& file, std::size_t most) {
  return read_table(file, "reroute", [&](SQLite::Database& database) {
    SQLite::Statement select(
        database,
        "SELECT reroute_id, time_ms, end_ms, entries, blocks, switches, flows, moved, longer, "
        "lost, gained, no_route, in_loop, no_route_ms, loop_ms, problem FROM reroute ORDER BY "
        "reroute_id "
        "DESC LIMIT ?");
    SQLite::Statement jobs(database,
                           "SELECT job_id, flows, moved, longer, lost FROM reroute_job WHERE "
                           "reroute_id = ? ORDER BY place");
    select.bind(1, as_sql(most));
    std::vector<RerouteRecord> all;
    while (select.executeStep()) {
      all.push_back(reroute_of_row(select));
      read_jobs_of(jobs, select.getColumn(0).getInt64(), all.back());
    }
    std::ranges::reverse(all);
    return all;
  });
}

}  // namespace pssp
