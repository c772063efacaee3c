#pragma once

// A run of the simulator: fabric, tables, traffic, model and parameters in, an Outcome out. The
// same inputs and the same seed give the same Outcome, whatever else the machine does.
//
// Begin reading simulator/ here; then simulator/run/machine.h and run_state.h.

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

/// Of one flow, in the measured time (from the end of the warm-up on).
struct FlowOutcome {
  Flow hosts;
  std::string label;
  bool victim = false;
  std::uint64_t delivered_bytes = 0;
  std::uint64_t delivered_packets = 0;
  std::uint64_t end_bytes = 0;     ///< with which it ends; 0: never
  std::uint32_t messages = 0;      ///< that these are, one a round; 0: no pair of rounds
  SimulatedTime finished = never;  ///< of flows with an end: when the last byte arrived
  bool gave_up = false;            ///< RetryRules::retries did not do
};

/// Of one port that sends, in the measured time. Ports are numbered: the fabric's channels, then
/// for each rank the switch's port that leads to it, then for each rank its own port.
struct PortOutcome {
  std::uint64_t sent_bytes = 0;
  SimulatedTime congested = 0;  ///< time in the state congested, on any lane
  SimulatedTime blocked = 0;    ///< time with a packet to send but no credits for it
  std::uint64_t marks = 0;
  std::uint32_t max_queue_bytes = 0;  ///< that waited for it, over all inputs
};

/// Of one port in one sample.
struct PortInterval {
  std::uint64_t bytes = 0;        ///< that it sent
  std::uint64_t marks = 0;        ///< packets that it marked
  std::uint32_t queue_bytes = 0;  ///< that waited for it when the sample ended
};

enum class RunEnd : std::uint8_t {
  duration,       ///< the traffic's
  all_delivered,  ///< nothing is left to be sent
  deadlock,
  stopped,  ///< by the stop signal
  most_events,
  most_bytes,
};

struct Outcome {
  RunEnd end = RunEnd::duration;
  SimulatedTime simulated = 0;
  std::uint64_t events = 0;
  /// Packets; created is the sum of these and of those of `losses`.
  std::uint64_t created = 0, delivered = 0, in_flight = 0;
  LossCounts losses;  ///< of runs whose fabric changes
  std::uint64_t marks = 0, becns = 0;
  std::uint64_t delivered_bytes = 0;           ///< by all hosts, in the measured time
  std::vector<std::uint64_t> bytes_by_sample;  ///< the same, by sample from the start of the run
  /// Static flows in the order of Traffic::flows, then each pair of rounds and trace that sent.
  std::vector<FlowOutcome> flows;
  std::vector<std::vector<std::uint64_t>> flow_bytes_by_sample;  ///< [static flow][sample]
  std::vector<PortOutcome> ports;
  /// Of packets from their creation to the arrival of their tails, in the measured time.
  LatencyHistogram latencies;
  /// The same of each static flow; empty where there are more than most_flows_with_latencies.
  std::vector<LatencyHistogram> flow_latencies;
  std::vector<SimulatedTime>
      round_ends;  ///< of each RoundTraffic's rounds, in order; never: not ended
  /// [position in RunRequest::sampled_ports][sample], from the start of the run.
  std::vector<std::vector<PortInterval>> port_samples;
  std::vector<std::uint32_t> deadlock;  ///< ports that wait for each other, in a cycle; or empty
};

/// What the events of a run wait in: the outcome is the same.
enum class EventOrder : std::uint8_t { calendar, heap };

struct RunRequest {
  std::uint64_t seed = 1;
  std::uint64_t most_events = 0;  ///< 0: no limit
  std::uint64_t most_bytes = 0;   ///< of memory; 0: no limit
  EventOrder events = EventOrder::calendar;
  std::vector<std::uint32_t> sampled_ports;  ///< numbers in Outcome::ports
  const LaterStates* later = nullptr;        ///< changes of the fabric; null: it stays
  const StopSignal* stop = nullptr;          ///< asked now and then; may be null
  /// Called now and then; may be empty.
  std::function<void(SimulatedTime now, std::uint64_t events)> progress;
};

/// Congestion control is off where `congestion` is null. `levels` may be null: all packets have the
/// level of their traffic. Throws Error: mismatch when tables or levels are not the fabric's,
/// verification_failed when a flow has no route or the tables have a forwarding loop, usage when
/// the values of the model do not fit together (a packet larger than a buffer). Of later states
/// the tables must have no loop either; what has no route there is lost (network_changes()).
Outcome simulate(const Fabric& fabric, const ForwardingTables& tables, const ServiceLevels* levels,
                 const Traffic& traffic, const Model& model, const CongestionParameters* congestion,
                 const RunRequest& request);

}  // namespace pssp
