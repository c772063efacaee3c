// Hostfiles of MPI, and lists of host names.

#include "fabric/nodes/host_file.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_host_file(std::string_view input) {
  constexpr std::size_t most_input = 4096;  // each line may be a list of 65,536 names
  for (const std::string& name : parse_host_file(input.substr(0, most_input), "input")) {
    require(!name.empty() && name.find_first_of(" \t\n#") == std::string::npos,
            "a name is empty or contains a blank");
  }
}

}  // namespace pssp::test
