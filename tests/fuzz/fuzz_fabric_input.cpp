// One or two files of any kind on disk, which are recognized by their content, as convert_fabric
// and eval_lft read them.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_rails.h"
#include "operations/placement/scheduler_nodes.h"
#include "operations/placement/slurm_topology.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"
#include "tests/temporary_file.h"
#include "tools/convert_fabric/output_kinds.h"

namespace pssp::test {
namespace {

constexpr std::size_t most_routes_to_write = 4096;

/// Writes the input in all formats of convert_fabric that suit it, and discards the text.
void write_all(const FabricInput& input) {
  const std::size_t routes = (input.fabric.channel_count() + 1) * (input.fabric.max_lid() + 1U);
  if (routes > most_routes_to_write) return;
  for (const OutputKind& kind : output_kinds()) {
    if (kind.scheduler != Scheduler::none || (kind.needs_tables && !input.tables)) continue;
    kind.write(input, [](std::string_view) {});
  }
}

/// Writes the files for Slurm, with its node names from the fabric. Each node must occur once,
/// whatever its name.
void write_for_slurm(const Fabric& fabric) {
  std::vector<ScheduledNode> nodes;
  try {
    nodes = scheduled_nodes(fabric, NodeRails(fabric), {}).nodes;
  } catch (const Error&) {
    return;  // no node has a name
  }
  const SchedulerTree tree = scheduler_tree(fabric, nodes);
  std::size_t count = 0;
  for (const SchedulerTree::Vertex& vertex : tree.vertices) count += vertex.nodes.size();
  require(count == nodes.size(), "a node is in no vertex of the tree, or in several");
  for (const SwitchNames names : {SwitchNames::full, SwitchNames::compact, SwitchNames::unit}) {
    const NamedTree named = name_vertices(fabric, tree, nodes, names);
    to_tree_conf(named);
    to_block_conf(named, 1);
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
  write_for_slurm(read.fabric);
}

}  // namespace pssp::test
