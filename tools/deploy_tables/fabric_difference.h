#pragma once

// The differences between two fabrics, by GUIDs and port numbers, as text.

#include <string>
#include <vector>

#include "base/digest.h"
#include "fabric/fabric.h"

namespace pssp {

struct FabricDifference {
  /// Differences that make old tables invalid: removed switches and links between switches; new or
  /// moved switches and hosts.
  std::vector<std::string> harmful;
  /// Differences that do not: removed hosts, new links.
  std::vector<std::string> harmless;

  /// Of all differences, by GUIDs and ports: different large differences may have equal texts
  /// (text() is truncated, and nodes can share names).
  DigestValue identity{};

  bool none() const noexcept { return harmful.empty() && harmless.empty(); }
  /// "link A[1] - B[2] is gone; and 3 more": harmful ones first.
  std::string text() const;
};

/// O((channels + ports) log).
FabricDifference difference_of(const Fabric& before, const Fabric& now);

}  // namespace pssp
