#pragma once

// What a run counts of packets that were sent and taken.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "evaluator/patterns/flow.h"
#include "simulator/kernel/index_map.h"
#include "simulator/measure/latency_histogram.h"
#include "simulator/network/packet_pool.h"
#include "simulator/traffic/traffic.h"

namespace pssp {

/// Of a static flow, or of a pair of hosts in rounds or trace.
struct FlowRecord {
  Flow hosts;
  std::uint32_t owner = no_index;        ///< RoundTraffic it belongs to; none: static, or the trace
  std::uint32_t next_sequence = 0;       ///< of the packet that must come next; of static flows
  std::uint64_t bytes = 0, packets = 0;  ///< in the measured time
  std::uint64_t all_bytes = 0;           ///< from the start
  std::uint64_t end_bytes = 0;           ///< with which it ends; 0: never
  std::uint32_t messages = 0;            ///< that these are; not of static flows
  SimulatedTime finished = never;
  bool gave_up = false;  ///< its connection did, at a message that was lost too often
};

/// Beyond it the latencies of single flows are not kept: some 10 kB a flow.
inline constexpr std::size_t most_flows_with_latencies = 1000;

class RunRecord {
 public:
  /// Throws Error(usage) when the samples would not fit.
  explicit RunRecord(const Traffic& traffic);

  /// Number of the record of a pair; `owner`: RoundTraffic, none for the trace. O(1) in the mean.
  /// So many bytes more are to be sent.
  std::uint32_t pair(Flow hosts, std::uint32_t owner, std::uint64_t bytes);

  void sent() noexcept { ++created; }
  /// A data packet; `now` never falls.
  void taken(const Packet& packet, SimulatedTime now) {
    if (now >= sample_end_) next_sample(now);
    ++delivered;
    delivered_bytes += packet.bytes;
    bytes_by_sample[sample_] += packet.bytes;
    latencies.add(now - packet.created);
    if (packet.flow != no_index) taken_of_flow(packet, now);
  }

  /// The measured time begins.
  void forget();
  std::size_t bytes() const noexcept;

  std::uint64_t created = 0, delivered = 0, becns = 0;  ///< all packets
  std::uint64_t delivered_bytes = 0;
  std::uint64_t out_of_order = 0;
  std::vector<std::uint64_t> bytes_by_sample;  ///< up to the last one in which anything was taken
  LatencyHistogram latencies;
  std::vector<FlowRecord> flows;
  std::vector<std::vector<std::uint64_t>> flow_bytes_by_sample;  ///< of static flows, as many
  std::vector<LatencyHistogram> flow_latencies;  ///< of static flows; none of too many

 private:
  void next_sample(SimulatedTime now);
  void taken_of_flow(const Packet& packet, SimulatedTime now);

  SimulatedTime sample_length_, sample_end_;
  std::size_t sample_ = 0;
  IndexMap pairs_;
};

}  // namespace pssp
