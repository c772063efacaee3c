#include "tools/monitor_fabric/daemon.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/foreign_text.h"
#include "base/text_lines.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/live/fabric_thread.h"
#include "monitor/server/http_server.h"
#include "monitor/store/history_thread.h"
#include "monitor/store/reroute_rows.h"
#include "monitor/store/verdict_rows.h"
#include "monitor/web/web_files.h"
#include "tools/kit/key_file.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/advice_desk.h"
#include "tools/monitor_fabric/capacity_output.h"
#include "tools/monitor_fabric/job_thread.h"
#include "tools/monitor_fabric/live_verdicts.h"
#include "tools/monitor_fabric/recording_switch.h"
#include "tools/monitor_fabric/reroute_output.h"
#include "tools/monitor_fabric/service_manager.h"
#include "tools/monitor_fabric/stored_history.h"
#include "tools/monitor_fabric/stored_jobs.h"
#include "tools/monitor_fabric/stored_recordings.h"

// Threads: the fabric's two, the history's, that of jobs, the web interface's two, and this one,
// which waits for signals. The sink below runs on the fabric thread; it computes what is shown of a
// sweep, hands the same pointer to the history, and never waits for either.
//
// Signals are blocked before any thread begins, so that none but this thread ever takes one.

namespace pssp {
namespace {

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string_view state_name(std::uint8_t state) {
  constexpr std::array<std::string_view, 4> names{"not active", "discovering", "standby", "master"};
  return state < names.size() ? names[state] : "unknown";
}

ShownManager shown_manager(const ManagerRecord& record, std::int64_t since_ms) {
  ShownManager shown;
  shown.guid = record.guid;
  shown.lid = record.lid;
  shown.priority = record.priority;
  shown.state = record.answered ? state_name(record.state) : "silent";
  shown.act_count = record.activity_count;
  shown.since_ms = since_ms;
  return shown;
}

/// Since when a manager is in its state; the list is short.
class ManagerTimes {
 public:
  std::int64_t since(const ShownManager& manager, std::int64_t seen_ms) {
    for (const auto& [guid, state, since_ms] : known_) {
      if (guid == manager.guid && state == manager.state) return since_ms;
    }
    std::erase_if(known_, [&](const Known& each) { return each.guid == manager.guid; });
    known_.push_back({manager.guid, manager.state, seen_ms});
    return seen_ms;
  }

 private:
  struct Known {
    Guid guid;
    std::string state;
    std::int64_t since_ms;
  };
  std::vector<Known> known_;
};

class DaemonSink final : public FabricSink {
 public:
  DaemonSink(LiveState& live, HistoryThread* history, CapacityOutput& capacities,
             RerouteOutput& reroutes, const MonitorConfiguration& configuration)
      : live_(live),
        capacities_(capacities),
        reroutes_(reroutes),
        settings_(configuration.verdicts),
        history_(history),
        database_(configuration.store.database),
        verdicts_(configuration.verdicts),
        maintenance_(configuration.verdicts.ignore_file) {
    verdicts_.set_maintenance(maintenance_.ports());
    if (history != nullptr) verdicts_.restore(read_standing_verdicts(database_));
    interval_s_ = configuration.sweep.interval_s;
    facts_.started_ms = now_ms();
  }

  void take_snapshot(SnapshotPointer snapshot) override {
    LiveFacts facts = facts_;
    facts.interval_s = interval_s_;
    facts.reroute_list = reroutes_.list();
    judge(snapshot, facts);
    if (history_ != nullptr) add_history(facts);
    add_jobs(facts);
    if (own_port_lost_) facts.problems.emplace_back("the monitor's own port is down");
    if (snapshot->figures.late) facts.problems.emplace_back("sweeps take longer than the interval");
    if (history_ != nullptr) history_->offer(snapshot);
    live_.publish(std::move(snapshot), std::move(facts));
  }

  void take_event(const MonitorEvent& event) override {
    if (event.kind == EventKind::tables_changed) ++facts_.reroutes;
    if (event.kind == EventKind::port_lost) own_port_lost_ = true;
    if (event.kind == EventKind::port_back) own_port_lost_ = false;
    if (event.until_sweep != 0) doubts_.push_back(event);
    Report("monitor_fabric").say(fmt::format("{}: {}", name_of(event.kind), event.text));
    live_.add_event(event);
    if (history_ != nullptr) history_->add(event);
  }

  void take_manager(const ManagerStatus& status) override {
    facts_.managers.clear();
    facts_.manager_changes = status.master_changes;
    if (status.master.lid != no_lid) add_manager(status.master, status.time_ms);
    for (const ManagerRecord& each : status.others) {
      if (each.lid != status.master.lid) add_manager(each, status.time_ms);
    }
  }

  void take_tables(LiveTablesPointer tables) override {
    verdicts_.set_tables(tables);
    reroutes_.take_tables(tables);
    if (history_ != nullptr) history_->offer(std::move(tables));
  }

  /// From the thread of jobs.
  void take_jobs(JobReportPointer report) {
    if (history_ != nullptr) history_->offer(report);
    reroutes_.take_jobs(report);
    const std::scoped_lock lock(jobs_mutex_);
    jobs_ = std::move(report);
  }
  /// From the threads that find out what is no matter of the fabric's own.
  void take_found_event(const MonitorEvent& event) {
    Report("monitor_fabric").say(fmt::format("{}: {}", name_of(event.kind), event.text));
    live_.add_event(event);
    if (history_ != nullptr) history_->add(event);
  }

  /// From any thread, and from the next sweep on.
  void change(const MonitorConfiguration& configuration) {
    interval_s_ = configuration.sweep.interval_s;
    const std::lock_guard lock(mutex_);
    limits_ = configuration.verdicts;
  }

 private:
  void add_manager(const ManagerRecord& record, std::int64_t seen_ms) {
    ShownManager shown = shown_manager(record, seen_ms);
    shown.since_ms = times_.since(shown, seen_ms);
    facts_.managers.push_back(std::move(shown));
  }

  /// From the second sweep on; before that nothing is known of any port.
  void judge(const SnapshotPointer& snapshot, LiveFacts& facts) {
    if (const auto ports = maintenance_.look()) verdicts_.set_maintenance(*ports);
    take_limits();
    for (const MonitorEvent& doubt : std::exchange(doubts_, {})) {
      verdicts_.forget(doubt.node, doubt.port);
    }
    verdicts_.add(snapshot);
    facts.has_verdicts = verdicts_.has_verdicts();
    for (const StandingVerdict& each : verdicts_.standing()) {
      facts.verdicts.push_back(shown_verdict(each));
    }
    facts.maintenance = shown_maintenance(maintenance_.ports(), snapshot->time_ms);
    if (!maintenance_.problem().empty()) facts.problems.push_back(maintenance_.problem());
    if (history_ != nullptr) history_->add_verdicts(verdicts_.take_changes());
    if (!capacities_.is_wanted() || !verdicts_.has_verdicts()) return;
    capacities_.offer(plan_capacities(*snapshot->map, verdicts_.records(), settings_),
                      snapshot->time_ms);
    if (!capacities_.problem().empty()) facts.problems.push_back(capacities_.problem());
  }

  void take_limits() {
    const std::lock_guard lock(mutex_);
    if (limits_) verdicts_.set_limits(*std::exchange(limits_, std::nullopt));
  }

  void add_history(LiveFacts& facts) const {
    const HistoryState state = history_->state();
    ShownDatabase& shown = facts.database.emplace();
    shown.file = database_;
    shown.bytes = state.bytes;
    shown.state = state.problem.empty() ? "writing" : state.problem;
    if (!state.problem.empty()) facts.problems.push_back("the history: " + state.problem);
    if (!state.damaged_copy.empty()) {
      facts.problems.push_back("a damaged history was set aside: " + state.damaged_copy);
    }
  }

  void add_jobs(LiveFacts& facts) {
    const std::scoped_lock lock(jobs_mutex_);
    if (!jobs_) return;
    ShownJobs& shown = facts.jobs.emplace();
    shown.source = jobs_->source;
    shown.problem = foreign_text(jobs_->problem);
    shown.stale_since_ms = jobs_->problem.empty() ? 0 : jobs_->stale_since_ms;
    if (jobs_->jobs) {
      shown.jobs = jobs_->jobs->jobs.size();
      shown.bad_lines = jobs_->jobs->bad_lines;
      shown.time_ms = jobs_->time_ms;
    }
    if (!shown.problem.empty()) facts.problems.push_back("jobs are stale: " + shown.problem);
  }

  LiveState& live_;
  CapacityOutput& capacities_;
  RerouteOutput& reroutes_;
  const VerdictSettings settings_;
  HistoryThread* history_;
  const std::string database_;
  std::mutex jobs_mutex_;
  JobReportPointer jobs_;  // under jobs_mutex_
  LiveFacts facts_;        // of the fabric thread
  std::atomic<unsigned> interval_s_ = 10;
  ManagerTimes times_;
  VerdictWatch verdicts_;
  MaintenanceList maintenance_;
  std::vector<MonitorEvent> doubts_;  // since the last sweep
  std::mutex mutex_;
  std::optional<VerdictSettings> limits_;  // to be taken over; under the mutex
  bool own_port_lost_ = false;
};

/// The first line of a file that nobody else may read.
std::string read_token(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("others may read the token in {}: chmod 600 it", file));
  }
  constexpr std::size_t longest = 4096, shortest = 16;
  const std::string text = read_file(file, longest);
  const std::string_view line = trimmed(std::string_view(text).substr(0, text.find('\n')));
  if (line.size() < shortest) {
    throw Error(ErrorKind::usage,
                fmt::format("the token in {} is too short: its first line must have 16 characters "
                            "at least, as `openssl rand -hex 32` writes",
                            file));
  }
  return std::string(line);
}

HttpOptions http_options(const ServerSettings& settings) {
  HttpOptions options;
  options.listen = parse_listen_address(settings.listen);
  options.max_event_streams = settings.max_event_streams;
  if (!settings.token_file.empty()) options.access.token = read_token(settings.token_file);
  std::string_view rest = settings.allow_hosts;
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const std::string_view host = trimmed(rest.substr(0, comma));
    if (!host.empty()) options.access.hosts.emplace_back(host);
    rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
  }
  return options;
}

FabricOptions fabric_options(const MonitorConfiguration& configuration) {
  const FabricSettings& fabric = configuration.fabric;
  FabricOptions options;
  options.adapter = fabric.adapter;
  options.port = fabric.port;
  options.exchange.window = fabric.window;
  options.exchange.per_node = fabric.per_node;
  options.exchange.timeout = std::chrono::milliseconds(fabric.timeout_ms);
  options.exchange.retries = fabric.retries;
  if (!fabric.mkey_file.empty()) options.m_key = read_key_file(fabric.mkey_file, "M_Key");
  options.topology_file = fabric.topology;
  options.hosts = fabric.hosts;
  options.interval_s = configuration.sweep.interval_s;
  options.discovery_interval_s = configuration.sweep.discovery_interval_s;
  options.tables_interval_s = configuration.sweep.tables_interval_s;
  options.verify_nodes = configuration.sweep.verify_nodes;
  return options;
}

HistoryOptions history_options(const StoreSettings& store, const JobSettings& jobs) {
  HistoryOptions options;
  options.file = store.database;
  options.max_bytes = store.max_size_gb << 30U;
  options.raw_hours = store.raw_hours;
  options.five_minutes_days = store.five_minutes_days;
  options.hours_days = store.hours_days;
  options.full_sync = store.fsync == DiskSync::full;
  options.node_name_rule = jobs.node_name_rule;
  return options;
}

/// The history, its thread, and what reads it beside.
struct KeptHistory {
  KeptHistory(const StoreSettings& store, const JobSettings& jobs)
      : writer(history_options(store, jobs)),
        reader(store.database),
        thread([this](const std::stop_token& stop) { writer.run(stop); }) {}

  HistoryThread writer;
  StoredHistory reader;
  std::jthread thread;  // ends first, and writes what is left
};

/// Those that the database has from before.
std::vector<RerouteRecord> known_reroutes(const StoreSettings& store) {
  constexpr std::size_t most_known = 1000;
  if (store.database.empty()) return {};
  return read_reroute_rows(store.database, most_known);
}

sigset_t daemon_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&set, each);
  return set;
}

/// Blocks the daemon's signals as long as it lives.
class BlockedSignals {
 public:
  BlockedSignals() : set_(daemon_signals()) { pthread_sigmask(SIG_BLOCK, &set_, &before_); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// The next one; 0 where none came within a second.
  int wait() const {
    const timespec second{1, 0};
    const int signal = sigtimedwait(&set_, nullptr, &second);
    return signal < 0 ? 0 : signal;
  }

 private:
  sigset_t set_;
  sigset_t before_{};
};

/// What is used from now on. Says what is different, and whether it needs a new start.
MonitorConfiguration read_changes(const MonitorConfiguration& running,
                                  const std::function<MonitorConfiguration()>& read_again) {
  const Report report("monitor_fabric");
  try {
    const MonitorConfiguration read = read_again();
    const std::vector<ConfigurationChange> found = changes(running, read);
    if (found.empty()) report.say("SIGHUP: the configuration is the same");
    for (const ConfigurationChange& each : found) {
      report.say(each.while_running
                     ? fmt::format("SIGHUP: {} is {} now, no longer {}", each.name, each.after,
                                   each.before)
                     : fmt::format("SIGHUP: {} = {} takes effect with a new start; {} stays",
                                   each.name, each.after, each.before));
    }
    return taken_over(running, read);
  } catch (const Error& error) {
    report.say(fmt::format("SIGHUP: {}; what runs stays as it is", error.what()));
    return running;
  }
}

/// Every sweep makes vectors of some megabytes, every page of metrics a text of thirty: these shall
/// be the system's again as soon as they are free. By itself glibc soon takes such blocks from its
/// arenas, of which it gives little back, so that a daemon grows by tens of megabytes in an hour.
void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int large = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 4 * large);
  mallopt(M_ARENA_MAX, 2);
#endif
}

}  // namespace

int run_daemon(const MonitorConfiguration& configuration,
               const std::function<MonitorConfiguration()>& read_again) {
  give_large_blocks_back();
  const HttpOptions http = http_options(configuration.server);
  if (!configuration.verdicts.capacity_file.empty() && configuration.store.database.empty()) {
    throw Error(ErrorKind::usage,
                "capacity_file of [verdicts] needs a database, so that a new start forgets no link "
                "that is to be avoided: give database in [store], or --database");
  }
  const BlockedSignals signals;
  const ServiceManager manager;
  std::unique_ptr<KeptHistory> history;
  if (!configuration.store.database.empty()) {
    history = std::make_unique<KeptHistory>(configuration.store, configuration.jobs);
  }
  LiveState live;
  Api api(live, history ? &history->reader : nullptr, web_files());
  JobContext job_context;
  job_context.take(configuration.jobs);
  job_context.database = configuration.store.database;
  StoredJobs stored_jobs(std::move(job_context));
  if (history) api.set_jobs(&stored_jobs);
  StoredRecordings recordings(configuration.store.database);
  if (history) api.set_recordings(&recordings);
  RecordingSwitch recording(configuration.store.database);
  std::optional<AdviceDesk> advice;
  if (history)
    api.set_advice(&advice.emplace(configuration.store.database, configuration.analysis));
  const HttpServer server(http, api, live);
  CapacityOutput capacities(configuration.verdicts);
  HistoryThread* const writer = history ? &history->writer : nullptr;
  RerouteOutput reroutes(writer, known_reroutes(configuration.store),
                         NodeNameRule(configuration.jobs.node_name_rule));
  DaemonSink sink(live, writer, capacities, reroutes, configuration);
  std::optional<JobThread> jobs;
  if (configuration.jobs.source != JobSource::none) {
    jobs.emplace(
        configuration.jobs,
        JobThread::Sinks{[&](JobReportPointer report) { sink.take_jobs(std::move(report)); },
                         [&](const MonitorEvent& event) { sink.take_found_event(event); }});
  }
  FabricThread fabric(fabric_options(configuration), sink);
  Report("monitor_fabric").say(fmt::format("{} is served", server.address()));
  manager.say("READY=1\nSTATUS=sweeping");
  MonitorConfiguration running = configuration;
  for (;;) {
    const int signal = signals.wait();
    if (signal == SIGTERM || signal == SIGINT) break;
    if (signal == SIGHUP) {
      running = read_changes(running, read_again);
      fabric.change(fabric_options(running));
      sink.change(running);
      if (history) history->writer.change(history_options(running.store, running.jobs));
    }
    if (signal == SIGUSR1) fabric.discover_soon();
    if (signal == SIGUSR2) recording.turn();
    capacities.write();
    for (const MonitorEvent& event : reroutes.work()) sink.take_found_event(event);
    if (!fabric.runs()) break;
    manager.say("WATCHDOG=1");
  }
  manager.say("STOPPING=1");
  fabric.stop();
  return 0;
}

}  // namespace pssp
