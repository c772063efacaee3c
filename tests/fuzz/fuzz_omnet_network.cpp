// Networks of the OMNeT++ model (NED): reads the fabric, and writes and reads the network again.

#include <utility>

#include "fabric/formats/omnet/omnet_ned_file.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_omnet_network(std::string_view input) {
  OmnetNetwork network = parse_omnet_ned(input, "input");
  require_messages(network.topology.warnings);
  network.topology.builder.assign_lids();
  const Fabric fabric = std::move(network.topology.builder).build();
  use_fabric(fabric);
  OmnetNetwork written = parse_omnet_ned(to_omnet_ned(fabric), "written");
  const Fabric again = std::move(written.topology.builder).build();
  require(again.switch_count() == fabric.switch_count() &&
              again.channel_count() == fabric.channel_count(),
          "a written network has different switches or channels");
}

}  // namespace pssp::test
