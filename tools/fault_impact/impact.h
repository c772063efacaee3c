#pragma once

// What a fault costs.

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

/// Of tables, on the fabric as it is.
struct TableState {
  double bandwidth = 0;  ///< effective bisection bandwidth
  double slowdown = 1;   ///< S of structured traffic
  std::uint64_t unreachable_pairs = 0;
  std::optional<unsigned> lanes;  ///< 1; unknown where there is a credit loop
  bool usable = false;
};

struct Impact {
  Fault fault;
  std::size_t hosts_cut_off = 0;  ///< without a cable, or on another island than most
  std::string refused;            ///< not empty: why the engine gave no tables
  TableState state;
  std::uint64_t changed_for_hosts = 0;       ///< entries (switch, LID) that are others now
  std::uint64_t changed_for_management = 0;  ///< those for LIDs of switches and the like
  double repair_ms = 0;
};

/// The tables whose faults are looked at, and how. For use by several threads at once.
class FaultTrial {
 public:
  /// Both must outlive the object.
  FaultTrial(const Fabric& fabric, const ForwardingTables& tables, const FaultOptions& options);

  /// Without a fault.
  TableState intact() const;
  /// Throws Error for what is no property of the fault, such as a fabric without LIDs.
  Impact suffer(const Fault& fault) const;

 private:
  TableState state_of(const Fabric& now, const ForwardingTables& tables) const;
  ForwardingTables repaired(const Fabric& now) const;

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const FaultOptions& options_;
  std::uint32_t longest_extra_hops_;
  std::optional<Baseline> baseline_;  // of Repair::baseline
};

}  // namespace pssp
