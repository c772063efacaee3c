#pragma once

// The figures of a run that reports show. Rates are bytes/s, times nanoseconds.

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

/// Beyond it fair shares are not computed: so many pairs of hosts that uniform traffic joins.
inline constexpr std::size_t most_fair_pairs = 1'000'000;

/// Mean and largest exactly, percentiles to .4 %.
struct LatencySummary {
  double mean = 0, p50 = 0, p99 = 0, most = 0;
};

struct FlowSummary {
  Flow hosts;
  std::string name;  ///< label, or "H1 -> H2"
  bool victim = false;
  std::uint64_t bytes = 0;
  /// On at some time of the measured time; not where it had ended before. Without, it has no rate
  /// and no share, and is in no mean.
  bool measured = false;
  double rate = 0;   ///< while it was on, in the measured time
  double share = 0;  ///< of the link of its sender
  /// Max-min fair share of the same link, all flows on at the same time; nothing where there are
  /// too many pairs to tell, or a pattern of several levels, whose flows are not.
  std::optional<double> fair_share;
  /// Of its packets that arrived in the measured time; static flows have it unless there are too
  /// many.
  std::optional<LatencySummary> latency;
};

struct RunSummary {
  MeanEstimate throughput;  ///< of all hosts together; its interval by batches of samples
  double of_links = 0;      ///< throughput as a share of what all links of hosts carry
  LatencySummary latency;
  double jain = 1;  ///< of the rates of the flows below that were measured
  double least_rate = 0, most_rate = 0;
  std::vector<FlowSummary> flows;  ///< as Outcome::flows
  /// Mean share of the link that flows with an end got until their last byte; nothing without such.
  std::optional<double> finite_flow_share;
  std::optional<double> completion_ns;  ///< of the last round
  std::optional<CompletionSummary> completions;
};

/// O(flows * hops + ports + samples).
RunSummary summarize(const Fabric& fabric, const ForwardingTables& tables, const Traffic& traffic,
                     const Model& model, const Outcome& outcome);

/// Jain's index: 1 where all are equal, 1 / n where one has all; 1 of no values.
double jain_index(const std::vector<double>& values);

}  // namespace pssp
