#pragma once

// What eval_lft can do, a function each. They read the input, compute in all processes, and in the
// first one write the answers. Each returns the exit code or throws Error.

#include "evaluator/parallel/processes.h"
#include "tools/eval_lft/eval_lft_options.h"

namespace pssp {

/// The report on one set of tables. Throws Error(verification_failed) after writing it when the
/// tables are broken.
int score_tables(const EvalOptions& options, Processes& processes);

/// Several sets of tables side by side. Throws Error(verification_failed) after writing the table
/// when any of them are broken.
int compare_tables(const EvalOptions& options, Processes& processes);

/// A pattern on one or several sets of tables.
int simulate_pattern(const EvalOptions& options, Processes& processes);

/// The pattern itself, with the hosts of the first run.
int print_pattern(const EvalOptions& options, Processes& processes);

/// Time of an application at full bandwidth.
int estimate_application(const EvalOptions& options, Processes& processes);

/// Paths of single pairs. Throws Error(verification_failed) after writing them when one does not
/// arrive.
int show_paths(const EvalOptions& options, Processes& processes);

}  // namespace pssp
