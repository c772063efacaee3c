#include "tools/diagnosis/measured_fabric.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace pssp {

std::vector<std::uint32_t> MeasuredFabric::ranks() const {
  std::vector<std::uint32_t> ranks;
  for (const std::uint32_t n : chosen) {
    ranks.insert(ranks.end(), nodes->ranks()[n].begin(), nodes->ranks()[n].end());
  }
  return ranks;
}

std::unique_ptr<const MeasuredFabric> read_measured_fabric(const std::vector<std::string>& files,
                                                           const NodeChoiceOptions& options) {
  const std::vector<std::filesystem::path> paths(files.begin(), files.end());
  // Paths and nodes refer to the fabric, which must not move.
  auto fabric = std::make_unique<MeasuredFabric>(
      MeasuredFabric{read_fabric_input(paths), nullptr, nullptr, {}, {}});
  require_tables(fabric->input.tables.has_value(), files.front());
  fabric->warnings = fabric->input.warnings;
  fabric->alternatives =
      std::make_unique<const FlowAlternatives>(fabric->input.fabric, *fabric->input.tables);
  NodeChoice choice = choose_nodes(fabric->input.fabric, options);
  fabric->warnings.insert(fabric->warnings.end(), choice.warnings.begin(), choice.warnings.end());
  fabric->chosen = std::move(choice.chosen);
  std::ranges::sort(fabric->chosen);
  fabric->nodes = std::make_unique<const MeasuredNodes>(
      fabric->input.fabric, std::move(choice.rails), std::move(choice.names));
  return fabric;
}

}  // namespace pssp
