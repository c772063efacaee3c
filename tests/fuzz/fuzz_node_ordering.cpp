// Node ordering files for the sample fabric, and the hosts on which they place ranks. The same
// bytes are read as an order of all hosts, which most valid node orderings are not.

#include <algorithm>
#include <vector>

#include "evaluator/hosts/host_mapping.h"
#include "evaluator/hosts/node_ordering_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_node_ordering(std::string_view input) {
  const NodeOrdering ordering = parse_node_ordering(input, "input", sample_fabric());
  require_messages(ordering.warnings);
  HostMappingOptions options;
  options.fixed_first = ordering.hosts;
  std::vector<std::uint32_t> hosts;
  HostMapping(sample_fabric(), options).draw(1, 0, hosts);
  require(hosts.size() == sample_fabric().endpoints().size(),
          "the number of ranks differs from the number of hosts");

  std::vector<EndPortId> order = parse_host_order(input, "input", sample_fabric());
  std::ranges::sort(order);
  require(std::ranges::equal(order, sample_fabric().endpoints()),
          "the order does not contain every host once");
}

}  // namespace pssp::test
