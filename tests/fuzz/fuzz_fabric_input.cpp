// One or two files of any kind, recognised by their content: the way in of convert_fabric and
// eval_lft, with files on disk.

#include <filesystem>
#include <string>
#include <vector>

#include "fabric/input/fabric_input.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"
#include "tools/convert_fabric/output_kinds.h"

namespace pssp::test {
namespace {

constexpr std::size_t most_routes_to_write = 4096;

/// All that convert_fabric can write of it; the text is of no interest.
void write_all(const FabricInput& input) {
  const std::size_t routes = (input.fabric.channel_count() + 1) * (input.fabric.max_lid() + 1U);
  if (routes > most_routes_to_write) return;
  for (const OutputKind& kind : output_kinds()) {
    if (kind.needs_tables && !input.tables) continue;
    kind.write(input, [](std::string_view) {});
  }
}

}  // namespace

void fuzz_fabric_input(std::string_view input) {
  const auto [first, second] = two_files(input);
  const TemporaryFile first_file{std::string(first)}, second_file{std::string(second)};
  std::vector<std::filesystem::path> paths{first_file.path()};
  if (!second.empty()) paths.emplace_back(second_file.path());
  const FabricInput read = read_fabric_input(paths);
  require_messages(read.warnings);
  use_fabric(read.fabric);
  if (read.tables) use_tables(read.fabric, *read.tables);
  write_all(read);
}

}  // namespace pssp::test
