#pragma once

// Whether all processes work on the same: each reads its input for itself, and a result that was
// put together from different inputs would belong to none of them.

#include <span>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"

namespace pssp {

/// Something that must be the same in all processes.
struct Claim {
  const char* other;  ///< what is said of a process where it is not: "other tables"
  DigestValue digest{};
};

/// What programs with several processes claim of the fabrics, tables and levels that they have
/// read.
class InputClaims {
 public:
  void add(const Fabric& fabric);
  void add(const ForwardingTables& tables);
  void add(const ServiceLevels& levels);

  Claim topology() const { return {"another topology", topology_.value()}; }
  /// And levels.
  Claim tables() const { return {"other tables", tables_.value()}; }

 private:
  Digest topology_, tables_;
};

/// Called by all processes with the same number of claims, before anything is computed. Where a
/// process has another digest than the first process, throws Error(unreadable_input) that names the
/// ranks in the first process, and FailedElsewhere in the others. Does nothing in a single process.
void require_agreement(Processes& processes, std::span<const Claim> claims);

/// The same for whether options ask for work at all: a process that was asked for its version alone
/// would leave the others waiting.
void require_all_or_none(Processes& processes, bool has_work);

}  // namespace pssp
