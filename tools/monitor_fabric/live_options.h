#pragma once

// Common options of commands that read the fabric, and two sweeps of it.

#include <string>
#include <vector>

#include "monitor/counters/rates.h"
#include "monitor/live/fabric_options.h"
#include "tools/kit/port_options.h"

namespace pssp {

class CommandLine;

struct LiveOptions {
  PortOptions port;
  std::string topology, m_key_file, node_name_map;
  bool no_hosts = false;

  /// The object must outlive the parsing.
  void add_options(CommandLine& line);
  /// Throws Error(usage), Error(unreadable_input).
  FabricOptions fabric() const;
};

/// Two sweeps, and the events between them.
struct TwoSweeps {
  SnapshotPointer before, after;
  std::vector<PortDifference> differences;  ///< by port of after->map
  std::vector<std::string> remarks;
};

/// Discovers, sweeps, waits, and sweeps again. Throws Error(fabric_access); Error(mismatch) if the
/// answering nodes are not those of a topology file.
TwoSweeps sweep_twice(const FabricOptions& options, double interval_s);

}  // namespace pssp
