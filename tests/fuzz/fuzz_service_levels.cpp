// Dumps of service levels for the sample fabric: checks for deadlocks, and writes and reads the
// dump again.

#include <string>

#include "fabric/formats/service_level_file.h"
#include "routing/engines/engine.h"
#include "routing/verify/lanes.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_service_levels(std::string_view input) {
  static const Routing routing = make_engine("pssp", {})->route(sample_fabric());
  const ServiceLevels levels =
      match_service_levels(parse_service_levels(input, "input"), sample_fabric());
  const LaneReport report = verify_lanes(sample_fabric(), routing.tables, levels);
  const std::string description = describe_deadlock(sample_fabric(), report);
  if (!description.empty()) require_message(description);
  std::string text;
  write_service_levels(sample_fabric(), levels, [&text](std::string_view part) { text += part; });
  require(match_service_levels(parse_service_levels(text, "written"), sample_fabric()) == levels,
          "writing service levels changes them");
}

}  // namespace pssp::test
