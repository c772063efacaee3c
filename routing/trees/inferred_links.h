#pragma once

// Which links a damaged tree has lost, judged by those that it still has.

#include <vector>

#include "fabric/fabric.h"

namespace pssp {

/// A port of a switch.
struct SwitchPort {
  SwitchId at;
  PortNumber port = no_port;
  // clang-tidy 14 takes the zero that a defaulted comparison is compared with for a pointer.
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const SwitchPort&, const SwitchPort&) = default;
};

/// A link that is not there, the end of the lower SwitchId first. SwitchIds above those of the
/// fabric are of switches that are not there either.
struct InferredLink {
  SwitchPort a, b;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const InferredLink&, const InferredLink&) = default;
};

/// The links that the fabric lacks compared with a regular tree of which it is what is left,
/// ascending, those of missing switches of the upper levels included (imagined_switches.h). Which
/// switches they join follows from the structure alone; of the free ports there, those are taken
/// that siblings have such links at, else the first. Throws Error(unsuitable_topology) where the
/// fabric is no tree (require_tree()). O(channels * children of a switch).
std::vector<InferredLink> infer_links(const Fabric& fabric);

/// Whether one link of 33 or more between switches is missing. Then shifts have lost the step, and
/// tables need no longer be like those of the whole tree.
bool lacks_many_links(const Fabric& fabric, const std::vector<InferredLink>& links);
/// Whether some are of switches that the fabric lacks, too.
bool lacks_switches(const Fabric& fabric, const std::vector<InferredLink>& links);

}  // namespace pssp
