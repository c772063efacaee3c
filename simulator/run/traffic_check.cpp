// Readers report errors in files with their line. This file checks what would break a run, for
// traffic from any source.

#include "simulator/run/traffic_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "simulator/network/route_check.h"

namespace pssp {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw Error(ErrorKind::usage, fmt::format("traffic: {}", what));
}

class RankCheck {
 public:
  explicit RankCheck(const Fabric& fabric) : hosts_(fabric.endpoints().size()) {}

  void rank(std::uint32_t rank) const {
    if (rank < hosts_) return;
    throw Error(ErrorKind::usage, fmt::format("traffic: unknown rank {}; expected 0 .. {}", rank,
                                              static_cast<std::int64_t>(hosts_) - 1));
  }
  void flow(const Flow& flow) const {
    rank(flow.source);
    rank(flow.destination);
  }
  void flow_to_other(const Flow& hosts) const {
    flow(hosts);
    require(hosts.source != hosts.destination, "a flow must lead from one host to another host");
  }

 private:
  std::size_t hosts_;
};

void check_flow(const Fabric& fabric, const StaticFlow& flow) {
  require(flow.rate > 0 && flow.rate <= 1, "a rate must be above 0 and at most 1");
  require(flow.level < service_level_count, "a service level must be 0 .. 15");
  require(flow.start >= 0 && flow.start < flow.stop, "a flow must start before it stops");
  require((flow.on > 0) == (flow.off > 0) && flow.on >= 0 && flow.off >= 0,
          "a flow with pauses needs two lengths above 0");
  const EndPort& port = fabric.end_port(fabric.endpoints()[flow.hosts.destination]);
  require(flow.path < 1U << port.lmc, "a path must be below 2^LMC of the destination");
}

void check_uniform(const RankCheck& check, const UniformTraffic& uniform) {
  require(uniform.rate > 0 && uniform.rate <= 1, "a rate must be above 0 and at most 1");
  require(uniform.level < service_level_count, "a service level must be 0 .. 15");
  require(uniform.start >= 0 && uniform.start < uniform.stop,
          "a sender must start before it stops");
  require(uniform.message_packets > 0 && uniform.messages > 0, "messages must have packets");
  constexpr std::uint64_t most_in_flight = 10'000'000;
  require(uniform.senders.size() * std::uint64_t{uniform.messages} <= most_in_flight,
          "more than 10,000,000 messages at the same time");
  require(uniform.destinations.size() > 1, "uniform traffic needs at least two destinations");
  require(std::ranges::is_sorted(uniform.destinations) && std::ranges::is_sorted(uniform.senders),
          "senders and destinations must be in ascending order");
  for (const std::uint32_t rank : uniform.senders) check.rank(rank);
  for (const std::uint32_t rank : uniform.destinations) check.rank(rank);
}

class RouteQuestions {
 public:
  RouteQuestions(const Addressing& addressing, RouteCheck& check, bool answers)
      : addressing_(addressing), check_(check), answers_(answers) {}

  void ask(const Flow& flow, std::uint16_t path = 0) {
    if (flow.source == flow.destination) return;
    const unsigned lid = addressing_.base_lid(flow.destination) + unsigned{path};
    check_.ask(addressing_.switch_of(flow.source), static_cast<std::uint16_t>(lid));
    if (answers_) {
      check_.ask(addressing_.switch_of(flow.destination), addressing_.base_lid(flow.source));
    }
  }
  /// Adds all pairs, switch by switch.
  void ask(const std::vector<std::uint32_t>& senders,
           const std::vector<std::uint32_t>& destinations) {
    std::vector<std::uint32_t> nodes;
    nodes.reserve(senders.size());
    for (const std::uint32_t rank : senders) nodes.push_back(addressing_.switch_of(rank));
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const std::uint32_t rank : destinations) {
      for (const std::uint32_t node : nodes) check_.ask(node, addressing_.base_lid(rank));
    }
  }

 private:
  const Addressing& addressing_;
  RouteCheck& check_;
  bool answers_;
};

}  // namespace

void check_traffic(const Fabric& fabric, const Traffic& traffic) {
  const RankCheck check(fabric);
  for (const StaticFlow& flow : traffic.flows) {
    check.flow_to_other(flow.hosts);
    check_flow(fabric, flow);
  }
  for (const UniformTraffic& uniform : traffic.uniform) check_uniform(check, uniform);
  for (const RoundTraffic& rounds : traffic.rounds) {
    require(rounds.bytes > 0, "a round must send bytes");
    require(rounds.level < service_level_count, "a service level must be 0 .. 15");
    require(rounds.start >= 0, "rounds must start at 0 or later");
    for (const auto& round : rounds.rounds)
      std::ranges::for_each(round, [&](const Flow& flow) { check.flow(flow); });
  }
  SimulatedTime last = 0;
  for (const TracedMessage& message : traffic.trace) {
    check.flow_to_other(message.hosts);
    require(message.bytes > 0, "a message must have bytes");
    require(message.level < service_level_count, "a service level must be 0 .. 15");
    require(message.time >= last, "a trace must be in order of time");
    last = message.time;
  }
  const bool silent = traffic.flows.empty() && traffic.uniform.empty() && traffic.rounds.empty() &&
                      traffic.trace.empty();
  if (!silent && !fabric.has_lids()) {
    throw Error(ErrorKind::mismatch,
                "the fabric has no LIDs to forward packets by; specify a topology with LIDs, or "
                "tables that state the LIDs");
  }
}

void check_routes(const Fabric& fabric, const Network& network,
                  std::span<const NetworkChange> changes, const Addressing& addressing,
                  const Traffic& traffic, bool answers) {
  RouteCheck check(fabric, network);
  RouteQuestions questions(addressing, check, answers);
  for (const StaticFlow& flow : traffic.flows) questions.ask(flow.hosts, flow.path);
  for (const UniformTraffic& uniform : traffic.uniform) {
    questions.ask(uniform.senders, uniform.destinations);
    if (answers) questions.ask(uniform.destinations, uniform.senders);
  }
  for (const RoundTraffic& rounds : traffic.rounds) {
    for (const auto& round : rounds.rounds) {
      for (const Flow& flow : round) questions.ask(flow);
    }
  }
  for (const TracedMessage& message : traffic.trace) questions.ask(message.hosts);
  check.check();
  for (const NetworkChange& change : changes) check.check(change.routes, true);
}

}  // namespace pssp
