#include "tools/kit/table_operands.h"

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

}  // namespace pssp
