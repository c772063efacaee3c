// Orders in which blocks of tables were written, as reroute_impact reads them.

#include <algorithm>

#include "evaluator/rerouting/write_order_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_write_order(std::string_view input) {
  const Fabric& fabric = sample_fabric();
  std::vector<BlockWrite> writes;
  for (std::uint32_t s = 0; s < 3; ++s) {
    for (std::uint32_t block = 0; block < 2; ++block) writes.push_back({s, block});
  }
  const WriteOrder order = parse_write_order(input, "input", fabric, writes);
  require(std::ranges::is_permutation(order.writes, writes),
          "the order does not contain every block once");
  require(order.times_ns.empty() || order.times_ns.size() == writes.size(),
          "only some blocks have a time");
  require(std::ranges::is_sorted(order.times_ns), "times are not sorted");
}

}  // namespace pssp::test
