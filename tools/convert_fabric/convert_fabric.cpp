// convert_fabric: one notation of topologies and forwarding tables into another
// (docs/convert_fabric.md).

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/input/fabric_input.h"
#include "tools/convert_fabric/output_kinds.h"
#include "tools/convert_fabric/tables_alone.h"
#include "tools/kit/tool_main.h"

namespace {

using namespace pssp;

struct Arguments {
  std::vector<std::filesystem::path> inputs;
  std::string output;
  std::string kind;
  BuilderOptions builder;
};

void print_kinds() {
  for (const OutputKind& kind : output_kinds()) {
    fmt::print("{:<6}{:<20}{}\n", kind.name, kind.extensions, kind.summary);
  }
}

/// Nothing when --help, --version or --list was answered.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  bool list = false;
  CLI::App app(
      "Converts topologies and forwarding tables of InfiniBand fabrics. What the input files are "
      "is seen from their content.");
  app.set_version_flag("--version", "convert_fabric " PSSP_VERSION);
  CLI::Option* const inputs =
      app.add_option("IN", arguments.inputs,
                     "Topology, tables, or both: ibsim net file, ibnetdiscover, opensm-subnet.lst, "
                     "graph (dot), NED; dump_fts, opensm-lfts.dump, opensm.fdbs, ibdiagnet.fdbs, "
                     "fdbs of OMNeT++; - is standard input")
          ->expected(1, 2);
  CLI::Option* const output =
      app.add_option("-o,--output", arguments.output, "File to write; - is standard output");
  app.add_option("--to", arguments.kind,
                 "What to write: net, lft, dot, ned, fdbs (default: by the name of the output "
                 "file; see --list)");
  app.add_flag("--aggregation-nodes", arguments.builder.aggregation_nodes_are_endpoints,
               "Count aggregation nodes (SHARP) among the hosts");
  app.add_flag("--list", list, "List what can be written, with the names of files that mean it");
  if (!parse_command_line(app, argc, argv)) return std::nullopt;
  if (list) {
    print_kinds();
    return std::nullopt;
  }
  if (inputs->count() == 0 || output->count() == 0)
    throw Error(ErrorKind::usage, "expected: convert_fabric IN... -o OUT; see --help");
  return arguments;
}

FabricInput read_input(const Arguments& arguments, const OutputKind& kind) {
  FabricSources sources = read_fabric_sources(arguments.inputs);
  const bool has_tables = sources.tables.has_value();
  if (kind.needs_tables && !has_tables) {
    throw Error(ErrorKind::usage,
                fmt::format("{} are tables, and the input has none: name the file "
                            "with the tables, too",
                            kind.name));
  }
  if (!sources.topology && kind.name == "lft") return to_fabric_without_cables(*sources.tables);
  return to_fabric_input(std::move(sources), arguments.builder);
}

void run(const Arguments& arguments) {
  const OutputKind& kind = find_output_kind(arguments.kind, arguments.output);
  const FabricInput input = read_input(arguments, kind);
  for (const std::string& warning : input.warnings) {
    fmt::print(stderr, "convert_fabric: warning: {}\n", warning);
  }
  write_file(arguments.output, [&](const ContentSink& sink) { kind.write(input, sink); });
  fmt::print(stderr, "convert_fabric: {} end ports, {} switches, {} links between switches, {}\n",
             input.fabric.end_port_count(), input.fabric.switch_count(),
             input.fabric.channel_count() / 2,
             input.tables ? "with forwarding tables" : "no forwarding tables");
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool("convert_fabric", [&] {
    if (const std::optional<Arguments> arguments = parse_arguments(argc, argv)) run(*arguments);
    return 0;
  });
}
