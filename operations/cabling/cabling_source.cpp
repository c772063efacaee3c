#include "operations/cabling/cabling_source.h"

#include <utility>

namespace pssp {

CablingSource cabling_source(FabricSources sources, const NodeNameMap& names) {
  CablingSource source;
  if (sources.topology) {
    source.cabling.has_true_guids = !sources.topology->has_made_up_guids;
    source.builder = sources.topology->builder;
    // Engines need LIDs; cables do not depend on them.
    if (!sources.tables) sources.topology->builder.assign_lids();
  }
  FabricInput input = to_fabric_input(std::move(sources));
  const bool has_true_guids = source.cabling.has_true_guids;
  source.cabling = cabling_of(input.fabric, names);
  source.cabling.has_true_guids = has_true_guids;
  source.fabric = std::move(input.fabric);
  source.tables = std::move(input.tables);
  source.warnings = std::move(input.warnings);
  return source;
}

CablingSource read_cabling_plan(const std::string& file) {
  FabricSources sources = read_plan_sources(file);
  if (!sources.cables) return cabling_source(std::move(sources), {});
  std::vector<CableList> lists;
  lists.push_back(std::move(*sources.cables));
  CablingSource source;
  source.cabling = cabling_of(join_cable_lists(std::move(lists)));
  return source;
}

}  // namespace pssp
