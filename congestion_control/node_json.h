#pragma once

// A node in the JSON reports.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "congestion_control/cc_nodes.h"
#include "congestion_control/node_settings.h"

namespace pssp {

/// Who the node is.
inline nlohmann::ordered_json node_json(const CcNode& node) {
  return {{"kind", node.is_switch ? "switch" : "adapter"},
          {"guid", fmt::format("0x{:016x}", node.guid)},
          {"lid", node.lid},
          {"name", node.name},
          {"description", node.description}};
}

inline nlohmann::ordered_json settings_json(std::span<const SettingLine> lines) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const SettingLine& line : lines) json[line.name] = line.value;
  return json;
}

/// The text of a report, with a newline at its end.
inline std::string dump_json(const nlohmann::ordered_json& json) {
  // Descriptions come from the fabric and need not be UTF-8.
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace pssp
