#include "operations/cabling/cabling_source.h"

#include <utility>

namespace pssp {

CablingSource cabling_source(FabricSources sources, const NodeNameMap& names) {
  const bool has_true_guids = sources.topology && !sources.topology->has_made_up_guids;
  // Engines need LIDs, and no cable depends on them.
  if (sources.topology && !sources.tables) sources.topology->builder.assign_lids();
  FabricInput input = to_fabric_input(std::move(sources));
  CablingSource source{cabling_of(input.fabric, names), std::move(input.fabric),
                       std::move(input.warnings)};
  source.cabling.has_true_guids = has_true_guids;
  return source;
}

CablingSource read_cabling_plan(const std::string& file) {
  FabricSources sources = read_plan_sources(file);
  if (!sources.cables) return cabling_source(std::move(sources), {});
  std::vector<CableList> lists;
  lists.push_back(std::move(*sources.cables));
  return {cabling_of(join_cable_lists(std::move(lists))), std::nullopt, {}};
}

}  // namespace pssp
