#pragma once

// Checks that all processes have the same input: each reads the input itself, and a result combined
// from different inputs would be meaningless.

#include <span>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// A property that must be equal in all processes.
struct Claim {
  const char* other;  ///< description of a deviating process: "other tables"
  DigestValue digest{};
};

/// The claims about fabrics, tables and levels that processes have read.
class InputClaims {
 public:
  void add(const Fabric& fabric);
  void add(const ForwardingTables& tables);
  void add(const ServiceLevels& levels);

  Claim topology() const { return {"another topology", topology_.value()}; }
  /// Includes the levels.
  Claim tables() const { return {"other tables", tables_.value()}; }

 private:
  Digest topology_, tables_;
};

/// All processes must call it with the same number of claims, before computing anything. If a
/// process has another digest than the first process, throws Error(unreadable_input) naming the
/// ranks in the first process, and FailedElsewhere in the others. Does nothing in a single process.
void require_agreement(Processes& processes, std::span<const Claim> claims);

/// The same for whether options request any work: a process that only prints its version would
/// leave the others waiting.
void require_all_or_none(Processes& processes, bool has_work);

}  // namespace pssp
