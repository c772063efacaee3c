// Node name maps: names of nodes by GUID.

#include "fabric/nodes/node_name_map.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_node_name_map(std::string_view input) {
  for (const auto& [guid, name] : parse_node_name_map(input, "input")) {
    require(guid != 0 && !name.empty(), "a name of no node, or a node of no name");
    require(name.find('\n') == std::string::npos, "a name of two lines");
  }
}

}  // namespace pssp::test
