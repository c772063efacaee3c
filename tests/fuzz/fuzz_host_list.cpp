// Host lists in Slurm's notation, one per line.

#include "base/error.h"
#include "fabric/nodes/host_list.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {

void fuzz_host_list(std::string_view input) {
  std::size_t room = 200'000;
  while (!input.empty() && room > most_host_names) {
    const std::size_t end = input.find('\n');
    const auto names = expand_host_list(input.substr(0, end));
    require(names.size() <= most_host_names, "a list has too many names");
    for (const std::string& name : names) {
      require(!name.empty() && name.size() <= longest_host_name, "a name is empty or too long");
    }
    room -= names.size();
    input.remove_prefix(end == std::string_view::npos ? input.size() : end + 1);
  }
}

}  // namespace pssp::test
