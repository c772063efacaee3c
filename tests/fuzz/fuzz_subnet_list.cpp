// Link lists: opensm-subnet.lst, ibdiagnet.lst.

#include <utility>

#include "fabric/formats/subnet_list.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_subnet_list(std::string_view input) {
  TopologyFile file = parse_subnet_list(input, "input");
  require_messages(file.warnings);
  file.builder.assign_lids(1);
  use_fabric(std::move(file.builder).build());
}

}  // namespace pssp::test
