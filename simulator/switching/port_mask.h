#pragma once

// Masks of the ports of a switch, one to four words: find the next round-robin port in O(1).

#include <bit>
#include <cstdint>

namespace pssp {

inline constexpr std::uint32_t no_port_position = 0xFFFFFFFF;

inline void set_bit(std::uint64_t* mask, std::uint32_t place) noexcept {
  mask[place / 64] |= std::uint64_t{1} << place % 64;
}
inline void clear_bit(std::uint64_t* mask, std::uint32_t place) noexcept {
  mask[place / 64] &= ~(std::uint64_t{1} << place % 64);
}
inline bool has_bit(const std::uint64_t* mask, std::uint32_t place) noexcept {
  return (mask[place / 64] >> place % 64 & 1U) != 0;
}

/// The first position in both masks in cyclic order from `start` on; no_port_position: none.
inline std::uint32_t first_of_both(const std::uint64_t* a, const std::uint64_t* b,
                                   std::uint32_t words, std::uint32_t start) noexcept {
  const std::uint32_t first_word = start / 64;
  const std::uint64_t from_start = ~std::uint64_t{0} << start % 64;
  const std::uint64_t both = a[first_word] & b[first_word];
  if ((both & from_start) != 0) {
    return first_word * 64 + static_cast<std::uint32_t>(std::countr_zero(both & from_start));
  }
  for (std::uint32_t step = 1; step < words; ++step) {
    const std::uint32_t word = (first_word + step) % words;
    const std::uint64_t found = a[word] & b[word];
    if (found != 0) return word * 64 + static_cast<std::uint32_t>(std::countr_zero(found));
  }
  if (both != 0) return first_word * 64 + static_cast<std::uint32_t>(std::countr_zero(both));
  return no_port_position;
}

}  // namespace pssp
