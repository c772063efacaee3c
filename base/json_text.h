#pragma once

// The text of JSON reports.

#include <nlohmann/json.hpp>
#include <string>

namespace pssp {

/// Indented, with a newline at its end. Names come from the fabric and from files, and may be
/// invalid UTF-8, which is replaced.
inline std::string dump_json(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace pssp
