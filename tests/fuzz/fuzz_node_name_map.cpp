// Node name maps: names of nodes by GUID.

#include "fabric/nodes/node_name_map.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_node_name_map(std::string_view input) {
  for (const auto& [guid, name] : parse_node_name_map(input, "input")) {
    require(guid != 0 && !name.empty(), "an entry has no GUID or no name");
    require(name.find('\n') == std::string::npos, "a name contains a line break");
  }
}

}  // namespace pssp::test
