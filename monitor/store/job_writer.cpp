// A job has one row as long as it is listed, and one row per node once it has nodes. Most reports
// repeat the previous one, so a digest of each listed job is kept and only changes are written.
// Node names are matched with the map of the newest sweep; names without a match are tried again
// with the next map.
//
// Schedulers reuse job numbers. A job that is listed again with the same start time is the same
// job; any other start time makes a new row.

#include "monitor/store/job_writer.h"

#include <utility>

#include "base/digest.h"
#include "monitor/store/database.h"

namespace pssp {
namespace {

std::uint64_t digest_of(const Job& job) {
  Digest digest;
  for (const std::string* text : {&job.name, &job.user, &job.state}) digest.add_text(*text);
  for (const auto& time : {job.start_s, job.end_s}) {
    digest.add(time ? 1 : 0);
    digest.add(static_cast<std::uint64_t>(time.value_or(0)));
  }
  for (const std::string& node : job.nodes) digest.add_text(node);
  return digest.value()[0] | 1U;
}

void bind_time(SQLite::Statement& statement, int at, const std::optional<std::int64_t>& time) {
  if (time) {
    statement.bind(at, *time);
  } else {
    statement.bind(at);
  }
}

}  // namespace

JobWriter::JobWriter(SQLite::Database& database, const PortRegister& ports,
                     const std::string& node_names, bool hide_users)
    : database_(database),
      ports_(ports),
      hide_users_(hide_users),
      rule_(node_names),
      names_(FabricMap{}, rule_) {
  if (hide_users_) database_.exec("UPDATE job SET user = '' WHERE length(user) > 0");
}

/// Loads the jobs that an earlier process left as listed.
void JobWriter::load() {
  SQLite::Statement jobs(database_,
                         "SELECT job_id, job_key FROM job WHERE gone_ms IS NULL AND source = ?");
  jobs.bind(1, source_);
  while (jobs.executeStep()) {
    listed_[std::string(as_bytes(jobs.getColumn(0)))].key = jobs.getColumn(1).getInt64();
  }
  SQLite::Statement seen(database_, "SELECT seen_ms FROM job_source WHERE source = ?");
  seen.bind(1, source_);
  if (seen.executeStep()) last_listed_ms_ = seen.getColumn(0).getInt64();
}

/// Closes the jobs of other sources, because no report will ever say that they have ended.
void JobWriter::begin_source(const std::string& source) {
  if (source == source_) return;
  source_ = source;
  listed_.clear();
  SQLite::Statement others(
      database_,
      "UPDATE job SET gone_ms = coalesce((SELECT seen_ms FROM job_source WHERE "
      "job_source.source = job.source), 0) WHERE gone_ms IS NULL AND source <> ?");
  run_once_more(others, source);
  load();
}

void JobWriter::enter_state(const JobReport& report) {
  SQLite::Statement state(database_, "INSERT OR REPLACE INTO job_source VALUES(?, ?, ?, ?)");
  run_once_more(state, report.source, report.jobs ? report.time_ms : last_listed_ms_,
                report.problem.empty() ? std::int64_t{0} : report.stale_since_ms, report.problem);
}

std::int64_t JobWriter::row_for(const Job& job, const JobReport& report, std::int64_t age_ms) {
  SQLite::Statement find(
      database_,
      "SELECT job_key FROM job WHERE source = ? AND job_id = ? AND start_s IS ? ORDER BY job_key "
      "DESC LIMIT 1");
  find.bind(1, report.source);
  bind_bytes(find, 2, job.id);
  bind_time(find, 3, job.start_s);
  if (find.executeStep()) return find.getColumn(0).getInt64();
  SQLite::Statement insert(database_,
                           "INSERT INTO job(source, job_id, name, user, state, seen_ms, age_ms) "
                           "VALUES(?, ?, '', '', '', ?, ?)");
  insert.bind(1, report.source);
  bind_bytes(insert, 2, job.id);
  insert.bind(3, report.time_ms);
  insert.bind(4, age_ms);
  insert.exec();
  return database_.getLastInsertRowid();
}

/// Returns true if a name has no match.
bool JobWriter::enter_nodes(const Job& job, std::int64_t key) {
  SQLite::Statement clear(database_, "DELETE FROM job_node WHERE job_key = ?");
  run_once_more(clear, key);
  SQLite::Statement insert(database_, "INSERT INTO job_node VALUES(?, ?, ?, ?)");
  std::int64_t place = 0;
  bool has_unmatched = false;
  const auto add = [&](const std::string& name, std::int64_t node) {
    insert.reset();
    insert.bind(1, key);
    insert.bind(2, place++);
    bind_bytes(insert, 3, name);
    if (node != 0) {
      insert.bind(4, node);
    } else {
      insert.bind(4);
    }
    insert.exec();
  };
  for (const std::string& name : job.nodes) {
    const auto found = names_.find(name);
    for (const std::uint32_t node : found) add(name, ports_.node_id(map_->nodes[node].guid));
    if (!found.empty()) continue;
    add(name, 0);
    has_unmatched = true;
  }
  return has_unmatched;
}

void JobWriter::enter_job(const Job& job, const JobReport& report, std::int64_t age_ms) {
  Known& known = listed_[job.id];
  known.round = round_;
  const std::uint64_t digest = digest_of(job);
  if (known.digest == digest && !(known.has_unmatched && map_is_new_)) return;
  if (known.key == 0) known.key = row_for(job, report, age_ms);
  SQLite::Statement update(database_,
                           "UPDATE job SET name = ?, user = ?, state = ?, start_s = ?, end_s = ?, "
                           "gone_ms = NULL WHERE job_key = ?");
  bind_bytes(update, 1, job.name);
  bind_bytes(update, 2, hide_users_ ? std::string_view("") : std::string_view(job.user));
  bind_bytes(update, 3, job.state);
  bind_time(update, 4, job.start_s);
  bind_time(update, 5, job.end_s);
  update.bind(6, known.key);
  update.exec();
  known.has_unmatched = enter_nodes(job, known.key);
  known.digest = digest;
}

void JobWriter::let_go(std::int64_t time_ms) {
  SQLite::Statement gone(database_, "UPDATE job SET gone_ms = ? WHERE job_key = ?");
  for (auto each = listed_.begin(); each != listed_.end();) {
    if (each->second.round == round_) {
      ++each;
      continue;
    }
    run_once_more(gone, time_ms, each->second.key);
    each = listed_.erase(each);
  }
}

void JobWriter::enter(const JobReport& report, const std::shared_ptr<const FabricMap>& map,
                      std::int64_t age_ms) {
  begin_source(report.source);
  map_is_new_ = map != map_;
  if (map_is_new_) {
    map_ = map;
    names_ = NodeNames(*map, rule_);
  }
  if (report.jobs && report.problem.empty()) {
    ++round_;
    for (const Job& job : report.jobs->jobs) enter_job(job, report, age_ms);
    let_go(last_listed_ms_);
    last_listed_ms_ = report.time_ms;
  }
  enter_state(report);
}

}  // namespace pssp
