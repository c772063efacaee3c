// Writes a database of traffic with a known truth, for tests that call programs:
//
//   write_traffic FOLDER constant|phases|drifting SWEEPS [congested|SECONDS]
//
// FOLDER/history.db has 64 hosts n0 .. n63 at 8 leaf switches, forwarding tables, jobs as Slurm
// lists them, two recordings, and sweeps ten seconds apart. Sweeps begin at 2023-11-14 22:13:20, or
// SECONDS after the beginning of 1970. FOLDER/jobs is a job file with the same jobs. FOLDER/truth
// has a line "GUID PORT JOB BYTES" for each job and channel between switches. The name of the first
// job contains control characters and markup, which programs must escape.
//
// With `congested`, one job on all hosts sends from all to all, and the tables lead all traffic
// over one of four spines, so tables that use all spines are four times as good. Each switch then
// also has a port without a cable.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ibsim_harness/simulated_traffic.h"
#include "monitor/store/history_writer.h"
#include "monitor/store/recordings.h"
#include "routing/engines/engine.h"
#include "tests/monitor/synthetic_fabric.h"

namespace {

using namespace pssp;

constexpr std::int64_t sweep_ms = 10'000;
std::int64_t begin_ms = 1'700'000'000'000;

/// Adds a port without a cable to each switch.
void add_spare_ports(FabricMap& map) {
  std::vector<MapPort> ports;
  std::vector<std::uint32_t> moved_to(map.ports.size());
  for (MapNode& node : map.nodes) {
    const std::uint32_t first =
        std::exchange(node.first_port, static_cast<std::uint32_t>(ports.size()));
    for (std::uint32_t i = 0; i < node.ports; ++i) {
      moved_to[first + i] = static_cast<std::uint32_t>(ports.size());
      ports.push_back(map.ports[first + i]);
    }
    if (node.kind != NodeKind::switch_node) continue;
    MapPort spare = ports.back();
    spare.number = ++node.ports;
    spare.state = LinkState::down;
    spare.physical = PhysicalState::polling;
    spare.peer = MapPort::no_peer;
    spare.rate = {};
    ports.push_back(spare);
  }
  for (MapPort& port : ports) {
    if (port.peer != MapPort::no_peer) port.peer = moved_to[port.peer];
  }
  map.ports = std::move(ports);
}

/// Accumulates the counters of all ports and writes them as sweeps.
class TrafficWriter {
 public:
  TrafficWriter(const std::string& folder, const std::string& activity, std::size_t sweeps,
                bool congested)
      : folder_(folder),
        map_(std::make_shared<FabricMap>(synthetic_map("xgft 8,8 1,4 --rate 4xEDR"))) {
    if (congested) add_spare_ports(*map_);
    const Fabric& fabric = *map_->fabric;
    for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
      map_->nodes[node_of(e)].description = fmt::format("n{} HCA-1", e);
    }
    tables_ = make_engine("pssp", {})->route(fabric).tables;
    ScatterOptions options;
    options.jobs = 6;
    options.largest = 16;
    options.sweeps = sweeps;
    options.activity = activity == "phases"     ? Activity::phases
                       : activity == "drifting" ? Activity::drifting
                                                : Activity::constant;
    plan_ = scatter_jobs(fabric, options);
    if (congested) hot_spot(fabric);
    simulated_ = play_traffic(plan_, fabric, tables_);
    values_.resize(map_->ports.size() * counter_count);
  }

  void write() {
    HistoryOptions options;
    options.file = folder_ + "/history.db";
    HistoryWriter writer(options);
    writer.write(snapshot());
    writer.write(live_tables());
    for (std::size_t t = 0; t < simulated_.sweeps; ++t) {
      count(t);
      writer.write(snapshot());
    }
    JobReport report;
    report.source = "slurm";
    report.time_ms = begin_ms;
    report.jobs = std::make_shared<JobList>(jobs());
    writer.write(report);
    keep_recordings();
    write_jobs(*report.jobs);
    write_truth();
  }

 private:
  void hot_spot(const Fabric& fabric) {
    plan_.jobs.resize(1);
    plan_.jobs[0].pattern = "all_to_all";
    plan_.jobs[0].rate = 0.05;
    plan_.jobs[0].hosts.clear();
    for (const EndPortId host : fabric.endpoints()) {
      plan_.jobs[0].hosts.push_back(host.value());
      for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
        if (fabric.end_ports_of(SwitchId(s)).empty()) continue;
        if (SwitchId(s) == fabric.end_port(host).attached) continue;
        tables_.set(SwitchId(s), fabric.end_port(host).lid,
                    fabric.channel_out_port()[fabric.first_channel()[s]]);
      }
    }
  }

  std::uint32_t node_of(std::uint32_t e) const {
    return map_->find_node(map_->fabric->end_port(EndPortId(e)).node_guid).value();
  }

  void add(Guid node, PortNumber number, Counter counter, double bytes) {
    const std::uint32_t port = map_->find_port(node, number).value();
    values_[port * counter_count + static_cast<std::size_t>(counter)] +=
        static_cast<std::uint64_t>(bytes);
  }

  void count(std::size_t t) {
    const Fabric& fabric = *map_->fabric;
    for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
      const EndPort& port = fabric.end_port(EndPortId(e));
      const Guid at = fabric.switch_at(port.attached).guid;
      const double sent = simulated_.sent[t * fabric.end_port_count() + e];
      const double received = simulated_.received[t * fabric.end_port_count() + e];
      add(port.node_guid, port.port, Counter::transmit_bytes, sent);
      add(port.node_guid, port.port, Counter::receive_bytes, received);
      add(at, port.switch_port, Counter::receive_bytes, sent);
      add(at, port.switch_port, Counter::transmit_bytes, received);
    }
    for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
      const double bytes = simulated_.channels[t * fabric.channel_count() + c];
      add(fabric.switch_at(SwitchId(fabric.channel_tail()[c])).guid, fabric.channel_out_port()[c],
          Counter::transmit_bytes, bytes);
      add(fabric.switch_at(SwitchId(fabric.channel_head()[c])).guid, fabric.channel_in_port()[c],
          Counter::receive_bytes, bytes);
    }
  }

  SnapshotPointer snapshot() {
    auto made = std::make_shared<Snapshot>();
    const auto now = static_cast<std::int64_t>(sweeps_) * sweep_ms;
    made->sweep = ++sweeps_;
    made->time_ms = begin_ms + now;
    made->begin_ns = (now + sweep_ms) * 1'000'000;
    made->map = map_;
    const std::size_t ports = map_->ports.size();
    made->status.assign(ports, PortStatus::read);
    made->read_ns.assign(ports, made->begin_ns);
    made->known.assign(ports, all_counters);
    made->saturated.assign(ports, 0);
    made->narrow.assign(ports, 0);
    made->values = values_;
    return made;
  }

  LiveTables live_tables() const {
    LiveTables live;
    live.map = map_;
    live.time_ms = begin_ms;
    live.by_node.resize(map_->nodes.size());
    const Fabric& fabric = *map_->fabric;
    for (std::size_t n = 0; n < map_->nodes.size(); ++n) {
      const auto s = fabric.find_switch(map_->nodes[n].guid);
      if (!s) continue;
      live.by_node[n].resize((fabric.max_lid() / 64U + 1U) * 64U, no_port);
      for (unsigned lid = 1; lid <= fabric.max_lid(); ++lid) {
        live.by_node[n][lid] = tables_.at(*s, static_cast<Lid>(lid));
      }
    }
    live.hash = 1;
    return live;
  }

  JobList jobs() const {
    JobList list;
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      Job job;
      job.id = std::to_string(100 + j);
      job.name = j == 0 ? "a|b <x>\"\x1b]0;owned\a\xe2\x80\xae" : "job of " + plan_.jobs[j].pattern;
      job.user = j % 2 == 0 ? "anna" : "bert";
      job.state = "RUNNING";
      job.start_s = begin_ms / 1000 - 60;
      for (const std::uint32_t host : plan_.jobs[j].hosts) {
        job.nodes.push_back(fmt::format("n{}", host));
      }
      if (j == 1) job.nodes.emplace_back("elsewhere");
      list.jobs.push_back(std::move(job));
    }
    return list;
  }

  /// Saves the first and the second half of the time as recordings.
  void keep_recordings() const {
    const std::int64_t end_ms = begin_ms + static_cast<std::int64_t>(simulated_.sweeps) * sweep_ms;
    const std::int64_t half_ms = (begin_ms + end_ms) / 2;
    const std::string file = folder_ + "/history.db";
    keep_recording(file, {0, "<b>first</b> half", "./job \"a\"", begin_ms, half_ms});
    keep_recording(file, {0, "second half", {}, half_ms, end_ms});
  }

  void write_jobs(const JobList& list) const {
    std::ofstream file(folder_ + "/jobs");
    for (const Job& job : list.jobs) {
      nlohmann::json line{{"id", job.id},       {"name", job.name},      {"user", job.user},
                          {"state", job.state}, {"start", *job.start_s}, {"nodes", job.nodes}};
      file << line.dump() << "\n";
    }
  }

  void write_truth() const {
    const Fabric& fabric = *map_->fabric;
    std::ofstream file(folder_ + "/truth");
    for (std::size_t j = 0; j < plan_.jobs.size(); ++j) {
      for (std::uint32_t c = 0; c < fabric.channel_count(); ++c) {
        file << fmt::format("0x{:016x} {} {} {:.0f}\n",
                            fabric.switch_at(SwitchId(fabric.channel_tail()[c])).guid,
                            fabric.channel_out_port()[c], 100 + j,
                            simulated_.truth[j * fabric.channel_count() + c]);
      }
    }
  }

  std::string folder_;
  std::shared_ptr<FabricMap> map_;
  ForwardingTables tables_;
  TrafficPlan plan_;
  SimulatedTraffic simulated_;
  std::vector<std::uint64_t> values_;
  std::uint64_t sweeps_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc != 4 && argc != 5) return 2;
    const std::string last = argc == 5 ? argv[4] : "";
    const bool congested = last == "congested";
    if (!last.empty() && !congested) begin_ms = std::stoll(last) * 1000;
    TrafficWriter(argv[1], argv[2], std::stoul(argv[3]), congested).write();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
