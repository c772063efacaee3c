// Periods of congestion or blocking that continue at the end of a run count up to the end.

#include "simulator/run/outcome.h"

#include <algorithm>

namespace pssp {
namespace {

PortOutcome port_outcome(const LinkRecord& record, SimulatedTime now) {
  PortOutcome port;
  port.sent_bytes = record.sent_bytes;
  port.marks = record.marks;
  port.max_queue_bytes = record.max_queue_bytes;
  port.congested =
      record.congested + (record.congested_lanes != 0 ? now - record.congested_since : 0);
  port.blocked = record.blocked + (record.blocked_since != never ? now - record.blocked_since : 0);
  return port;
}

FlowOutcome flow_outcome(const Traffic& traffic, const FlowRecord& record, std::size_t number) {
  FlowOutcome flow;
  flow.hosts = record.hosts;
  flow.delivered_bytes = record.bytes;
  flow.delivered_packets = record.packets;
  flow.end_bytes = record.end_bytes;
  flow.finished = record.finished;
  flow.gave_up = record.gave_up;
  if (number < traffic.flows.size()) {
    flow.label = traffic.flows[number].label;
    flow.victim = traffic.flows[number].victim;
  } else if (record.owner != no_index) {
    flow.label = traffic.rounds[record.owner].label;
    flow.messages = record.messages;
  }
  return flow;
}

}  // namespace

Outcome outcome_of(const Traffic& traffic, const RunRecord& record, const Network& network,
                   SimulatedTime now) {
  Outcome outcome;
  outcome.simulated = now;
  outcome.created = record.created;
  outcome.delivered = record.delivered;
  outcome.becns = record.becns;
  outcome.delivered_bytes = record.delivered_bytes;
  // Includes final samples without data.
  const std::size_t samples = std::max(record.bytes_by_sample.size(),
                                       static_cast<std::size_t>((now - 1) / traffic.sample + 1));
  outcome.bytes_by_sample = record.bytes_by_sample;
  outcome.bytes_by_sample.resize(samples);
  outcome.flow_bytes_by_sample = record.flow_bytes_by_sample;
  for (std::vector<std::uint64_t>& each : outcome.flow_bytes_by_sample) each.resize(samples);
  outcome.latencies = record.latencies;
  outcome.flow_latencies = record.flow_latencies;
  for (std::size_t i = 0; i < record.flows.size(); ++i) {
    outcome.flows.push_back(flow_outcome(traffic, record.flows[i], i));
  }
  for (const LinkRecord& link : network.records) {
    outcome.ports.push_back(port_outcome(link, now));
    outcome.marks += link.marks;
  }
  return outcome;
}

}  // namespace pssp
