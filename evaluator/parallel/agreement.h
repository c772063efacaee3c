#pragma once

// Whether all processes work on the same: each reads its input for itself, and a result that was
// put together from different inputs would belong to none of them.

#include <span>

#include "base/digest.h"
#include "evaluator/parallel/processes.h"

namespace pssp {

/// Something that must be the same in all processes.
struct Claim {
  const char* other;  ///< what is said of a process where it is not: "other tables"
  DigestValue digest{};
};

/// Called by all processes with the same number of claims, before anything is computed. Where a
/// process has another digest than the first process, throws Error(unreadable_input) that names the
/// ranks in the first process, and FailedElsewhere in the others. Does nothing in a single process.
void require_agreement(Processes& processes, std::span<const Claim> claims);

/// The same for whether options ask for work at all: a process that was asked for its version alone
/// would leave the others waiting.
void require_all_or_none(Processes& processes, bool has_work);

}  // namespace pssp
