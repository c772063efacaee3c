// Databases of ibdiagnet: ibdiagnet2.db_csv.

#include <utility>

#include "fabric/formats/ibdiagnet_database.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_ibdiagnet_database(std::string_view input) {
  TopologyFile file = parse_ibdiagnet_database(input, "input");
  require_messages(file.warnings);
  if (!file.builder.has_lids()) file.builder.assign_lids(1);
  use_fabric(std::move(file.builder).build());
}

}  // namespace pssp::test
