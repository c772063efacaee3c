// Files of pairs, and the path of each pair in the sample fabric.

#include "evaluator/paths/pair_file.h"
#include "evaluator/paths/path.h"
#include "routing/engines/engine.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_pairs(std::string_view input) {
  static const Routing routing = make_engine("pssp", {})->route(sample_fabric());
  static const NodeDirectory nodes(sample_fabric());
  for (const PathPair& pair : parse_path_pairs(input, "input", nodes)) {
    const Path path = path_of(sample_fabric(), routing.tables, pair.source, pair.destination);
    require(path.outcome == PathOutcome::arrives, "a pair of connected ports has no path");
    require_message(nodes.describe(pair.source.owner));
  }
}

}  // namespace pssp::test
