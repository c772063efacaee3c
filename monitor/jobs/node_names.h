#pragma once

// Maps the node names of a scheduler to nodes of the fabric.

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

/// Finds nodes of a map by name. The object does not refer to the map after construction.
class NodeNames {
 public:
  /// Only adapters have names. O(nodes).
  explicit NodeNames(const FabricMap& map, const NodeNameRule& rule = {});

  /// Indices into FabricMap::nodes, ascending. All adapters of a node have its name. Empty if no
  /// name matches exactly. The name is also tried in lower case and up to its first dot.
  std::span<const std::uint32_t> find(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::vector<std::uint32_t>> nodes_;
};

/// The nodes of a job in the fabric.
struct JobLocation {
  /// indices into FabricMap::nodes, ascending, without duplicates
  std::vector<std::uint32_t> nodes;
  std::vector<std::string> not_found;  ///< names that match no adapter; untrusted text
};
JobLocation place_of(const Job& job, const NodeNames& names);

}  // namespace pssp
