#pragma once

// Numbers in MADs are big-endian and need not be aligned.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pssp {

/// Writes `value` to the first sizeof(Number) bytes of `to`.
template <std::unsigned_integral Number>
constexpr void put(std::span<std::uint8_t> to, Number value) {
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    to[i] = static_cast<std::uint8_t>(value & 0xff);
    // In two steps, because shifting a one-byte number by eight at once exceeds its width.
    value = static_cast<Number>(value >> 4);
    value = static_cast<Number>(value >> 4);
  }
}

/// Reads the first sizeof(Number) bytes of `from`.
template <std::unsigned_integral Number>
constexpr Number take(std::span<const std::uint8_t> from) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) value = (value << 8) | from[i];
  return static_cast<Number>(value);
}

}  // namespace pssp
