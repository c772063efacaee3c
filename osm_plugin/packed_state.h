#pragma once

// A routing state as its file contains it: compressed, because the tables of 48,924 LIDs take
// 237 MB.

#include <string>
#include <string_view>

#include "base/guarded_files.h"

namespace pssp {

inline constexpr FileMark state_file_mark{.text = "osmpssp state ", .own_name = true};

/// "osmpssp state packed 1\n", the size of `content` (64 bits), and `content` compressed by zlib.
/// Throws std::bad_alloc.
std::string packed_state(std::string_view content);

/// The content of packed_state(). Throws Error(unreadable_input), with only the reason, if `packed`
/// is damaged or of another version, or if the content exceeds `limit` bytes. Allocates at most
/// about a thousand times the size of `packed`.
std::string unpacked_state(std::string_view packed, std::size_t limit);

}  // namespace pssp
