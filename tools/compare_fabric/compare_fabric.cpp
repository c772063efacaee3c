// compare_fabric: is a fabric cabled as planned (docs/reference/compare-fabric.md)?

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_name_map.h"
#include "fabric/nodes/node_rails.h"
#include "operations/cabling/cabling_rules.h"
#include "operations/cabling/cabling_source.h"
#include "operations/cabling/cabling_statements.h"
#include "operations/cabling/repaired_fabric.h"
#include "tools/compare_fabric/options.h"
#include "tools/compare_fabric/recorded_topology.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

constexpr const char* tool = "compare_fabric";
constexpr std::string_view made = "make:";

CablingSource side_of(FabricSources sources, const NodeNameMap& names) {
  CablingSource side = cabling_source(std::move(sources), names);
  Report(tool).warn(side.warnings);
  return side;
}

/// The sources, from a file or the monitor's database, and their name.
struct NamedSources {
  std::string name;
  FabricSources sources;
};

NamedSources recorded_sources(const std::string& database, const std::string& time) {
  RecordedTopology recorded = recorded_topology(database, time);
  NamedSources named{std::move(recorded.name), {}};
  named.sources.topology = std::move(recorded.topology);
  return named;
}

NamedSources fabric_sources(const CompareFabricOptions& options) {
  std::vector<std::filesystem::path> files;
  if (options.times.empty()) files.emplace_back(options.fabric);
  if (!options.tables.empty()) files.emplace_back(options.tables);
  NamedSources named{options.fabric, {}};
  if (!files.empty()) named.sources = read_fabric_sources(files);
  if (options.times.empty()) return named;
  if (named.sources.topology) {
    throw Error(ErrorKind::usage, fmt::format("--tables {} contains a topology, but --at selects "
                                              "one too; use a file with tables only",
                                              options.tables));
  }
  NamedSources recorded = recorded_sources(options.database, options.times.back());
  recorded.sources.tables = std::move(named.sources.tables);
  return recorded;
}

CablingSource read_plan(const std::vector<std::string>& plans, const NodeNameMap& names) {
  std::vector<CableList> lists;
  for (const std::string& plan : plans) {
    const bool is_made = plan.starts_with(made);
    FabricSources sources = is_made ? FabricSources() : read_plan_sources(plan);
    if (sources.cables) {
      lists.push_back(std::move(*sources.cables));
      continue;
    }
    if (plans.size() > 1) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: this is a topology, but a plan of several parts must consist of "
                              "cabling lists; give one plan",
                              plan));
    }
    if (!is_made) return side_of(std::move(sources), names);
    Fabric fabric = make_fabric(plan.substr(made.size()));
    CablingSource side;
    side.cabling = cabling_of(fabric);
    side.cabling.has_true_guids = false;
    side.fabric = std::move(fabric);
    return side;
  }
  CablingSource side;
  side.cabling = cabling_of(join_cable_lists(std::move(lists)));
  return side;
}

struct NamedPlan {
  std::string name;
  CablingSource source;
};

NamedPlan plan_of(const CompareFabricOptions& options, const NodeNameMap& names) {
  if (options.times.size() < 2) return {options.plans.front(), read_plan(options.plans, names)};
  NamedSources before = recorded_sources(options.database, options.times.front());
  return {std::move(before.name), side_of(std::move(before.sources), names)};
}

CablingComparison compare(const NamedPlan& named_plan, const CablingSource& fabric,
                          const CompareFabricOptions& options) {
  const CablingSource& plan = named_plan.source;
  if (!options.engine.empty() && !plan.fabric) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: a cabling list cannot be routed; --engine needs a topology as plan",
                    named_plan.name));
  }
  CablingComparison comparison = compare_cabling(plan.cabling, fabric.cabling);
  if (!options.engine.empty()) {
    const Fabric repaired =
        repaired_fabric(*fabric.builder, plan.cabling, fabric.cabling, comparison.matching);
    comparison.costs = costs_of(
        {*plan.fabric, *fabric.fabric, repaired, fabric.tables ? &*fabric.tables : nullptr},
        options.engine, options.patterns);
  }
  return comparison;
}

int exit_code_of(std::span<const CablingStatement> statements) {
  return statements.empty() ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

int check_rules(const CompareFabricOptions& options, const NodeNameMap& names) {
  const NodeNameRule rule(options.node_names);
  NamedSources named = fabric_sources(options);
  const FabricInput input = to_fabric_input(std::move(named.sources));
  Report(tool).warn(input.warnings);
  const NodeRails nodes(input.fabric, rule, names);
  Report(tool).warn(nodes.warnings());
  const std::vector<CablingStatement> statements = check_cabling_rules(input.fabric, nodes);
  write_file(options.output,
             options.json ? to_json(statements, named.name)
                          : to_text(statements) +
                                fmt::format("{} switches and {} end ports were compared with "
                                            "their peers: {} {}\n",
                                            input.fabric.switch_count(),
                                            input.fabric.end_port_count(), statements.size(),
                                            statements.size() == 1 ? "statement" : "statements"));
  return exit_code_of(statements);
}

/// Compares and writes the report. Returns the exit code: 0 as planned, 7 not. Throws Error.
int compare_fabric(const CompareFabricOptions& options) {
  const NodeNameMap names =
      options.node_name_map.empty() ? NodeNameMap() : read_node_name_map(options.node_name_map);
  if (options.rules) return check_rules(options, names);
  const NamedPlan plan = plan_of(options, names);
  NamedSources named = fabric_sources(options);
  const CablingSource fabric = side_of(std::move(named.sources), names);
  const CablingComparison comparison = compare(plan, fabric, options);
  Report(tool).warn(comparison.warnings);
  std::vector<OutputFile> files;
  files.push_back({options.output, [&](const ContentSink& sink) {
                     sink(options.json ? to_json(comparison, plan.name, named.name)
                                       : to_text(comparison));
                   }});
  if (!options.map.empty()) {
    files.push_back({options.map, [&](const ContentSink& sink) {
                       sink(
                           node_map_text(plan.source.cabling, fabric.cabling, comparison.matching));
                     }});
  }
  write_files(files);
  return exit_code_of(comparison.statements);
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool(tool, argc, argv, parse_compare_fabric_options, compare_fabric);
}
