// A sweep is one row of `sweep` and one row of `sample` per chunk of `chunk_ports` ports, in one
// transaction. The file numbers its own sweeps. It also has an age, which grows with the monotonic
// clock within a process and with the wall clock across a restart, but by at most one day. Neither
// a clock that jumps nor a machine that was off for a year makes the history look old.
//
// Differences of counters come from rates.h and refer to the sweep that this process wrote last. If
// a sweep was skipped or could not be written, the next difference covers the longer time. The
// first sweep after a restart has no differences. Every 60th row of a chunk and the first row of a
// process also hold the counter values, at different sweeps for different chunks so that all sweeps
// have similar sizes.

#include "monitor/store/history_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/digest.h"
#include "base/printable.h"
#include "base/wall_clock.h"
#include "fabric/formats/net_file_writer.h"
#include "monitor/counters/rates.h"
#include "monitor/store/database.h"
#include "monitor/store/downsample.h"
#include "monitor/store/job_writer.h"
#include "monitor/store/lock_file.h"
#include "monitor/store/map_codec.h"
#include "monitor/store/port_register.h"
#include "monitor/store/reroute_rows.h"
#include "monitor/store/retention.h"
#include "monitor/store/sample_codec.h"
#include "monitor/store/table_writer.h"
#include "monitor/store/taken_back.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

constexpr std::uint64_t sweeps_between_values = 60;
constexpr std::int64_t longest_pause_ms = day_ms;
constexpr std::chrono::milliseconds longest_step{40};

MonitorEvent event_of(EventKind kind, std::int64_t time_ms, std::string text) {
  MonitorEvent event;
  event.kind = kind;
  event.time_ms = time_ms;
  event.text = std::move(text);
  return event;
}

std::int64_t rounded_ms(std::uint64_t ns) noexcept {
  return static_cast<std::int64_t>((ns + 500'000) / 1'000'000);
}

/// Converts the state of a port in a snapshot to the form of a row.
void fill(PortSample& sample, const Snapshot& snapshot, std::uint32_t port,
          const PortDifference& difference) {
  sample.present = true;
  sample.status = snapshot.status[port];
  if (sample.status != PortStatus::read) return;
  sample.known = snapshot.known[port] & all_counters;
  sample.saturated = snapshot.saturated[port] & sample.known;
  std::copy_n(snapshot.counters(port).begin(), counter_count, sample.value.begin());
  if (difference.ns == 0) return;
  sample.held = difference.known & sample.known & ~sample.saturated;
  if (sample.held == 0) return;
  sample.covered_ms =
      static_cast<std::uint64_t>(std::max<std::int64_t>(1, rounded_ms(difference.ns)));
  sample.delta = difference.delta;
  for (std::size_t at = 0; at < counter_count; ++at) {
    if ((sample.held >> at & 1U) == 0) sample.delta[at] = 0;
  }
}

}  // namespace

/// An open file with its statements and caches.
class HistoryWriter::OpenHistory {
 public:
  explicit OpenHistory(const HistoryOptions& options)
      : file_(options.file),
        database_(open_for_writing(options)),
        identity_(identity_of(file_).value_or(FileIdentity{})),
        ports_(*database_),
        tables_(*database_, ports_),
        jobs_(*database_, ports_, options.node_names, options.hide_users),
        downsampler_(*database_),
        taken_back_(*database_, downsampler_, ports_),
        retention_(*database_, options),
        insert_sweep_(*database_, "INSERT INTO sweep VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        insert_sample_(*database_, "INSERT INTO sample(place, data) VALUES(?, ?)"),
        insert_event_(*database_,
                      "INSERT INTO event(time_ms, kind, node_guid, port_number, text, age_ms) "
                      "VALUES(?, ?, ?, ?, ?, ?)") {
    SQLite::Statement last(
        *database_, "SELECT sweep_id, time_ms, age_ms FROM sweep ORDER BY sweep_id DESC LIMIT 1");
    if (!last.executeStep()) return;
    last_sweep_ = as_unsigned(last.getColumn(0));
    last_time_ms_ = last.getColumn(1).getInt64();
    age_ms_ = last.getColumn(2).getInt64();
  }
  OpenHistory(const OpenHistory&) = delete;
  OpenHistory& operator=(const OpenHistory&) = delete;
  ~OpenHistory();

  void write(const SnapshotPointer& snapshot, std::span<const MonitorEvent> events);
  void write(std::span<const MonitorEvent> events);
  void write_verdicts(std::span<const VerdictRecord> records, std::int64_t kept_ms);
  void write_reroutes(std::span<const RerouteRecord> records, std::int64_t kept_ms);
  void write_notified(std::span<const NotifiedRecord> records);
  bool write(const LiveTables& tables);
  bool write(const JobReport& report);
  bool maintain();
  bool is_in_place();
  const FileIdentity& identity() const noexcept { return identity_; }
  std::uint64_t bytes() { return used_bytes(*database_); }
  std::uint64_t last_sweep() const noexcept { return last_sweep_; }

 private:
  std::int64_t age_at(const Snapshot& snapshot) const;
  void enter_map(const Snapshot& snapshot);
  void insert_sweep(const Snapshot& snapshot, std::int64_t sweep, std::int64_t age);
  void insert_samples(const Snapshot& snapshot, std::int64_t sweep);
  void insert_event(const MonitorEvent& event);

  const std::filesystem::path file_;
  std::unique_ptr<SQLite::Database> database_;
  const FileIdentity identity_;
  // identity of the write-ahead log while the file was in its place
  std::optional<FileIdentity> log_;
  PortRegister ports_;
  TableWriter tables_;
  JobWriter jobs_;
  Downsampler downsampler_;
  TakenBack taken_back_;
  Retention retention_;
  SQLite::Statement insert_sweep_, insert_sample_, insert_event_;
  SnapshotPointer previous_;  // the snapshot that this process wrote last
  std::shared_ptr<const FabricMap> map_;
  std::int64_t generation_ = 0;
  std::uint64_t last_sweep_ = 0;
  std::int64_t last_time_ms_ = 0, age_ms_ = 0;
  std::vector<PortSample> chunk_;
  std::size_t reported_unreadable_ = 0;
};

bool HistoryWriter::OpenHistory::is_in_place() {
  if (identity_of(file_) != identity_) return false;
  log_ = identity_of(file_.string() + "-wal");
  return true;
}

/// If the database was renamed without its log, the log is still under the old name, where a new
/// database would find it. Its content must be copied into the database that it belongs to. If
/// another database replaced the file, a log under that name may belong to the new database and
/// must not be touched.
HistoryWriter::OpenHistory::~OpenHistory() {
  if (identity_of(file_) == identity_) return;
  const std::optional<FileIdentity> log = identity_of(file_.string() + "-wal");
  if (log && log != log_) {
    leave_log_alone(*database_);
  } else {
    // Closing the database also does this, but only while nobody reads it.
    database_->tryExec("PRAGMA wal_checkpoint(PASSIVE)");
  }
}

std::int64_t HistoryWriter::OpenHistory::age_at(const Snapshot& snapshot) const {
  if (last_sweep_ == 0) return 0;
  const std::int64_t passed =
      previous_ ? (snapshot.begin_ns - previous_->begin_ns) / 1'000'000
                : std::clamp<std::int64_t>(snapshot.time_ms - last_time_ms_, 0, longest_pause_ms);
  return age_ms_ + std::max<std::int64_t>(passed, 0);
}

/// Stores the map if it differs from that of the previous sweep. Maps with the same content are
/// stored once.
void HistoryWriter::OpenHistory::enter_map(const Snapshot& snapshot) {
  if (snapshot.map == map_) return;
  ports_.enter(*snapshot.map, snapshot.time_ms);
  const std::string blob = encode_map(*snapshot.map);
  Digest digest;
  digest.add_text(blob);
  const std::int64_t hash = as_sql(digest.value()[0]);
  SQLite::Statement find(*database_, "SELECT generation FROM topology WHERE hash = ?");
  find.bind(1, hash);
  std::int64_t generation = 0;
  if (find.executeStep()) {
    generation = find.getColumn(0).getInt64();
  } else {
    SQLite::Statement insert(*database_, "INSERT INTO topology(hash, map, net) VALUES(?, ?, ?)");
    insert.bind(1, hash);
    bind_bytes(insert, 2, blob);
    const std::string net =
        snapshot.map->fabric ? packed(to_net_file(*snapshot.map->fabric)) : std::string{};
    if (!net.empty()) bind_bytes(insert, 3, net);
    insert.exec();
    generation = database_->getLastInsertRowid();
  }
  if (generation != generation_) {
    SQLite::Statement use(*database_, "INSERT INTO topology_use VALUES(?, ?)");
    run_once_more(use, snapshot.time_ms, generation);
  }
  generation_ = generation;
  map_ = snapshot.map;
}

void HistoryWriter::OpenHistory::insert_sweep(const Snapshot& snapshot, std::int64_t sweep,
                                              std::int64_t age) {
  const SweepFigures& figures = snapshot.figures;
  run_once_more(insert_sweep_, sweep, snapshot.time_ms, age, as_sql(figures.duration_ns / 1'000),
                generation_, figures.asked, figures.answered, as_sql(figures.mads),
                as_sql(figures.timed_out), as_sql(figures.implausible), figures.late ? 1 : 0);
}

void HistoryWriter::OpenHistory::insert_samples(const Snapshot& snapshot, std::int64_t sweep) {
  std::vector<PortDifference> differences_of_ports;
  if (previous_) differences_of_ports = differences(*previous_, snapshot);
  static const PortDifference none;
  const std::vector<std::uint32_t>& map_ports = ports_.map_ports();
  for (std::size_t chunk = 0; chunk * chunk_ports < map_ports.size(); ++chunk) {
    const std::size_t first = chunk * chunk_ports;
    chunk_.assign(std::min(chunk_ports, map_ports.size() - first), PortSample{});
    for (std::size_t at = 0; at < chunk_.size(); ++at) {
      const std::uint32_t port = map_ports[first + at];
      if (port == PortRegister::not_in_map) continue;
      fill(chunk_[at], snapshot, port,
           differences_of_ports.empty() ? none : differences_of_ports[port]);
    }
    const bool absolute =
        !previous_ || (static_cast<std::uint64_t>(sweep) + chunk) % sweeps_between_values == 0;
    const std::string data = encode_samples(chunk_, absolute);
    insert_sample_.reset();
    insert_sample_.bind(1, place_of(sweep, chunk));
    bind_bytes(insert_sample_, 2, data);
    insert_sample_.exec();
  }
}

void HistoryWriter::OpenHistory::insert_event(const MonitorEvent& event) {
  insert_event_.reset();
  insert_event_.clearBindings();
  insert_event_.bind(1, event.time_ms);
  insert_event_.bind(2, std::string(name_of(event.kind)));
  if (event.node != 0) insert_event_.bind(3, as_sql(event.node));
  if (event.port != 0) insert_event_.bind(4, static_cast<int>(event.port));
  insert_event_.bind(5, event.text);
  insert_event_.bind(6, age_ms_);
  insert_event_.exec();
}

void HistoryWriter::OpenHistory::write(const SnapshotPointer& snapshot,
                                       std::span<const MonitorEvent> events) {
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  enter_map(*snapshot);
  const auto sweep = static_cast<std::int64_t>(last_sweep_ + 1);
  const std::int64_t age = age_at(*snapshot);
  insert_sweep(*snapshot, sweep, age);
  insert_samples(*snapshot, sweep);
  taken_back_.written(snapshot->sweep, sweep);
  taken_back_.apply(events);
  for (const MonitorEvent& event : events) insert_event(event);
  all.commit();
  ++last_sweep_;
  last_time_ms_ = snapshot->time_ms;
  age_ms_ = age;
  previous_ = snapshot;
}

void HistoryWriter::OpenHistory::write(std::span<const MonitorEvent> events) {
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  taken_back_.apply(events);
  for (const MonitorEvent& event : events) insert_event(event);
  all.commit();
}

void HistoryWriter::OpenHistory::write_verdicts(std::span<const VerdictRecord> records,
                                                std::int64_t kept_ms) {
  std::int64_t newest_ms = 0;
  for (const VerdictRecord& each : records) newest_ms = std::max(newest_ms, each.since_ms);
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  write_verdict_rows(*database_, records, newest_ms - kept_ms);
  all.commit();
}

void HistoryWriter::OpenHistory::write_reroutes(std::span<const RerouteRecord> records,
                                                std::int64_t kept_ms) {
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  write_reroute_rows(*database_, records, records.back().begin_ms - kept_ms);
  all.commit();
}

void HistoryWriter::OpenHistory::write_notified(std::span<const NotifiedRecord> records) {
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  write_notified_rows(*database_, records);
  all.commit();
}

bool HistoryWriter::OpenHistory::write(const LiveTables& tables) {
  if (!map_) return false;
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  tables_.enter(tables, generation_, age_ms_);
  all.commit();
  return true;
}

bool HistoryWriter::OpenHistory::write(const JobReport& report) {
  if (!map_) return false;
  SQLite::Transaction all(*database_, SQLite::TransactionBehavior::IMMEDIATE);
  jobs_.enter(report, map_, age_ms_);
  all.commit();
  return true;
}

bool HistoryWriter::OpenHistory::maintain() {
  const bool worked = downsampler_.step(longest_step) || retention_.step(longest_step);
  std::vector<MonitorEvent> events = retention_.take_events();
  if (downsampler_.unreadable_rows() > reported_unreadable_) {
    events.push_back(
        event_of(EventKind::history_unreadable, last_time_ms_,
                 fmt::format("{} damaged rows of the database were skipped and leave gaps",
                             downsampler_.unreadable_rows() - reported_unreadable_)));
    reported_unreadable_ = downsampler_.unreadable_rows();
  }
  if (!events.empty()) write(events);
  return worked;
}

struct HistoryWriter::State {
  explicit State(HistoryOptions given) : options(std::move(given)), lock(options.file) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (history == nullptr) return;
    const FileIdentity identity = history->identity();
    history.reset();
    // The descriptor that check_file() keeps would otherwise occupy the disk space of a deleted
    // file.
    if (identity_of(options.file) != identity) forget_check(identity);
  }

  HistoryOptions options;
  LockFile lock;
  std::unique_ptr<OpenHistory> history;
  std::string damaged_copy;

  HistoryFailure failure(const SQLite::Exception& error) const {
    return HistoryFailure(fmt::format(
        "{}: cannot be written: {}; check whether the disk is full or the file is write-protected",
        excerpt(options.file.string()), error.what()));
  }

  void open() {
    try {
      history = std::make_unique<OpenHistory>(options);
    } catch (const SQLite::Exception& error) {
      if (!is_damage(error)) throw failure(error);
      restart(error.what());
    }
  }

  void restart(const std::string& damage) {
    history.reset();
    damaged_copy = set_aside(options.file);
    try {
      history = std::make_unique<OpenHistory>(options);
      const MonitorEvent event =
          event_of(EventKind::history_damaged, wall_clock_ms(),
                   fmt::format("the database was damaged ({}) and was renamed to {}",
                               excerpt(damage), excerpt(damaged_copy)));
      history->write({&event, 1});
    } catch (const SQLite::Exception& error) {
      throw failure(error);
    }
  }

  /// Runs `action` on the open file. If the file turns out to be damaged, sets it aside and runs
  /// `action` on a new one.
  template <class Action>
  void with_history(const Action& action) {
    try {
      action(*history);
    } catch (const SQLite::Exception& error) {
      if (!is_damage(error)) throw failure(error);
      restart(error.what());
      try {
        action(*history);
      } catch (const SQLite::Exception& again) {
        throw failure(again);
      }
    }
  }
};

HistoryWriter::HistoryWriter(HistoryOptions options) {
  // This check comes first, so that no file is created beside one that belongs to another program.
  check_file(options.file);
  state_ = std::make_unique<State>(std::move(options));
  state_->open();
}

HistoryWriter::~HistoryWriter() = default;

void HistoryWriter::write(const SnapshotPointer& snapshot, std::span<const MonitorEvent> events) {
  state_->with_history([&](OpenHistory& history) { history.write(snapshot, events); });
}

void HistoryWriter::write(std::span<const MonitorEvent> events) {
  if (events.empty()) return;
  state_->with_history([&](OpenHistory& history) { history.write(events); });
}

void HistoryWriter::write_verdicts(std::span<const VerdictRecord> records) {
  if (records.empty()) return;
  const std::int64_t kept_ms = state_->options.longest_kept_ms();
  state_->with_history([&](OpenHistory& history) { history.write_verdicts(records, kept_ms); });
}

void HistoryWriter::write_reroutes(std::span<const RerouteRecord> records) {
  if (records.empty()) return;
  const std::int64_t kept_ms = state_->options.longest_kept_ms();
  state_->with_history([&](OpenHistory& history) { history.write_reroutes(records, kept_ms); });
}

void HistoryWriter::write_notified(std::span<const NotifiedRecord> records) {
  if (records.empty()) return;
  state_->with_history([&](OpenHistory& history) { history.write_notified(records); });
}

bool HistoryWriter::write(const LiveTables& tables) {
  bool written = false;
  state_->with_history([&](OpenHistory& history) { written = history.write(tables); });
  return written;
}

bool HistoryWriter::write(const JobReport& report) {
  bool written = false;
  state_->with_history([&](OpenHistory& history) { written = history.write(report); });
  return written;
}

bool HistoryWriter::maintain(std::chrono::milliseconds budget) {
  const auto deadline = std::chrono::steady_clock::now() + budget;
  bool more = true;
  while (more && std::chrono::steady_clock::now() < deadline) {
    state_->with_history([&](OpenHistory& history) { more = history.maintain(); });
  }
  return more;
}

void HistoryWriter::set_limits(const HistoryOptions& limits) {
  state_->options.max_bytes = limits.max_bytes;
  state_->options.raw_hours = limits.raw_hours;
  state_->options.five_minutes_days = limits.five_minutes_days;
  state_->options.hours_days = limits.hours_days;
}

bool HistoryWriter::is_in_place() const {
  return state_->history != nullptr && state_->history->is_in_place();
}

std::uint64_t HistoryWriter::bytes() const {
  std::uint64_t size = 0;
  state_->with_history([&](OpenHistory& history) { size = history.bytes(); });
  return size;
}

std::uint64_t HistoryWriter::last_sweep() const { return state_->history->last_sweep(); }

const std::string& HistoryWriter::damaged_copy() const { return state_->damaged_copy; }

}  // namespace pssp
