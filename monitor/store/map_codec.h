#pragma once

// A FabricMap as a compressed blob, with all that discovery read.

#include <optional>
#include <string>
#include <string_view>

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// Without generation, hash, time and `fabric`.
std::string encode_map(const FabricMap& map);
/// Nothing where the bytes are no such map.
std::optional<FabricMap> decode_map(std::string_view blob);

/// Text as it is kept in the database; at most `limit` bytes are unpacked, more is nothing.
std::string packed(std::string_view text);
std::optional<std::string> unpacked(std::string_view blob, std::size_t limit);

}  // namespace pssp
