// Measures the cost of the history of a large fabric: 25,704 ports, two thirds of them busy, with a
// sweep every ten seconds. Prints time and bytes of a sweep, the time of the downsampling steps,
// and the time to read the complete history of one port.
//
//   monitor_store [SWEEPS [FILE [INTERVAL_S [PORTS]]]]
//
// Defaults: 2160 sweeps (six hours), 10 s, 25704 ports. FILE: the database, which is kept; without
// FILE or with -, a temporary one in /tmp. 8760 sweeps at intervals of one hour are a year of
// hourly values.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <string>
#include <vector>

#include "base/random.h"
#include "benchmarks/busy_switches.h"
#include "monitor/store/history_reader.h"
#include "monitor/store/history_writer.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

using namespace pssp;

constexpr double line_bytes = 12.5e9;
constexpr std::uint64_t packet_bytes = 2048;

double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
double cpu_ms() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Generates sweeps of a fabric in which two of three ports send and receive, each at its own
/// changing rate.
class BusyFabric {
 public:
  BusyFabric(std::uint32_t ports, double interval_s)
      : map_(map_of_switches(ports)),
        values_(map_->ports.size() * counter_count),
        interval_s_(interval_s) {}

  SnapshotPointer sweep() {
    auto snapshot = std::make_shared<Snapshot>();
    const std::size_t ports = map_->ports.size();
    snapshot->sweep = ++sweep_;
    const double at_s = static_cast<double>(sweep_) * interval_s_;
    snapshot->time_ms = 1'700'000'000'000 + static_cast<std::int64_t>(at_s * 1e3);
    snapshot->begin_ns = static_cast<std::int64_t>(at_s * 1e9);
    snapshot->map = map_;
    snapshot->status.assign(ports, PortStatus::read);
    snapshot->known.assign(ports, all_counters & ~mask_of(Counter::qp1_dropped));
    snapshot->saturated.assign(ports, 0);
    snapshot->narrow.assign(ports, 0);
    for (std::size_t p = 0; p < ports; ++p) {
      // Answers arrive in the same order in each sweep, but not at exactly the same times.
      snapshot->read_ns.push_back(snapshot->begin_ns + static_cast<std::int64_t>(p) * 20'000 +
                                  random_.below(5'000'000));
      if (p % 3 != 0) count(p);
    }
    snapshot->values = values_;
    return snapshot;
  }

 private:
  std::uint64_t& value(std::size_t port, Counter counter) {
    return values_[port * counter_count + static_cast<std::size_t>(counter)];
  }

  void count(std::size_t port) {
    const double share = std::exp2(-static_cast<double>(random_.below(14)));
    for (const auto& [bytes, packets, unicast] :
         {std::array{Counter::transmit_bytes, Counter::transmit_packets,
                     Counter::unicast_transmit_packets},
          std::array{Counter::receive_bytes, Counter::receive_packets,
                     Counter::unicast_receive_packets}}) {
      const auto sent = static_cast<std::uint64_t>(share * line_bytes * interval_s_ *
                                                   (random_.below(1000) / 1000.0)) /
                        4 * 4;
      value(port, bytes) += sent;
      value(port, packets) += sent / packet_bytes;
      // The counters of a port are not read at the same instant, so sometimes only one of them
      // includes a packet.
      value(port, unicast) += sent / packet_bytes + (random_.below(8) == 0 ? 1U : 0U);
    }
    value(port, Counter::transmit_wait) += random_.below(1U << random_.below(30));
    if (random_.below(1000) == 0) ++value(port, Counter::symbol_errors);
  }

  std::shared_ptr<const FabricMap> map_;
  std::vector<std::uint64_t> values_;
  double interval_s_;
  RandomGenerator random_{1, 0};
  std::uint64_t sweep_ = 0;
};

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void read_one_port(const HistoryReader& reader, HistoryLevel level, std::uint32_t ports) {
  const double begin = now_ms();
  HistoryQuery query;
  query.port = {guid_of_switch(ports / ports_of_switch / 2), 17};
  query.level = level;
  const PortHistory history = reader.port_history(query);
  fmt::print("one port, {:>5} points of level {:<4}: {:.0f} ms\n", history.time_ms.size(),
             name_of(level), now_ms() - begin);
}

struct Arguments {
  unsigned sweeps = 2160;
  std::string file = "-";
  double interval_s = 10;
  std::uint32_t ports = 25'704;
};

void measure(const Arguments& arguments) {
  const std::uint32_t ports = arguments.ports;
  HistoryOptions options;
  const bool keep = arguments.file != "-";
  options.file =
      keep ? arguments.file : fmt::format("/tmp/monitor_store.{}.db", std::time(nullptr));
  std::vector<double> write_ms, maintain_ms;
  double writing_cpu = 0;
  {
    BusyFabric fabric(ports, arguments.interval_s);
    HistoryWriter writer(options);
    std::uint64_t before = 0;
    std::vector<double> bytes;
    for (unsigned i = 0; i < arguments.sweeps; ++i) {
      const SnapshotPointer sweep = fabric.sweep();
      const double begin = now_ms(), cpu = cpu_ms();
      writer.write(sweep);
      write_ms.push_back(now_ms() - begin);
      writing_cpu += cpu_ms() - cpu;
      const std::uint64_t after = writer.bytes();
      bytes.push_back(static_cast<double>(after - before) / 1024);
      double step = now_ms();
      while (writer.maintain(std::chrono::milliseconds(1))) {
        maintain_ms.push_back(now_ms() - step);
        step = now_ms();
      }
      before = writer.bytes();
    }
    double sum = 0;
    // The first sweep also stores the map and the ports, so it is excluded.
    for (std::size_t i = 1; i < bytes.size(); ++i) sum += bytes[i];
    fmt::print("sweep: {:.0f} ms (99th percentile {:.0f}), {:.0f} ms of processor, {:.0f} kB\n",
               percentile(write_ms, .5), percentile(write_ms, .99), writing_cpu / arguments.sweeps,
               sum / static_cast<double>(bytes.size() - 1));
    if (!maintain_ms.empty()) {
      fmt::print("steps of downsampling: {} of at most {:.0f} ms (99th percentile {:.0f})\n",
                 maintain_ms.size(), percentile(maintain_ms, 1), percentile(maintain_ms, .99));
    }
    fmt::print("database: {:.0f} MB\n", static_cast<double>(writer.bytes()) / 1e6);
  }
  const double begin = now_ms();
  const HistoryReader reader(options.file);
  for (const HistoryLevel level :
       {HistoryLevel::raw, HistoryLevel::five_minutes, HistoryLevel::hour}) {
    read_one_port(reader, level, ports);
  }
  fmt::print("opened and read three times in {:.0f} ms\n", now_ms() - begin);
  {
    const double opening = now_ms();
    HistoryWriter writer(options);
    fmt::print("opened for writing in {:.0f} ms\n", now_ms() - opening);
  }
  if (!keep) {
    for (const char* part : {"", "-wal", "-shm", ".lock"}) {
      std::filesystem::remove(options.file.string() + part);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("monitor_store", [&] {
    Arguments arguments;
    CommandLine line("monitor_store", "Measures the history of a large simulated fabric.");
    line.option("SWEEPS", arguments.sweeps, "Sweeps to write").range(2, 1e6).show_default();
    line.option("FILE", arguments.file, "Database to write and keep; - is a temporary one")
        .show_default();
    line.option("INTERVAL_S", arguments.interval_s, "Seconds between sweeps")
        .range(1, 1e5)
        .show_default();
    line.option("PORTS", arguments.ports, "Switch ports").range(36, 1e6).show_default();
    if (line.parse(argc, argv)) measure(arguments);
    return 0;
  });
}
