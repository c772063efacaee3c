#pragma once

// A routing state as it lies in its file: compressed, because the tables of 48,924 LIDs have 237
// MB.

#include <string>
#include <string_view>

#include "base/guarded_files.h"

namespace pssp {

inline constexpr FileMark state_file_mark{.text = "osmpssp state ", .own_name = true};

/// "osmpssp state packed 1\n", the number of bytes (64 bits), and the bytes as zlib packs them.
/// Throws std::bad_alloc.
std::string packed_state(std::string_view content);

/// Throws Error(unreadable_input), with the reason alone, for what packed_state() has not made. The
/// result is at most `limit` bytes long, and a thousand times as long as `packed`.
std::string unpacked_state(std::string_view packed, std::size_t limit);

}  // namespace pssp
