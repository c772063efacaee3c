#pragma once

// The durations of flows with an end, from their start to their last byte.

#include <cstddef>
#include <optional>

#include "simulator/report/flow_ports.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// Percentiles over flows; each is the value of one flow.
struct FlowPercentiles {
  double p50 = 0, p95 = 0, p99 = 0, most = 0;
};

struct CompletionSummary {
  std::size_t flows = 0;  ///< flows with an end
  std::size_t ended = 0;  ///< flows that ended, to which all values below refer
  FlowPercentiles time;   ///< nanoseconds
  /// Time relative to the time alone in the fabric. Excludes flows with a rate or pauses, and
  /// traces; none if there are no other flows.
  std::optional<FlowPercentiles> slowdown;
};

/// A pair of a pattern or trace is one flow. Its time is the sum over its rounds, each from the end
/// of the previous round; in a trace, it begins with the first message. None if no flow has an end.
/// O(flows * (hops + log flows) + messages).
std::optional<CompletionSummary> completion_times(const ForwardingTables& tables,
                                                  const Traffic& traffic, const Model& model,
                                                  const PortDirectory& ports,
                                                  const Outcome& outcome);

/// Picoseconds from the start of a message of `bytes` to the arrival of its last byte without other
/// traffic: the time of its first packet, and of the rest at the slowest link. `rates`: bytes/s of
/// the links along the path. O(hops).
double time_alone(const std::vector<double>& rates, std::uint64_t bytes, std::uint32_t packet_bytes,
                  const Model& model);

}  // namespace pssp
