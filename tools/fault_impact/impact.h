#pragma once

// The cost of a fault.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "routing/repair/baseline.h"
#include "tools/fault_impact/faults.h"
#include "tools/fault_impact/options.h"

namespace pssp {

/// The state of tables on the current fabric.
struct TableState {
  double bandwidth = 0;  ///< effective bisection bandwidth
  double slowdown = 1;   ///< S of structured traffic
  std::uint64_t unreachable_pairs = 0;
  std::optional<unsigned> lanes;  ///< 1; unknown with a credit loop
  bool usable = false;
};

struct Impact {
  Fault fault;
  std::size_t hosts_cut_off = 0;  ///< without a cable, or not on the largest island
  std::string refused;            ///< nonempty: why the engine gave no tables
  TableState state;
  std::uint64_t changed_for_hosts = 0;       ///< changed entries (switch, LID)
  std::uint64_t changed_for_management = 0;  ///< for LIDs of switches and so on
  double repair_ms = 0;
};

/// The examined tables and the method. Can be used by several threads.
class FaultTrial {
 public:
  /// Both must outlive the object.
  FaultTrial(const Fabric& fabric, const ForwardingTables& tables, const FaultOptions& options);

  /// Without a fault.
  TableState intact() const;
  /// Throws Error for errors that do not depend on the fault, such as a fabric without LIDs.
  Impact suffer(const Fault& fault) const;

 private:
  TableState state_of(const Fabric& now, const ForwardingTables& tables) const;
  ForwardingTables repaired(const Fabric& now) const;

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const FaultOptions& options_;
  std::uint32_t longest_extra_hops_;
  std::optional<Baseline> baseline_;  // for Repair::baseline
};

}  // namespace pssp
