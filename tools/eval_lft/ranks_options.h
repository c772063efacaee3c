#pragma once

// Options for patterns on the hosts of a fabric: ranks, their hosts, and runs.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/digest.h"
#include "evaluator/flows/pattern_simulation.h"
#include "evaluator/hosts/host_mapping.h"
#include "evaluator/parallel/processes.h"
#include "evaluator/patterns/registry.h"
#include "tools/eval_lft/common.h"

namespace pssp {

/// A pattern with hosts for its ranks, on one fabric.
struct PreparedPattern {
  std::unique_ptr<Pattern> pattern;
  HostMapping mapping;
  std::vector<std::string> warnings;

  /// Files can determine levels and hosts.
  void add_to(Digest& digest, std::uint64_t seed) const;
};

struct RanksOptions {
  PatternSpec spec;  ///< ranks = 0: one per host
  std::uint64_t runs = 1000;
  std::optional<unsigned> chosen_level;
  HostSelection selection = HostSelection::random;
  std::optional<HostSelection> selection_of_first;
  bool shuffle = true;
  std::string node_ordering;  ///< file; empty: none
  HostLinks host_links = HostLinks::counted;

  void add_options(QuestionLine& line);
  void take();

  /// -1: all levels.
  int level() const { return chosen_level ? static_cast<int>(*chosen_level) : -1; }
  std::string hosts_text() const;
  std::string pattern_text() const;
  /// Uses this pattern instead of `spec` where they differ. Throws Error.
  PreparedPattern prepare(const Fabric& fabric, const PatternSpec& pattern) const;
  SimulationOptions simulation(const Common& common) const;
  /// Of the options that the figures depend on.
  Digest digest() const;

 private:
  /// Without the parts that depend on the pattern.
  HostMappingOptions choice_of_hosts() const;

  bool keep_order_ = false;
  bool leave_out_host_links_ = false;
  std::string selection_name_, first_selection_name_;
};

/// `Routes`: RouteStore, StripedRoutes or AdaptiveRoutes. Shares the runs among all processes; each
/// returns the result of all runs. The first process shows its progress on a terminal.
template <class Routes>
SimulationResult simulate_together(const Routes& routes, const PreparedPattern& prepared,
                                   SimulationOptions options, const Processes& processes);

}  // namespace pssp
