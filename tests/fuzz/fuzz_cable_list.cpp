// Cabling lists, compared with the sample fabric, which they may or may not describe.

#include "base/error.h"
#include "fabric/formats/cable_list.h"
#include "operations/cabling/cabling_statements.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_cable_list(std::string_view input) {
  const CableList list = parse_cable_list(input, "input");
  for (const std::string& warning : list.warnings) require_message(warning);
  for (const CableListRow& row : list.rows) {
    for (const CableListEnd* end : {&row.start, &row.end}) {
      require(end->port <= max_port_number, "a port beyond all switches");
      require((end->guid != 0) == end->identity.empty(), "an end with two names or none");
    }
  }
  std::vector<CableList> twice{list, list};
  require(join_cable_lists(std::move(twice)).rows.size() == list.rows.size(),
          "a list joined with itself is another one");
  const Cabling plan = cabling_of(list);
  require(plan.cables.size() == list.rows.size(), "cables got lost");
  static const Cabling fabric = cabling_of(sample_fabric());
  for (const CablingStatement& each : compare_cabling(plan, fabric).statements) {
    require_message(each.text);
  }
}

}  // namespace pssp::test
