#include "tools/convert_fabric/output_kinds.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "base/error.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/omnet/omnet_writer.h"

namespace pssp {
namespace {

void write_net(const FabricInput& input, const ContentSink& sink) {
  sink(to_net_file(input.fabric));
}

void write_cables(const FabricInput& input, const ContentSink& sink) {
  sink(to_cable_list(input.fabric));
}

void write_lft(const FabricInput& input, const ContentSink& sink) {
  write_lft_dump(input.fabric, *input.tables, sink);
}

void write_graph(const FabricInput& input, const ContentSink& sink) {
  write_dot(
      input.fabric, input.tables ? &*input.tables : nullptr,
      [&input](DotEdge edge, std::vector<DotAttribute>& attributes) {
        input.notes.append(input.fabric, edge, attributes);
      },
      sink);
}

void write_ned(const FabricInput& input, const ContentSink& sink) {
  sink(to_omnet_ned(input.fabric));
}

void write_fdbs(const FabricInput& input, const ContentSink& sink) {
  sink(to_omnet_fdbs(input.fabric, *input.tables));
}

constexpr std::array kinds{
    OutputKind{"net", ".net .topo .osm ", "topology: ibsim net file, as ibnetdiscover writes it",
               false, write_net, Scheduler::none, OutputNotation::net},
    OutputKind{"lft", ".lft .lfts .dump ", "tables: opensm-lfts.dump, for opensm -R file -U FILE",
               true, write_lft},
    OutputKind{"dot", ".dot .gv ", "graph in the dot format of ORCS, with routes if there are any",
               false, write_graph, Scheduler::none, OutputNotation::dot},
    OutputKind{"ned", ".ned ", "network of the InfiniBand model for OMNeT++", false, write_ned,
               Scheduler::none, OutputNotation::ned},
    OutputKind{"fdbs", ".fdbs .fdb ", "tables of the InfiniBand model for OMNeT++", true,
               write_fdbs, Scheduler::none, OutputNotation::omnet_tables},
    OutputKind{"cables", ".csv ", "cabling list (CSV), as UFM's NDT files: for pssp compare-fabric",
               false, write_cables, Scheduler::none, OutputNotation::cable_list},
    OutputKind{"slurm", ".conf ", "topology.conf for Slurm's topology/tree", false, nullptr,
               Scheduler::slurm},
    OutputKind{"slurm-yaml", ".yaml ", "topology.yaml for Slurm, 25.05 and later", false, nullptr,
               Scheduler::slurm_yaml},
    OutputKind{"slurm-block", "", "topology.conf for Slurm's topology/block, 23.11 and later",
               false, nullptr, Scheduler::slurm_block},
};

}  // namespace

std::span<const OutputKind> output_kinds() { return kinds; }

const OutputKind& find_output_kind(std::string_view name, const std::filesystem::path& output) {
  const std::string extension = output.extension().string() + " ";
  const auto* const found = std::find_if(kinds.begin(), kinds.end(), [&](const OutputKind& kind) {
    if (!name.empty()) return kind.name == name;
    return extension.size() > 1 && kind.extensions.find(extension) != std::string_view::npos;
  });
  if (found != kinds.end()) return *found;
  std::string known;
  for (const OutputKind& kind : kinds) known += fmt::format(" {}", kind.name);
  throw Error(
      ErrorKind::usage,
      name.empty()
          ? fmt::format("the extension of '{}' selects no output format; use --to with one of{}",
                        output.string(), known)
          : fmt::format("unknown output format '{}'; use --to with one of{}", name, known));
}

}  // namespace pssp
