// Database files that belong to another program, are too new, damaged or replaced, and full disks.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <thread>

#include "base/error.h"
#include "base/file_io.h"
#include "monitor/store/database.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/history_thread.h"
#include "monitor/store/history_writer.h"
#include "monitor/store/recordings.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

namespace pssp {
namespace {

using namespace std::chrono_literals;
using Catch::Contains;

constexpr const char* fabric_of_test = "k-ary-n-tree 4 2";

HistoryOptions options_in(const test::TemporaryFolder& folder) {
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  return options;
}

void write_sweeps(const HistoryOptions& options, int sweeps, SyntheticFabric& fabric) {
  HistoryWriter writer(options);
  for (int i = 0; i < sweeps; ++i) writer.write(fabric.sweep());
}

std::vector<std::string> names_in(const test::TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    names.push_back(entry.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ErrorKind kind_of_refusal(const HistoryOptions& options, const std::string& words) {
  try {
    HistoryWriter writer(options);
  } catch (const Error& error) {
    CHECK_THAT(error.what(), Contains(words));
    return error.kind();
  }
  FAIL("it was not refused");
  return ErrorKind::internal;
}

/// Whether another process sees a lock of this process on the bytes of the file that SQLite locks.
/// A child does not inherit locks, so it serves as the other process.
bool others_see_locks(const std::filesystem::path& file) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr off_t shared_bytes = 0x40000002, count = 510;  // SQLite's file format, "locking"
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = shared_bytes;
    lock.l_len = count;
    const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
    const bool is_asked = descriptor >= 0 && fcntl(descriptor, F_GETLK, &lock) == 0;
    _exit(!is_asked ? 2 : lock.l_type == F_UNLCK ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) != 2);
  return WEXITSTATUS(status) == 1;
}

// Regression test. Closing another descriptor of the file released the locks of the writer. The
// next program that closed the database then considered itself the last user and removed the log,
// so everything that the writer wrote afterwards was lost.
TEST_CASE("inspecting the database of an open writer does not release its locks") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  HistoryWriter writer(options);
  writer.write(fabric.sweep());
  CHECK(others_see_locks(options.file));
  for (int i = 0; i < 3; ++i) {
    CHECK(check_file(options.file) == FileState::ours);
    CHECK(HistoryReader(options.file).status().newest_ms != 0);
    CHECK(read_recordings(options.file, 1).empty());
    CHECK(others_see_locks(options.file));
    writer.write(fabric.sweep());
  }
  CHECK(others_see_locks(options.file));
}

TEST_CASE("files of other programs are refused and not changed, without new files beside them") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  const auto refused = [&](const std::string& words) {
    const std::string before = read_file(options.file);
    CHECK(kind_of_refusal(options, words) == ErrorKind::unreadable_input);
    CHECK_THROWS_AS(HistoryReader(options.file), Error);
    CHECK(read_file(options.file) == before);
    CHECK(names_in(folder) == std::vector<std::string>{"history.db"});
  };
  SECTION("a short text") {
    write_file(options.file, std::string_view("Dear diary"));
    refused("not an SQLite database");
  }
  SECTION("a long text") {
    write_file(options.file, std::string(10'000, 'x'));
    refused("not an SQLite database");
  }
  SECTION("another program's database") {
    SQLite::Database(options.file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
        .exec("CREATE TABLE songs(name)");
    refused("another program");
  }
  SECTION("a folder") {
    std::filesystem::create_directory(options.file);
    CHECK(kind_of_refusal(options, "not a regular file") == ErrorKind::unreadable_input);
  }
}

TEST_CASE("a database of a newer version is refused and not changed") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 2, fabric);
  SQLite::Database(options.file.string(), SQLite::OPEN_READWRITE)
      .exec("PRAGMA user_version = 99; PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string before = read_file(options.file);
  CHECK(kind_of_refusal(options, "version 99") == ErrorKind::unreadable_input);
  CHECK_THROWS_WITH(HistoryReader(options.file), Contains("newer version"));
  CHECK(read_file(options.file) == before);
}

TEST_CASE(
    "a missing folder is an output error for writers, and a missing file an error for readers") {
  HistoryOptions options;
  options.file = "/nonexistent/history.db";
  CHECK(kind_of_refusal(options, "the folder of the database must exist") == ErrorKind::output);
  CHECK_THROWS_WITH(HistoryReader(options.file), Contains("no such database"));
}

TEST_CASE("a second writer is refused with the process ID of the first", "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  HistoryWriter first(options);
  CHECK(kind_of_refusal(options, std::to_string(getpid())) == ErrorKind::output);
  SyntheticFabric fabric(fabric_of_test);
  first.write(fabric.sweep());
  CHECK(HistoryReader(options.file).status().sweeps == 1);
}

TEST_CASE("migrations run once each, in order, after a backup") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 3, fabric);
  const std::int64_t now = history_migrations().back().to;
  const std::array<Migration, 3> steps{
      {{now, "CREATE TABLE never(x)"},
       {now + 1, "CREATE TABLE second(x); INSERT INTO second VALUES(2)"},
       {now + 2, "ALTER TABLE second ADD COLUMN y DEFAULT 3"}}};
  {
    SQLite::Database database(options.file.string(), SQLite::OPEN_READWRITE);
    migrate(database, options.file, steps);
    CHECK(number_of(database, "SELECT x * 10 + y FROM second") == 23);
    CHECK(number_of(database, "PRAGMA user_version") == now + 2);
    CHECK(number_of(database, "SELECT count(*) FROM sweep") == 3);
    migrate(database, options.file, steps);
    CHECK(number_of(database, "SELECT count(*) FROM second") == 1);
  }
  const HistoryReader copy(options.file.string() + ".before-v" + std::to_string(now + 1));
  CHECK(copy.status().sweeps == 3);
}

TEST_CASE("a migration that fails keeps the previous version") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 1, fabric);
  const std::int64_t now = history_migrations().back().to;
  const std::array<Migration, 3> steps{{{now, ""},
                                        {now + 1, "CREATE TABLE second(x)"},
                                        {now + 2, "CREATE TABLE third(x); nonsense"}}};
  SQLite::Database database(options.file.string(), SQLite::OPEN_READWRITE);
  CHECK_THROWS_AS(migrate(database, options.file, steps), SQLite::Exception);
  CHECK(number_of(database, "PRAGMA user_version") == now + 1);
  CHECK(number_of(database, "SELECT count(*) FROM sqlite_master WHERE name = 'third'") == 0);
}

TEST_CASE("a damaged database is set aside and a new one is created", "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 20, fabric);
  {
    std::fstream file(options.file, std::ios::in | std::ios::out | std::ios::binary);
    const auto size = static_cast<std::streamoff>(std::filesystem::file_size(options.file));
    for (std::streamoff at = 32768; at + 64 < size; at += 512) {
      file.seekp(at);
      file << std::string(64, '\x5a');
    }
  }
  {
    HistoryWriter writer(options);
    CHECK_THAT(writer.damaged_copy(), Contains("history.db.damaged-"));
    CHECK(std::filesystem::exists(writer.damaged_copy()));
    writer.write(fabric.sweep());
    CHECK(writer.last_sweep() == 1);
  }
  const HistoryReader reader(options.file);
  REQUIRE(reader.events({}).size() == 1);
  CHECK(reader.events({}).front().kind == "history_damaged");
}

TEST_CASE("a damaged row of samples is a gap", "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 10, fabric);
  SQLite::Database(options.file.string(), SQLite::OPEN_READWRITE)
      .exec("UPDATE sample SET data = x'010203' WHERE sweep_id = 5");
  const SnapshotPointer sweep = fabric.sweep();
  const HistoryReader reader(options.file);
  const PortKey key{sweep->map->nodes[0].guid, 1};
  const PortHistory history = reader.port_history({key, {}, all_counters, 100, {}});
  CHECK(history.unreadable_rows == 1);
  CHECK(history.columns[0].gap.at(4));
  CHECK_FALSE(history.columns[0].gap.at(5));
}

TEST_CASE("a database in a read-only folder can be read") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(options, 3, fabric);
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  const HistoryReader reader(options.file);
  CHECK(reader.status().sweeps == 3);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

/// Limits the size of files while the object exists.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

 private:
  rlimit before_{};
};

/// Waits up to a minute, because other programs may keep the disk busy.
template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(1ms);
  }
  return false;
}

TEST_CASE("after a full disk, the history continues by itself and records the gap",
          "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  SyntheticFabric fabric(fabric_of_test);
  HistoryThread history(options);
  std::jthread thread([&](const std::stop_token& stop) { history.run(stop); });
  const auto offer = [&] {
    const HistoryState before = history.state();
    history.offer(fabric.sweep());
    return soon([&] {
      const HistoryState now = history.state();
      return now.written + now.skipped > before.written + before.skipped;
    });
  };
  REQUIRE(offer());
  CHECK(history.state().written == 1);
  {
    const SmallDisk disk(4096);
    for (int i = 0; i < 3; ++i) REQUIRE(offer());
    CHECK(history.state().written == 1);
    CHECK(history.state().skipped == 3);
    CHECK_THAT(history.state().problem, Contains("cannot be written"));
    MonitorEvent event;
    event.kind = EventKind::node_silent;
    history.add(event);
  }
  REQUIRE(offer());
  CHECK(history.state().written == 2);
  CHECK(history.state().problem.empty());
  thread.request_stop();
  thread.join();
  const HistoryReader reader(options.file);
  std::vector<std::string> kinds;
  for (const StoredEvent& event : reader.events({})) kinds.push_back(event.kind);
  std::sort(kinds.begin(), kinds.end());
  CHECK(kinds == std::vector<std::string>{"history_gap", "node_silent"});
  CHECK(reader.status().sweeps == 2);
}

/// A history thread that writes sweep by sweep.
struct RunningHistory {
  explicit RunningHistory(const HistoryOptions& options) : history(options) {}

  bool sweep() {
    const std::uint64_t before = history.state().written;
    history.offer(fabric.sweep());
    return soon([&] { return history.state().written > before; });
  }
  void end() {
    thread.request_stop();
    thread.join();
  }

  SyntheticFabric fabric{fabric_of_test};
  HistoryThread history;
  std::jthread thread{[this](const std::stop_token& stop) { history.run(stop); }};
};

std::vector<std::string> kinds_of_events(const std::filesystem::path& file) {
  std::vector<std::string> kinds;
  for (const StoredEvent& event : HistoryReader(file).events({})) kinds.push_back(event.kind);
  return kinds;
}

bool is_whole(const std::filesystem::path& file) {
  SQLite::Database database(file.string());
  SQLite::Statement check(database, "PRAGMA integrity_check");
  return check.executeStep() && check.getColumn(0).getString() == "ok";
}

const std::vector<std::string> one_replacement{"history_replaced"};

TEST_CASE("a removed history is created again", "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  RunningHistory running(options);
  REQUIRE(running.sweep());
  CHECK(running.history.state().replaced.empty());
  // A reader that has the file open, as web pages do.
  const HistoryReader reader(options.file);
  CHECK(reader.is_in_place());
  std::filesystem::remove(options.file);
  CHECK_FALSE(reader.is_in_place());
  REQUIRE(running.sweep());
  REQUIRE(running.sweep());
  CHECK_THAT(running.history.state().replaced, Contains("removed or renamed"));
  running.end();
  CHECK(HistoryReader(options.file).status().sweeps == 2);
  CHECK(kinds_of_events(options.file) == one_replacement);
}

TEST_CASE("a renamed history keeps its data, and a new one is created", "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  const std::filesystem::path moved = folder.path() / "moved.db";
  RunningHistory running(options);
  for (int i = 0; i < 3; ++i) REQUIRE(running.sweep());
  {
    const HistoryReader reader(options.file);
    CHECK(reader.status().sweeps == 3);
    std::filesystem::rename(options.file, moved);
    REQUIRE(running.sweep());
    // The reader closes after a new file has taken the place, and must not remove anything of the
    // new file.
  }
  REQUIRE(running.sweep());
  running.end();
  CHECK(HistoryReader(options.file).status().sweeps == 2);
  CHECK(is_whole(options.file));
  CHECK(kinds_of_events(options.file) == one_replacement);
  CHECK(HistoryReader(moved).status().sweeps == 3);
  CHECK(is_whole(moved));
}

TEST_CASE("a history that is replaced by another file is left, and the other file is continued",
          "[monitor][faults]") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  HistoryOptions other = options;
  other.file = folder.path() / "other.db";
  SyntheticFabric fabric(fabric_of_test);
  write_sweeps(other, 7, fabric);
  RunningHistory running(options);
  REQUIRE(running.sweep());
  // The log of the other file still has rows, because its writer was killed.
  SQLite::Database killed(other.file.string(), SQLite::OPEN_READWRITE);
  killed.exec("PRAGMA wal_autocheckpoint = 0; UPDATE sweep SET asked = 4711");
  for (const char* part : {"-wal", ""}) {
    std::filesystem::rename(options.file.string() + part,
                            (folder.path() / "moved.db").string() + part);
    std::filesystem::copy_file(other.file.string() + part, options.file.string() + part);
  }
  REQUIRE(running.sweep());
  running.end();
  CHECK(is_whole(options.file));
  const HistoryReader reader(options.file);
  CHECK(reader.status().sweeps == 8);
  CHECK(reader.sweeps({}).front().figures.asked == 4711);
  CHECK(kinds_of_events(options.file) == one_replacement);
}

TEST_CASE("a history is not readable by all users") {
  test::TemporaryFolder folder;
  const HistoryOptions options = options_in(folder);
  const mode_t before = umask(0);
  SyntheticFabric fabric(fabric_of_test);
  {
    HistoryWriter writer(options);
    writer.write(fabric.sweep());
    using std::filesystem::perms;
    for (const char* part : {"", "-wal", "-shm", ".lock"}) {
      INFO(part);
      CHECK(std::filesystem::status(options.file.string() + part).permissions() ==
            (perms::owner_read | perms::owner_write | perms::group_read));
    }
  }
  umask(before);
}

TEST_CASE("a slow writer skips sweeps, and writes queued sweeps at the end", "[monitor][faults]") {
  test::TemporaryFolder folder;
  SyntheticFabric fabric(fabric_of_test);
  HistoryThread history(options_in(folder));
  for (int i = 0; i < 5; ++i) history.offer(fabric.sweep());
  CHECK(history.state().skipped == 3);
  std::stop_source stop;
  stop.request_stop();
  history.run(stop.get_token());
  CHECK(history.state().written == 2);
  CHECK(HistoryReader(options_in(folder).file).status().sweeps == 2);
}

}  // namespace
}  // namespace pssp
