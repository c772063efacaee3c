// Net files of ibsim and the output of ibnetdiscover: routes the fabric, and writes and reads the
// net file again.

#include <utility>

#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_topology(std::string_view input) {
  TopologyFile file = parse_topology(input, "input");
  require_messages(file.warnings);
  file.builder.assign_lids(2);  // for ports without a LID in the file
  const Fabric fabric = std::move(file.builder).build();
  use_fabric(fabric);
  TopologyFile written = parse_topology(to_net_file(fabric), "written");
  const Fabric again = std::move(written.builder).build();
  require(again.switch_count() == fabric.switch_count() &&
              again.channel_count() == fabric.channel_count() &&
              again.end_port_count() == fabric.end_port_count() &&
              again.endpoints().size() == fabric.endpoints().size(),
          "a written net file describes a different fabric");
}

}  // namespace pssp::test
