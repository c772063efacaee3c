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
  DotEdgeNotes notes;      ///< further attributes of a graph's edges
  bool has_tables = true;  ///< else `tables` has no entry
};

enum class TablesNeeded : std::uint8_t { yes, no };

/// The first input, then those to compare. Throws Error, also if required tables are missing.
std::vector<EvalInput> read_inputs(const Common& common, TablesNeeded needed = TablesNeeded::yes);

/// Must be called by all processes after reading their input: throws Error(unreadable_input), or
/// FailedElsewhere, if topology, tables or options differ. `options` covers the options that
/// figures depend on.
void require_same_work(Processes& processes, const std::vector<EvalInput>& inputs,
                       const Common& common, Question question, Digest options);

/// To standard error, one line each.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace pssp
