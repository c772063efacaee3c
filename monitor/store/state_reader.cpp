// For each block, a version of the tables uses the row with the largest number up to that version
// (table_writer.cpp). Only job_span.h decides whether a job ran in a window, so that the database
// and a file of jobs cannot disagree. The SQL query merely skips jobs that cannot have.

#include "monitor/store/state_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "monitor/jobs/job_span.h"
#include "monitor/store/database.h"
#include "wire/subnet/port_info.h"

namespace pssp {
namespace {

constexpr std::int64_t version_with_state = 3;

std::optional<std::int64_t> optional_number(const SQLite::Column& column) {
  if (column.isNull()) return std::nullopt;
  return column.getInt64();
}

StoredJob job_of(SQLite::Statement& row) {
  StoredJob stored;
  stored.key = row.getColumn(0).getInt64();
  stored.source = row.getColumn(1).getString();
  stored.job.id = as_bytes(row.getColumn(2));
  stored.job.name = as_bytes(row.getColumn(3));
  stored.job.user = as_bytes(row.getColumn(4));
  stored.job.state = as_bytes(row.getColumn(5));
  stored.job.start_s = optional_number(row.getColumn(6));
  stored.job.end_s = optional_number(row.getColumn(7));
  stored.seen_ms = row.getColumn(8).getInt64();
  stored.gone_ms = optional_number(row.getColumn(9));
  return stored;
}

bool is_wanted(const StoredJob& stored, const JobQuery& query) {
  const auto span = span_of(stored.job, stored.gone_ms);
  if (!span) return !query.only_begun && !stored.gone_ms;
  return span->since_ms < query.window.until_ms && span->until_ms > query.window.since_ms;
}

void read_nodes(SQLite::Statement& nodes, StoredJob& stored) {
  nodes.reset();
  nodes.bind(1, stored.key);
  while (nodes.executeStep()) {
    JobAdapter adapter;
    adapter.name = as_bytes(nodes.getColumn(0));
    if (!nodes.getColumn(1).isNull()) adapter.guid = as_unsigned(nodes.getColumn(1));
    if (stored.job.nodes.empty() || stored.job.nodes.back() != adapter.name) {
      stored.job.nodes.push_back(adapter.name);
    }
    stored.adapters.push_back(std::move(adapter));
  }
}

}  // namespace

struct StateReader::State {
  std::filesystem::path file;
  std::unique_ptr<SQLite::Database> database;

  /// Runs `action` in one read transaction. Returns an empty result if the version of the database
  /// has no such tables.
  template <class Action>
  auto call(const Action& action) const -> decltype(action(*database)) {
    try {
      SQLite::Transaction all(*database);
      if (number_of(*database, "PRAGMA user_version") < version_with_state) return {};
      return action(*database);
    } catch (const SQLite::Exception& error) {
      fail_to_read(file, error);
    }
  }
};

StateReader::StateReader(const std::filesystem::path& file) : state_(std::make_unique<State>()) {
  state_->file = file;
  state_->database = open_for_reading(file);
}

StateReader::~StateReader() = default;

std::vector<TableVersion> StateReader::table_versions(const TimeWindow& window) const {
  return state_->call([&](SQLite::Database& database) {
    SQLite::Statement select(
        database,
        "SELECT version, time_ms, seen_ms, switches, unread, changed_blocks FROM tables WHERE "
        "time_ms < ? AND version >= coalesce((SELECT max(version) FROM tables WHERE time_ms <= ?), "
        "0) ORDER BY version");
    SQLite::bind(select, window.until_ms, window.since_ms);
    std::vector<TableVersion> all;
    while (select.executeStep()) {
      all.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getInt64(),
                     select.getColumn(2).getInt64(), select.getColumn(3).getUInt(),
                     select.getColumn(4).getUInt(), select.getColumn(5).getUInt()});
    }
    return all;
  });
}

std::vector<StoredSwitchTable> StateReader::tables(std::int64_t version) const {
  return state_->call([&](SQLite::Database& database) {
    SQLite::Statement select(
        database,
        "SELECT guid, block, data FROM (SELECT node_id, block, hash, max(version) FROM table_block "
        "WHERE version <= ? GROUP BY node_id, block) JOIN lft_block USING(hash) JOIN node "
        "USING(node_id)");
    select.bind(1, version);
    std::map<Guid, std::vector<PortNumber>> by_guid;
    while (select.executeStep()) {
      std::vector<PortNumber>& entries = by_guid[as_unsigned(select.getColumn(0))];
      const auto begin =
          static_cast<std::size_t>(select.getColumn(1).getInt64()) * linear_block_size;
      const std::string_view bytes = as_bytes(select.getColumn(2));
      if (begin > last_unicast_lid) continue;
      constexpr PortNumber no_entry = 255;
      if (entries.size() < begin + bytes.size()) entries.resize(begin + bytes.size(), no_entry);
      std::copy(bytes.begin(), bytes.end(), entries.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    std::vector<StoredSwitchTable> all;
    all.reserve(by_guid.size());
    for (auto& [guid, entries] : by_guid) all.push_back({guid, std::move(entries)});
    return all;
  });
}

std::vector<StoredJob> StateReader::jobs(const JobQuery& query) const {
  return state_->call([&](SQLite::Database& database) {
    SQLite::Statement select(
        database, fmt::format("SELECT job_key, source, job_id, name, user, state, start_s, end_s, "
                              "seen_ms, gone_ms FROM job WHERE (gone_ms IS NULL OR gone_ms >= ?){} "
                              "ORDER BY job_key DESC",
                              query.id ? " AND job_id = ?" : ""));
    // A scheduler may stop listing a job shortly before its stated end.
    select.bind(
        1, query.window.since_ms < day_ms ? query.window.since_ms : query.window.since_ms - day_ms);
    if (query.id) bind_bytes(select, 2, *query.id);
    std::vector<StoredJob> all;
    while (all.size() < query.limit && select.executeStep()) {
      StoredJob stored = job_of(select);
      if (is_wanted(stored, query)) all.push_back(std::move(stored));
    }
    std::reverse(all.begin(), all.end());
    if (!query.with_nodes) return all;
    SQLite::Statement nodes(database,
                            "SELECT name, guid FROM job_node LEFT JOIN node USING(node_id) WHERE "
                            "job_key = ? ORDER BY place");
    for (StoredJob& stored : all) read_nodes(nodes, stored);
    return all;
  });
}

std::optional<JobSourceState> StateReader::job_source() const {
  return state_->call([&](SQLite::Database& database) -> std::optional<JobSourceState> {
    SQLite::Statement select(database,
                             "SELECT source, seen_ms, stale_since, problem FROM job_source ORDER "
                             "BY max(seen_ms, stale_since) DESC LIMIT 1");
    if (!select.executeStep()) return std::nullopt;
    return JobSourceState{select.getColumn(0).getString(), select.getColumn(1).getInt64(),
                          select.getColumn(2).getInt64(), select.getColumn(3).getString()};
  });
}

}  // namespace pssp
