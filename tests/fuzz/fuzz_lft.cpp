// Dumps of forwarding tables in all formats, matched with a small mesh with LIDs (LMC 1) and
// without LIDs, and read without a topology, as by convert_fabric.

#include "base/error.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/lft_matching.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tools/convert_fabric/tables_alone.h"
#include "topologies/registry.h"

namespace pssp::test {
namespace {

/// The dump may belong to another fabric.
void match(const FabricBuilder& topology, const LftFile& dump) {
  try {
    const MatchedTables matched = match_tables({.builder = topology, .warnings = {}}, dump);
    require_messages(matched.warnings);
    require_sound(matched.fabric);
    use_tables(matched.fabric, matched.tables);
  } catch (const Error& error) {
    require(error.kind() == ErrorKind::mismatch, error.what());
    require_message(error.what());
  }
}

}  // namespace

void fuzz_lft(std::string_view input) {
  static const FabricBuilder with_lids = make_topology("mesh 3x2 --hosts 2 --lmc 1");
  static const FabricBuilder without_lids = make_topology("mesh 3x2 --hosts 2");
  const LftFile dump = parse_lft(input, "input");
  require_messages(dump.warnings);
  match(with_lids, dump);
  match(without_lids, dump);
  const FabricInput alone = to_fabric_without_cables(dump);
  require_sound(alone.fabric);
  use_tables(alone.fabric, *alone.tables);
}

}  // namespace pssp::test
