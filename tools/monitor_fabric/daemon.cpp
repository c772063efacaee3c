#include "tools/monitor_fabric/daemon.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/names_in_list.h"
#include "base/text_lines.h"
#include "fabric/nodes/node_name_map.h"
#include "monitor/server/http_server.h"
#include "monitor/service/advice_service.h"
#include "monitor/service/capacity_output.h"
#include "monitor/service/daemon_sink.h"
#include "monitor/service/job_thread.h"
#include "monitor/service/notification_output.h"
#include "monitor/service/recording_switch.h"
#include "monitor/service/reroute_output.h"
#include "monitor/service/stored_history.h"
#include "monitor/service/stored_jobs.h"
#include "monitor/service/stored_recordings.h"
#include "monitor/store/history_thread.h"
#include "monitor/store/reroute_rows.h"
#include "monitor/store/state_reader.h"
#include "monitor/web/web_files.h"
#include "tools/kit/key_file.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/advice_options.h"
#include "tools/monitor_fabric/service_manager.h"

// Threads: the fabric's two, the history's, that of jobs, the web interface's two, one for each
// receiver of notifications, and this one, which waits for signals. The sink (daemon_sink.h) is
// called on the fabric's thread.
//
// Signals are blocked before any thread starts, so that only this thread receives them.

namespace pssp {
namespace {

HttpOptions http_options(const ServerSettings& settings) {
  HttpOptions options;
  options.listen = parse_listen_address(settings.listen);
  options.max_event_streams = settings.max_event_streams;
  if (!settings.token_file.empty()) options.access.token = read_token(settings.token_file);
  options.access.hosts = names_in_list(settings.allow_hosts);
  return options;
}

FabricOptions fabric_options(const MonitorConfiguration& configuration) {
  const FabricSettings& fabric = configuration.fabric;
  FabricOptions options;
  options.adapters = {fabric.adapter, fabric.port, fabric.smi_device, fabric.gsi_device};
  options.exchange.window = fabric.window;
  options.exchange.per_node = fabric.per_node;
  options.exchange.timeout = std::chrono::milliseconds(fabric.timeout_ms);
  options.exchange.retries = fabric.retries;
  if (!fabric.mkey_file.empty()) options.m_key = read_key_file(fabric.mkey_file, "M_Key");
  if (!fabric.labels.empty()) options.labels = read_node_name_map(fabric.labels);
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
  options.node_names = jobs.node_names;
  options.hide_users = jobs.users == UsersView::hide;
  return options;
}

/// The history, its thread, and its readers.
struct KeptHistory {
  KeptHistory(const StoreSettings& store, const JobSettings& jobs)
      : writer(history_options(store, jobs)),
        reader(store.database),
        thread([this](const std::stop_token& stop) { writer.run(stop); }) {}

  HistoryThread writer;
  StoredHistory reader;
  std::jthread thread;  // ends first, and writes the remaining data
};

/// Reroutes from earlier runs in the database.
std::vector<RerouteRecord> known_reroutes(const StoreSettings& store) {
  constexpr std::size_t most_known = 1000;
  if (store.database.empty()) return {};
  return read_reroute_rows(store.database, most_known);
}

/// When an earlier process last listed the jobs of Slurm; 0: never.
std::int64_t listed_before(const StoreSettings& store) {
  if (store.database.empty()) return 0;
  const auto source = StateReader(store.database).job_source();
  return source && source->source == "slurm" ? source->seen_ms : 0;
}

sigset_t daemon_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int each : {SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGUSR2}) sigaddset(&set, each);
  return set;
}

/// Blocks the daemon's signals during its lifetime.
class BlockedSignals {
 public:
  BlockedSignals() : set_(daemon_signals()) { pthread_sigmask(SIG_BLOCK, &set_, &before_); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// The next signal; 0 if there is none within a second.
  int wait() const {
    const timespec second{1, 0};
    const int signal = sigtimedwait(&set_, nullptr, &second);
    return signal < 0 ? 0 : signal;
  }

 private:
  sigset_t set_;
  sigset_t before_{};
};

/// Applies changed settings to the fabric, if the named files can be read.
void change_fabric(FabricThread& fabric, const MonitorConfiguration& configuration) {
  try {
    fabric.change(fabric_options(configuration));
  } catch (const Error& error) {
    Report("monitor_fabric")
        .print_line(
            fmt::format("SIGHUP: {}; the settings of [fabric] in use stay in force", error.what()));
  }
}

/// Returns the configuration to use from now on. Reports changes, and whether they require a
/// restart.
MonitorConfiguration read_changes(const MonitorConfiguration& running,
                                  const std::function<MonitorConfiguration()>& read_again) {
  const Report report("monitor_fabric");
  try {
    const MonitorConfiguration read = read_again();
    const std::vector<ConfigurationChange> found = changes(running, read);
    if (found.empty()) report.print_line("SIGHUP: the configuration is unchanged");
    for (const ConfigurationChange& each : found) {
      report.print_line(
          each.while_running
              ? fmt::format("SIGHUP: {} is now {}, was {}", each.name, each.after, each.before)
              : fmt::format("SIGHUP: {} = {} takes effect after a restart; until then {} is used",
                            each.name, each.after, each.before));
    }
    return taken_over(running, read);
  } catch (const Error& error) {
    report.print_line(
        fmt::format("SIGHUP: {}; the configuration in use stays in force", error.what()));
    return running;
  }
}

/// Every sweep allocates vectors of some megabytes, every page of metrics a text of thirty: these
/// must be returned to the system when they are freed. By default, glibc soon serves such blocks
/// from its arenas, which return little, so that a daemon grows by tens of megabytes per hour.
void give_large_blocks_back() {
#ifdef __GLIBC__
  constexpr int large = 256 * 1024;
  mallopt(M_MMAP_THRESHOLD, large);
  mallopt(M_TRIM_THRESHOLD, 4 * large);
  mallopt(M_ARENA_MAX, 2);
#endif
}

}  // namespace

std::string read_token(const std::string& file) {
  struct stat status {};
  if (stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    throw Error(ErrorKind::usage,
                fmt::format("{0}: other users can read the token; run: chmod 600 {0}", file));
  }
  constexpr std::size_t longest = 4096, shortest = 16;
  const std::string text = read_file(file, longest);
  const std::string_view line = trimmed(std::string_view(text).substr(0, text.find('\n')));
  if (line.size() < shortest) {
    throw Error(ErrorKind::usage,
                fmt::format("{}: the token is too short; its first line must have at least 16 "
                            "characters, e.g. the output of `openssl rand -hex 32`",
                            file));
  }
  return std::string(line);
}

int run_daemon(const MonitorConfiguration& configuration,
               const std::function<MonitorConfiguration()>& read_again) {
  give_large_blocks_back();
  const HttpOptions http = http_options(configuration.server);
  const std::string& token_file = configuration.notifications.token_file;
  const std::string webhook_token = token_file.empty() ? "" : read_token(token_file);
  if (!configuration.verdicts.capacity_file.empty() && configuration.store.database.empty()) {
    throw Error(ErrorKind::usage,
                "capacity_file in [verdicts] needs a database, so that degraded links are "
                "remembered after a restart; set database in [store], or use --database");
  }
  const BlockedSignals signals;
  const ServiceManager manager;
  const auto print_line = [](const std::string& line) {
    Report("monitor_fabric").print_line(line);
  };
  std::unique_ptr<KeptHistory> history;
  if (!configuration.store.database.empty()) {
    history = std::make_unique<KeptHistory>(configuration.store, configuration.jobs);
  }
  LiveState live;
  Api api(live, history ? &history->reader : nullptr, web_files());
  MetricsChoice metrics;
  metrics.zeros = configuration.server.zero_counters;
  api.set_metrics_default(metrics);
  JobContext job_context;
  job_context.take(configuration.jobs);
  job_context.database = configuration.store.database;
  StoredJobs stored_jobs(std::move(job_context));
  if (history) api.set_jobs(&stored_jobs);
  StoredRecordings recordings(configuration.store.database);
  if (history) api.set_recordings(&recordings);
  AcknowledgementBook acknowledgements(configuration.store.database);
  if (history) api.set_acknowledgements(&acknowledgements);
  RecordingSwitch recording(configuration.store.database, print_line);
  // Starting a recording requires the token; without a token, nobody may start one.
  if (history && !http.access.token.empty()) api.set_recording_control(&recording);
  std::optional<AdviceService> advice;
  if (history) {
    api.set_advice(
        &advice.emplace(configuration.store.database, configuration.analysis, advice_options));
  }
  const HttpServer server(http, api, live);
  CapacityOutput capacities(configuration.verdicts);
  HistoryThread* const writer = history ? &history->writer : nullptr;
  RerouteOutput reroutes(writer, known_reroutes(configuration.store),
                         NodeNameRule(configuration.jobs.node_names));
  NotificationOutput notifications(configuration, webhook_token, writer, print_line);
  DaemonSink sink(live, writer, capacities, reroutes, notifications, configuration, print_line);
  if (history) sink.set_acknowledgements(&acknowledgements);
  std::optional<JobThread> jobs;
  if (configuration.jobs.source != JobSource::none) {
    jobs.emplace(
        configuration.jobs, listed_before(configuration.store),
        JobThread::Sinks{[&](JobReportPointer report) { sink.take_jobs(std::move(report)); },
                         [&](const MonitorEvent& event) { sink.take_found_event(event); }});
  }
  FabricThread fabric(fabric_options(configuration), sink);
  print_line(fmt::format("listening on {}", server.address()));
  manager.print_line("READY=1\nSTATUS=sweeping");
  MonitorConfiguration running = configuration;
  for (;;) {
    const int signal = signals.wait();
    if (signal == SIGTERM || signal == SIGINT) break;
    if (signal == SIGHUP) {
      running = read_changes(running, read_again);
      change_fabric(fabric, running);
      sink.change(running);
      if (history) history->writer.change(history_options(running.store, running.jobs));
    }
    if (signal == SIGUSR1) fabric.discover_soon();
    if (signal == SIGUSR2) recording.turn();
    capacities.write();
    for (const MonitorEvent& event : reroutes.work()) sink.take_found_event(event);
    if (!fabric.runs()) break;
    manager.print_line("WATCHDOG=1");
  }
  manager.print_line("STOPPING=1");
  fabric.stop();
  return 0;
}

}  // namespace pssp
