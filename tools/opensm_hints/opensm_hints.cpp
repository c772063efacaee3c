// opensm_hints: what some of OpenSM's engines want to be told about a fabric, found from its
// topology. See docs/reference/compare-engines.md.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/topology_file.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"
#include "tools/opensm_hints/torus_seed.h"
#include "tools/opensm_hints/up_down_roots.h"

namespace {

using namespace pssp;

std::string roots_file(const Fabric& fabric) {
  std::string text;
  for (const SwitchId root : find_up_down_roots(fabric)) {
    text += fmt::format("{:#018x} # {}\n", fabric.switch_at(root).guid, fabric.label(root));
  }
  return text;
}

struct Arguments {
  std::string topology;
  std::string output = "-";
  bool roots = false;
  bool torus = false;
};

/// None if --help or --version was printed.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  CommandLine line(
      "opensm_hints",
      "Determines root switches or a torus configuration for OpenSM's routing engines.");
  line.option("TOPOLOGY", arguments.topology,
              "Topology: output of ibnetdiscover or ibsim net file; - is standard input")
      .required()
      .reads();
  line.flag("--roots", arguments.roots,
            "Write the root switches for updn and dnup (opensm -a FILE)");
  line.flag("--torus", arguments.torus,
            "Write the configuration for torus-2QoS (opensm --torus_config FILE)");
  line.output(arguments.output);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (arguments.roots == arguments.torus) {
    throw Error(ErrorKind::usage, "expected either --roots or --torus; see --help");
  }
  return arguments;
}

int run(const Arguments& arguments) {
  TopologyFile topology = read_topology(arguments.topology);
  const Fabric fabric = std::move(topology.builder).build();
  write_file(arguments.output, arguments.roots ? roots_file(fabric) : torus_configuration(fabric));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("opensm_hints", argc, argv, parse_arguments, run);
}
