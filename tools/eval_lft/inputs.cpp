#include "tools/eval_lft/inputs.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "evaluator/parallel/agreement.h"
#include "fabric/formats/capacity_file.h"
#include "fabric/formats/node_types_file.h"
#include "fabric/input/fabric_input.h"
#include "tools/kit/report.h"

// A topology without LIDs gets them from the tables, so each set of tables has its own Fabric. The
// endpoints and their order (by GUID) are the same in all of them, so that rank 17 is the same
// host.

namespace pssp {
namespace {

EvalInput to_input(std::string name, FabricSources sources, const BuilderOptions& builder,
                   TablesNeeded needed = TablesNeeded::yes) {
  const bool has_tables = sources.tables.has_value();
  if (needed == TablesNeeded::yes) require_tables(has_tables, name);
  FabricInput read = to_fabric_input(std::move(sources), builder);
  ForwardingTables tables =
      has_tables ? *std::move(read.tables) : ForwardingTables(read.fabric.switch_count(), no_lid);
  return {std::move(name),          std::move(read.fabric), std::move(tables),
          std::move(read.warnings), std::move(read.notes),  has_tables};
}

}  // namespace

std::vector<EvalInput> read_inputs(const Common& common, TablesNeeded needed) {
  const std::vector<std::filesystem::path> paths(common.files.begin(), common.files.end());
  FabricSources sources = read_fabric_sources(paths);
  std::optional<CapacityFile> capacities;
  if (!common.capacity.empty()) capacities = read_capacities(common.capacity);
  std::vector<HostOfType> node_types;
  if (!common.node_types.empty()) node_types = read_node_types(common.node_types);
  const auto apply_files = [&](FabricSources& of) {
    if (!of.topology) return;
    if (capacities) apply_capacities(*capacities, AtZero::slow, of.topology->builder);
    apply_node_types(node_types, UnknownHosts::refused, of.topology->builder);
  };
  apply_files(sources);
  std::vector<EvalInput> inputs;
  std::optional<TopologyFile> topology;
  if (!common.compared.empty()) topology = sources.topology;
  inputs.push_back(to_input(common.files.front(), std::move(sources), common.builder, needed));
  for (const std::string& name : common.compared) {
    const std::filesystem::path path(name);
    FabricSources compared = read_fabric_sources({&path, 1});
    apply_files(compared);
    if (!compared.topology) compared.topology = topology;
    inputs.push_back(to_input(name, std::move(compared), common.builder));
    require_same_hosts(inputs.front().name, inputs.front().fabric, inputs.back().name,
                       inputs.back().fabric);
  }
  return inputs;
}

void require_same_work(Processes& processes, const std::vector<EvalInput>& inputs,
                       const Common& common, Question question, Digest options) {
  if (processes.count() == 1) return;
  InputClaims of_inputs;
  for (const EvalInput& input : inputs) {
    of_inputs.add(input.fabric);
    of_inputs.add(input.tables);
  }
  options.add(static_cast<std::uint64_t>(question));
  options.add(common.seed);
  options.add(inputs.size());
  const std::array claims{of_inputs.topology(), of_inputs.tables(),
                          Claim{"other options", options.value()}};
  require_agreement(processes, claims);
}

void print_warnings(const std::vector<std::string>& warnings) { Report("eval_lft").warn(warnings); }

}  // namespace pssp
