#pragma once

// Would other forwarding tables be better under the traffic that really runs, and is that more than
// chance (docs/explanation/monitoring.md, "Advice on other tables")? Nothing is ever applied.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop_signal.h"
#include "evaluator/rerouting/flow_changes.h"
#include "monitor/analysis/flow_routes.h"
#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/traffic_matrix.h"
#include "routing/repair/new_baseline.h"

namespace pssp {

struct AdviceOptions {
  std::vector<std::string> engines{"best", "cassp", "pssp"};
  bool stable = true;  ///< also what runs, with few entries changed for balance
  std::uint64_t seed = 1;
  unsigned draws = 40;  ///< of the traffic, at least 30
  std::uint64_t bisections = 2000;
  double least_gain = 0.05;  ///< less is not worth a change
  unsigned workers = 1;
  StopSignal stop = {};
};

/// One quantity, of tables in force and of others.
struct AdvisedQuantity {
  double in_force = 0, proposed = 0;
  /// Part by which the others are better, with its 95 % interval; below 0 they are worse.
  double gain = 0, lower = 0, upper = 0;

  bool is_better(double least) const noexcept { return lower > 0 && gain > least; }
  bool is_worse(double least) const noexcept { return upper < 0 && gain < -least; }
};

inline constexpr std::string_view stable_tables = "stable";

struct AdvisedTables {
  std::string name;     ///< of the engine, or stable_tables
  std::string problem;  ///< why there are none; then `tables` are empty
  ForwardingTables tables;
};

struct ProposedTables {
  AdvisedTables candidate;
  bool same = false;        ///< no entry differs
  AdvisedQuantity busiest;  ///< part of the window that the busiest channel between switches takes
  AdvisedQuantity mean;     ///< the same of the busiest link on the way, over all bytes
  AdvisedQuantity bandwidth;  ///< effective bisection bandwidth, of a link's
  std::uint64_t entries = 0, blocks = 0, switches = 0;  ///< to be written
  FlowTally flows, moved;  ///< pairs of hosts, and those that would go elsewhere
  double bytes_moved = 0;  ///< part of the traffic
  std::optional<NewBaseline>
      baseline;        ///< these, instead of what runs; none where a host is not reached
  unsigned lanes = 0;  ///< needed to be free of deadlocks; 0: not found with the work allowed
  bool recommended = false;
  std::string reason;  ///< a sentence
};

struct Advice {
  double seconds = 0, bytes = 0;  ///< of the window
  std::size_t sweeps = 0, flows = 0;
  unsigned draws = 0;
  std::uint64_t bisections = 0;
  double busiest = 0;  ///< in force: part of the window
  ChannelId busiest_channel;
  unsigned lanes = 0;                      ///< that the tables in force need; 0 as above
  std::vector<ProposedTables> proposals;   ///< in the order asked for
  std::optional<std::size_t> recommended;  ///< the best of those that are
  std::vector<std::string> remarks;        ///< sentences
};

/// Tables of each engine, made again, then the stable ones. O(engines).
std::vector<AdvisedTables> candidate_tables(const ObservedTraffic& observed,
                                            const AdviceOptions& options);

/// Compares tables with those in force, under the same draws of the traffic and the same
/// bisections. `seconds` of the window. Differences of quantities are paired; the interval of one
/// under traffic is that of a single draw, for more draws do not make the traffic better known;
/// that of the bandwidth is the interval of its mean. Recommended is what makes the busiest channel
/// or the mean better by more than least_gain, with an interval above 0, loses no flow, and makes
/// neither of the others worse by as much. The same input gives the same advice at any number of
/// workers. Throws Error(usage) for less than 30 draws, Error(internal) for arrays of wrong sizes,
/// Stopped.
Advice compare_candidates(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                          double seconds, std::vector<AdvisedTables> candidates,
                          const AdviceOptions& options = {});

/// All of it: matrix by Attribution, candidates, comparison. Throws what these throw.
Advice advise(const ObservedTraffic& observed, double seconds, const AdviceOptions& options = {});

}  // namespace pssp
