#pragma once

// A node in the JSON reports.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "tools/congestion/cc_nodes.h"
#include "tools/congestion/node_text.h"

namespace pssp {

/// Identifies the node.
inline nlohmann::ordered_json node_json(const CcNode& node) {
  return {{"kind", node.is_switch ? "switch" : "adapter"},
          {"guid", fmt::format("0x{:016x}", node.guid)},
          {"lid", node.lid},
          {"name", node.name},
          {"description", node.description}};
}

inline nlohmann::ordered_json settings_json(std::span<const NamedSetting> lines) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const NamedSetting& line : lines) json[line.name] = line.value;
  return json;
}

}  // namespace pssp
