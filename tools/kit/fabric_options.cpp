#include "tools/kit/fabric_options.h"

namespace pssp {

Option add_tables_and_topology(CommandLine& line, std::vector<std::string>& files) {
  return line
      .option("FILE", files,
              "Forwarding tables and topology, or one file with both (a graph, a folder of "
              "ibdiagnet or an archive of it); - is standard input")
      .values(1, 2)
      .usage("TABLES TOPOLOGY")
      .reads();
}

void add_endpoint_options(CommandLine& line, EndpointRoles& roles) {
  line.flag("--aggregation-nodes", roles.aggregation_nodes,
            "Count aggregation nodes (SHARP) among the hosts");
  line.flag("--routers", roles.routers, "Count routers among the hosts");
}

}  // namespace pssp
