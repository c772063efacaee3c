#pragma once

// What eval_lft says of tables, taken out of its JSON. It runs as a process of its own: tables that
// it cannot evaluate, or for which there is no memory, fail alone, and what it prints is kept
// beside them as anybody's call of it prints it.

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
  int status = 0;      ///< of eval_lft; tables that must not be used have a report all the same
  std::string report;  ///< empty: there is none
  std::string said;    ///< on standard error
};

/// Runs eval_lft of our build with these arguments in front of tables and topology; its report is
/// left in `file`, unless it is empty. Throws Error(missing_program), Error(output), Interrupted.
EvaluatorRun run_evaluator(std::vector<std::string> arguments, const std::filesystem::path& tables,
                           const std::filesystem::path& topology, const std::filesystem::path& file,
                           const Surroundings& surroundings, const SignalQueue& signals);
/// Its arguments for the bisections; where they are not given, its own defaults.
std::vector<std::string> bisection_arguments(const std::optional<std::uint64_t>& patterns,
                                             const std::optional<std::uint64_t>& seed);
/// What it is told where lanes are to be counted: not of engines that assign them, since what those
/// need is in opensm's log, or no one knows it.
std::vector<std::string> lane_arguments(const std::string& used_engine);

/// Of one set of tables; what opensm's log says is for the caller to add. Throws Error(internal)
/// for what is no report of eval_lft.
TableScore score_of(std::string_view report);

/// Of a report by `--lids all`.
StripedFigures striped_of(std::string_view report);

/// The report with what is known of the trial in front, and lanes as opensm counts them.
std::string trial_report(std::string_view report, const std::string& engine,
                         const RoutingOutcome& outcome, const std::string& topology,
                         const std::filesystem::path& tables);

/// Of eval_lft --compare: for each table how it differs from the first; nothing for that one.
std::vector<std::optional<TableDifference>> differences_of(std::string_view report);

}  // namespace pssp
