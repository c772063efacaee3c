#pragma once

// Decides whether other forwarding tables would be better under the observed traffic, and whether
// the gain is statistically significant (docs/explanation/monitoring.md, "Advice on other tables").
// Nothing is ever applied.

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
  bool stable = true;  ///< also the current tables with a few entries changed for balance
  std::uint64_t seed = 1;
  unsigned draws = 40;  ///< draws of the traffic, at least 30
  std::uint64_t bisections = 2000;
  double least_gain = 0.05;  ///< a smaller gain is not worth a change
  unsigned workers = 1;
  StopSignal stop = {};
};

/// One quantity, of the current tables and of proposed tables.
struct AdvisedQuantity {
  double in_force = 0, proposed = 0;
  /// Relative gain of the proposed tables, with its 95 % interval; below 0 they are worse.
  double gain = 0, lower = 0, upper = 0;

  bool is_better(double least) const noexcept { return lower > 0 && gain > least; }
  bool is_worse(double least) const noexcept { return upper < 0 && gain < -least; }
};

inline constexpr std::string_view stable_tables = "stable";

struct AdvisedTables {
  std::string name;     ///< name of the engine, or stable_tables
  std::string problem;  ///< why there are no tables; `tables` are empty then
  ForwardingTables tables;
};

struct ProposedTables {
  AdvisedTables candidate;
  bool same = false;          ///< no entry differs from the current tables
  AdvisedQuantity busiest;    ///< time of the busiest channel between switches, relative to the
                              ///< window
  AdvisedQuantity mean;       ///< time of the busiest link of a path, relative to the window: mean
                              ///< over all bytes
  AdvisedQuantity bandwidth;  ///< effective bisection bandwidth, relative to the link rate
  std::uint64_t entries = 0, blocks = 0, switches = 0;  ///< to write
  FlowTally flows, moved;  ///< pairs of hosts, and pairs whose route would change
  double bytes_moved = 0;  ///< part of the traffic whose route would change
  /// Comparison with the current tables as a new baseline; unset for stable tables, and if the
  /// current or the proposed tables leave a host unreachable.
  std::optional<NewBaseline> baseline;
  unsigned lanes = 0;  ///< virtual lanes needed to be deadlock-free; 0 if not found within the work
                       ///< limit
  bool recommended = false;
  std::string reason;  ///< one sentence
};

struct Advice {
  double seconds = 0, bytes = 0;  ///< of the window
  std::size_t sweeps = 0, flows = 0;
  unsigned draws = 0;
  std::uint64_t bisections = 0;
  double busiest = 0;  ///< time of the busiest channel with the current tables, relative to the
                       ///< window
  ChannelId busiest_channel;
  unsigned lanes = 0;                      ///< virtual lanes that the current tables need; 0 as in
                                           ///< ProposedTables
  std::vector<ProposedTables> proposals;   ///< in the order of the candidates
  std::optional<std::size_t> recommended;  ///< index of the best recommended proposal
  std::vector<std::string> remarks;        ///< sentences
};

/// Computes the tables of each engine, then the stable tables. O(engines).
std::vector<AdvisedTables> candidate_tables(const ObservedTraffic& observed,
                                            const AdviceOptions& options);

/// Compares tables with the current tables, under the same draws of the traffic and the same
/// bisections. `seconds` is the length of the window. Differences of quantities are paired. The
/// interval of a quantity under traffic is that of a single draw, because more draws do not add
/// knowledge of the traffic; the interval of the bandwidth is that of its mean. Tables are
/// recommended if they improve the busiest channel or the mean by more than least_gain with an
/// interval above 0, lose no flow, and make no quantity worse by as much; at least 6 sweeps are
/// necessary. The same input gives the same advice with any number of workers. Throws Error(usage)
/// for fewer than 30 draws, Error(internal) for arrays of wrong sizes, and Stopped.
Advice compare_candidates(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                          double seconds, std::vector<AdvisedTables> candidates,
                          const AdviceOptions& options = {});

/// Estimates the matrix by Attribution, computes candidates, and compares them. Throws what these
/// throw.
Advice advise(const ObservedTraffic& observed, double seconds, const AdviceOptions& options = {});

}  // namespace pssp
