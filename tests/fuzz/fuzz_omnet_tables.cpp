// Forwarding tables of the OMNeT++ model, matched with the network that the project writes for the
// sample fabric.

#include "fabric/formats/lft_matching.h"
#include "fabric/formats/omnet/omnet_fdbs_file.h"
#include "fabric/formats/omnet/omnet_ned_file.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_omnet_tables(std::string_view input) {
  static const OmnetNetwork network = parse_omnet_ned(to_omnet_ned(sample_fabric()), "network");
  const LftFile dump = to_lft_file(network, parse_omnet_fdbs(input, "input"));
  require_messages(dump.warnings);
  const MatchedTables matched = match_tables(network.topology, dump);
  require_messages(matched.warnings);
  require_sound(matched.fabric);
  use_tables(matched.fabric, matched.tables);
}

}  // namespace pssp::test
