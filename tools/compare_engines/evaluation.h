#pragma once

// What eval_lft says, taken out of its JSON. It runs as a process of its own: tables that it cannot
// evaluate, or for which there is no memory, fail alone, and what it prints is kept beside them as
// anybody's call of it prints it.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tools/compare_engines/engine_result.h"

namespace pssp {

/// Of one set of tables; what opensm's log says is for the caller to add. Throws Error(internal)
/// for what is no report of eval_lft.
TableScore score_of(std::string_view report);

/// Of a report by `--lids all`.
StripedFigures striped_of(std::string_view report);
/// The report with what is known of the trial in front, as dry_run.sh --json has it.
std::string trial_report(std::string_view report, const EngineResult& result,
                         const std::string& used_engine, const std::string& topology);

/// Of eval_lft --compare: for each table how it differs from the first; nothing for that one.
std::vector<std::optional<TableDifference>> differences_of(std::string_view report);

}  // namespace pssp
