#include "tools/compare_fabric/run.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/input/fabric_input.h"
#include "fabric/nodes/node_name_map.h"
#include "fabric/nodes/node_rails.h"
#include "operations/cabling/cabling_rules.h"
#include "operations/cabling/cabling_source.h"
#include "operations/cabling/cabling_statements.h"
#include "operations/cabling/mended_fabric.h"
#include "tools/kit/report.h"
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

/// `tables` may be empty: none.
FabricSources sources_of(const std::string& name, const std::string& tables = "") {
  std::vector<std::filesystem::path> paths{name};
  if (!tables.empty()) paths.emplace_back(tables);
  return read_fabric_sources(paths);
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
                  fmt::format("{}: this is a topology, and a plan of several parts is made of "
                              "cabling lists; name one plan",
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

CablingComparison compare(const CablingSource& plan, const CablingSource& fabric,
                          const CompareFabricOptions& options) {
  if (!options.engine.empty() && !plan.fabric) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: a cabling list cannot be routed; --engine needs a topology as plan",
                    options.plans.front()));
  }
  CablingComparison comparison = compare_cabling(plan.cabling, fabric.cabling);
  if (!options.engine.empty()) {
    const Fabric mended =
        mended_fabric(*fabric.builder, plan.cabling, fabric.cabling, comparison.matching);
    comparison.costs =
        costs_of({*plan.fabric, *fabric.fabric, mended, fabric.tables ? &*fabric.tables : nullptr},
                 options.engine, options.patterns);
  }
  return comparison;
}

int exit_code_of(std::span<const CablingStatement> statements) {
  return statements.empty() ? 0 : static_cast<int>(ErrorKind::verification_failed);
}

int check_rules(const CompareFabricOptions& options, const NodeNameMap& names) {
  const NodeNameRule rule(options.node_names);
  const FabricInput input = to_fabric_input(sources_of(options.fabric));
  Report(tool).warn(input.warnings);
  const NodeRails nodes(input.fabric, rule, names);
  if (nodes.factory_names() != 0) {
    Report(tool).warn(fmt::format(
        "{} adapters have factory names, so that nothing is known of their nodes and rails",
        nodes.factory_names()));
  }
  const std::vector<CablingStatement> statements = check_cabling_rules(input.fabric, nodes);
  write_file(options.output,
             options.json ? to_json(statements, options.fabric)
                          : to_text(statements) +
                                fmt::format("{} switches and {} end ports are like their fellows, "
                                            "but for {} {}\n",
                                            input.fabric.switch_count(),
                                            input.fabric.end_port_count(), statements.size(),
                                            statements.size() == 1 ? "statement" : "statements"));
  return exit_code_of(statements);
}

}  // namespace

int compare_fabric(const CompareFabricOptions& options) {
  const NodeNameMap names =
      options.node_name_map.empty() ? NodeNameMap() : read_node_name_map(options.node_name_map);
  if (options.rules) return check_rules(options, names);
  const CablingSource plan = read_plan(options.plans, names);
  const CablingSource fabric = side_of(sources_of(options.fabric, options.tables), names);
  const CablingComparison comparison = compare(plan, fabric, options);
  Report(tool).warn(comparison.warnings);
  std::vector<OutputFile> files;
  files.push_back({options.output, [&](const ContentSink& sink) {
                     sink(options.json ? to_json(comparison, options.plans.front(), options.fabric)
                                       : to_text(comparison));
                   }});
  if (!options.map.empty()) {
    files.push_back({options.map, [&](const ContentSink& sink) {
                       sink(node_map_text(plan.cabling, fabric.cabling, comparison.matching));
                     }});
  }
  write_files(files);
  return exit_code_of(comparison.statements);
}

}  // namespace pssp
