// Lists of ports under maintenance.

#include "monitor/analysis/maintenance.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_maintenance(std::string_view input) {
  const std::vector<MaintainedPort> all = parse_maintenance(input, "input");
  for (const MaintainedPort& each : all) {
    require(each.node != 0 && each.port <= max_port_number, "a port in maintenance is invalid");
    const PortNumber port = each.port == 0 ? PortNumber{1} : each.port;
    const MaintainedPort* found = maintenance_of(all, each.node, port, each.until_ms - 1);
    require(found != nullptr && found->until_ms >= each.until_ms && found->node == each.node,
            "maintenance of a port ends before the time in its line");
  }
}

}  // namespace pssp::test
