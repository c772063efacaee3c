#pragma once

// What of a fabric and its tables an output notation has no place for, so that a conversion can say
// so.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

enum class OutputNotation : std::uint8_t { net, dot, ned, cable_list, omnet_tables };

struct ConversionLosses {
  std::size_t nodes = 0;   ///< switches and adapters that the output does not have
  std::size_t cables = 0;  ///< of any kind, those that carry no routes included
  std::size_t lids = 0;
  std::size_t names = 0;           ///< descriptions that are not in the output, or only changed
  std::size_t entries = 0;         ///< of forwarding tables
  std::string node, cable, entry;  ///< an example of each; empty: none

  bool any() const noexcept { return nodes + cables + lids + names + entries != 0; }
};

/// `tables`: of the input; null where it has none. A graph is written with its routes, and then
/// with base LIDs. Of omnet_tables only entries are counted. O(size of the fabric and its tables).
ConversionLosses conversion_losses(const Fabric& fabric, OutputNotation notation,
                                   const ForwardingTables* tables);

/// "a graph (dot) has no place for 2 cables (e.g. leaf1[30] - leaf1[31]) and 24 LIDs".
std::string to_string(const ConversionLosses& losses, OutputNotation notation);

}  // namespace pssp
