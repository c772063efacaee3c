#include "tools/diagnosis/measured_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "base/shown.h"
#include "fabric/nodes/host_file.h"
#include "tools/kit/command_line.h"

namespace pssp {
namespace {

void choose_nodes(const MeasuredFabricOptions& options, MeasuredFabric& fabric) {
  const NodeRails& rails = fabric.nodes->rails();
  if (options.nodes.empty()) {
    fabric.chosen.resize(rails.nodes().size());
    std::iota(fabric.chosen.begin(), fabric.chosen.end(), 0U);
    return;
  }
  std::size_t unknown = 0;
  for (const std::string& name : read_host_names(options.nodes)) {
    if (const auto node = rails.find(name)) {
      fabric.chosen.push_back(*node);
    } else if (options.skip_unknown) {
      ++unknown;
    } else {
      throw Error(
          ErrorKind::usage,
          fmt::format("'{}' is no node of this fabric{}; --skip-unknown passes over such names",
                      shown(name), rails.nearest_in_words(name)));
    }
  }
  std::ranges::sort(fabric.chosen);
  fabric.chosen.erase(std::unique(fabric.chosen.begin(), fabric.chosen.end()), fabric.chosen.end());
  if (unknown != 0) {
    fabric.warnings.push_back(
        fmt::format("{} names of --nodes fit no node of this fabric", unknown));
  }
}

}  // namespace

void MeasuredFabricOptions::add_options(CommandLine& line) {
  line.option(
          "--nodes", nodes,
          "Nodes that take part: a list (n[1-8,10]), or a file with a name a line; - is standard "
          "input (default: all)")
      .type_name("LIST");
  line.option(
          "--node-names", node_names,
          "What a node is: a regular expression over descriptions; group 1 is the node, group 2 "
          "its adapter (default: the first of two words)")
      .type_name("REGEX");
  line.option("--node-name-map", node_name_map,
              "Names by GUID, as ibnetdiscover takes them; - is standard input")
      .type_name("FILE")
      .reads();
  line.flag("--skip-unknown", skip_unknown, "Pass over names that fit no node, and count them");
}

std::vector<std::uint32_t> MeasuredFabric::ranks() const {
  std::vector<std::uint32_t> ranks;
  for (const std::uint32_t n : chosen) {
    ranks.insert(ranks.end(), nodes->ranks()[n].begin(), nodes->ranks()[n].end());
  }
  return ranks;
}

std::unique_ptr<const MeasuredFabric> read_measured_fabric(const std::vector<std::string>& files,
                                                           const MeasuredFabricOptions& options) {
  const std::vector<std::filesystem::path> paths(files.begin(), files.end());
  const NodeNameRule rule(options.node_names);
  NodeNameMap names;
  if (!options.node_name_map.empty()) names = read_node_name_map(options.node_name_map);
  // Ways and nodes refer to the fabric, which must not move.
  auto fabric = std::make_unique<MeasuredFabric>(
      MeasuredFabric{read_fabric_input(paths), nullptr, nullptr, {}, {}});
  require_tables(fabric->input.tables.has_value(), files.front());
  fabric->warnings = fabric->input.warnings;
  fabric->ways = std::make_unique<const FlowWays>(fabric->input.fabric, *fabric->input.tables);
  NodeRails rails(fabric->input.fabric, rule, names);
  if (rails.repeated_names() != 0) {
    fabric->warnings.push_back(
        fmt::format("{} end ports have names that others have, too: each adapter of them is a node "
                    "by itself",
                    rails.repeated_names()));
  }
  if (rails.factory_names() != 0) {
    fabric->warnings.push_back(fmt::format(
        "{} end ports have no name of a node in their description: each adapter of them "
        "is a node by itself",
        rails.factory_names()));
  }
  fabric->nodes = std::make_unique<const MeasuredNodes>(fabric->input.fabric, std::move(rails),
                                                        std::move(names));
  choose_nodes(options, *fabric);
  return fabric;
}

}  // namespace pssp
