// Watches a fabric for some seconds, or until the file FOLDER/enough exists, and writes the results
// to files. Tests compare them with the output of other programs for the same fabric. `events` and
// `sweeps` are written during the run, the other files at its end. The file `begun` appears after
// the first sweep and the first tables.
//
// usage: fabric_watcher FOLDER SECONDS INTERVAL [TIMEOUT_MS]
//
//   events    one line each: KIND GUID PORT TEXT
//   links     of the last map: GUID PORT GUID PORT RATE, where GUID is a port GUID; sorted
//   nodes     of the last map: GUID KIND PORTS LID DESCRIPTION
//   manager   the master: GUID LID PRIORITY STATE, then "answered" or "silent"
//   tables    of the last reading, in the format of opensm's dump
//   sweeps    SWEEP ASKED ANSWERED MADS TIMED_OUT IMPLAUSIBLE MILLISECONDS MOST; MOST is the
//             largest rate of a port in bytes per second
//   readings  of the last sweep: GUID PORT STATUS COUNTER=VALUE..., with all known counters

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/file_io.h"
#include "base/untrusted_text.h"
#include "fabric/formats/lft_writer.h"
#include "monitor/counters/rates.h"
#include "monitor/live/fabric_thread.h"

namespace {

using namespace pssp;

std::string links_of(const FabricMap& map) {
  std::vector<std::string> lines;
  for (const MapPort& port : map.ports) {
    if (port.peer == MapPort::no_peer) continue;
    const MapPort& peer = map.ports[port.peer];
    lines.push_back(fmt::format("{:016x} {} {:016x} {} {}\n", port.guid, port.number, peer.guid,
                                peer.number, to_string(port.rate)));
  }
  std::ranges::sort(lines);
  return fmt::format("{}", fmt::join(lines, ""));
}

std::string nodes_of(const FabricMap& map) {
  std::string text;
  for (const MapNode& node : map.nodes) {
    const Lid lid = node.kind == NodeKind::switch_node ? node.lid : map.ports[node.first_port].lid;
    text += fmt::format("{:016x} {} {} {} {}\n", node.guid, static_cast<int>(node.kind), node.ports,
                        lid, untrusted_text(node.description));
  }
  return text;
}

class Writer final : public FabricSink {
 public:
  explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void take_snapshot(SnapshotPointer snapshot) override {
    const SweepFigures& f = snapshot->figures;
    double most = 0;
    if (last_) {
      for (const PortDifference& each : differences(*last_, *snapshot)) {
        most = std::max({most, each.per_second(Counter::transmit_bytes),
                         each.per_second(Counter::receive_bytes)});
      }
    }
    sweeps_ += fmt::format("{} {} {} {} {} {} {:.1f} {:.0f}\n", snapshot->sweep, f.asked,
                           f.answered, f.mads, f.timed_out, f.implausible,
                           static_cast<double>(f.duration_ns) / 1e6, most);
    write_file(folder_ / "sweeps", sweeps_);
    last_ = std::move(snapshot);
    tell_begun();
  }
  void take_event(const MonitorEvent& event) override {
    events_ +=
        fmt::format("{} {:016x} {} {}\n", name_of(event.kind), event.node, event.port, event.text);
    write_file(folder_ / "events", events_);
  }
  void take_manager(const ManagerStatus& status) override {
    const ManagerRecord& master = status.master;
    manager_ = fmt::format("{:016x} {} {} {} {}\n", master.guid, master.lid, master.priority,
                           master.state, master.answered ? "answered" : "silent");
  }
  void take_tables(LiveTablesPointer tables) override {
    tables_ = std::move(tables);
    tell_begun();
  }

  void write() const {
    write_file(folder_ / "manager", manager_);
    if (last_) {
      write_file(folder_ / "links", links_of(*last_->map));
      write_file(folder_ / "nodes", nodes_of(*last_->map));
      write_file(folder_ / "readings", readings());
    }
    if (tables_ && tables_->map->fabric) {
      write_file(folder_ / "tables", to_lft_dump(*tables_->map->fabric, tables_->tables()));
    }
  }

 private:
  /// Signals to a waiting test that the fabric is known.
  void tell_begun() const {
    if (last_ && tables_) write_file(folder_ / "begun", "");
  }

  std::string readings() const {
    std::string text;
    for (std::uint32_t p = 0; p < last_->status.size(); ++p) {
      const MapPort& port = last_->map->ports[p];
      text += fmt::format("{:016x} {} {}", last_->map->node_of(port).guid, port.number,
                          static_cast<int>(last_->status[p]));
      for (const CounterInfo& info : counter_table()) {
        if ((last_->known[p] & mask_of(info.counter)) == 0) continue;
        text += fmt::format(" {}={}", info.name,
                            last_->counters(p)[static_cast<std::size_t>(info.counter)]);
      }
      text += '\n';
    }
    return text;
  }

  std::filesystem::path folder_;
  std::string events_, sweeps_, manager_;
  SnapshotPointer last_;
  LiveTablesPointer tables_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  try {
    Writer writer(argv[1]);
    FabricOptions options;
    options.interval_s = static_cast<unsigned>(std::stoul(argv[3]));
    options.discovery_interval_s = 3;
    options.manager_interval_s = 1;
    options.tables_interval_s = 2;
    if (argc > 4) options.exchange.timeout = std::chrono::milliseconds(std::stoul(argv[4]));
    FabricThread thread(options, writer);
    const auto end = std::chrono::steady_clock::now() +
                     std::chrono::milliseconds(static_cast<long>(1000 * std::stod(argv[2])));
    const std::filesystem::path enough = std::filesystem::path(argv[1]) / "enough";
    while (thread.runs() && std::chrono::steady_clock::now() < end && !exists(enough)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    thread.stop();
    writer.write();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fabric_watcher: %s\n", error.what());
    return 1;
  }
  return 0;
}
