// One loop owns the port. It sleeps only in the exchange, or for a short time if there are no
// outstanding requests. Sweeps, SMInfo of the manager, tables and the discovery are dialogues of
// the same exchange, so that reading tables for a second does not delay a sweep.
//
// If the port is gone, its link is down, or no node answers at all, the session is closed. It is
// opened again every five seconds, because adapters can be replaced while the daemon runs.
// Meanwhile the last map stays, and each interval has a sweep without answers, so that faults stay
// open and the loss of the fabric is reported.

#include "monitor/live/fabric_thread.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "monitor/discovery/manager_watch.h"
#include "monitor/discovery/table_reader.h"
#include "monitor/live/fabric_session.h"

namespace pssp {
namespace {

using LoopClock = Collector::Clock;

constexpr std::chrono::milliseconds while_busy{5}, while_idle{20};
constexpr std::chrono::seconds until_reopened{5}, between_walks{2};
/// After a fault, a manager rewrites tables within this time; it has finished when tables have not
/// changed for this time.
constexpr std::chrono::seconds between_tables{1}, tables_follow{20}, tables_settle{5};
constexpr unsigned many_late = 10;
constexpr std::int64_t clock_jump_ms = 1000;

std::int64_t monotonic_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(LoopClock::now().time_since_epoch()).count();
}

}  // namespace

/// Everything that is discarded together when the port is gone.
struct FabricThread::Session {
  Session(const FabricOptions& options, std::uint64_t sweeps_before)
      : fabric(options, sweeps_before),
        manager(fabric.exchange(), options.m_key),
        tables(fabric.exchange(), options.m_key) {}

  FabricSession fabric;
  ManagerWatch manager;
  TableReader tables;
};

/// A periodic task.
class FabricThread::Due {
 public:
  explicit Due(unsigned interval_s) : interval_(interval_s) {}

  /// A longer interval does not delay the next run; a shorter one advances it.
  void change(unsigned interval_s) {
    interval_ = std::chrono::seconds(interval_s);
    next_ = std::min(next_, LoopClock::now() + interval_);
  }

  bool is_now() const { return interval_.count() != 0 && LoopClock::now() >= next_; }
  /// A late run begins at once, and does not shift later runs unless it missed a whole interval.
  void begun() {
    const auto now = LoopClock::now();
    next_ = std::max(next_ + interval_, now - interval_);
    if (next_ < now) next_ = now;
  }
  void at_once() { next_ = LoopClock::now(); }
  void within(std::chrono::seconds time) { next_ = std::min(next_, LoopClock::now() + time); }

 private:
  std::chrono::seconds interval_;
  LoopClock::time_point next_ = LoopClock::now();
};

struct FabricThread::State {
  State(FabricOptions wanted, FabricSink& to)
      : options(std::move(wanted)),
        sink(to),
        sweep_due(options.interval_s),
        manager_due(options.manager_interval_s),
        tables_due(options.tables_interval_s),
        walk_due(options.discovery_interval_s),
        clock_offset_ms(wall_clock_ms() - monotonic_ms()) {
    std::optional<DiscoveredFabric> of_file = fabric_of_file(options);
    session = std::make_unique<Session>(options, 0);
    take_fabric(of_file ? *of_file : session->fabric.discover());
    walk_due.begun();
    thread = std::thread([this] { run(); });
  }

  void run() {
    try {
      while (!stopping) turn();
      if (session) let_answers_arrive();
    } catch (...) {
      failure = std::current_exception();
    }
    running = false;
  }

  /// Waits for outstanding requests; a port that is gone has none.
  void let_answers_arrive() {
    try {
      session->fabric.exchange().end_in_order();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::fabric_access) throw;
    }
  }

  void turn() {
    if (has_changes.exchange(false)) take_changes();
    if (!session) {
      if (sweep_due.is_now()) report_silence();
      reopen();
      return;
    }
    try {
      begin_what_is_due();
      const bool busy = session->fabric.collector().busy();
      if (!session->fabric.exchange().step(LoopClock::now() + (busy ? while_busy : while_idle))) {
        // There are no outstanding requests.
        if (!session->fabric.collector().busy()) std::this_thread::sleep_for(while_busy);
      }
      hand_over();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::fabric_access) throw;
      lose_port(error.what());
    }
  }

  void take_changes() {
    FabricOptions wanted;
    {
      const std::lock_guard lock(mutex);
      wanted = changed;
    }
    options.exchange = wanted.exchange;
    options.interval_s = wanted.interval_s;
    options.discovery_interval_s = wanted.discovery_interval_s;
    options.tables_interval_s = wanted.tables_interval_s;
    options.verify_nodes = wanted.verify_nodes;
    const bool has_other_labels = options.labels != wanted.labels;
    options.labels = std::move(wanted.labels);
    sweep_due.change(options.interval_s);
    walk_due.change(options.discovery_interval_s);
    tables_due.change(options.tables_interval_s);
    late_in_a_row = 0;
    if (!session) return;
    session->fabric.exchange().set_options(options.exchange);
    session->fabric.collector().set_pace(std::chrono::seconds(options.interval_s),
                                         options.verify_nodes);
    if (has_other_labels) take_labels();
  }

  /// Nodes get their new names with the next map.
  void take_labels() {
    session->fabric.set_labels(options.labels);
    if (options.topology_file.empty()) {
      wishes_walk = true;
    } else {
      take_found([this] { return *fabric_of_file(options); });
    }
  }

  // ---- topology ----

  /// A topology file is read once, and again for other labels.
  void begin_walk() {
    const bool wished = wishes_walk.exchange(false) || walk_due.is_now();
    if (!wished || session->fabric.walk().busy() || !options.topology_file.empty()) return;
    // An unstable fabric requests many discoveries.
    if (LoopClock::now() < next_walk) {
      wishes_walk = true;
      return;
    }
    next_walk = LoopClock::now() + between_walks;
    walk_due.begun();
    session->fabric.walk().begin();
  }

  void end_walk() {
    awaits_walk = false;
    take_found([this] { return session->fabric.end_walk(); });
  }

  /// `find` may throw Error; the daemon reports it and continues.
  template <class Find>
  void take_found(const Find& find) {
    try {
      take_fabric(find());
      last_failure.clear();
    } catch (const Error& error) {
      if (last_failure == error.what()) return;
      last_failure = error.what();
      report_event(EventKind::discovery_failed,
                   "the last topology stays in use: " + untrusted_text(last_failure));
    }
  }

  void take_fabric(const DiscoveredFabric& found) {
    if (found.map->nodes.empty()) return;
    if (map && is_alone(*found.map)) {
      lose_port("its link is down");
      return;
    }
    if (found.problem != last_problem) {
      last_problem = found.problem;
      if (!last_problem.empty()) report_event(EventKind::topology_refused, last_problem);
    }
    const std::uint64_t all = hash_of_all(*found.map);
    routes = found.routes;
    if (map && all == hash_of_everything) return;
    const bool same_cables = map && map->hash == found.map->hash;
    hash_of_everything = all;
    found.map->generation = ++generations;
    found.map->time_ms = wall_clock_ms();
    map = found.map;
    map_is_new = true;
    if (!same_cables) {
      report_event(EventKind::topology_changed, describe_map());
      tables_due.at_once();
      tables_restless_until = LoopClock::now() + tables_follow;
    }
    manager_due.at_once();
  }

  std::string describe_map() const {
    const auto switches = std::ranges::count(map->nodes, NodeKind::switch_node, &MapNode::kind);
    const auto active = std::ranges::count(map->ports, LinkState::active, &MapPort::state);
    return fmt::format("generation {}: {} switches, {} other nodes, {} active ports",
                       map->generation, switches,
                       map->nodes.size() - static_cast<std::size_t>(switches), active);
  }

  // ---- sweeps, manager, tables ----

  void begin_what_is_due() {
    Collector& collector = session->fabric.collector();
    if (sweep_due.is_now() && !collector.busy() && !awaits_walk) {
      if (std::exchange(map_is_new, false)) collector.set_map(map);
      sweep_due.begun();
      watch_clock();
      collector.begin();
      sweeping = true;
    }
    begin_walk();
    if (manager_due.is_now() && !session->manager.busy()) {
      manager_due.begun();
      session->manager.begin(map);
    }
    if (tables_due.is_now() && !session->tables.busy()) {
      tables_due.begun();
      session->tables.begin(map, routes);
    }
  }

  void hand_over() {
    Collector& collector = session->fabric.collector();
    if (sweeping && !collector.busy()) {
      sweeping = false;
      hand_over_sweep(collector.finish());
      if (!session) return;
    }
    if (session->fabric.walk().take_done()) end_walk();
    if (!session) return;
    if (session->manager.take_done()) {
      for (const MonitorEvent& event : session->manager.take_events()) sink.take_event(event);
      if (session->manager.take_wish_for_discovery()) {
        wishes_walk = true;
        tables_due.at_once();
      }
      sink.take_manager(session->manager.status());
    }
    if (const LiveTablesPointer tables = session->tables.take()) {
      if (tables->changed_blocks != 0) {
        report_event(EventKind::tables_changed,
                     fmt::format("{} blocks of the forwarding tables of {} switches changed",
                                 tables->changed_blocks, tables->changed_switches));
      }
      sink.take_tables(tables);
      read_tables_again(*tables);
    }
  }

  /// While tables are rewritten, or may soon be, they are read every few seconds.
  void read_tables_again(const LiveTables& tables) {
    const auto now = LoopClock::now();
    if (tables.changed_blocks != 0) tables_restless_until = now + tables_settle;
    if (now < tables_restless_until) tables_due.within(between_tables);
  }

  void hand_over_sweep(const SnapshotPointer& snapshot) {
    Collector& collector = session->fabric.collector();
    sweeps = snapshot->sweep;
    const bool no_answer = snapshot->figures.answered == 0;
    for (const MonitorEvent& event : collector.take_events()) {
      // The lost port is one event, not one for each node.
      if (!no_answer || event.kind != EventKind::node_silent) sink.take_event(event);
    }
    if (collector.take_wish_for_discovery()) wishes_walk = true;
    if (is_alone(*snapshot->map)) {
      // The link was down when the daemon started: there is no fabric to report on yet.
      lose_port("its link is down");
      return;
    }
    late_in_a_row = snapshot->figures.late ? late_in_a_row + 1 : 0;
    if (late_in_a_row == many_late) {
      report_event(
          EventKind::sweeps_late,
          fmt::format("{} consecutive sweeps took longer than the interval of {} s, the last one "
                      "{:.1f} s: set interval_s to {:.0f} or more",
                      many_late, options.interval_s,
                      static_cast<double>(snapshot->figures.duration_ns) / 1e9,
                      static_cast<double>(snapshot->figures.duration_ns) / 1e9 * 2 + 1));
    }
    sink.take_snapshot(snapshot);
    if (!no_answer) {
      if (std::exchange(port_was_lost, false)) {
        report_event(EventKind::port_back, "the fabric answers again");
      }
    } else if (snapshot->figures.asked != 0) {
      lose_port("no node answers");
    }
  }

  /// True if the walk found no link, only nodes of this host.
  static bool is_alone(const FabricMap& found) {
    return std::ranges::count(found.ports, LinkState::active, &MapPort::state) == 0;
  }

  void watch_clock() {
    const std::int64_t offset = wall_clock_ms() - monotonic_ms();
    const std::int64_t jump = offset - clock_offset_ms;
    clock_offset_ms = offset;
    if (std::abs(jump) > clock_jump_ms) {
      report_event(EventKind::clock_jumped,
                   fmt::format("the wall clock jumped by {:.1f} s; rates use the monotonic clock",
                               static_cast<double>(jump) / 1e3));
    }
  }

  // ---- the port ----

  void report_silence() {
    sweep_due.begun();
    if (map && !is_alone(*map)) sink.take_snapshot(unanswered_sweep(map, ++sweeps, options.hosts));
  }

  void lose_port(const std::string& why) {
    session.reset();
    sweeping = false;
    map_is_new = true;  // for the next collector
    reopen_at = LoopClock::now() + until_reopened;
    tell_lost(why);
  }

  void tell_lost(const std::string& why) {
    if (std::exchange(port_was_lost, true)) return;
    report_event(EventKind::port_lost, "the local port: " + untrusted_text(why));
  }

  void reopen() {
    if (LoopClock::now() < reopen_at) {
      std::this_thread::sleep_for(while_idle);
      return;
    }
    try {
      session = std::make_unique<Session>(options, sweeps);
      sweep_due.at_once();
      manager_due.at_once();
      // A sweep with the old map, whose LIDs may have moved, would get no answers and end the
      // session before the walk has finished.
      wishes_walk = true;
      awaits_walk = options.topology_file.empty();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::fabric_access) throw;
      reopen_at = LoopClock::now() + until_reopened;
    }
  }

  void report_event(EventKind kind, const std::string& text) {
    sink.take_event({kind, wall_clock_ms(), 0, 0, 0, text});
  }

  FabricOptions options;
  FabricSink& sink;
  std::unique_ptr<Session> session;  // null while the port is gone
  std::shared_ptr<const FabricMap> map;
  std::vector<DirectedRoute> routes;
  std::uint64_t generations = 0, hash_of_everything = 0;
  bool map_is_new = false, sweeping = false, port_was_lost = false, awaits_walk = false;
  std::uint64_t sweeps = 0;
  unsigned late_in_a_row = 0;
  std::string last_problem, last_failure;
  Due sweep_due, manager_due, tables_due, walk_due;
  LoopClock::time_point reopen_at, next_walk, tables_restless_until;
  std::int64_t clock_offset_ms;

  std::atomic<bool> stopping = false, running = true, wishes_walk = false, has_changes = false;
  std::mutex mutex;
  FabricOptions changed;  // protected by the mutex
  std::exception_ptr failure;
  std::thread thread;
};

FabricThread::FabricThread(const FabricOptions& options, FabricSink& sink)
    : state_(std::make_unique<State>(options, sink)) {}

FabricThread::~FabricThread() {
  state_->stopping = true;
  if (state_->thread.joinable()) state_->thread.join();
}

void FabricThread::discover_soon() { state_->wishes_walk = true; }

void FabricThread::change(const FabricOptions& options) {
  {
    const std::lock_guard lock(state_->mutex);
    state_->changed = options;
  }
  state_->has_changes = true;
}

void FabricThread::stop() {
  state_->stopping = true;
  if (state_->thread.joinable()) state_->thread.join();
  if (state_->failure) std::rethrow_exception(std::exchange(state_->failure, nullptr));
}

bool FabricThread::runs() const noexcept { return state_->running; }

}  // namespace pssp
