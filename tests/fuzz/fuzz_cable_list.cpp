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
      require(end->port <= max_port_number, "a port number is larger than a switch can have");
      require((end->guid != 0) == end->identity.empty(),
              "a cable end has both a GUID and a name, or neither");
    }
  }
  std::vector<CableList> twice{list, list};
  require(join_cable_lists(std::move(twice)).rows.size() == list.rows.size(),
          "joining a list with itself changes it");
  const Cabling plan = cabling_of(list);
  require(plan.cables.size() == list.rows.size(), "cables are missing in the cabling");
  static const Cabling fabric = cabling_of(sample_fabric());
  for (const CablingStatement& each : compare_cabling(plan, fabric).statements) {
    require_message(each.text);
  }
}

}  // namespace pssp::test
