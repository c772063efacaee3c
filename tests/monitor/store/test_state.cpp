// Tables and jobs are read as they were at a given time, also across restarts. Databases of version
// 1 have neither and are migrated.

#include <SQLiteCpp/SQLiteCpp.h>

#include <catch2/catch.hpp>

#include "base/error.h"
#include "monitor/store/database.h"
#include "monitor/store/history_writer.h"
#include "monitor/store/state_reader.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

HistoryOptions state_file_in(const test::TemporaryFolder& folder) {
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  return options;
}

/// Tables with different entries at different switches.
LiveTables tables_at(const FabricMap& map, std::int64_t time_ms, PortNumber salt) {
  LiveTables tables;
  tables.map = std::make_shared<const FabricMap>(map);
  tables.time_ms = time_ms;
  tables.by_node.resize(map.nodes.size());
  for (std::size_t n = 0; n < map.nodes.size(); ++n) {
    if (map.nodes[n].kind != NodeKind::switch_node) continue;
    tables.by_node[n].assign(128, static_cast<PortNumber>(n % 3 + 1));
    tables.by_node[n][100] = salt;
    ++tables.switches;
  }
  tables.hash = 1000U + salt;
  return tables;
}

Job job_on(std::string id, std::vector<std::string> nodes) {
  Job job;
  job.id = std::move(id);
  job.state = "RUNNING";
  job.start_s = 1'700'000'000;
  job.nodes = std::move(nodes);
  return job;
}

JobReport report_of(std::vector<Job> jobs, std::int64_t time_ms) {
  auto list = std::make_shared<JobList>();
  list->jobs = std::move(jobs);
  JobReport report;
  report.source = "slurm";
  report.time_ms = time_ms;
  report.jobs = list;
  return report;
}

JobQuery since(std::int64_t since_ms) {
  JobQuery query;
  query.window.since_ms = since_ms;
  return query;
}

std::int64_t count_of(const HistoryOptions& options, const std::string& what) {
  SQLite::Database database(options.file.string());
  return number_of(database, ("SELECT count(*) FROM " + what).c_str());
}

TEST_CASE("hidden user names are not stored, and stored ones are removed") {
  test::TemporaryFolder folder;
  HistoryOptions options = state_file_in(folder);
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  Job job = job_on("17", {"n0"});
  job.user = "anna";
  const auto write = [&] {
    HistoryWriter writer(options);
    writer.write(fabric.sweep());
    writer.write(report_of({job}, fabric.sweep()->time_ms));
  };
  write();
  CHECK(count_of(options, "job WHERE user = CAST('anna' AS BLOB)") == 1);
  options.hide_users = true;
  job.id = "18";
  write();
  CHECK(count_of(options, "job") == 2);
  CHECK(count_of(options, "job WHERE length(user) > 0") == 0);
  CHECK(StateReader(options.file).jobs({}).front().job.user.empty());
}

TEST_CASE("the tables of each time are read back, and equal blocks are stored once") {
  test::TemporaryFolder folder;
  const HistoryOptions options = state_file_in(folder);
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  const FabricMap map = fabric.map();
  {
    HistoryWriter writer(options);
    CHECK_FALSE(writer.write(tables_at(map, 900, 7)));  // refused: no node is known yet
    writer.write(fabric.sweep());
    CHECK(writer.write(tables_at(map, 1000, 7)));
    CHECK(writer.write(tables_at(map, 2000, 7)));
  }
  {
    HistoryWriter writer(options);
    writer.write(fabric.sweep());
    CHECK(writer.write(tables_at(map, 3000, 7)));
    CHECK(writer.write(tables_at(map, 4000, 9)));
    LiveTables unread = tables_at(map, 5000, 9);
    unread.by_node[static_cast<std::size_t>(map.find_node(map.nodes[0].guid).value())].clear();
    unread.hash = 77;
    CHECK(writer.write(unread));
  }
  const StateReader reader(options.file);
  const std::vector<TableVersion> versions = reader.table_versions({});
  REQUIRE(versions.size() == 2);
  CHECK(versions[0].time_ms == 1000);
  CHECK(versions[0].seen_ms == 3000);
  CHECK(versions[1].seen_ms == 5000);
  CHECK(versions[1].changed_blocks == 8);  // the second block of each switch
  CHECK(reader.table_versions({0, 4000}).size() == 1);
  CHECK(reader.table_versions({3500}).size() == 2);
  CHECK(reader.table_versions({4000}).size() == 1);
  for (const auto& [version, salt] : {std::pair(1, 7), std::pair(2, 9)}) {
    const auto tables = reader.tables(version);
    REQUIRE(tables.size() == 8);
    for (const StoredSwitchTable& each : tables) {
      const std::size_t n = *map.find_node(each.guid);
      REQUIRE(each.entries.size() == 128);
      CHECK(each.entries[100] == salt);
      CHECK(each.entries[5] == n % 3 + 1);
    }
  }
  CHECK(count_of(options, "lft_block") == 9);
  CHECK(count_of(options, "table_block") == 16 + 8);
}

TEST_CASE("jobs are stored with their nodes and with the time when they were last listed") {
  test::TemporaryFolder folder;
  const HistoryOptions options = state_file_in(folder);
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  std::vector<Guid> adapters;
  for (MapNode& node : fabric.map().nodes) {
    if (node.kind != NodeKind::channel_adapter || adapters.size() == 3) continue;
    adapters.push_back(node.guid);
    // The second and the third adapter belong to one node.
    node.description = adapters.size() == 1 ? "Alpha HCA-1" : "beta.cluster mlx5_0";
  }
  const std::string hostile = "a|b <x>\"\x1b]0;\xff";
  {
    HistoryWriter writer(options);
    writer.write(fabric.sweep());
    Job second = job_on("2", {"beta", "nobody"});
    second.name = hostile;
    CHECK(writer.write(report_of({job_on("1", {"alpha"}), second}, 1'700'000'010'000)));
    CHECK(writer.write(report_of({second}, 1'700'000'020'000)));
  }
  {
    const StateReader reader(options.file);
    const auto jobs = reader.jobs({});
    REQUIRE(jobs.size() == 2);
    CHECK(jobs[0].job.id == "1");
    CHECK(jobs[0].gone_ms == 1'700'000'010'000);
    REQUIRE(jobs[1].adapters.size() == 3);
    CHECK(jobs[1].job.name == hostile);
    CHECK(jobs[1].adapters[0].guid == adapters[1]);
    CHECK(jobs[1].adapters[1].guid == adapters[2]);
    CHECK(jobs[1].adapters[2].guid == 0);
    CHECK(jobs[1].job.nodes == std::vector<std::string>{"beta", "nobody"});
    CHECK_FALSE(jobs[1].gone_ms);
    CHECK(reader.jobs(since(1'700'000'015'000)).size() == 1);
    JobQuery of_one;
    of_one.id = "2";
    CHECK(reader.jobs(of_one).size() == 1);
    of_one.id = "2' OR 1";
    CHECK(reader.jobs(of_one).empty());
    CHECK(reader.job_source()->stale_since_ms == 0);
  }
  // The scheduler does not answer: its jobs stay listed, and a new process recognizes them.
  HistoryWriter writer(options);
  writer.write(fabric.sweep());
  JobReport silent;
  silent.source = "slurm";
  silent.problem = "squeue: no answer";
  silent.stale_since_ms = 1'700'000'030'000;
  CHECK(writer.write(silent));
  const StateReader reader(options.file);
  CHECK(reader.jobs(since(1'700'000'025'000)).size() == 1);
  CHECK(reader.job_source()->problem == silent.problem);
  CHECK(reader.job_source()->seen_ms == 1'700'000'020'000);
  Job again = job_on("2", {"beta", "nobody"});
  again.state = "COMPLETED";
  again.end_s = 1'700'000'035;
  Job reused = job_on("1", {"alpha"});
  reused.start_s = 1'700'000'036;
  CHECK(writer.write(report_of({again, reused}, 1'700'000'040'000)));
  CHECK(reader.jobs({}).size() == 3);
  CHECK(reader.jobs(since(1'700'000'035'000)).size() == 1);
  CHECK(reader.job_source()->stale_since_ms == 0);
}

TEST_CASE("a database of version 1 is readable, and is migrated for tables and jobs") {
  test::TemporaryFolder folder;
  const HistoryOptions options = state_file_in(folder);
  SyntheticFabric fabric("k-ary-n-tree 4 2");
  {
    SQLite::Database first(options.file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    migrate(first, options.file, history_migrations().first(1));
    CHECK(number_of(first, "PRAGMA user_version") == 1);
    CHECK(number_of(first, "SELECT count(*) FROM sqlite_master WHERE name = 'job'") == 0);
    first.exec(
        "INSERT INTO topology(hash, map) VALUES(1, x'00'); INSERT INTO topology_use VALUES(5, 1);"
        "INSERT INTO sweep VALUES(1, 5, 0, 1, 1, 2, 2, 3, 0, 0, 0);"
        "INSERT INTO event(time_ms, age_ms, kind, text) VALUES(5, 0, 'link_downed', 'x')");
  }
  {
    const StateReader old(options.file);
    CHECK(old.jobs({}).empty());
    CHECK(old.table_versions({}).empty());
    CHECK_FALSE(old.job_source());
    CHECK(HistoryReader(options.file).status().sweeps == 1);
  }
  {
    HistoryWriter writer(options);
    writer.write(fabric.sweep());
    CHECK(writer.write(report_of({job_on("1", {"x"})}, 1'700'000'010'000)));
    CHECK(writer.last_sweep() == 2);
  }
  SQLite::Database now(options.file.string());
  CHECK(number_of(now, "PRAGMA user_version") == history_migrations().back().to);
  CHECK(HistoryReader(options.file).events({}).size() == 1);
  CHECK(StateReader(options.file).jobs({}).size() == 1);
  CHECK(HistoryReader(options.file.string() + ".before-v2").status().sweeps == 1);
}

}  // namespace
}  // namespace pssp
