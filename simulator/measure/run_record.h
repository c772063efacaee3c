#pragma once

// The counts of sent and taken packets of a run.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "simulator/kernel/index_map.h"
#include "simulator/measure/latency_histogram.h"
#include "simulator/network/packet_pool.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// A static flow, or a pair of hosts in rounds or a trace.
struct FlowRecord {
  Flow hosts;
  std::uint32_t owner = no_index;        ///< index of its RoundTraffic; none: static, or the trace
  std::uint32_t next_sequence = 0;       ///< of the next expected packet; static flows only
  std::uint64_t bytes = 0, packets = 0;  ///< in the measured time
  std::uint64_t all_bytes = 0;           ///< from the start
  std::uint64_t end_bytes = 0;           ///< total; 0: endless
  std::uint32_t messages = 0;            ///< number of messages; not for static flows
  SimulatedTime finished = never;
  bool gave_up = false;  ///< the connection gave up after too many losses
};

/// With more flows, latencies of single flows are not stored (10 kB per flow).
inline constexpr std::size_t most_flows_with_latencies = 1000;

class RunRecord {
 public:
  /// Throws Error(usage) if the samples need too much memory.
  explicit RunRecord(const Traffic& traffic);

  /// Index of the record of a pair, to which `bytes` are added; `owner`: RoundTraffic, none for the
  /// trace. Mean O(1).
  std::uint32_t pair(Flow hosts, std::uint32_t owner, std::uint64_t bytes);

  void sent() noexcept { ++created; }
  /// A data packet; `now` must not decrease.
  void taken(const Packet& packet, SimulatedTime now) {
    if (now >= sample_end_) next_sample(now);
    ++delivered;
    delivered_bytes += packet.bytes;
    bytes_by_sample[sample_] += packet.bytes;
    latencies.add(now - packet.created);
    if (packet.flow != no_index) taken_of_flow(packet, now);
  }

  /// Called at the start of the measured time.
  void forget();
  std::size_t bytes() const noexcept;

  std::uint64_t created = 0, delivered = 0, becns = 0;  ///< all packets
  std::uint64_t delivered_bytes = 0;
  std::uint64_t out_of_order = 0;
  std::vector<std::uint64_t> bytes_by_sample;  ///< up to the last nonempty sample
  LatencyHistogram latencies;
  std::vector<FlowRecord> flows;
  std::vector<std::vector<std::uint64_t>> flow_bytes_by_sample;  ///< of static flows, same samples
  std::vector<LatencyHistogram> flow_latencies;  ///< of static flows; empty if there are too many

 private:
  void next_sample(SimulatedTime now);
  void taken_of_flow(const Packet& packet, SimulatedTime now);

  SimulatedTime sample_length_, sample_end_;
  std::size_t sample_ = 0;
  IndexMap pairs_;
};

}  // namespace pssp
