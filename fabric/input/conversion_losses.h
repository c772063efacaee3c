#pragma once

// What of a fabric a notation of topologies has no place for, so that a conversion can say so.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric/fabric.h"

namespace pssp {

enum class TopologyNotation : std::uint8_t { net, dot, ned, cable_list };

struct ConversionLosses {
  std::size_t nodes = 0;   ///< switches and adapters that the output does not have
  std::size_t cables = 0;  ///< of any kind, those that carry no routes included
  std::size_t lids = 0;
  std::size_t names = 0;    ///< descriptions that are not in the output, or only changed
  std::string node, cable;  ///< an example of each; empty: none

  bool any() const noexcept { return nodes + cables + lids + names != 0; }
};

/// `with_tables`: a graph is written with its routes, and then with base LIDs. O(size of the
/// fabric).
ConversionLosses conversion_losses(const Fabric& fabric, TopologyNotation notation,
                                   bool with_tables);

/// "a graph (dot) has no place for 2 cables (e.g. leaf1[30] - leaf1[31]) and 24 LIDs".
std::string to_string(const ConversionLosses& losses, TopologyNotation notation);

}  // namespace pssp
