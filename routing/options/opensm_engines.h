#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace pssp {

/// OpenSM's own routing engines, as in `opensm -R`, except `file`.
inline constexpr std::array<std::string_view, 10> opensm_engines{
    "minhop", "updn", "dnup", "ftree", "lash", "dor", "torus-2QoS", "dfsssp", "sssp", "nue"};

/// Whether OpenSM knows the name without a plugin.
inline bool is_opensm_engine(std::string_view name) {
  return name == "file" ||
         std::find(opensm_engines.begin(), opensm_engines.end(), name) != opensm_engines.end();
}

}  // namespace pssp
