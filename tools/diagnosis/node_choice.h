#pragma once

// The nodes selected on the command line.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fabric/formats/cases.h"
#include "fabric/nodes/node_rails.h"

namespace pssp {

class CommandLine;

struct NodeChoiceOptions {
  std::string nodes;  ///< empty: all
  std::string node_names, node_name_map;
  bool skip_unknown = false;

  /// Adds --nodes, --node-names, --node-name-map and --skip-unknown. The object must outlive the
  /// parsing.
  void add_options(CommandLine& line);
};

struct NodeChoice {
  NodeRails rails;
  NodeNameMap names;
  /// In the order of the list, distinct; without a list all, in the order of NodeRails::nodes().
  std::vector<std::uint32_t> chosen;
  std::vector<std::string> given_names;  ///< of the chosen nodes, as in the list
  std::vector<std::string> warnings;
};

/// Counts nodes on which programs cannot be started.
class HostNameCheck {
 public:
  /// Returns false, and counts the node, if no program can be started on it: it has no name and is
  /// not listed, or `name`, by which programs reach it, is not a host name (is_host_name()).
  bool accepts(const NodeRails::Node& node, const std::string& name, bool is_listed);
  std::vector<std::string> warnings() const;

 private:
  std::size_t unnamed_ = 0;
  Cases not_host_names_;
};

/// Throws the errors of the readers, and Error(usage) if a name matches no node, unless these are
/// skipped.
NodeChoice choose_nodes(const Fabric& fabric, const NodeChoiceOptions& options);

}  // namespace pssp
