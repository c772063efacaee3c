#pragma once

// How long flows with an end took, from their start to their last byte.

#include <cstddef>
#include <optional>

#include "simulator/report/flow_ports.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// Of the values of flows: each is that of one of them.
struct FlowPercentiles {
  double p50 = 0, p95 = 0, p99 = 0, most = 0;
};

struct CompletionSummary {
  std::size_t flows = 0;  ///< that have an end
  std::size_t ended = 0;  ///< those of them that came to it; all below is of these
  FlowPercentiles time;   ///< nanoseconds
  /// Times as long as alone in the fabric. Of flows that send as fast as they can: nothing of those
  /// with a rate or pauses, and of a trace; nothing where there are no others.
  std::optional<FlowPercentiles> slowdown;
};

/// A pair of a pattern or a trace is one flow. Its time is that of its rounds, each from the end of
/// the round before; of a trace it is that from its first message on. Nothing where no flow has
/// an end. O(flows * (hops + log flows) + messages).
std::optional<CompletionSummary> completion_times(const ForwardingTables& tables,
                                                  const Traffic& traffic, const Model& model,
                                                  const PortDirectory& ports,
                                                  const Outcome& outcome);

/// Picoseconds from the start of a message of so many bytes to the arrival of its last one where
/// nothing is in its way: those of its first packet, then the slowest part of its way counts.
/// `rates`: bytes/s of the links in the order of the way. O(hops).
double time_alone(const std::vector<double>& rates, std::uint64_t bytes, std::uint32_t packet_bytes,
                  const Model& model);

}  // namespace pssp
