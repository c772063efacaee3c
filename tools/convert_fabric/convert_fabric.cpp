// convert_fabric: one notation of topologies and forwarding tables into another
// (docs/reference/convert.md).

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/input/fabric_input.h"
#include "tools/convert_fabric/output_kinds.h"
#include "tools/convert_fabric/slurm_output.h"
#include "tools/convert_fabric/tables_alone.h"
#include "tools/kit/command_line.h"
#include "tools/kit/fabric_options.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"

namespace {

using namespace pssp;

constexpr const char* tool = "convert_fabric";

struct Arguments {
  std::vector<std::filesystem::path> inputs;
  std::string output;
  std::string kind_name;
  const OutputKind* kind = nullptr;
  SlurmOutput slurm;
  BuilderOptions builder;
};

std::string list_of_kinds() {
  std::string text;
  for (const OutputKind& kind : output_kinds()) {
    text += fmt::format("{:<12}{:<18}{}\n", kind.name, kind.extensions, kind.summary);
  }
  return text;
}

/// None if --help, --version or --list was printed.
std::optional<Arguments> parse_arguments(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string> inputs;
  CommandLine line(tool,
                   "Converts topologies and forwarding tables of InfiniBand fabrics between file "
                   "formats.");
  line.option("IN", inputs,
              "Topology, tables, or both: ibsim net file, ibnetdiscover, opensm-subnet.lst, "
              "graph (dot), NED, links, ports and systems of UFM (JSON); dump_fts, "
              "opensm-lfts.dump, opensm.fdbs, ibdiagnet.fdbs, fdbs of OMNeT++; a folder of "
              "ibdiagnet or an archive of it; - is standard input")
      .values(1, 4)
      .usage("IN...")
      .reads();
  line.option("-o,--output", arguments.output, "Write the result to FILE; - is standard output")
      .writes();
  line.option("--to", arguments.kind_name,
              "Output format: net, lft, dot, ned, fdbs, cables, slurm, slurm-yaml or slurm-block "
              "(default: by the extension of the output file; see --list)");
  add_endpoint_options(line, arguments.builder.roles);
  arguments.slurm.add_options(line);
  line.answer("--list", "List the output formats with their file extensions", list_of_kinds);
  if (!line.parse(argc, argv)) return std::nullopt;
  if (inputs.empty() || !line.given("--output")) {
    throw Error(ErrorKind::usage, "expected: pssp convert IN... -o OUT; see --help");
  }
  arguments.kind = &find_output_kind(arguments.kind_name, arguments.output);
  arguments.slurm.take(line, *arguments.kind);
  arguments.inputs.assign(inputs.begin(), inputs.end());
  return arguments;
}

FabricInput read_input(const Arguments& arguments, const OutputKind& kind) {
  FabricSources sources = read_fabric_sources(arguments.inputs);
  const bool has_tables = sources.tables.has_value();
  if (kind.needs_tables && !has_tables) {
    throw Error(ErrorKind::usage, fmt::format("output format {} needs forwarding tables, but the "
                                              "input has none: add the file with the tables",
                                              kind.name));
  }
  if (!sources.topology && kind.name == "lft") return to_fabric_without_cables(*sources.tables);
  return to_fabric_input(std::move(sources), arguments.builder);
}

void run(const Arguments& arguments) {
  const Report report(tool);
  const OutputKind& kind = *arguments.kind;
  const FabricInput input = read_input(arguments, kind);
  report.warn(input.warnings);
  std::vector<std::string> warnings;
  write_file(arguments.output, [&](const ContentSink& sink) {
    if (kind.scheduler == Scheduler::none) {
      kind.write(input, sink);
    } else {
      warnings = arguments.slurm.write(kind, input.fabric, sink);
    }
  });
  report.warn(warnings);
  if (kind.notation) {
    const ConversionLosses losses =
        conversion_losses(input.fabric, *kind.notation, input.tables ? &*input.tables : nullptr);
    if (losses.any()) report.warn(to_string(losses, *kind.notation));
  }
  report.print_line(fmt::format("{} end ports, {} switches, {} links between switches, {}",
                                input.fabric.end_port_count(), input.fabric.switch_count(),
                                input.fabric.channel_count() / 2,
                                input.tables ? "with forwarding tables" : "no forwarding tables"));
}

}  // namespace

int main(int argc, char** argv) {
  return run_tool(tool, [&] {
    if (const std::optional<Arguments> arguments = parse_arguments(argc, argv)) run(*arguments);
    return 0;
  });
}
