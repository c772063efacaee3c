#include "monitor/jobs/node_names.h"

#include <algorithm>
#include <utility>

namespace pssp {

NodeNames::NodeNames(const FabricMap& map, const NodeNameRule& rule) {
  for (std::uint32_t node = 0; node < map.nodes.size(); ++node) {
    if (map.nodes[node].kind != NodeKind::channel_adapter) continue;
    std::string name = rule.name_of(map.nodes[node].description);
    if (!name.empty()) nodes_[std::move(name)].push_back(node);
  }
}

std::span<const std::uint32_t> NodeNames::find(std::string_view name) const {
  const auto found = nodes_.find(host_part(name));
  return found == nodes_.end() ? std::span<const std::uint32_t>() : std::span(found->second);
}

JobLocation place_of(const Job& job, const NodeNames& names) {
  JobLocation place;
  for (const std::string& name : job.nodes) {
    const auto found = names.find(name);
    place.nodes.insert(place.nodes.end(), found.begin(), found.end());
    if (found.empty()) place.not_found.push_back(name);
  }
  std::sort(place.nodes.begin(), place.nodes.end());
  place.nodes.erase(std::unique(place.nodes.begin(), place.nodes.end()), place.nodes.end());
  return place;
}

}  // namespace pssp
