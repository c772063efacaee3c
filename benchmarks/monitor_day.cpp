// Measures the cost of monitoring a large fabric for a day, without hardware: simulated ports
// answer each MAD at once. After each sweep, the program does the work of the daemon: verdicts,
// snapshot, /metrics, and the history with its sums and deletions.
//
//   monitor_day [PORTS [HOURS [INTERVAL_S [SPEED [FILE]]]]]     48000 24 30 100
//
// PORTS is the number of ports of switches with 36 ports. Each port answers with one MAD, as
// hardware with 64-bit counters does. The simulated clock jumps from sweep to sweep. In between, it
// advances by the processor time of the fabric thread (sweep, verdicts and snapshot), multiplied by
// SPEED. A sweep is late if a machine SPEED times slower could not keep the interval. FILE: the
// database, which is kept; without FILE, a temporary one in /tmp.
//
// The program prints a line for each simulated hour. At the end, it prints the number of late
// sweeps, the growth of the memory from the middle to the end, and the cost of /metrics: with and
// without error counters that are 0, compressed and not. Each of the four variants is requested in
// a quarter of the sweeps.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <ctime>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "benchmarks/busy_switches.h"
#include "monitor/analysis/verdict_watch.h"
#include "monitor/collector/collector.h"
#include "monitor/service/routes.h"
#include "monitor/store/history_writer.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "wire/big_endian.h"

namespace {

using namespace pssp;
using Clock = Exchange::Clock;

constexpr double line_bytes = 12.5e9, packet_bytes = 2048;

double processor_s() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double resident_mb() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Largest resident memory since forget_peak().
double peak_mb() {
  std::ifstream file("/proc/self/status");
  std::string word;
  double kb = 0;
  while (file >> word) {
    if (word == "VmHWM:") file >> kb;
  }
  return kb / 1e3;
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

struct Wanted {
  unsigned ports = 48'000;
  double hours = 24, interval_s = 30, speed = 100;
  std::string file;
};

/// The clock of the daemon, in simulated seconds. The daemon asks for the time with each MAD.
/// Reading the processor time is a system call that takes longer than all other work for one MAD,
/// so most calls return a reading from a few MADs before.
class DayClock {
 public:
  explicit DayClock(double speed) : speed_(speed), began_(processor_s()) {}

  double now_s() const {
    constexpr unsigned answers_of_a_reading = 256;
    if (++asked_ % answers_of_a_reading == 0) read_s_ = processor_s();
    return at_s_ + (read_s_ - began_) * speed_;
  }
  Clock::time_point now() const {
    constexpr double hour_s = 3600;  // time 0 of the steady clock means "never"
    return Clock::time_point(std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(hour_s + now_s())));
  }
  /// Advances the clock to `s`. Returns false if `s` has already passed.
  bool wait_until(double s) {
    const double now = at_s_ + (processor_s() - began_) * speed_;
    at_s_ = std::max(now, s);
    resume();
    return now <= s;
  }
  /// Excludes the work since wait_until(), which other threads of the daemon do.
  void resume() { began_ = read_s_ = processor_s(); }

 private:
  double speed_, at_s_ = 0, began_;
  mutable double read_s_ = began_;
  mutable unsigned asked_ = 0;
};

/// Two of three ports send and receive, each at its own rate, which changes all the time.
class SimulatedPorts final : public MadPort {
 public:
  SimulatedPorts(const DayClock& clock, unsigned ports) : clock_(clock) {
    for (unsigned port = 0; port < ports + ports_of_switch; ++port) {
      RandomGenerator random(port, 0);
      const double share = std::exp2(-static_cast<double>(random.below(14)));
      // Each port has its own period, so that no two sweeps have the same counts.
      loads_.push_back({share * line_bytes * .45, 60 + static_cast<double>(random.below(1000))});
    }
  }

  bool send(const MadBytes& mad, const Destination& to, std::chrono::milliseconds) override {
    MadBytes answer = mad;
    answer[method_at] = static_cast<std::uint8_t>(MadMethod::get_response);
    const MadHeader header = header_of(mad);
    MadData data{};
    if (header.attribute == node_info_attribute) {
      put(std::span<std::uint8_t>(data).subspan(guid_at), guid_of_switch(to.lid - 1U));
    } else if (header.attribute ==
               static_cast<std::uint16_t>(PerformanceAttribute::class_port_info)) {
      data = encode(can_);
    } else {
      data = encode_port_counters_extended(counters(to.lid, mad[data_at + 1]), true);
    }
    std::copy(data.begin(), data.end(), answer.begin() + data_at);
    arriving_.push_back({answer, false});
    return true;
  }
  std::string send_error() const override { return {}; }
  std::optional<ReceivedMad> receive(std::chrono::milliseconds) override {
    if (arriving_.empty()) return std::nullopt;
    const ReceivedMad mad = arriving_.front();
    arriving_.pop_front();
    return mad;
  }

 private:
  static constexpr std::size_t method_at = 3, data_at = 64, guid_at = 12;
  static constexpr std::uint16_t node_info_attribute = 0x11;

  PortCounters counters(Lid lid, PortNumber number) const {
    PortCounters values;
    values.port = number;
    const std::uint32_t port = (lid - 1U) * ports_of_switch + number - 1U;
    if (port % 3 == 0) return values;
    const auto [bytes_per_s, period] = loads_[port];
    const double t = clock_.now_s();
    const double busy_s = t + period / 7 * std::sin(t * 6.28 / period);
    const auto bytes = static_cast<std::uint64_t>(bytes_per_s * busy_s);
    const auto packets = static_cast<std::uint64_t>(static_cast<double>(bytes) / packet_bytes);
    values.transmit_words = values.receive_words = bytes / 4;
    values.transmit_packets = values.receive_packets = packets;
    values.unicast_transmit_packets = values.unicast_receive_packets = packets;
    values.transmit_wait = packets / 8;
    values.symbol_errors = port % 1000 == 1 ? static_cast<std::uint64_t>(t / 600) : 0;
    return values;
  }

  struct Load {
    double bytes_per_s, period;
  };
  const DayClock& clock_;
  std::vector<Load> loads_;
  std::deque<ReceivedMad> arriving_;
  PerformanceInfo can_{performance_capability::extended_width | performance_capability::xmit_wait,
                       performance_capability::additional_extended, 0};
};

/// Mean, largest and smallest processor time, in seconds.
struct Cost {
  double sum = 0, most = 0, least = std::numeric_limits<double>::infinity();
  unsigned count = 0;
  void add(double s) {
    sum += s;
    most = std::max(most, s);
    least = std::min(least, s);
    ++count;
  }
  std::string text() const {
    return fmt::format("{:.0f} (most {:.0f})", count == 0 ? 0 : 1e3 * sum / count, 1e3 * most);
  }
};

template <class Work>
void measure(Cost& cost, const Work& work) {
  const double begin = processor_s();
  work();
  cost.add(processor_s() - begin);
}

/// Does the work of the daemon for each sweep.
class Day {
 public:
  Day(const Wanted& wanted, HistoryOptions history)
      : wanted_(wanted),
        clock_(wanted.speed),
        ports_(clock_, wanted.ports),
        gate_(ports_),
        exchange_(gate_, {}, [this] { return clock_.now(); }),
        collector_(exchange_, gate_, collector_options(wanted), [this] { return clock_.now(); }),
        writer_(std::move(history)),
        api_(live_, nullptr, {}) {
    collector_.set_map(map_of_switches(wanted.ports));
  }

  void run() {
    const auto sweeps = static_cast<unsigned>(wanted_.hours * 3600 / wanted_.interval_s);
    const unsigned each_hour = std::max(1U, static_cast<unsigned>(3600 / wanted_.interval_s));
    double middle_mb = 0;
    unsigned late = 0;
    for (unsigned i = 1; i <= sweeps; ++i) {
      if (!turn(i * wanted_.interval_s, pages_[(i - 1) * pages_.size() / sweeps])) ++late;
      if (i == (sweeps + 1) / 2) middle_mb = resident_mb();
      if (i % each_hour == 0 || i == sweeps) report(i);
    }
    fmt::print(
        "{} sweeps of {} ports, {} of them late; memory {:.1f} MB in the middle, {:.1f} MB at "
        "the end: {:+.1f} %\n",
        sweeps, wanted_.ports, late, middle_mb, resident_mb(),
        (resident_mb() / middle_mb - 1) * 100);
    for (const Page& page : pages_) page.print();
  }

 private:
  static CollectorOptions collector_options(const Wanted& wanted) {
    CollectorOptions options;
    options.interval = std::chrono::nanoseconds(static_cast<std::int64_t>(wanted.interval_s * 1e9));
    return options;
  }

  /// The cost of one variant of /metrics.
  struct Page {
    const char* target;
    bool is_packed;
    Cost cost{};
    std::size_t bytes = 0;  ///< 0: refused because it is too large
    double more_mb = 0;

    void ask(Api& api) {
      ApiRequest request;
      request.target = target;
      request.accepts_gzip = is_packed;
      forget_peak();
      const double before_mb = peak_mb();
      measure(cost, [&] {
        const ApiAnswer answer = api.answer(request);
        bytes = answer.status == 200 ? answer.body->size() : 0;
      });
      more_mb = std::max(more_mb, peak_mb() - before_mb);
    }
    void print() const {
      if (cost.count == 0) return;
      const std::string name = fmt::format("{}{}", target, is_packed ? ", compressed" : "");
      if (bytes == 0) {
        fmt::print("{}: refused\n", name);
        return;
      }
      fmt::print("{}: {} ms of processor, least {:.0f}; {:.1f} MB, {:.1f} MB more memory\n", name,
                 cost.text(), 1e3 * cost.least, static_cast<double>(bytes) / 1e6, more_mb);
    }
  };

  /// Runs one sweep. Returns false if the fabric thread was not ready at the time of the next
  /// sweep.
  bool turn(double next_s, Page& page) {
    SnapshotPointer snapshot;
    measure(sweep_, [&] {
      collector_.begin();
      while (collector_.step(clock_.now() + std::chrono::seconds(1))) {
      }
      snapshot = at_its_time(*collector_.finish());
    });
    LiveFacts facts;
    measure(evaluator_, [&] {
      verdicts_.add(snapshot);
      facts.has_verdicts = verdicts_.has_verdicts();
    });
    measure(show_, [&] { live_.publish(snapshot, std::move(facts)); });
    const bool in_time = clock_.wait_until(next_s);
    measure(write_, [&] {
      writer_.write(snapshot, collector_.take_events());
      writer_.write_verdicts(verdicts_.take_changes());
      while (writer_.maintain(std::chrono::milliseconds(50))) {
      }
    });
    page.ask(api_);
    clock_.resume();
    return in_time;
  }

  /// The snapshot with the simulated time as wall-clock time.
  SnapshotPointer at_its_time(const Snapshot& sweep) const {
    constexpr std::int64_t first_ms = 1'700'000'000'000;
    auto snapshot = std::make_shared<Snapshot>(sweep);
    snapshot->time_ms = first_ms + sweep.begin_ns / 1'000'000;
    return snapshot;
  }

  void report(unsigned sweeps) {
    fmt::print(
        "{:5.1f} h: ms of processor: sweep {}, verdicts {}, shown {}, history {}; {:.1f} MB, "
        "database {:.0f} MB\n",
        sweeps * wanted_.interval_s / 3600, sweep_.text(), evaluator_.text(), show_.text(),
        write_.text(), resident_mb(), static_cast<double>(writer_.bytes()) / 1e6);
    std::fflush(stdout);
    sweep_ = evaluator_ = show_ = write_ = Cost{};
  }

  Wanted wanted_;
  DayClock clock_;
  SimulatedPorts ports_;
  GetOnlyPort gate_;
  Exchange exchange_;
  Collector collector_;
  VerdictWatch verdicts_{VerdictSettings{}};
  LiveState live_;
  HistoryWriter writer_;
  Api api_;
  Cost sweep_, evaluator_, show_, write_;
  std::array<Page, 4> pages_{Page{"/metrics", true}, Page{"/metrics?all=0", true},
                             Page{"/metrics", false}, Page{"/metrics?all=0", false}};
};

}  // namespace

int main(int argc, char** argv) {
  return run_tool("monitor_day", [&] {
    Wanted wanted;
    CommandLine line("monitor_day", "Measures a day of monitoring a large simulated fabric.");
    line.option("PORTS", wanted.ports, "Switch ports").range(36, 1e6).show_default();
    line.option("HOURS", wanted.hours, "Simulated hours").range(0.01, 10'000).show_default();
    line.option("INTERVAL_S", wanted.interval_s, "Seconds between sweeps")
        .range(1, 3600)
        .show_default();
    line.option("SPEED", wanted.speed,
                "Factor by which the simulated machine is slower than this machine")
        .range(1, 1e6)
        .show_default();
    line.option("FILE", wanted.file, "Database to write and keep (default: a temporary one)");
    if (!line.parse(argc, argv)) return 0;
    HistoryOptions history;
    history.file =
        wanted.file.empty() ? fmt::format("/tmp/monitor_day.{}.db", getpid()) : wanted.file;
    Day(wanted, history).run();
    if (wanted.file.empty()) {
      for (const char* part : {"", "-wal", "-shm", ".lock"}) {
        std::filesystem::remove(history.file.string() + part);
      }
    }
    return 0;
  });
}
