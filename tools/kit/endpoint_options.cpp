#include "tools/kit/endpoint_options.h"

#include "tools/kit/command_line.h"

namespace pssp {

void add_endpoint_options(CommandLine& line, EndpointRoles& roles) {
  line.flag("--aggregation-nodes", roles.aggregation_nodes,
            "Count aggregation nodes (SHARP) among the hosts");
  line.flag("--routers", roles.routers, "Count routers among the hosts");
}

}  // namespace pssp
