#pragma once

// The figures of a run in reports. Rates in bytes/s, times in nanoseconds.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "simulator/measure/batch_means.h"
#include "simulator/report/completion_times.h"
#include "simulator/report/flow_ports.h"
#include "simulator/run/simulation.h"

namespace pssp {

/// Fair shares are not computed for more pairs of hosts with uniform traffic.
inline constexpr std::size_t most_fair_pairs = 1'000'000;

/// Exact mean and maximum, percentiles to .4 %.
struct LatencySummary {
  double mean = 0, p50 = 0, p99 = 0, most = 0;
};

struct FlowSummary {
  Flow hosts;
  std::string name;  ///< label, or "H1 -> H2"
  bool victim = false;
  std::uint64_t bytes = 0;
  /// Whether the flow was active in the measured time. Otherwise it has no rate and no share, and
  /// counts for no mean.
  bool measured = false;
  double rate = 0;   ///< in its active part of the measured time
  double share = 0;  ///< of the link of its sender
  /// Max-min fair share of the same link with all flows active; none if there are too many pairs,
  /// or for a pattern with several levels, whose flows are not active together.
  std::optional<double> fair_share;
  /// Of packets that arrived in the measured time; none for static flows if there are too many.
  std::optional<LatencySummary> latency;
};

struct RunSummary {
  MeanEstimate throughput;  ///< of all hosts; confidence interval from batches of samples
  double of_links = 0;      ///< throughput relative to the total rate of all host links
  LatencySummary latency;
  double jain = 1;  ///< Jain's index of the rates of measured flows
  double least_rate = 0, most_rate = 0;
  std::vector<FlowSummary> flows;  ///< same order as Outcome::flows
  /// Mean share of the link that flows with an end got until their last byte; none without such
  /// flows.
  std::optional<double> finite_flow_share;
  std::optional<double> completion_ns;  ///< end of the last round
  std::optional<CompletionSummary> completions;
};

/// O(flows * hops + ports + samples).
RunSummary summarize(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
                     const Model& model, const Outcome& outcome);

/// Jain's index: 1 if all values are equal, 1 / n if only one is above 0; 1 without values.
double jain_index(const std::vector<double>& values);

}  // namespace pssp
