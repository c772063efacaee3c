// Measures how many events a second the simulator processes, and the cost of its event queues
// compared with std::priority_queue.
//
//   simulator_kernel            all measurements
//   simulator_kernel queue      pop one event, push another one, for several queue sizes
//   simulator_kernel mesh       experiment D of the thesis: 50 hosts, fits into the caches
//   simulator_kernel large      4390 hosts, uniform traffic at full load, 1 ms: limited by memory
//
// Seconds are processor time, not elapsed time.

#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <ctime>
#include <functional>
#include <numeric>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "congestion/profiles.h"
#include "routing/engines/engine.h"
#include "simulator/kernel/calendar_queue.h"
#include "simulator/kernel/heap_queue.h"
#include "simulator/run/simulation.h"
#include "topologies/registry.h"

namespace {

using namespace pssp;

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double most_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

constexpr std::uint64_t steps = 5'000'000;

/// Times between events as in a simulation, in picoseconds: a hop, a packet on a slow link, a
/// packet on a fast link, a long wait.
constexpr std::array<SimulatedTime, 4> distances{5'000, 2'176'000, 544'000, 113'000};

template <class Queue>
double seconds_of_queue(std::uint32_t pending) {
  Queue queue;
  SplitMix64 random(1);
  for (std::uint32_t i = 0; i < pending; ++i) {
    queue.push(static_cast<SimulatedTime>(random() % 2'000'000), SimulatorEventKind::wake, i, 0);
  }
  Event event;
  std::uint64_t sum = 0;
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) {
    queue.pop_before(never, event);
    sum += event.subject;
    queue.push(event.time + distances[random() % 4], SimulatorEventKind::wake, event.subject, 0);
  }
  const double seconds = cpu_seconds() - start;
  if (sum == 0) fmt::print("no events\n");
  return seconds;
}

/// The simplest implementation, for comparison: events are functions, ordered by time and creation.
double seconds_of_standard_queue(std::uint32_t pending) {
  struct Entry {
    SimulatedTime time;
    std::uint64_t order;
    std::function<void()> act;
    bool operator>(const Entry& other) const {
      return time != other.time ? time > other.time : order > other.order;
    }
  };
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  SplitMix64 random(1);
  std::uint64_t created = 0;
  std::uint64_t sum = 0;
  SimulatedTime now = 0;
  // As in a simulation, a function captures its subject, a detail, and the objects that it uses.
  const std::function<void(SimulatedTime, std::uint32_t)> push = [&](SimulatedTime time,
                                                                     std::uint32_t subject) {
    queue.push({time, created++, [&sum, &now, &random, &push, subject, detail = created] {
                  sum += subject + (detail & 0);
                  push(now + distances[random() % 4], subject);
                }});
  };
  for (std::uint32_t i = 0; i < pending; ++i) {
    push(static_cast<SimulatedTime>(random() % 2'000'000), i);
  }
  const double start = cpu_seconds();
  for (std::uint64_t i = 0; i < steps; ++i) {
    Entry entry = queue.top();
    queue.pop();
    now = entry.time;
    entry.act();
  }
  const double seconds = cpu_seconds() - start;
  if (sum == 0) fmt::print("no events\n");
  return seconds;
}

void measure_queues() {
  fmt::print("{:>10} {:>14} {:>14} {:>14} {:>8} {:>8}\n", "pending", "calendar, M/s", "heap, M/s",
             "standard, M/s", "ratio", "of heap");
  for (const std::uint32_t pending : {100U, 1'000U, 10'000U, 100'000U}) {
    const double calendar = seconds_of_queue<CalendarQueue>(pending);
    const double heap = seconds_of_queue<HeapQueue>(pending);
    const double standard = seconds_of_standard_queue(pending);
    fmt::print("{:>10} {:>14.1f} {:>14.1f} {:>14.1f} {:>8.1f} {:>8.1f}\n", pending,
               steps / calendar / 1e6, steps / heap / 1e6, steps / standard / 1e6,
               standard / calendar, standard / heap);
  }
}

std::uint32_t rank_of(const Fabric& fabric, std::string_view name) {
  std::uint32_t rank = 0;
  while (fabric.end_port(fabric.endpoints()[rank]).name != name) ++rank;
  return rank;
}

/// Three groups: five hosts send to one host, and a sixth sends a victim flow. All other hosts send
/// uniform traffic to all hosts.
Traffic experiment_d(const Fabric& fabric) {
  constexpr std::array<std::array<std::string_view, 8>, 3> groups{
      {{"H551", "H541", "H211", "H141", "H251", "H241", "H212", "H231"},
       {"H111", "H121", "H511", "H451", "H441", "H421", "H131", "H321"},
       {"H151", "H142", "H411", "H532", "H422", "H531", "H132", "H331"}}};
  Traffic traffic;
  traffic.duration = 100 * picoseconds_per_millisecond;
  traffic.sample = 5 * picoseconds_per_millisecond;
  std::vector<bool> fixed(fabric.endpoints().size());
  for (const auto& group : groups) {
    for (std::size_t i = 0; i < 6; ++i) {
      StaticFlow flow;
      flow.hosts = {rank_of(fabric, group[i < 5 ? i : 6]), rank_of(fabric, group[i < 5 ? 5 : 7])};
      flow.start = static_cast<SimulatedTime>(i) * 10 * picoseconds_per_millisecond;
      traffic.flows.push_back(flow);
      fixed[flow.hosts.source] = true;
    }
  }
  UniformTraffic others;
  for (std::uint32_t rank = 0; rank < fixed.size(); ++rank) {
    others.destinations.push_back(rank);
    if (!fixed[rank]) others.senders.push_back(rank);
  }
  traffic.uniform.push_back(others);
  return traffic;
}

double seconds_of_run(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
                      const Model& model, const CongestionParameters* congestion, EventOrder events,
                      Outcome& outcome) {
  RunRequest request;
  request.events = events;
  const double start = cpu_seconds();
  outcome = simulate(fabric, tables, nullptr, traffic, model, congestion, request);
  return cpu_seconds() - start;
}

void measure(std::string_view what, const Fabric& fabric, std::string_view engine,
             const Traffic& traffic, const Model& model, const CongestionParameters* congestion) {
  const Routing routing = make_engine(engine, {})->route(fabric);
  Outcome outcome;
  const double heap =
      seconds_of_run(fabric, routing.tables, traffic, model, congestion, EventOrder::heap, outcome);
  const double calendar = seconds_of_run(fabric, routing.tables, traffic, model, congestion,
                                         EventOrder::calendar, outcome);
  const double events = static_cast<double>(outcome.events) / 1e6;
  fmt::print(
      "{:<28} {:>8.1f} {:>11.2f} {:>8.1f} {:>11.2f} {:>8.1f} {:>8.2f} {:>6.0f}\n", what, events,
      calendar, events / calendar, heap, events / heap,
      static_cast<double>(outcome.delivered_bytes) / (static_cast<double>(traffic.duration) / 1e3),
      most_megabytes());
}

void print_head() {
  fmt::print("{:<28} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "run", "M events", "s", "M/s", "GB/s", "MB");
}

void measure_mesh() {
  const Fabric fabric = make_fabric("mesh 5x5 --hosts 2 --ports thesis");
  Model model;
  model.host_rate = LinkRate{4, 2000};
  model.link_rate = LinkRate{4, 8000};
  model.root = RootTest::any;
  const Traffic traffic = experiment_d(fabric);
  measure("mesh 5x5, D, no control", fabric, "meshdor", traffic, model, nullptr);
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  measure("mesh 5x5, D, thesis-mesh", fabric, "meshdor", traffic, model, &set);
}

void measure_large() {
  const Fabric fabric = make_fabric("thunderbird");
  Traffic traffic;
  traffic.duration = picoseconds_per_millisecond;
  UniformTraffic all;
  all.senders.resize(fabric.endpoints().size());
  std::iota(all.senders.begin(), all.senders.end(), 0U);
  all.destinations = all.senders;
  traffic.uniform.push_back(all);
  Model model;
  model.host_rate = model.link_rate = LinkRate{4, 2000};
  measure("thunderbird, 4xSDR", fabric, "pssp", traffic, model, nullptr);
  model.host_rate = model.link_rate = LinkRate{4, 8000};
  measure("thunderbird, 4xQDR", fabric, "pssp", traffic, model, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view asked = argc > 1 ? argv[1] : "all";
  if (asked == "queue" || asked == "all") measure_queues();
  if (asked != "queue") print_head();
  if (asked == "mesh" || asked == "all") measure_mesh();
  if (asked == "large" || asked == "all") measure_large();
}
