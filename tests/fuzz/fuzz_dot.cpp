// Graphs in the DOT language with routes and other attributes: reads the fabric and tables, and
// writes and reads the graph again.

#include <algorithm>
#include <utility>
#include <vector>

#include "fabric/formats/orcs/dot_file.h"
#include "fabric/input/fabric_input.h"
#include "tests/fuzz/fuzzing.h"
#include "tests/fuzz/targets.h"

namespace pssp::test {
namespace {

constexpr std::size_t most_edges_with_routes = 4096;

}  // namespace

void fuzz_dot(std::string_view input) {
  DotFile graph = parse_dot(input, "input");
  require_messages(graph.topology.warnings);
  const FabricInput read = to_fabric_input(
      {std::move(graph.topology), std::move(graph.tables), std::move(graph.notes), {}});
  require_messages(read.warnings);
  use_fabric(read.fabric);
  if (read.tables) use_tables(read.fabric, *read.tables);

  // The written graph has one word for each route and each edge of the route, so large graphs are
  // skipped.
  if (read.fabric.channel_count() * read.fabric.lids().size() > most_edges_with_routes) return;
  const auto notes = [&read](DotEdge edge, std::vector<DotAttribute>& attributes) {
    read.notes.append(read.fabric, edge, attributes);
  };
  const DotFile again =
      parse_dot(to_dot(read.fabric, read.tables ? &*read.tables : nullptr, notes), "written");
  const auto ports = read.fabric.end_ports();
  const auto cabled = std::count_if(ports.begin(), ports.end(),
                                    [](const EndPort& port) { return port.attached.valid(); });
  require(again.topology.builder.node_count() ==
              read.fabric.switch_count() + static_cast<std::size_t>(cabled),
          "a written graph has a different number of nodes");
}

}  // namespace pssp::test
