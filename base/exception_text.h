#pragma once

#include <exception>
#include <new>

namespace pssp {

/// The message of an exception: what(), or "out of memory" for std::bad_alloc, whose what() names a
/// class. Valid as long as the exception.
inline const char* text_of(const std::exception& error) noexcept {
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory" : error.what();
}

}  // namespace pssp
