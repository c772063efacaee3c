#pragma once

// A run of the simulator: computes an Outcome from fabric, tables, traffic, model and parameters.
// The Outcome depends only on these inputs and the seed.
//
// To read simulator/, begin here, and continue with simulator/run/machine.h and run_state.h.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/stop_signal.h"
#include "congestion/parameters.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "simulator/changes/later_states.h"
#include "simulator/measure/latency_histogram.h"
#include "simulator/model.h"
#include "simulator/simulated_time.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// One flow in the measured time (from the end of the warm-up on).
struct FlowOutcome {
  Flow hosts;
  std::string label;
  bool victim = false;
  std::uint64_t delivered_bytes = 0;
  std::uint64_t delivered_packets = 0;
  std::uint64_t end_bytes = 0;     ///< total; 0: endless
  std::uint32_t messages = 0;      ///< number of messages, one per round; 0: not a pair of rounds
  SimulatedTime finished = never;  ///< when the last byte arrived; never for endless flows
  bool gave_up = false;            ///< after RetryRules::retries
};

/// One sending port in the measured time. Ports are numbered: the fabric's channels, then for each
/// rank the switch port that leads to it, then for each rank its own port.
struct PortOutcome {
  std::uint64_t sent_bytes = 0;
  SimulatedTime congested = 0;  ///< time in the state congested, on any lane
  SimulatedTime blocked = 0;    ///< time with a packet to send but no credits for it
  std::uint64_t marks = 0;
  std::uint32_t max_queue_bytes = 0;  ///< largest waiting amount, over all inputs
};

/// One port in one sample.
struct PortInterval {
  std::uint64_t bytes = 0;        ///< sent
  std::uint64_t marks = 0;        ///< marked packets
  std::uint32_t queue_bytes = 0;  ///< waiting at the end of the sample
};

enum class RunEnd : std::uint8_t {
  duration,       ///< the traffic's duration is over
  all_delivered,  ///< all traffic has arrived
  deadlock,
  stopped,  ///< by the stop signal
  most_events,
  most_bytes,
};

struct Outcome {
  RunEnd end = RunEnd::duration;
  SimulatedTime simulated = 0;
  std::uint64_t events = 0;
  /// Packets; created is the sum of these and of those in `losses`.
  std::uint64_t created = 0, delivered = 0, in_flight = 0;
  LossCounts losses;  ///< for runs whose fabric changes
  std::uint64_t marks = 0, becns = 0;
  std::uint64_t delivered_bytes = 0;           ///< by all hosts, in the measured time
  std::vector<std::uint64_t> bytes_by_sample;  ///< the same, by sample from the start of the run
  /// Static flows in the order of Traffic::flows, then each pair of rounds and trace that sent.
  std::vector<FlowOutcome> flows;
  std::vector<std::vector<std::uint64_t>> flow_bytes_by_sample;  ///< [static flow][sample]
  std::vector<PortOutcome> ports;
  /// Of packets from their creation to the arrival of their tails, in the measured time.
  LatencyHistogram latencies;
  /// The same for each static flow; empty if there are more than most_flows_with_latencies.
  std::vector<LatencyHistogram> flow_latencies;
  std::vector<SimulatedTime>
      round_ends;  ///< of each RoundTraffic's rounds, in order; never: not ended
  /// [position in RunRequest::sampled_ports][sample], from the start of the run.
  std::vector<std::vector<PortInterval>> port_samples;
  std::vector<std::uint32_t> deadlock;  ///< ports that wait for each other in a cycle; or empty
};

/// Data structure of pending events; does not affect the outcome.
enum class EventOrder : std::uint8_t { calendar, heap };

struct RunRequest {
  std::uint64_t seed = 1;
  std::uint64_t most_events = 0;  ///< 0: no limit
  std::uint64_t most_bytes = 0;   ///< bytes of memory; 0: no limit
  EventOrder events = EventOrder::calendar;
  std::vector<std::uint32_t> sampled_ports;  ///< indices in Outcome::ports
  const LaterStates* later = nullptr;        ///< changes of the fabric; null: none
  const StopSignal* stop = nullptr;          ///< checked periodically; may be null
  /// Called periodically; may be empty.
  std::function<void(SimulatedTime now, std::uint64_t events)> progress;
};

/// `congestion` null: congestion control is off. `levels` null: packets have the level of their
/// traffic. Throws Error: mismatch if tables or levels do not belong to the fabric,
/// verification_failed if a flow has no route or the tables have a forwarding loop, usage if the
/// model parameters are inconsistent (a packet larger than a buffer). Tables of later states must
/// not have loops either; packets without a route there are lost (network_changes()).
Outcome simulate(const Fabric& fabric, const ForwardingTables& tables, const ServiceLevels* levels,
                 const Traffic& traffic, const Model& model, const CongestionParameters* congestion,
                 const RunRequest& request);

}  // namespace pssp
