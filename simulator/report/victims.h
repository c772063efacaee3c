#pragma once

// Finds flows that suffer from the congestion of others, and the flows that cause it.

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/report/flow_ports.h"
#include "simulator/report/run_summary.h"
#include "simulator/run/simulation.h"

namespace pssp {

struct Victim {
  std::size_t flow = 0;                   ///< index in RunSummary::flows
  std::vector<std::uint32_t> tree;        ///< ports from the blocked one to the root of congestion
  std::vector<std::size_t> contributors;  ///< flows through the root, highest rates first
};

/// Flows with less than half of their fair share, and victims named in the traffic: the `most`
/// flows with the smallest part of their fair share, in ascending order. The tree is empty if no
/// port of the flow was blocked. O(victims * flows * hops).
std::vector<Victim> find_victims(const Fabric& fabric, const ForwardingTables& tables,
                                 const Traffic& traffic, const Model& model, const Outcome& outcome,
                                 const RunSummary& summary, std::size_t most);

/// A port where several static flows end, and whether congestion control can slow them: each gets a
/// notification every q n t, and its CCTI falls by one every CCTI_Timer
/// (docs/explanation/congestion-simulation.md).
struct Hold {
  std::uint32_t root = 0;
  std::size_t contributors = 0;    ///< n
  std::uint32_t marking_step = 1;  ///< q: one packet of this many is marked
  double notification_ns = 0;      ///< q n t
  double timer_ns = 0;             ///< CCTI_Timer, times CCTI_Increase
  bool holds() const { return notification_ns < timer_ns; }
};

/// The effect of congestion control at a root with this time per full packet; none if its switches
/// do not mark or its adapters do not react on that service level. Values outside a control map
/// count as 0, because the values in the devices are unknown.
std::optional<Hold> hold_at(std::uint32_t root, std::size_t contributors, double packet_ns,
                            std::uint8_t level, const Model& model,
                            const CongestionParameters& congestion);

/// By port; for each host that receives two or more static flows, not counting victims.
std::vector<Hold> find_holds(const Fabric& fabric, const Traffic& traffic, const Model& model,
                             const CongestionParameters& congestion);

}  // namespace pssp
