#pragma once

// Which nodes of the fabric a scheduler means by a name.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "monitor/counters/fabric_map.h"
#include "monitor/jobs/job.h"

namespace pssp {

/// How the description of an adapter becomes the name of its node: the first word of it, or what
/// the one group of a regular expression (ECMAScript) matches; in small letters, up to the first
/// dot. An adapter whose description does not match has no name.
class NodeNameRule {
 public:
  /// The first word.
  NodeNameRule() = default;
  /// Empty: the first word. Throws Error(usage) unless it is that, or a regular expression with
  /// exactly one group.
  explicit NodeNameRule(const std::string& expression);

  /// Empty: none.
  std::string name_of(std::string_view description) const;

 private:
  struct Expression;
  // <regex> takes seconds to compile wherever it is seen.
  std::shared_ptr<const Expression> expression_;
};

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
struct JobPlace {
  std::vector<std::uint32_t> nodes;    ///< indices into FabricMap::nodes, ascending, none twice
  std::vector<std::string> not_found;  ///< names that match no adapter; hostile
};
JobPlace place_of(const Job& job, const NodeNames& names);

}  // namespace pssp
