#pragma once

// What a JSON document seems to be, from its beginning.

#include <cstdint>
#include <string_view>

namespace pssp {

enum class JsonKind : std::uint8_t {
  none,         ///< no JSON document that is an object or a list of objects
  other,        ///< JSON of another program, or an empty list
  ufm_links,    ///< answer of UFM's REST interface: resources/links
  ufm_ports,    ///< resources/ports
  ufm_systems,  ///< resources/systems
};

/// Decides by the names of the fields of the first object in a list; values never decide. The text
/// may be cut anywhere. O(size).
JsonKind json_kind(std::string_view text);

}  // namespace pssp
