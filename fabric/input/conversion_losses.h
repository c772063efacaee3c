#pragma once

// The parts of a fabric and its tables that an output notation cannot express, for the report of a
// conversion.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

enum class OutputNotation : std::uint8_t { net, dot, ned, cable_list, omnet_tables };

struct ConversionLosses {
  std::size_t nodes = 0;   ///< switches and adapters missing in the output
  std::size_t cables = 0;  ///< of any kind, including cables without routes
  std::size_t lids = 0;
  std::size_t names = 0;           ///< descriptions missing or changed in the output
  std::size_t entries = 0;         ///< of forwarding tables
  std::string node, cable, entry;  ///< an example of each; empty: none

  bool any() const noexcept { return nodes + cables + lids + names + entries != 0; }
};

/// `tables`: of the input; null without tables. A graph is written with its routes, and then with
/// base LIDs. For omnet_tables, only entries are counted. O(size of the fabric and its tables).
ConversionLosses conversion_losses(const Fabric& fabric, OutputNotation notation,
                                   const ForwardingTables* tables);

/// "a graph (dot) cannot represent 2 cables (e.g. leaf1[30] - leaf1[31]) and 24 LIDs".
std::string to_string(const ConversionLosses& losses, OutputNotation notation);

}  // namespace pssp
