// Measured rates in the output formats of benchmark programs.

#include <cmath>

#include "operations/diagnosis/rate_input.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "topologies/registry.h"

namespace pssp::test {

void fuzz_rates(std::string_view input) {
  static const Fabric fabric = make_fabric("k-ary-n-tree 2 3 --servers 1");
  static const MeasuredNodes nodes(fabric, NodeRails(fabric));
  for (const bool skip_unknown : {false, true}) {
    RateInput rates(nodes, {skip_unknown, false});
    rates.add(input, "input");
    for (const RateMeasurement& each : rates.measurements()) {
      require(std::isfinite(each.rate) && each.rate > 0, "a rate is not positive");
      require(!each.flows.empty() && each.width > 0, "a rate has no flow or no width");
      for (const Flow flow : each.flows) {
        require(flow.source < fabric.endpoints().size() &&
                    flow.destination < fabric.endpoints().size() && flow.source != flow.destination,
                "a flow has an invalid host or equal hosts");
      }
    }
    static_cast<void>(rates.warnings());
  }
}

}  // namespace pssp::test
