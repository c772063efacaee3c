// One or two replies of UFM's REST interface: links, ports, systems.

#include <utility>

#include "fabric/formats/ufm/ufm_answers.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_ufm_answers(std::string_view input) {
  const auto [first, second] = two_files(input);
  UfmAnswers answers;
  answers.add(first, "first");
  if (!second.empty()) answers.add(second, "second");
  TopologyFile file = answers.build();
  require_messages(file.warnings);
  file.builder.assign_lids(1);
  use_fabric(std::move(file.builder).build());
}

}  // namespace pssp::test
