// Files of coordinates, read alone and by the engine meshdor for the sample fabric.

#include "routing/engines/engine.h"
#include "routing/mesh/coordinates_file.h"
#include "routing/verify/verify.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"

namespace pssp::test {

void fuzz_coordinates(std::string_view input) {
  const CoordinatesFile file = parse_coordinates(input, "input");
  match_coordinates(file, sample_fabric());
  const TemporaryFile on_disk{std::string(input)};
  EngineOptions options;
  options.set("coordinates", on_disk.path());
  const Routing routing = make_engine("meshdor", options)->route(sample_fabric());
  require(verify(sample_fabric(), routing.tables).usable(),
          "tables of engine meshdor are unusable");
}

}  // namespace pssp::test
