#pragma once

// The output formats for schedulers, and their options.

#include <cstdint>
#include <string>
#include <vector>

#include "base/file_io.h"
#include "fabric/fabric.h"
#include "operations/placement/scheduler_nodes.h"
#include "operations/placement/slurm_topology.h"
#include "tools/convert_fabric/output_kinds.h"

namespace pssp {

class CommandLine;

class SlurmOutput {
 public:
  void add_options(CommandLine& line);
  /// Called after parsing: throws Error(usage) for options that do not belong to this format, or
  /// contradict each other.
  void take(const CommandLine& line, const OutputKind& kind);
  /// For a format with a `scheduler`; returns warnings. Throws the errors of scheduled_nodes() and
  /// of the readers of names.
  std::vector<std::string> write(const OutputKind& kind, const Fabric& fabric,
                                 const ContentSink& sink) const;

 private:
  /// NAME:tree, NAME:block=N or NAME:flat, the first two optionally followed by :RAILS.
  struct Asked {
    std::string name, rails;
    std::uint32_t block_size = 0;
    bool is_flat = false;
  };
  static Asked parse_topology(const std::string& text);
  NodeRails rails_of(const Fabric& fabric) const;
  SwitchNames switch_names() const;
  std::string yaml(const Fabric& fabric, const NodeRails& rails, ScheduledNodesOptions options,
                   std::vector<std::string>& warnings) const;

  ScheduledNodesOptions nodes_;
  std::string node_names_, node_name_map_, from_slurm_;
  std::string switch_names_ = "short";
  std::uint64_t blocks_ = 0;
  std::vector<std::string> topologies_;
  std::vector<Asked> asked_;
};

}  // namespace pssp
