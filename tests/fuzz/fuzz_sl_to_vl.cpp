// SL-to-VL tables of simulate_fabric: the virtual lane of each service level.

#include <algorithm>
#include <string>

#include "fabric/tables/service_levels.h"
#include "simulator/sl_to_vl_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_sl_to_vl(std::string_view input) {
  const std::vector<std::uint8_t> lanes = parse_sl_to_vl(input, "input");
  require(lanes.size() == service_level_count,
          "the number of lanes differs from the number of service levels");
  require(std::ranges::max(lanes) < max_data_lanes, "a lane does not carry data");
  std::string text;
  for (const std::uint8_t lane : lanes) text += std::to_string(lane) + "\n";
  require(parse_sl_to_vl(text, "written") == lanes, "writing lanes changes them");
}

}  // namespace pssp::test
