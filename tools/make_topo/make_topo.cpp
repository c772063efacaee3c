// make_topo: writes the topology of a made-up fabric as an ibsim net file (docs/make_topo.md).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <utility>

#include "base/file_io.h"
#include "fabric/formats/net_file_writer.h"
#include "tools/kit/tool_main.h"
#include "topologies/command_line.h"
#include "topologies/registry.h"

namespace {

void print_kinds() {
  for (const pssp::TopologyFamily& family : pssp::topology_registry()) {
    fmt::print("{:<16}{}\n{:<16}e.g. make_topo {}{}{}\n", family.name, family.summary, "",
               family.name, family.example.empty() ? "" : " ", family.example);
  }
}

void write_topology(const pssp::TopologyRequest& request, const std::string& output) {
  const pssp::CablingPlan plan = request.draw();
  const pssp::Fabric fabric = request.make(plan).build();
  pssp::write_file(output, pssp::to_net_file(fabric));
  const pssp::PlanCounts counts = plan.counts();
  fmt::print(stderr, "make_topo: {} hosts, {} switches, {} links between switches\n", counts.hosts,
             counts.switches, counts.switch_cables);
}

int run(int argc, char** argv) {
  CLI::App app("Writes the topology of a made-up InfiniBand fabric as an ibsim net file.",
               "make_topo");
  bool list = false;
  std::string output = "-";
  pssp::TopologyRequest request;
  request.declare(app);
  app.add_flag("--list", list, "list the kinds of topologies, each with an example");
  for (CLI::App* const command : app.get_subcommands({})) {
    command->add_option("-o,--output", output, "file to write; - is standard output")
        ->type_name("FILE")
        ->capture_default_str();
  }
  app.footer(
      "`make_topo KIND --help` explains the arguments of a kind, and the options for damage, "
      "GUIDs, LIDs and rates that\n"
      "every kind has. Example: make_topo chic --kill-links 20 --seed 7 -o chic.net");
  if (!pssp::parse_command_line(app, argc, argv)) return 0;
  if (list) {
    print_kinds();
    return 0;
  }
  write_topology(request, output);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return pssp::run_tool("make_topo", [&] { return run(argc, argv); });
}
