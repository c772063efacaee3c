#pragma once

// Infers the missing links of a damaged tree from the remaining links.

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

/// A missing link; the end with the lower SwitchId comes first. SwitchIds above those of the fabric
/// denote inferred switches.
struct InferredLink {
  SwitchPort a, b;
  // NOLINTNEXTLINE(modernize-use-nullptr)
  friend auto operator<=>(const InferredLink&, const InferredLink&) = default;
};

/// The links that the fabric lacks compared with a complete tree, ascending, including the links of
/// missing switches of the upper levels (inferred_switches.h). The structure determines the
/// switches; of their free ports, those at which siblings have such links are used, else the first.
/// Throws Error(unsuitable_topology) if the fabric is not a tree (require_tree()). O(channels *
/// children of a switch).
std::vector<InferredLink> infer_links(const Fabric& fabric);

/// Whether more than one in 33 links between switches is missing. Shifts are then unbalanced
/// anyway, so tables need not resemble those of the complete tree.
bool lacks_many_links(const Fabric& fabric, const std::vector<InferredLink>& links);
/// Whether some of the links belong to missing switches.
bool lacks_switches(const Fabric& fabric, const std::vector<InferredLink>& links);

}  // namespace pssp
