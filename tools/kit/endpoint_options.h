#pragma once

// Options of the programs that let users say which end ports are endpoints of traffic.

#include "fabric/adapter_kind.h"

namespace pssp {

class CommandLine;

/// Adds --aggregation-nodes and --routers. The roles must outlive the parsing.
void add_endpoint_options(CommandLine& line, EndpointRoles& roles);

}  // namespace pssp
