#pragma once

// The input of eval_lft: tables with their fabric.

#include <string>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/tables/forwarding_tables.h"
#include "tools/eval_lft/eval_lft_options.h"

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
