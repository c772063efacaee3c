#pragma once

// The input of eval_lft: tables with their fabric.

#include <string>
#include <vector>

#include "evaluator/tools/eval_lft_options.h"
#include "routing/fabric/fabric.h"
#include "routing/formats/dot_file.h"
#include "routing/tables/forwarding_tables.h"

namespace pssp {

struct EvalInput {
  std::string name;  ///< of the first of its files
  Fabric fabric;
  ForwardingTables tables;
  std::vector<std::string> warnings;
  DotEdgeNotes notes;  ///< what a graph says of its edges besides
};

/// The first input, then those that it is compared with. Throws Error.
std::vector<EvalInput> read_eval_inputs(const EvalOptions& options);

/// On standard error, a line each.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace pssp
