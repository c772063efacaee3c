#pragma once

// Which nodes of the fabric a scheduler means by a name.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fabric/nodes/node_name_rule.h"
#include "monitor/counters/fabric_map.h"
#include "monitor/jobs/job.h"

namespace pssp {

/// Nodes of a map by name; holds nothing of the map.
class NodeNames {
 public:
  /// Adapters alone have names. O(nodes).
  explicit NodeNames(const FabricMap& map, const NodeNameRule& rule = {});

  /// Indices into FabricMap::nodes, ascending: a node with several adapters is all of them. None
  /// where nothing matches; nothing is guessed. The scheduler's name is taken in small letters, up
  /// to the first dot, too.
  std::span<const std::uint32_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::vector<std::uint32_t>> nodes_;
};

/// Where a job runs.
struct JobLocation {
  std::vector<std::uint32_t> nodes;    ///< indices into FabricMap::nodes, ascending, none twice
  std::vector<std::string> not_found;  ///< names that match no adapter; hostile
};
JobLocation place_of(const Job& job, const NodeNames& names);

}  // namespace pssp
