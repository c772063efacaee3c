#pragma once

// The results of eval_lft from its JSON. It runs as a separate process: if it cannot evaluate
// tables, or runs out of memory, only this process fails, and its output is stored next to the
// tables.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ibsim_harness/process.h"
#include "ibsim_harness/simulated_fabric.h"
#include "ibsim_harness/surroundings.h"
#include "tools/trial/table_score.h"

namespace pssp {

struct EvaluatorRun {
  int status = 0;      ///< of eval_lft; unusable tables have a report, too
  std::string report;  ///< empty: none
  std::string said;    ///< on standard error
};

/// Runs eval_lft of this build with these arguments, followed by tables and topology; stores its
/// report in `file`, unless it is empty. Throws Error(missing_program), Error(output), Interrupted.
EvaluatorRun run_evaluator(std::vector<std::string> arguments, const std::filesystem::path& tables,
                           const std::filesystem::path& topology, const std::filesystem::path& file,
                           const Surroundings& surroundings, const SignalQueue& signals);
/// Its arguments for the bisections; its defaults if they are not given.
std::vector<std::string> bisection_arguments(const std::optional<std::uint64_t>& patterns,
                                             const std::optional<std::uint64_t>& seed);
/// Its arguments for counting lanes, except for engines that assign lanes, whose number is in
/// opensm's log or unknown.
std::vector<std::string> lane_arguments(const std::string& used_engine);

/// For one set of tables; the caller adds the data of opensm's log. Throws Error(internal) for
/// invalid reports.
TableScore score_of(std::string_view report);

/// From a report with `--lids all`.
StripedFigures striped_of(std::string_view report);

/// The report, preceded by the data of the trial, and with lanes as counted by opensm.
std::string trial_report(std::string_view report, const std::string& engine,
                         const RoutingOutcome& outcome, const std::string& topology,
                         const std::filesystem::path& tables);

/// From eval_lft --compare: for each table its difference from the first; none for the first.
std::vector<std::optional<TableDifference>> differences_of(std::string_view report);

}  // namespace pssp
