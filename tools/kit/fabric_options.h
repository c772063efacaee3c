#pragma once

// Options of programs that read a fabric. What they are bound to must outlive the parsing.

#include <string>
#include <vector>

#include "fabric/adapter_kind.h"
#include "tools/kit/command_line.h"

namespace pssp {

/// Adds TABLES TOPOLOGY: two files, or one with both.
Option add_tables_and_topology(CommandLine& line, std::vector<std::string>& files);

/// Adds --aggregation-nodes and --routers: end ports that count as endpoints of traffic.
void add_endpoint_options(CommandLine& line, EndpointRoles& roles);

}  // namespace pssp
