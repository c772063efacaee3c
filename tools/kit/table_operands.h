#pragma once

// The operands of the programs that read forwarding tables and their topology.

#include <string>
#include <vector>

#include "tools/kit/command_line.h"

namespace pssp {

/// Adds TABLES TOPOLOGY: two files, or one with both. `files` must outlive the parsing.
Option add_tables_and_topology(CommandLine& line, std::vector<std::string>& files);

}  // namespace pssp
