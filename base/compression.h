#pragma once

// Data compressed by zlib. The library pssp_compression has these functions, so that only programs
// that need them are linked with zlib.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// At zlib's fastest level. O(bytes). Throws std::bad_alloc.
std::string compressed(std::string_view data);

/// The data that compressed() was given, `size` bytes. None if `stored` is damaged, if the data
/// have another size, or if `size` is larger than `limit` or than `stored` can contain. So a forged
/// size cannot make this allocate more than `limit` bytes, or about a thousand times `stored`.
/// O(bytes).
std::optional<std::string> decompressed(std::string_view stored, std::uint64_t size,
                                        std::size_t limit);

}  // namespace pssp
