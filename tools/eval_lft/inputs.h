#pragma once

// The input of eval_lft: tables with their fabric.

#include <cstdint>
#include <string>
#include <vector>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "fabric/fabric.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/tables/forwarding_tables.h"
#include "tools/eval_lft/common.h"

namespace pssp {

struct EvalInput {
  std::string name;  ///< of the first of its files
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
  DotEdgeNotes notes;      ///< what a graph says of its edges besides
  bool has_tables = true;  ///< else `tables` has no entry
};

enum class TablesNeeded : std::uint8_t { yes, no };

/// The first input, then those that it is compared with. Throws Error, also where tables are needed
/// and there are none.
std::vector<EvalInput> read_inputs(const Common& common, TablesNeeded needed = TablesNeeded::yes);

/// Called by all processes once they have read their input: throws Error(unreadable_input), or
/// FailedElsewhere, where topology, tables or options differ. `options` stands for those of the
/// question that figures depend on.
void require_same_work(Processes& processes, const std::vector<EvalInput>& inputs,
                       const Common& common, Question question, Digest options);

/// On standard error, a line each.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace pssp
