// One thread and one exchange: reading the tables, rediscovering the fabric, and sweeping the
// counters before and after each reroute are dialogues of it.
//
// Between two reroutes nothing changes, and the state read then is "before" for the next one. So
// the figures of flows are those of reroute_impact offline for the tables dumped at that time.

#include "tools/reroute_impact/live_run.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "monitor/counters/rates.h"
#include "monitor/jobs/job_file.h"
#include "monitor/jobs/node_names.h"
#include "monitor/live/fabric_session.h"
#include "tools/kit/interrupt.h"
#include "tools/kit/key_file.h"
#include "tools/kit/report.h"
#include "tools/reroute_impact/live_report.h"

namespace pssp {
namespace {

using WatchClock = TableWatch::Clock;

constexpr std::chrono::milliseconds a_turn{20};

std::int64_t now_in_ns() {
  return std::chrono::nanoseconds(WatchClock::now().time_since_epoch()).count();
}
FabricOptions fabric_options(const RerouteOptions& options) {
  FabricOptions fabric;
  fabric.adapters = options.port.adapters;
  fabric.exchange = options.port.exchange();
  if (!options.m_key_file.empty()) fabric.m_key = read_key_file(options.m_key_file, "M_Key");
  return fabric;
}

std::vector<Job> read_job_file(const std::string& file) {
  if (file.empty()) return {};
  JobList list = read_jobs(file);
  Report("reroute_impact").warn(list.problems);
  return std::move(list.jobs);
}

class Watcher {
 public:
  explicit Watcher(const RerouteOptions& options)
      : options_(options),
        jobs_(read_job_file(options.jobs)),
        session_(fabric_options(options)),
        watch_(session_.exchange(), session_.walk(),
               options.m_key_file.empty() ? 0 : read_key_file(options.m_key_file, "M_Key")) {}

  int run() {
    const DiscoveredFabric found = session_.discover();
    if (!found.problem.empty()) report_.warn("the fabric: " + found.problem);
    start_ns_ = now_in_ns();
    watch_.begin(found);
    while (goes_on() && !watch_.has_first_tables()) turn();
    static_cast<void>(watch_.take_changes());
    calm_ = watch_.tables();
    if (calm_->unread_switches == calm_->switches) {
      throw Error(ErrorKind::fabric_access, "cannot read the forwarding tables of any switch");
    }
    last_sweep_ = sweep();
    report_.print_line("watching; press Ctrl-C to stop");
    while (goes_on()) {
      turn();
      take_changes();
      if (!watch_.is_restless() && is_restless_) end_reroute(true);
    }
    if (is_restless_) end_reroute(false);
    finish();
    session_.exchange().end_in_order();  // the cyclic reader always has requests in transit
    return 0;
  }

 private:
  bool goes_on() const {
    return !interrupted() && (options_.live_s == 0 ||
                              static_cast<double>(now_in_ns() - start_ns_) < options_.live_s * 1e9);
  }
  void turn() { watch_.turn(WatchClock::now() + a_turn); }

  void take_changes() {
    if (watch_.is_restless() && !std::exchange(is_restless_, true)) {
      begun_ms_ = wall_clock_ms() - (now_in_ns() - watch_.instability().first_sign_ns) / 1'000'000;
    }
    std::vector<ChangedBlock> changes = watch_.take_changes();
    if (changes.empty()) return;
    print_line(changes_text(changes, *watch_.map(), start_ns_));
    changes_.insert(changes_.end(), changes.begin(), changes.end());
  }

  /// A lost request counts as an irregularity, too, which needs no report.
  void end_reroute(bool is_over) {
    is_restless_ = false;
    LiveReroute reroute;
    reroute.is_over = is_over;
    reroute.time_ms = begun_ms_;
    reroute.instability = watch_.instability();
    const LiveTablesPointer before = std::exchange(calm_, watch_.tables());
    reroute.seen = {before, calm_, std::exchange(changes_, {}), reroute.instability.first_sign_ns};
    if (reroute.seen.changes.empty() && before->map->hash == calm_->map->hash) return;
    reroute.impact = impact_of(reroute.seen, job_ports());
    count_errors(reroute);
    const std::string text = reroute_text(reroute);
    if (options_.json) report_.print_line(text.substr(1, text.find('\n', 1) - 1));
    print_line(text);
    all_.reroutes.push_back(std::move(reroute));
  }

  /// With the current map.
  std::vector<JobPorts> job_ports() const {
    std::vector<JobPorts> list;
    if (jobs_.empty()) return list;
    const FabricMap& map = *watch_.map();
    const NodeNames names(map);
    for (const Job& job : jobs_) {
      JobPorts& each = list.emplace_back();
      each.id = job.id;
      for (const std::uint32_t node : place_of(job, names).nodes) {
        const MapNode& at = map.nodes[node];
        for (std::uint32_t p = 0; p < at.ports; ++p) {
          each.ports.push_back(map.ports[at.first_port + p].guid);
        }
      }
    }
    return list;
  }

  SnapshotPointer sweep() {
    session_.collector().set_map(watch_.map());
    session_.collector().begin();
    while (session_.collector().busy()) {
      turn();
      take_changes();
    }
    return session_.collector().finish();
  }

  void count_errors(LiveReroute& reroute) {
    const SnapshotPointer now = sweep();
    if (last_sweep_) {
      reroute.errors_known = true;
      const std::vector<PortDifference> all = differences(*last_sweep_, *now);
      for (std::uint32_t p = 0; p < all.size(); ++p) {
        for (const Counter counter : {Counter::transmit_discards, Counter::receive_errors}) {
          if (!all[p].has(counter) || all[p].of(counter) == 0) continue;
          const MapPort& port = now->map->ports[p];
          reroute.errors.push_back({untrusted_text(now->map->node_of(port).description) + "[" +
                                        std::to_string(port.number) + "]",
                                    counter, all[p].of(counter)});
        }
      }
      std::ranges::stable_sort(reroute.errors, std::ranges::greater(), &CountedErrors::count);
    }
    last_sweep_ = now;
  }

  void finish() {
    all_.watched_s = static_cast<double>(now_in_ns() - start_ns_) / 1e9;
    all_.switches = calm_->switches;
    for (const std::vector<PortNumber>& each : calm_->by_node) {
      all_.blocks += each.size() / linear_block_size;
    }
    all_.resolution = watch_.resolution();
    all_.mads = session_.port().sent();
    if (options_.json) {
      write_file(options_.output, live_json(all_));
      return;
    }
    print_line(resolution_text(all_));
    if (options_.output != "-") write_file(options_.output, text_);
  }

  /// Prints text immediately; writes to a file only at the end, so that it is complete or missing.
  void print_line(const std::string& text) {
    if (options_.json) return;
    if (options_.output == "-") {
      write_file("-", text);
    } else {
      text_ += text;
    }
  }

  RerouteOptions options_;
  Report report_{"reroute_impact"};
  std::vector<Job> jobs_;  // read first, because errors in the file need no adapter
  FabricSession session_;
  TableWatch watch_;
  std::int64_t start_ns_ = 0, begun_ms_ = 0;
  bool is_restless_ = false;
  LiveTablesPointer calm_;
  std::vector<ChangedBlock> changes_;
  SnapshotPointer last_sweep_;
  LiveReport all_;
  std::string text_;
};

}  // namespace

int watch_reroutes(const RerouteOptions& options) {
  note_interruptions();
  return Watcher(options).run();
}

}  // namespace pssp
