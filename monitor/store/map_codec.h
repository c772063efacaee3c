#pragma once

// Encodes a FabricMap, with everything that discovery read, as a compressed blob.

#include <optional>
#include <string>
#include <string_view>

#include "monitor/counters/fabric_map.h"

namespace pssp {

/// Omits the generation, the hash, the time and `fabric`.
std::string encode_map(const FabricMap& map);
/// Nothing if the bytes are not a valid map.
std::optional<FabricMap> decode_map(std::string_view blob);

/// Compresses text for the database, and decompresses it. unpacked() returns nothing if the result
/// would exceed `limit` bytes.
std::string packed(std::string_view text);
std::optional<std::string> unpacked(std::string_view blob, std::size_t limit);

}  // namespace pssp
