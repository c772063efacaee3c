#pragma once

// Arithmetic that several patterns share.

#include <bit>
#include <cstdint>

namespace pssp {

/// ceil(log2(ranks)), 0 for none or one: the number of doublings from 1 to at least `ranks`.
constexpr std::uint32_t doublings(std::uint32_t ranks) noexcept {
  return ranks < 2 ? 0 : static_cast<std::uint32_t>(std::bit_width(ranks - 1));
}

/// (rank + distance) mod ranks, for any number of ranks. rank < ranks, distance < ranks.
constexpr std::uint32_t shifted(std::uint32_t rank, std::uint32_t distance,
                                std::uint32_t ranks) noexcept {
  return rank < ranks - distance ? rank + distance : rank - (ranks - distance);
}

}  // namespace pssp
