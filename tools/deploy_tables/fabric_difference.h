#pragma once

// What a fabric has more or less than another one: by GUIDs and port numbers, in words.

#include <string>
#include <vector>

#include "base/digest.h"
#include "fabric/fabric.h"

namespace pssp {

struct FabricDifference {
  /// What tables of the fabric before lead through or cannot lead to: switches, links between
  /// switches, that are gone; switches and hosts that are new, or elsewhere.
  std::vector<std::string> harmful;
  /// What they may stay for: hosts that are gone, links that are new.
  std::vector<std::string> harmless;

  /// Of all of it, by GUIDs and ports: two large differences may read alike (text() is cut off, and
  /// nodes share names), and are not the same.
  DigestValue identity{};

  bool none() const noexcept { return harmful.empty() && harmless.empty(); }
  /// "link A[1] - B[2] is gone; and 3 more": what is harmful first.
  std::string text() const;
};

/// O((channels + ports) log).
FabricDifference difference_of(const Fabric& before, const Fabric& now);

}  // namespace pssp
