// Node ordering files, for the sample fabric, up to the hosts that play the ranks.

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
  require(hosts.size() == sample_fabric().endpoints().size(), "number of ranks");
}

}  // namespace pssp::test
