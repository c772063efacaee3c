#pragma once

// Who is hurt by congestion that is not its own, and whose it is.

#include <cstdint>
#include <optional>
#include <vector>

#include "simulator/report/flow_ports.h"
#include "simulator/report/run_summary.h"
#include "simulator/run/simulation.h"

namespace pssp {

struct Victim {
  std::size_t flow = 0;             ///< position in RunSummary::flows
  std::vector<std::uint32_t> tree;  ///< ports from where it is held up to the root of congestion
  std::vector<std::size_t> contributors;  ///< flows over the root, those that sent most first
};

/// Flows that got less than half of their fair share, and those that the traffic calls victims:
/// the `most` that got the smallest part of it, those first. The tree is empty where no port of the
/// flow was held up. O(victims * flows * hops).
std::vector<Victim> find_victims(const Fabric& fabric, const ForwardingTables& tables,
                                 const Traffic& traffic, const Model& model, const Outcome& outcome,
                                 const RunSummary& summary, std::size_t most);

/// A port that several static flows end at, and whether congestion control has any hold on them:
/// each gets a notification every q n t, and its CCTI falls by one every CCTI_Timer
/// (docs/explanation/congestion-simulation.md).
struct Hold {
  std::uint32_t root = 0;
  std::size_t contributors = 0;    ///< n
  std::uint32_t marking_step = 1;  ///< q: one packet of so many is marked
  double notification_ns = 0;      ///< q n t
  double timer_ns = 0;             ///< CCTI_Timer, times CCTI_Increase
  bool holds() const { return notification_ns < timer_ns; }
};

/// What congestion control does at a root whose full packets take so long; nothing where its
/// switches mark nothing or its adapters do not answer on that service level. What a control map
/// leaves out counts as 0: what switches and adapters have then is not known.
std::optional<Hold> hold_at(std::uint32_t root, std::size_t contributors, double packet_ns,
                            std::uint8_t level, const Model& model,
                            const CongestionParameters& congestion);

/// By port; for each host that two or more static flows are for, victims not counted.
std::vector<Hold> find_holds(const Fabric& fabric, const Traffic& traffic, const Model& model,
                             const CongestionParameters& congestion);

}  // namespace pssp
