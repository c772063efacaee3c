// A simulation without traffic of its own: the player begins messages between two events. It runs
// until an event concerns a message, or until the next time of the player; at equal times, the
// player comes first.
//
// There are two machines, with tables only or adaptive: each is compiled as one piece, and only the
// calls to the player (one per message) go through a pointer.

#include "simulator/run/player_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "applications/networks/paths.h"
#include "base/error.h"
#include "simulator/kernel/calendar_queue.h"
#include "simulator/measure/conservation.h"
#include "simulator/network/port_links.h"
#include "simulator/network/route_check.h"
#include "simulator/run/machine.h"

namespace pssp {
namespace {

/// One sample, which never ends.
Traffic no_traffic() {
  Traffic traffic;
  traffic.duration = traffic.sample = std::numeric_limits<SimulatedTime>::max() / 4;
  return traffic;
}

RunRequest request_of(const PacketRules& rules) {
  RunRequest request;
  request.later = rules.later;
  return request;
}

}  // namespace

/// The interface between a player and a machine. The name differs from that of Parts.
class SimulatedMachine {
 public:
  SimulatedMachine() = default;
  SimulatedMachine(const SimulatedMachine&) = delete;
  SimulatedMachine& operator=(const SimulatedMachine&) = delete;
  virtual ~SimulatedMachine() = default;

  virtual void begin(std::uint32_t message, Flow hosts, std::uint64_t bytes, std::uint8_t level,
                     SimulatedTime now) = 0;
  virtual bool simulate_before(SimulatedTime end) = 0;
  virtual SimulatedTime now() const = 0;
  virtual std::uint64_t events() const = 0;
  virtual std::uint64_t packets_in_flight() const = 0;
  virtual std::uint64_t notifications() const = 0;
  virtual SimulatedMessages& messages() = 0;
  virtual const Network& network() const = 0;
  virtual const std::vector<NetworkChange>& changes() const = 0;
  virtual const LossCounts& losses() const = 0;
  virtual const std::vector<FlowRecord>& flows() const = 0;
  virtual void check_conservation() const = 0;
};

namespace {

template <class Ports>
class MachineWith final : public SimulatedMachine {
 public:
  explicit MachineWith(const RunInput& input) : machine_(input), state_(machine_.state()) {}

  void begin(std::uint32_t message, Flow hosts, std::uint64_t bytes, std::uint8_t level,
             SimulatedTime now) override {
    machine_.begin_message(message, hosts, bytes, level, now);
  }
  bool simulate_before(SimulatedTime end) override { return machine_.simulate_before(end); }
  SimulatedTime now() const override { return state_.now; }
  std::uint64_t events() const override { return state_.events; }
  std::uint64_t packets_in_flight() const override { return state_.packets.in_use(); }
  std::uint64_t notifications() const override { return state_.record.becns; }
  SimulatedMessages& messages() override { return state_.messages; }
  const Network& network() const override { return state_.network; }
  const std::vector<NetworkChange>& changes() const override { return state_.changes; }
  const LossCounts& losses() const override { return state_.delivery.counts(); }
  const std::vector<FlowRecord>& flows() const override { return state_.record.flows; }
  void check_conservation() const override {
    ConservationCheck conservation(state_.network, state_.packets);
    state_.queue.for_each([&](const Event& event) { conservation.add(event); });
    conservation.check(state_.in_flight());
  }

 private:
  Machine<CalendarQueue, Ports> machine_;
  RunState<CalendarQueue, Ports>& state_;  // of the machine
};

std::unique_ptr<SimulatedMachine> machine_of(const RunInput& input) {
  if (input.request.later != nullptr) {
    if (input.adaptive == nullptr) return std::make_unique<MachineWith<ChangingPorts>>(input);
    throw Error(ErrorKind::usage,
                "adaptive routing is not supported in a fabric that changes; leave it out");
  }
  if (input.adaptive != nullptr) return std::make_unique<MachineWith<AdaptivePorts>>(input);
  return std::make_unique<MachineWith<TablePorts>>(input);
}

}  // namespace

struct PacketNetwork::Parts {
  Parts(const Fabric& of, const ForwardingTables& tables, const Model& of_run,
        const PacketRules& rules)
      : fabric(of),
        model(of_run),
        is_adaptive(rules.adaptive != nullptr),
        traffic(no_traffic()),
        request(request_of(rules)),
        paths(of, &tables, {of_run.link_delay, of_run.switch_delay}),
        ranks(ranks_by_end_port(of)),
        machine(machine_of({of, tables, rules.levels, traffic, model, rules.congestion, request,
                            rules.adaptive})) {
    capacities = paths.capacities();
  }

  /// A connection gave up.
  [[noreturn]] void refuse_loss() const {
    const auto& flows = machine->flows();
    const Flow& hosts = std::ranges::find_if(flows, &FlowRecord::gave_up)->hosts;
    const auto name = [&](std::uint32_t rank) { return fabric.label(fabric.endpoints()[rank]); };
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("a packet from {} to {} was lost {} times in a row, and the connection gave "
                    "up; specify tables with a route for each change, or longer time-outs",
                    name(hosts.source), name(hosts.destination), request.later->retry.retries + 1));
  }

  const Fabric& fabric;
  const Model& model;
  bool is_adaptive;
  Traffic traffic;
  RunRequest request;
  MessagePaths paths;
  std::vector<std::uint32_t> ranks;  // by EndPortId
  std::unique_ptr<SimulatedMachine> machine;
  std::vector<double> capacities;  // bytes per picosecond, by links of `paths`
  std::vector<std::uint32_t> path;
  std::vector<std::uint8_t> levels;  // by message
};

PacketNetwork::PacketNetwork(const Fabric& fabric, const ForwardingTables& tables,
                             const Model& model, std::span<const EndPortId> hosts,
                             const PacketRules& rules)
    : parts_(std::make_unique<Parts>(fabric, tables, model, rules)) {
  RouteCheck routes(fabric, parts_->machine->network());
  std::vector<char> is_asked(fabric.switch_count());
  std::vector<std::uint32_t> switches;
  for (const EndPortId host : hosts) {
    const std::uint32_t at = fabric.end_port(host).attached.value();
    if (std::exchange(is_asked[at], 1) == 0) switches.push_back(at);
  }
  for (const EndPortId host : hosts) {
    for (const std::uint32_t at : switches) routes.ask(at, fabric.end_port(host).lid);
  }
  routes.check();
  for (const NetworkChange& change : parts_->machine->changes()) routes.check(change.routes, true);
}

PacketNetwork::~PacketNetwork() = default;

double PacketNetwork::picoseconds_per_byte() const {
  return parts_->capacities.empty() ? 1 : 1 / *std::ranges::min_element(parts_->capacities);
}

ReplayTime PacketNetwork::delay(EndPortId from, EndPortId to) {
  return parts_->paths.delay(from, to);
}

ReplayTime PacketNetwork::time_alone(double bytes, EndPortId from, EndPortId to) {
  parts_->paths.collect(from, to, parts_->path);
  double rate = parts_->capacities[parts_->path.front()];
  for (const std::uint32_t link : parts_->path) rate = std::min(rate, parts_->capacities[link]);
  return static_cast<ReplayTime>(std::ceil(bytes / rate)) +
         parts_->paths.delay(parts_->path.size());
}

void PacketNetwork::begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
                          ReplayTime now) {
  const Flow hosts{parts_->ranks[from.value()], parts_->ranks[to.value()]};
  const std::uint8_t level = message < parts_->levels.size() ? parts_->levels[message] : 0;
  parts_->machine->begin(message, hosts, static_cast<std::uint64_t>(bytes), level, now);
}

void PacketNetwork::set_levels(std::vector<std::uint8_t> by_message) {
  parts_->levels = std::move(by_message);
}

ReplayTime PacketNetwork::next_event(ReplayTime until) {
  SimulatedMachine& machine = *parts_->machine;
  const bool has_deliveries = machine.simulate_before(until);
  if (machine.losses().given_up != 0) parts_->refuse_loss();
  if (has_deliveries) return machine.now();
  if (until == std::numeric_limits<ReplayTime>::max() && machine.packets_in_flight() != 0) {
    throw Error(
        ErrorKind::verification_failed,
        fmt::format("{} packets wait for each other in a cycle: the {} have a credit "
                    "loop; use {} without one{}",
                    machine.packets_in_flight(), parts_->is_adaptive ? "ports of groups" : "routes",
                    parts_->is_adaptive ? "groups" : "tables",
                    parts_->is_adaptive ? "" : " (pssp eval reports credit loops)"));
  }
  return until;
}

bool PacketNetwork::take_events(ReplayTime now, MessageEvents& arrivals) {
  SimulatedMessages& messages = parts_->machine->messages();
  if (!messages.has_deliveries() || parts_->machine->now() != now) return false;
  const SimulatedMessages::Deliveries taken = messages.take_events();
  arrivals = {taken.message,
              taken.has_arrived ? MessageEvents::Kind::arrived : MessageEvents::Kind::left};
  return true;
}

std::uint64_t PacketNetwork::events() const noexcept { return parts_->machine->events(); }

std::uint64_t PacketNetwork::packets() const noexcept {
  return parts_->machine->messages().taken();
}

std::uint64_t PacketNetwork::overtaken() const noexcept {
  return parts_->machine->messages().overtaken();
}

const LossCounts& PacketNetwork::losses() const noexcept { return parts_->machine->losses(); }

std::uint64_t PacketNetwork::notifications() const noexcept {
  return parts_->machine->notifications();
}

void PacketNetwork::check_conservation() const {
  parts_->machine->check_conservation();
  if (parts_->is_adaptive || parts_->request.later != nullptr || overtaken() == 0) return;
  throw Error(ErrorKind::internal, fmt::format("{} packets overtook another", overtaken()));
}

}  // namespace pssp
