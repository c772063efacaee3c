#pragma once

// Recognizes a JSON document from its beginning.

#include <cstdint>
#include <string_view>

namespace pssp {

enum class JsonKind : std::uint8_t {
  none,         ///< no JSON document that is an object or a list of objects
  other,        ///< JSON of another program, or an empty list
  ufm_links,    ///< reply of UFM's REST interface: resources/links
  ufm_ports,    ///< resources/ports
  ufm_systems,  ///< resources/systems
};

/// Uses the names of the fields of the first object in a list, never values. The text may be
/// truncated anywhere. O(size).
JsonKind json_kind(std::string_view text);

}  // namespace pssp
